//! Zeros for a type that has no such value

use typed_pool::init;

struct Names {
    count: usize,
    names: Vec<String>,
    first: &'static str,
}

fn main() {
    let _ = init!(Names { count: 0, names <- init::zeroed(), first: "" });
    let _ = init!(Names { count: 0, names: Vec::new(), ..init::zeroed() });
}
