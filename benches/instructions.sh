#!/bin/sh
# Counts the instructions of a pair of alloc and free, of a tree's node and of a roster's operations,
# and compares them with the committed figures in instructions.txt. Fails when one is exceeded. Needs valgrind, and the
# profile `measured` (fat LTO, one codegen unit).
#
# With one compiler and one target the counts are the same on every run, so this is the one measure
# of speed that can be checked on a machine with other work. A new rustc may move them.
set -eu
export LC_ALL=C
cd "$(dirname "$0")"

# The same number of digits, so that the start-up is the same, and whole trees of 31 nodes.
few=31000
many=62000

count=$(
    cargo build --profile measured --quiet --bin count --message-format json |
        sed -n 's/.*"executable":"\([^"]*count[^"]*\)".*/\1/p'
)

# Instructions in a whole run.
executed() {
    log=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$count" "$1" "$2" 2>&1) ||
        { echo "$log" >&2; exit 1; }
    echo "$log" | sed -n 's/.*Collected : //p'
}

# Instructions of one operation: what a longer run adds, divided.
measured() {
    long=$(executed "$1" $many)
    short=$(executed "$1" $few)
    awk "BEGIN { printf \"%.2f\", ($long - $short) / ($many - $few) }"
}

exceeded=0
while read -r workload committed; do
    case $workload in '#'* | '') continue ;; esac
    found=$(measured "$workload")
    if [ "$committed" = - ]; then
        verdict=unchecked
    else
        verdict=$(awk "BEGIN { print ($found > $committed) ? \"EXCEEDED\" : \"ok\" }")
    fi
    printf '%-20s %7s instructions, %7s committed: %s\n' \
        "$workload" "$found" "$committed" "$verdict"
    [ "$verdict" != EXCEEDED ] || exceeded=1
done <instructions.txt
exit $exceeded
