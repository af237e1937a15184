#!/usr/bin/env bash
# Builds the wheel of procmap-cuda13 from the sdist that packaging/plugin.py makes of procmap's, and installs it beside the
# wheel for the CPU into an empty environment: packaging/try_plugin.sh FOLDER SDIST WHEEL. Needs the extra `package` and an
# nvcc; seven minutes of a processor. A GPU is not needed, and used if there is one.
#
# The wheels of PyPI have an nvcc of PyPI and the GCC of images with an older glibc (.github/workflows/wheels.yml).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rm -rf "$1"
mkdir -p "$1"
folder=$(realpath "$1")
sdist=$(realpath "$2")
wheel=$(realpath "$3")

python packaging/plugin.py "$sdist" "$folder/dist"
tar -xzf "$folder"/dist/*.tar.gz -C "$folder"
TIMEFORMAT='built in %R s, %U + %S s of a processor'
time (cd "$folder" && PROCMAP_CUDA=ON pip wheel --quiet --no-deps --wheel-dir dist "$folder"/procmap_cuda13-*/ >log 2>&1) ||
  { tail -n 50 "$folder/log"; exit 1; }
plugin=$(echo "$folder"/dist/*.whl)
python packaging/check_wheel.py "$plugin"
python packaging/sbom.py "$plugin" >"$folder/sbom.json"

for name in cpu both; do
  python -m venv "$folder/$name"
  "$folder/$name/bin/pip" install --quiet "$wheel"
done
"$folder/both/bin/pip" install --quiet "$plugin" # which asks for procmap of this version
# The CPU's mappings are those of the other wheel.
"$folder/both/bin/python" tests/fingerprint/run.py check tests/fingerprint/recorded.json --every 80
python packaging/check_plugin.py "$folder/both/bin/python" "$folder/cpu/bin/python" # after it the plugin is of no use
"$folder/both/bin/pip" uninstall --quiet --yes procmap-cuda13
"$folder/both/bin/python" -c 'import procmap; print("without it:", procmap.partition(([0, 1, 2], [1, 0]), 2).blocks.tolist())'
