#!/usr/bin/env bash
# Installs the libraries with nothing but Debian's packages, and compiles programs in C, C++ and Fortran against them, by
# pkg-config and by find_package:
# packaging/try_installed.sh FOLDER. Needs cmake, ninja-build, g++, gfortran, pkg-config.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH=/usr/bin:/bin # no CMake of a virtual environment
mkdir -p "$1"
folder=$(realpath "$1")
examples=$PWD/examples/library

cmake --version | head -n 1
cmake -S . -B "$folder/build" -G Ninja -DPROCMAP_TESTS=OFF -DPROCMAP_CUDA=OFF -DPROCMAP_BUILD_ONCE=ON >"$folder/log"
cmake --build "$folder/build" >>"$folder/log"
cmake --install "$folder/build" --prefix "$folder/prefix" >>"$folder/log"

cd "$folder"
export PKG_CONFIG_PATH=$PWD/prefix/lib/pkgconfig LD_LIBRARY_PATH=$PWD/prefix/lib
read -ra flags <<<"$(pkg-config --cflags --libs procmap)"
read -ra metis_flags <<<"$(pkg-config --cflags --libs procmap-metis)"
cc "$examples/map.c" "${flags[@]}" -o map_c
cc "$examples/partition_metis.c" "${metis_flags[@]}" -o partition_metis
g++ -std=c++20 "$examples/map.cpp" "${flags[@]}" -o map_cpp
gfortran -J. prefix/include/procmap/procmap.f90 "$examples/map.f90" "${flags[@]}" -o map_fortran
# The same by CMake, and without a shared library.
cmake -S "$examples" -B examples -G Ninja -DCMAKE_PREFIX_PATH="$PWD/prefix" >>log
cmake --build examples >>log
for program in examples/map_{c,cpp,fortran,static} examples/partition_metis map_c map_cpp map_fortran partition_metis; do
  echo "$program: $("./$program")"
done

# The first x86-64 processors had neither AVX nor SSE3.
if [[ $(uname -m) == x86_64 ]] && command -v qemu-x86_64 >/dev/null; then
  echo "on a processor of 2003: $(qemu-x86_64 -cpu qemu64 ./map_c)"
fi
