//! `#[zeroable(..)]` with a key other than `crate`

use typed_pool::Zeroable;

#[derive(Zeroable)]
#[zeroable(bound = "")]
struct Pair<T>(T, T);

#[derive(Zeroable)]
#[zeroable(crate = "engine::pools")]
struct Id(u32);

#[derive(Zeroable)]
struct Name(#[zeroable(crate = typed_pool)] u32);

fn main() {
    let _ = (Pair(1, 2), Id(1), Name(1));
}
