#!/usr/bin/env bash
# Builds procmap and runs all its tests that need no GPU: the C++ ones with ctest, the Python ones
# with pytest. Everything it makes lies in build/. Needs python3, a C++20 compiler and, for
# GoogleTest, either Debian's packages (installed here if possible) or /usr/src/googletest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tests/tools.sh

need_debian_packages libgtest-dev googletest
make_venv build/venv

step "C++: configure and build (preset dev)"
cmake --preset dev
cmake --build --preset dev -j "$jobs"

step "Python: build and install into build/venv"
PROCMAP_CUDA=OFF PROCMAP_WERROR=ON CMAKE_BUILD_PARALLEL_LEVEL=$jobs pip install --quiet ".[${PROCMAP_EXTRAS:-test}]"

step "C++: ctest"
run_ctest dev

step "Python: pytest"
python -m pytest "$@"
