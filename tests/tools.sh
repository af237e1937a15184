# What tests/run.sh and .ci/run share. Sourced from the root of the project.

jobs=${PROCMAP_JOBS:-$(nproc)}
export CMAKE_BUILD_PARALLEL_LEVEL=$jobs
export PIP_DISABLE_PIP_VERSION_CHECK=1
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
  export CMAKE_CUDA_COMPILER_LAUNCHER=${CMAKE_CUDA_COMPILER_LAUNCHER-ccache}
fi

step() { printf '\n== %s\n' "$*"; }

# Installs the missing ones of some Debian packages, where that is possible. Without apt the build
# itself says what it misses.
need_debian_packages() {
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || return 0
  local package missing=() as_root=()
  for package in "$@"; do
    [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  step "apt-get install ${missing[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || { echo "not root and no sudo: please install ${missing[*]}" >&2; return 1; }
    as_root=(sudo)
  fi
  [[ -n ${PROCMAP_APT_UPDATED:-} ]] || "${as_root[@]}" apt-get -qq update
  export PROCMAP_APT_UPDATED=yes # once for all stages
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends "${missing[@]}" >/dev/null
}

# Makes the virtual environment build/venv, once, and enters it. It gets CMake, Ninja and what the named lists of
# pyproject.toml ask for: "build", "project" (what procmap itself needs) or an extra.
use_venv() {
  if [[ ! -x build/venv/bin/pip ]]; then
    step "Python environment build/venv"
    python3 -m venv build/venv
  fi
  source build/venv/bin/activate
  local requirements
  requirements=$(python tests/requirements.py "$@")
  pip install --quiet "cmake>=3.25" ninja -r /dev/stdin <<<"$requirements"
}

# Runs the C++ tests of a preset; prints the failing ones in full and otherwise only the summary.
run_ctest() {
  ctest --preset "$1" -j "$jobs" | grep -vE '^ +Start +[0-9]+:|^ *[0-9]+/[0-9]+ Test +#.* Passed '
}
