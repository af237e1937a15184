# SPDX-License-Identifier: MIT
"""The parts of the benchmarks: instances, verification, child processes, reports."""
