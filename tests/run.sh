#!/usr/bin/env bash
# Builds procmap as it is shipped and runs all its tests that need no GPU: the C++ ones with ctest, the Python ones
# with pytest. Everything it makes lies in build/. Needs python3, a C++20 compiler and, for GoogleTest, either Debian's
# packages (installed here if possible) or /usr/src/googletest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tests/tools.sh

need_debian_packages libgtest-dev googletest
use_venv build project test

step "Build the library, the Python module and the C++ tests in build/release; install into build/venv"
PROCMAP_CUDA=OFF PROCMAP_WERROR=ON pip install --quiet --no-build-isolation --no-deps \
  --config-settings=build-dir=build/release --config-settings=cmake.define.PROCMAP_TESTS=ON \
  --config-settings=cmake.define.PROCMAP_BUILD_ONCE=ON .

# All at the same time: most Python tests keep one processor busy at most.
step "C++: ctest, and Python: pytest, in two parts unless something is asked for"
run_ctest release >build/release/ctest.log 2>&1 &
jobs_running=($!) logs=(build/release/ctest.log) failed=0
if (($#)); then
  python -m pytest "$@" || failed=1
else
  second_part=(tests/python/{distributed,mpi,project})
  python -m pytest --durations=8 "${second_part[@]}" >build/release/pytest.log 2>&1 &
  jobs_running+=($!) logs+=(build/release/pytest.log)
  python -m pytest --durations=8 "${second_part[@]/#/--ignore=}" || failed=1
fi
for job in "${jobs_running[@]}"; do wait "$job" || failed=1; done
for log in "${logs[@]}"; do
  step "$log"
  cat "$log"
done
exit $failed
