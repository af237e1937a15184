# SPDX-License-Identifier: MIT
"""Days of use in minutes: calls of every kind, from many threads and forked processes."""
