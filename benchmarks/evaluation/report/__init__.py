# SPDX-License-Identifier: MIT
"""The report: Markdown, CSV and SVG from logs of runs, nothing typed."""
