# SPDX-License-Identifier: MIT
"""procmap with the CUDA backend: procmap of the same version takes it by itself.

Here lie the extension module and the C++ library that procmap's own wheel has for the CPU alone.
"""
