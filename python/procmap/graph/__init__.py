# SPDX-License-Identifier: MIT
"""Tasks and their traffic."""
