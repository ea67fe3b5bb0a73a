#!/bin/sh
# Times pairs of alloc and free in a `cdylib`, as a game engine loads it, beside the same in an executable.
set -eu
cd "$(dirname "$0")/plugin"

build() { # build FEATURES ARGUMENT...
    features=$1
    shift
    cargo rustc --release --quiet --features "$features" "$@"
}

for features in noted pools mimalloc mimalloc-dynamic; do
    build $features --lib --crate-type cdylib
    cp target/release/libplugin.so target/release/$features.so
done
build pools,mimalloc --bin plugin

[ "${1:-}" = build ] || exec target/release/plugin \
    "$PWD"/target/release/pools.so "$PWD"/target/release/noted.so "$PWD"/target/release/mimalloc.so \
    "$PWD"/target/release/mimalloc-dynamic.so
