# SPDX-License-Identifier: MIT
"""Tiny problems at random, and their best mappings by trying all of them.

Nothing here asks procmap for a distance, a capacity or a cost: it is a second opinion on what the
best mapping is. `run.py` compares.
"""
