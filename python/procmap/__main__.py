# SPDX-License-Identifier: MIT
"""``python -m procmap``: the command line without the installed script."""

import sys

from procmap.cli import main

sys.exit(main())
