# SPDX-License-Identifier: MIT
"""What the name of a host is: the one place that decides it, for whatever comes from outside.

Names go into the files and command lines of launchers, which know no way to quote: a blank, a colon
or the end of a line in a name would be read as something else there.
"""

from __future__ import annotations

import re

from procmap._util.errors import TopologyError
from procmap._util.messages import shortened

_NAME = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?")
_LONGEST = 253  # of the domain name system


def check_host(name: str) -> str:
    """Return the name of a host; raise TopologyError, with the name, if it is none."""
    if len(name) <= _LONGEST and _NAME.fullmatch(name):
        return name
    raise TopologyError(
        f"{shortened(name, 40)!a} is not the name of a host: expected letters, digits, '.', '-' "
        f"and '_', a letter or digit first, at most {_LONGEST} characters"
    )
