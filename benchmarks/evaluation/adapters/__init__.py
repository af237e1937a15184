# SPDX-License-Identifier: MIT
"""One file per program.

Every adapter has DISTRIBUTION, the package whose version is recorded; MODULE, whose presence says
that it is installed; SETTINGS, its labels in logs and reports with what they stand for; SLOW,
those of SETTINGS that get fewer seeds; and functions:

prepare(problem, setting)    what is not timed: reading and building the graph
warm_up(prepared, task)      if it is there: what else is not timed, before every task
solve(prepared, task)        what is timed: returns blocks, or blocks and a dict to log
"""
