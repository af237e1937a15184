# SPDX-License-Identifier: MIT
"""``procmap completion``: what the Tab key offers."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

import procmap
from procmap.cli.options import sentence
from procmap.cli.status import OK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from procmap.cli.options import Commands

_TEXT = "print a script that completes commands and options in a shell"
_HOW = """\
bash: eval "$(procmap completion bash)" in ~/.bashrc; zsh: the same with zsh in ~/.zshrc, after
compinit; fish: procmap completion fish > ~/.config/fish/completions/procmap.fish"""


def add_to(commands: Commands) -> None:
    """Add the subcommand."""
    sub = commands.add_parser("completion", help=_TEXT, description=sentence(_TEXT), epilog=_HOW)
    sub.add_argument("shell", choices=tuple(_SCRIPTS))
    sub.set_defaults(run=partial(_run, commands), verbose=False)


def _run(commands: Commands, args: argparse.Namespace) -> int:
    print("\n".join(_SCRIPTS[args.shell](commands)))
    return OK


def _bash(commands: Commands) -> Iterator[str]:
    yield "_procmap() {"
    yield '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words='
    yield '  case "${COMP_WORDS[1]} $before" in'
    for name, parser in commands.choices.items():
        for action in parser._actions:
            for option in action.option_strings if _values(action) else ():
                yield f'    "{name} {option}") words="{" ".join(_values(action))}" ;;'
    yield "  esac"
    yield "  if [[ -z $words && ( $COMP_CWORD -eq 1 || $word == -* ) ]]; then"
    yield '    case "${COMP_WORDS[1]}:$COMP_CWORD" in'
    yield f'      *:1) words="{" ".join(commands.choices)}" ;;'
    for name, parser in commands.choices.items():
        yield f'      {name}:*) words="{" ".join(_options(parser))}" ;;'
    yield "    esac"
    yield "  fi"
    yield '  if [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$word"))'
    yield '  else COMPREPLY=($(compgen -f -- "$word")); fi'
    yield "}"
    yield "complete -o filenames -F _procmap procmap"


def _zsh(commands: Commands) -> Iterator[str]:
    yield "autoload -U +X bashcompinit && bashcompinit"
    yield from _bash(commands)


def _fish(commands: Commands) -> Iterator[str]:
    helps = {action.dest: action.help for action in commands._choices_actions}
    for name, parser in commands.choices.items():
        first = "complete -c procmap -n __fish_use_subcommand -f"
        yield f"{first} -a {name} -d {_quoted(helps[name])}"
        for action in parser._actions:
            names = [
                f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
                for option in action.option_strings
            ]
            if not names:
                continue
            values = f" -x -a {_quoted(' '.join(_values(action)))}" if _values(action) else ""
            needs = " -r" if action.nargs != 0 and not values else ""
            yield (
                f"complete -c procmap -n '__fish_seen_subcommand_from {name}' "
                f"{' '.join(names)}{values}{needs} -d {_quoted(action.help)}"
            )


_SCRIPTS = {"bash": _bash, "zsh": _zsh, "fish": _fish}


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [option for action in parser._actions for option in action.option_strings]


def _values(action: argparse.Action) -> list[str]:
    """Return what an option takes, if that is one of few words."""
    if action.dest == "preset":
        return list(procmap.Config.preset_names())
    return [str(choice) for choice in action.choices or ()]


def _quoted(text: str | None) -> str:
    return "'" + (text or "").replace("%%", "%").replace("'", "\\'") + "'"
