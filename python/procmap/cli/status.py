# SPDX-License-Identifier: MIT
"""Exit codes."""

OK, BAD_INPUT, USAGE, INFEASIBLE, INTERRUPTED = 0, 1, 2, 3, 130
NO_READER = 141  # as shells report a program that SIGPIPE ended

EXPLANATION = """\
exit codes: 0 done; 1 a file is bad; 2 wrong usage; 3 the mapping is not balanced (it is written
nevertheless); 130 interrupted; 141 nobody reads the output"""
