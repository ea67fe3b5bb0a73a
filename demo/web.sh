#!/usr/bin/env bash
# Builds the page for browsers into `target/web`. To look at it:
#
#     rustup target add wasm32-unknown-unknown
#     bash web.sh && python3 -m http.server --directory target/web
#
# Arguments are Cargo's, and `CARGO` may name another one.
set -euo pipefail
cd "$(dirname "$0")"

target=${CARGO_TARGET_DIR:-target}
"${CARGO:-cargo}" build --release --target wasm32-unknown-unknown "$@"
# The script that gives the program a canvas comes with miniquad, the library that macroquad is built on.
miniquad=$("${CARGO:-cargo}" metadata --format-version 1 --filter-platform wasm32-unknown-unknown |
    grep -o '[^"]*/miniquad-[^"/]*/Cargo.toml' | head -1)
mkdir -p "$target/web"
cp index.html "${miniquad%Cargo.toml}js/gl.js" "$target/wasm32-unknown-unknown/release/typed-pool-demo.wasm" "$target/web/"
ls -l "$target/web"
