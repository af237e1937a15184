# SPDX-License-Identifier: MIT
"""The command ``procmap``: one module per subcommand."""

from procmap.cli.main import main

__all__ = ["main"]
