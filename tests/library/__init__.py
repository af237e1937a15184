# SPDX-License-Identifier: MIT
"""METIS's functions against METIS: random calls, and programs that use it."""
