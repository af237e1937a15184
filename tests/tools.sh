# What tests/run.sh and .ci/run share. Sourced from the root of the project.

jobs=${PROCMAP_JOBS:-$(nproc)}

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
  "${as_root[@]}" apt-get -qq update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends "${missing[@]}" >/dev/null
}

# Makes a virtual environment with the build tools, once, and enters it.
make_venv() {
  if [[ ! -x $1/bin/pip ]]; then
    step "Python environment $1"
    python3 -m venv "$1"
  fi
  source "$1/bin/activate"
  export PIP_DISABLE_PIP_VERSION_CHECK=1
  pip install --quiet "cmake>=3.28" ninja
}

# Runs the C++ tests of a preset; prints the failing ones in full and otherwise only the summary.
run_ctest() {
  ctest --preset "$1" -j "$jobs" | grep -vE '^ +Start +[0-9]+:|^ *[0-9]+/[0-9]+ Test +#.* Passed '
}
