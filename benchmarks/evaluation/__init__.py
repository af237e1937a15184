# SPDX-License-Identifier: MIT
"""The evaluation that anyone can repeat: instances, rivals, one log of runs, one report."""
