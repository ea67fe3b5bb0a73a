#!/bin/sh
# Measures everything once, and writes the README's table, docs/performance.md and its charts from that run.
# Takes about twenty minutes, on a machine that does nothing else. With a file, which an earlier run has left, only writes.
set -eu
cd "$(dirname "$0")/.."
saved=${1:-docs/performance.json}
if [ $# = 0 ]; then
    cargo run --profile measured --package typed-pool-benches --bin side_by_side -- published --save "$saved"
fi
cargo run --quiet --release --package typed-pool-benches --bin publish -- "$saved"
