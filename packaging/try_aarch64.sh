#!/usr/bin/env bash
# Compiles the libraries for aarch64 by Debian's cross compiler, and compares, under QEMU, with mappings that the ones for
# this machine make: packaging/try_aarch64.sh FOLDER PREFIX, where PREFIX is what try_installed.sh installed. Needs cmake,
# ninja-build, g++, g++-aarch64-linux-gnu, qemu-user.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH=/usr/bin:/bin
mkdir -p "$1"
folder=$(realpath "$1")
prefix=$(realpath "$2")
source=$PWD/tests/library/mappings.c

cmake -S . -B "$folder/build" -G Ninja -DPROCMAP_TESTS=OFF -DPROCMAP_CUDA=OFF -DPROCMAP_BUILD_ONCE=ON \
  -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ >"$folder/log"
cmake --build "$folder/build" >>"$folder/log"
cmake --install "$folder/build" --prefix "$folder/prefix" >>"$folder/log"

# Loads of PEs, cost and a hash of the mapping, for graphs, machines and presets of all kinds.
compile() { # with a compiler against a prefix
  "$1" -std=c99 -O1 "$source" -I"$2/include" "$2/lib/libprocmap.so" -Wl,-rpath,"$2/lib" -o "$3"
}
compile cc "$prefix" "$folder/here"
compile aarch64-linux-gnu-gcc "$folder/prefix" "$folder/there"
"$folder/here" >"$folder/here.txt"
qemu-aarch64 -L /usr/aarch64-linux-gnu "$folder/there" >"$folder/there.txt"
diff "$folder/here.txt" "$folder/there.txt"
echo "aarch64: $(wc -l <"$folder/there.txt") mappings as on $(uname -m)"
