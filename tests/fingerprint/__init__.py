# SPDX-License-Identifier: MIT
"""A fingerprint of mappings: what procmap answered once, so that a change can show it still does.

A case is a graph, a machine, options and a seed, all made of integers that are the same on every
computer. `run.py` maps each and records a digest of the blocks, or compares with the record.
"""
