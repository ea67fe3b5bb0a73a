//! Zeros for fields and types that have no such value

use typed_pool::{Zeroable, init};

struct Names {
    count: usize,
    names: Vec<String>,
    first: &'static str,
}

#[derive(Zeroable)]
struct Name {
    id: u32,
    text: &'static str,
    list: [Vec<u8>; 4],
}

#[derive(Zeroable)]
struct Pair<T>(T, String);

fn main() {
    let _ = init!(Names { count: 0, names <- init::zeroed(), first: "" });
    let _ = init!(Names { count: 0, names: Vec::new(), ..init::zeroed() });
}
