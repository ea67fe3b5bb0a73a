//! `#[derive(Zeroable)]` on a struct with a field that has no zero

use typed_pool::Zeroable;

#[derive(Zeroable)]
struct Name {
    id: u32,
    text: &'static str,
    list: [Vec<u8>; 4],
}

#[derive(Zeroable)]
struct Pair<T>(T, String);

fn main() {
    let _ = (Name { id: 0, text: "", list: Default::default() }, Pair(0, String::new()));
}
