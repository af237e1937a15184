# SPDX-License-Identifier: MIT
"""What has nothing to do with graphs or machines: errors, arrays of users, text files."""
