//! As `moved_out_of_a_box`: `let job = *boxed;`.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
struct Job {
    name: String,
}

fn main() {
    let boxed = PoolBox::new(Job { name: "mine".into() });
    let job = *boxed;
}
