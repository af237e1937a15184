# SPDX-License-Identifier: MIT
"""Who sends how much to whom."""
