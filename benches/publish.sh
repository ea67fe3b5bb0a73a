#!/bin/sh
# Measures everything once into docs/performance/<this processor>.json. From the runs on all processors it then writes
# docs/performance.md, its charts, and the tables of the README and of the guide's page on strategies. Takes about 15
# minutes, on a machine that does nothing else. `publish.sh pages` only writes. `ROUNDS=1` in the environment is a rehearsal.
set -eu
cd "$(dirname "$0")/.."
publish() { cargo run --quiet --profile measured --manifest-path benches/Cargo.toml --bin publish -- "$@"; }
if [ "${1:-}" != pages ]; then
    mkdir -p docs/performance
    cargo run --profile measured --manifest-path benches/Cargo.toml -- all --rounds "${ROUNDS:-31}" \
        --save "$(publish --where)"
fi
publish
