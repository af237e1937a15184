# SPDX-License-Identifier: MIT
"""Properties that are computed once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class cached_property(Generic[T]):
    """As in functools, but without the lock that it has before Python 3.12.

    That lock is one for all objects of a class: a thread that waits for a pipe would keep every
    other one from reading, and a process forked meanwhile would wait for ever. Two threads may
    compute the same value here, and the first one stays.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> cached_property[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> cached_property[T] | T:
        if instance is None:
            return self
        value = self._compute(instance)
        return instance.__dict__.setdefault(self._name, value)  # type: ignore[no-any-return]
