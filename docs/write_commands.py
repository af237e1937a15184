# SPDX-License-Identifier: MIT
"""Write docs/site/commands.md, the reference of the command line, from its own parsers.

Run it after a change of options; a test compares.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from procmap.cli.options import sentence

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

PAGE = Path(__file__).parent / "site" / "commands.md"
HEAD = """\
# Command line

What `procmap COMMAND --help` says, on one page. Written by `docs/write_commands.py`.

Exit codes: 0 done; 1 a file is bad; 2 wrong usage; 3 the mapping is not balanced (it is written
nevertheless); 130 interrupted; 141 nobody reads the output.
"""


def text() -> str:
    """Return the page."""
    parser = importlib.import_module("procmap.cli.main")._parser()  # the name is a function, too
    (commands,) = (action for action in parser._actions if action.dest == "command")
    helps = {action.dest: action.help for action in commands._choices_actions}
    parts = [HEAD]
    for name, command in commands.choices.items():
        parts.append("\n".join(section(name, helps[name], command)))
    return "\n".join(parts)


def section(name: str, text: str, command: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the lines of one command."""
    actions = [action for action in command._actions if action.dest != "help"]
    places = " ".join(placeholder(action) for action in actions if not action.option_strings)
    yield f"## procmap {name}\n"
    yield sentence(text)
    yield f"\n    procmap {name} {places}".rstrip() + (" [options]\n" if actions else "\n")
    yield "| argument | meaning |"
    yield "|---|---|"
    for action in actions:
        yield f"| {argument(action)} | {(action.help or '').replace('|', '&#124;')} |"
    yield ""


def argument(action: argparse.Action) -> str:
    """Return names and value of an argument, each of which stays on a line (extra.css)."""
    words = list(action.option_strings) or [placeholder(action)]
    if action.option_strings and action.nargs != 0 and (action.metavar or not action.choices):
        words[-1] += f" {placeholder(action)}"
    names = ", ".join(map(code, words))
    choices = action.choices or () if action.option_strings and not action.metavar else ()
    return " ".join([names, *map(code, choices)])


def code(text: object) -> str:
    """Return a word as HTML."""
    return f'<code class="option">{text}</code>'


def placeholder(action: argparse.Action) -> str:
    """Return what stands for the value of an argument."""
    if action.metavar:
        return str(action.metavar)
    if action.choices:
        return "{" + ",".join(map(str, action.choices)) + "}"
    return action.dest.upper()


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
