# SPDX-License-Identifier: MIT
"""The page as a whole."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from procmap.mapping._tables import shown_number
from procmap.mapping.page.figures import figures_of
from procmap.mapping.page.panel import BASELINES, panel

if TYPE_CHECKING:
    from collections.abc import Mapping as Dict

    from procmap.mapping._explained import ExplainedReport
    from procmap.mapping._report import Report

_HERE = Path(__file__).parent

# The browser itself refuses whatever would leave the page.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def html_page(
    evaluation: ExplainedReport, presets: Dict[str, Report] | None = None, title: str = "procmap"
) -> str:
    """Return a page of its own.

    Parameters
    ----------
    evaluation
        What it is about.
    presets
        Mappings of the same tasks by other presets.
    title : str
        Of the page.
    """
    # In JSON "<" stands only in texts; as an escape it ends no element.
    figures = json.dumps(figures_of(evaluation)).replace("<", "\\u003c")
    name, before = escape(title), BASELINES[evaluation.baseline]
    page = (
        '<!DOCTYPE html>\n<html lang="en" class="page"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{name}</title><style>{_text('page.css')}</style></head>\n"
        f'<body><main class="procmap"><h1>{name}</h1>\n{panel(evaluation)}\n'
        f"{_presets(evaluation, presets or {})}{_text('page.html').replace('BEFORE', before)}"
        f'<div id="tip" role="tooltip"></div></main>\n'
        f'<script type="application/json" id="data">{figures}</script>\n'
        f"<script>{_text('page.js')}</script></body></html>\n"
    )
    # Names of files may hold bytes that are no text, which no file in UTF-8 takes.
    return page.encode(errors="backslashreplace").decode()


def html_panel(evaluation: ExplainedReport) -> str:
    """Return the first panel for a notebook, with the style it needs."""
    style = _text("page.css").replace("html.page", "html.page-of-procmap")  # not of the notebook
    return f'<style>{style}</style><div class="procmap">{panel(evaluation)}</div>'


def _presets(evaluation: ExplainedReport, presets: Dict[str, Report]) -> str:
    if not presets:
        return ""
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{shown_number(report.cost)}</td>"
        f"<td>{_change(report, evaluation)}</td><td>{report.imbalance:.1%}</td></tr>"
        for name, report in presets.items()
    )
    return (
        '<section><h2>Other presets</h2><div class="scroll"><table><thead><tr><th>preset</th>'
        "<th>J</th><th>beside this mapping</th><th>imbalance</th></tr></thead><tbody>"
        f"{rows}</tbody></table></div></section>\n"
    )


def _change(report: Report, evaluation: ExplainedReport) -> str:
    if report.cost == evaluation.cost:
        return "the same"
    return f"{report.cost / evaluation.cost - 1:+.1%}" if evaluation.cost else "more"


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
