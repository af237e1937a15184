# SPDX-License-Identifier: MIT
"""Machines."""
