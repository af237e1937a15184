# SPDX-License-Identifier: MIT
"""The report to look at: one HTML page of its own, without any request to a network.

`figures` computes what it shows, groups of PEs instead of single ones where there are many;
`panel` is its first part, which notebooks show; page.css and page.js lie beside.
"""
