#!/bin/sh
# Times builds: a first build of a crate that only depends, and what one more type with a derive adds to `cargo check`, where incremental
# compilation is on and a comment has changed. The least of five rounds; a minute or two.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
export CARGO_INCREMENTAL=1 CARGO_TARGET_DIR="$folder/target"
ours="typed-pool = { path = \"$root\" }"
serde='serde = { version = "1.0.200", features = ["derive"] }'
types=500

project() { # project DEPENDENCY ATTRIBUTES
    mkdir -p "$folder/src"
    printf '[package]\nname = "project"\nedition = "2024"\n[dependencies]\n%s\n[workspace]\n' "$1" >"$folder/Cargo.toml"
    seq $types | sed "s/.*/$2 pub struct Object& { pub id: u64, pub name: String, pub place: (f32, f32) }/" >"$folder/src/lib.rs"
    cd "$folder"
}

least() { # least PREPARATION COMMAND..: seconds
    prepare=$1
    shift
    for _ in 1 2 3 4 5; do
        $prepare
        begun=$(date +%s%N)
        "$@" >&2
        echo $((($(date +%s%N) - begun) / 1000))
    done | sort -n | awk 'NR == 1 { printf "%.3f", $1 / 1e6 }'
}

clean() { rm -rf "$CARGO_TARGET_DIR"; }
touched() { echo "//" >>src/lib.rs; }

for dependency in "$ours" 'mimalloc = { version = "0.1.43", default-features = false }' 'slotmap = "1.0.7"' "$serde"; do
    project "$dependency" ""
    cargo fetch -q
    echo "a first build: $(least clean cargo build -q) s, $dependency"
done
project "" ""
without=$(least touched cargo check -q)
for derive in "$ours:#[derive(typed_pool::Pooled)]" ":#[derive(Clone, Debug)]" "$serde:#[derive(serde::Serialize, serde::Deserialize)]"; do
    project "${derive%%:#*}" "#${derive#*:#}"
    cargo check -q
    with=$(least touched cargo check -q)
    echo "one more type: $(awk "BEGIN { printf \"%.2f\", ($with - $without) * 1000 / $types }") ms, #${derive#*:#}"
done
