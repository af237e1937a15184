# SPDX-License-Identifier: MIT
"""All parameters of the method."""
