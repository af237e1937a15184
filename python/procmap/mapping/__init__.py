# SPDX-License-Identifier: MIT
"""The calls that map, and what they return."""
