# SPDX-License-Identifier: MIT
"""An executor without workers whose workers die."""

from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool


class Fails(Executor):
    """Every worker dies that gets one of these jobs; counts jobs."""

    def __init__(self, *dying):
        self.dying = dying
        self.jobs = 0

    def submit(self, fn, /, *args, **kwargs):
        number, self.jobs = self.jobs, self.jobs + 1
        future = Future()
        if number in self.dying:
            future.set_exception(BrokenProcessPool("killed"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future
