#!/bin/sh
# Measures everything once, and from that run writes docs/performance.md, its charts, and the tables of the README and
# of the guide's page on strategies. Takes a quarter of an hour, on a machine that does nothing else. Given the file of
# an earlier run, it only writes.
set -eu
cd "$(dirname "$0")/.."
saved=${1:-docs/performance.json}
if [ $# = 0 ]; then
    measure() { cargo run --profile measured --manifest-path benches/Cargo.toml --bin side_by_side "$@"; }
    measure -- published --save "$saved"
    # Another build, since a feature is for the whole program.
    measure --features huge-pages -- w9-huge --append "$saved"
fi
cargo run --quiet --release --manifest-path benches/Cargo.toml --bin publish -- "$saved"
