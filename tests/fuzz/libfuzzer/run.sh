#!/usr/bin/env bash
# Runs the fuzz targets of build/fuzz, as many at a time as there are processors; a finding is an exit status of 1, its
# input lies in build/fuzz/found. Arguments: for every target either "seconds N" or "cases N" (`mapping` and `config`, which
# take ten and more times as long as the others, get a tenth of it), then options of libFuzzer. With cases and -seed=S,
# and without what earlier runs left in build/fuzz/corpus, the cases are the same every time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

kind=${1:?seconds or cases} amount=${2:?how many}
shift 2
case $kind in
  seconds) limit=-max_total_time=$amount ;;
  cases) limit=-runs=$amount ;;
  *) echo "seconds or cases, not $kind" >&2; exit 2 ;;
esac
mkdir -p build/fuzz/found
export UBSAN_OPTIONS=print_stacktrace=1

# What is found new is kept in build/fuzz/corpus for the next run; tests/fuzz/corpus only grows by hand.
fuzz() {
  local name=$1 limit=$2 log=build/fuzz/$1.log
  shift 2
  [[ $name != @(mapping|config) || $limit != -runs=* ]] || limit=-runs=$((${limit#-runs=} / 10))
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

targets=(mapping metis machines mapping_file config)
printf '%s\n' "${targets[@]}" | xargs -P "${PROCMAP_JOBS:-$(nproc)}" -I{} bash -c 'fuzz "$@"' - {} "$limit" "$@" || exit 1
