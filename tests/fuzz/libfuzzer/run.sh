#!/usr/bin/env bash
# Runs the fuzz targets of build/fuzz, as many at a time as there are processors; a finding is an exit status of 1, its
# input lies in build/fuzz/found. Arguments: for every target either "seconds N", or "quarter-minutes N", which is a
# number of cases that took so long on a quiet processor; then options of libFuzzer. With quarter-minutes and -seed=S, and
# without what earlier runs left in build/fuzz/corpus, the cases are the same every time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

kind=${1:?seconds or quarter-minutes} amount=${2:?how many}
shift 2
[[ $kind == seconds || $kind == quarter-minutes ]] || { echo "seconds or quarter-minutes, not $kind" >&2; exit 2; }

# Targets, and cases of a quarter of a minute: 190,000 in all. The last are quick, so no processor waits long at the end.
declare -A cases_of=([config]=1875 [mapping]=2125 [metis]=31250 [machines]=30000 [mapping_file]=125000)
targets=(config mapping metis machines mapping_file)
limit_of() {
  if [[ $kind == seconds ]]; then echo "-max_total_time=$amount"; else echo "-runs=$((amount * cases_of[$1]))"; fi
}

mkdir -p build/fuzz/found
export UBSAN_OPTIONS=print_stacktrace=1

# What is found new is kept in build/fuzz/corpus for the next run; tests/fuzz/corpus only grows by hand.
fuzz() {
  local name=$1 limit=$2 log=build/fuzz/$1.log
  shift 2
  mkdir -p "build/fuzz/corpus/$name"
  "build/fuzz/fuzzers/$name" -max_len=512 -len_control=20 -timeout=60 -report_slow_units=60 -rss_limit_mb=3000 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/found/$name-" "$limit" "$@" "build/fuzz/corpus/$name" "tests/fuzz/corpus/$name" >"$log" 2>&1 || {
    grep -aE "^wrong|ERROR|runtime error|SUMMARY|^    #|written to" "$log" | head -40
    echo "$name: FOUND something; the whole log is $log"
    return 1
  }
  echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") cases, nothing found"
}
export -f fuzz

for target in "${targets[@]}"; do printf '%s %s\n' "$target" "$(limit_of "$target")"; done |
  xargs -P "${PROCMAP_JOBS:-$(nproc)}" -L1 bash -c 'extra=("${@:1:$#-2}"); fuzz "${@: -2}" "${extra[@]}"' - "$@" || exit 1
