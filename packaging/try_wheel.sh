#!/usr/bin/env bash
# Builds sdist and wheel, the wheel from the sdist alone and for glibc 2.28, checks both, and installs the wheel into an
# empty environment: packaging/try_wheel.sh FOLDER. Needs the extra `package`; five minutes of a processor.
#
# The wheels of PyPI are built by GCC in images of that glibc (pyproject.toml, cibuildwheel). Where there are no images,
# this tells whether the sources ask for something newer: zig is a clang that has the symbols of every glibc.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$(realpath "$1")
python=$(command -v python)

mkdir -p "$folder/bin"
zig=$(python -c "import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).with_name('zig'))")
# Python.h of Debian includes <x86_64-linux-gnu/python3.11/pyconfig.h>; zig looks for nothing in /usr/include.
headers=$(python -c 'import pathlib, sysconfig as s; print(s.get_config_var("MULTIARCH") or "", pathlib.Path(s.get_path("include")).name, sep="/")')
mkdir -p "$folder/include/$(dirname "$headers")"
[[ ! -d /usr/include/$headers ]] || ln -sfn "/usr/include/$headers" "$folder/include/$headers"
for compiler in cc c++; do
  printf '#!/bin/sh\nexec "%s" %s -target %s-linux-gnu.2.28 "$@" -idirafter "%s"\n' "$zig" "$compiler" "$(uname -m)" \
    "$folder/include" >"$folder/bin/$compiler"
  chmod +x "$folder/bin/$compiler"
done

export ZIG_GLOBAL_CACHE_DIR=${ZIG_GLOBAL_CACHE_DIR:-$folder/cache}

rm -rf "$folder"/{dist,repaired,bare}
python -m build --sdist --outdir "$folder/dist" . >"$folder/log"
sdist=$(echo "$folder"/dist/*.tar.gz)
(cd "$folder" && # far from the tree, or what the sdist lacks would not be missed
  CC=$folder/bin/cc CXX=$folder/bin/c++ PROCMAP_CUDA=OFF CMAKE_CXX_COMPILER_LAUNCHER='' \
    pip wheel --quiet --no-deps --wheel-dir dist "$sdist")
auditwheel repair --plat "manylinux_2_28_$(uname -m)" --strip --wheel-dir "$folder/repaired" "$folder"/dist/*.whl
wheel=$(echo "$folder"/repaired/*.whl)

twine check --strict "$sdist" "$wheel"
python packaging/check_wheel.py "$wheel"
auditwheel show "$wheel"
python packaging/sbom.py "$wheel" >"$folder/sbom.json"

# From `pip install` to the first mapping, NumPy downloaded anew. Judged are seconds of a processor, of all threads: those
# of a clock depend on the line and on what else the machine does.
"$python" -m venv "$folder/bare"
TIMEFORMAT='%R %U %S'
seconds_of() { # into a file, of a command whose errors are shown
  local file=$1
  shift
  { time "$@" 2>&3; } 3>&2 2>"$file"
}
first_mapping() { (cd / && env -i PATH=/usr/bin:/bin "$folder/bare/bin/python" "$OLDPWD/examples/first_mapping.py"); }
seconds_of "$folder/install.time" "$folder/bare/bin/pip" install --quiet --no-cache-dir "$wheel"
seconds_of "$folder/first.time" first_mapping >"$folder/first"
awk '{ clock += $1; processor += $2 + $3; if (FNR == NR) installed = $1 }
     END { printf "installed in %.1f s, first mapping after %.1f s; %.1f s of a processor\n", installed, clock, processor
           if (processor > 15) { print "more than 15 s of a processor" > "/dev/stderr"; exit 1 } }' \
  "$folder/install.time" "$folder/first.time"

# NumPy needs the SSE4.2 of 2008; AVX came in 2011.
if [[ $(uname -m) == x86_64 ]] && command -v qemu-x86_64 >/dev/null; then
  echo "on a processor without AVX:"
  qemu-x86_64 -cpu Nehalem "$folder/bare/bin/python" examples/first_mapping.py | grep cost
fi

# Another compiler and another standard library: the same mappings.
"$folder/bare/bin/python" tests/fingerprint/run.py check tests/fingerprint/recorded.json --every 40
