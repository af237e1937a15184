#!/usr/bin/env bash
# Builds procmap with the CUDA backend and tests it on the GPU of this machine: the tests of the CPU, the phases on
# the GPU, CPU = GPU bit for bit, and compute-sanitizer's four tools on the smallest graphs. Ends with a table; fails
# if any row does. Everything it makes lies in build/gpu. Needs CUDA 13, CMake 3.28, a C++20 compiler, GoogleTest;
# downloads nothing.
#
#   bash tests/run_gpu.sh                     all
#   bash tests/run_gpu.sh equality            only these steps: cpu backend crews equality faults memcheck racecheck
#                                             initcheck synccheck python fingerprint upload
#
# CUDAARCHS (default 90), PROCMAP_JOBS, PROCMAP_GTEST_FILTER (for backend and equality), PROCMAP_GRAPHS (folder of
# the graph files of fingerprint, default ../shared/data).
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=build/gpu
jobs=${PROCMAP_JOBS:-$(nproc)}
logs=$build/logs
steps=("$@")
((${#steps[@]})) || steps=(cpu backend crews equality faults memcheck racecheck initcheck synccheck python fingerprint upload)
filter=${PROCMAP_GTEST_FILTER:-*}
table=()

# Runs a step and notes how it went. Its output goes to a log, of which the end is shown if it failed.
run_step() {
  local name=$1 limit=$2 start=$SECONDS status=passed
  shift 2
  printf '== %s: %s\n' "$name" "$*"
  timeout "$limit" "$@" >"$logs/$name.log" 2>&1 || status="FAILED ($?)"
  grep -q 'no usable GPU' "$logs/$name.log" && status="FAILED (no GPU)"
  [[ $status == passed ]] || tail -n 60 "$logs/$name.log"
  table+=("$(printf '%-12s %-16s %5d s   %s' "$name" "$status" $((SECONDS - start)) "$(summary_of "$logs/$name.log")")")
  [[ $status == passed ]]
}

summary_of() {
  grep -E '^\[  (PASSED|FAILED)  \] [0-9]+ test|tests passed|========= (ERROR|RACECHECK) SUMMARY|^[0-9]+ passed|^=* ?.*[0-9]+ passed|^[0-9]+ of [0-9]+ cases' "$1" |
    sort | uniq -c | tail -n 4 | tr -s '= \n' ' '
}

print_table() {
  printf '\n%s\n' "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo 'no GPU')"
  printf '%s\n' "${table[@]}"
  for row in "${table[@]}"; do [[ $row == *FAILED* ]] && return 1; done
  return 0
}

# In minimum cuts heights are read while others write them, on purpose: cpp/src/refinement/flow/push_relabel.hpp has the
# proof, and racecheck, which knows of none, leaves those kernels out.
sanitize() {
  local tool=$1
  shift
  [[ $tool == racecheck ]] && set -- --kernel-name-exclude kernel_substring=queue_kernel \
    --kernel-name-exclude kernel_substring=cut_bands "$@"
  compute-sanitizer --tool "$tool" --error-exitcode 9 --print-limit 20 "$@" \
    "$build/tests/cuda/equality_tests" '--gtest_filter=*SanitizerSample*' --gtest_brief=1
}

# Runs a test program as several processes: small graphs leave most of a GPU idle.
sharded() {
  local shards=$((jobs < 16 ? 4 : 8)) pids=() failed=0 shard
  export OMP_NUM_THREADS=$((jobs < shards ? 1 : jobs / shards)) GTEST_TOTAL_SHARDS=$shards
  for ((shard = 0; shard < shards; ++shard)); do
    GTEST_SHARD_INDEX=$shard "$@" --gtest_brief=1 "--gtest_filter=$filter" &
    pids+=($!)
  done
  for shard in "${pids[@]}"; do wait "$shard" || failed=1; done
  return $failed
}

# Installs the package, once for all steps that need it.
install_package() {
  if [[ -z ${installed:-} ]]; then
    installed=yes
    run_step install 900 env PROCMAP_CUDA=ON "CUDAARCHS=${CUDAARCHS:-90-real}" CMAKE_BUILD_PARALLEL_LEVEL="$jobs" \
      python3 -m pip install --quiet --no-build-isolation --no-deps --target "$build/python" --upgrade . || installed=no
  fi
  [[ $installed == yes ]]
}
export -f sanitize sharded
export build jobs filter

mkdir -p "$logs"
generator=$(command -v ninja >/dev/null && echo Ninja || echo 'Unix Makefiles')
configure_and_build() {
  run_step configure 120 cmake -S . -B "$build" -G "$generator" -DCMAKE_BUILD_TYPE=Release -DPROCMAP_CUDA=ON \
    -DPROCMAP_TESTS=ON "-DCMAKE_CUDA_ARCHITECTURES=${CUDAARCHS:-90-real}" || return 1
  local targets=(backend_cuda_tests crew_tests equality_tests cuda_fault_tests)
  [[ ${steps[*]} == upload ]] && targets=()
  [[ " ${steps[*]} " == *" cpu "* ]] && targets=(all)
  [[ " ${steps[*]} " == *" upload "* ]] && targets+=(upload_speed)
  run_step build 1500 cmake --build "$build" -j "$jobs" --target "${targets[@]}"
}
needs_cmake=no  # pip builds for itself
for step in "${steps[@]}"; do
  [[ $step == python || $step == fingerprint ]] || needs_cmake=yes
done
[[ $needs_cmake == no ]] || configure_and_build || { print_table; exit 1; }

for step in "${steps[@]}"; do
  case $step in
    cpu) run_step cpu 600 ctest --test-dir "$build" -LE cuda -j "$jobs" --output-on-failure ;;
    backend) run_step backend 600 bash -c "sharded $build/tests/cuda/backend_cuda_tests" ;;
    crews) run_step crews 600 "$build/tests/cuda/crew_tests" --gtest_brief=1 ;;
    equality) run_step equality 1200 bash -c "sharded $build/tests/cuda/equality_tests" ;;
    faults) run_step faults 600 "$build/tests/cuda/cuda_fault_tests" --gtest_brief=1 ;;
    memcheck) run_step memcheck 600 bash -c 'sanitize memcheck' ;;
    initcheck) run_step initcheck 600 bash -c 'sanitize initcheck' ;;
    racecheck | synccheck) run_step "$step" 600 bash -c "sanitize $step" ;;
    python)
      install_package && run_step python 600 env "PYTHONPATH=$PWD/$build/python" python3 -m pytest -q \
        -p no:cacheprovider tests/python/gpu tests/python/test_device.py
      ;;
    fingerprint)
      install_package && run_step fingerprint 1200 env "PYTHONPATH=$PWD/$build/python" python3 tests/fingerprint/run.py \
        check tests/fingerprint/recorded.json --device cuda --jobs "$jobs" --shared "${PROCMAP_GRAPHS:-../shared/data}"
      ;;
    upload) run_step upload 120 "$build/tests/cuda/upload_speed" && cat "$logs/upload.log" ;;
    *) echo "unknown step $step" >&2; exit 2 ;;
  esac
done
print_table
