//! A union

use typed_pool::Pooled;

#[derive(Pooled)]
union Bits {
    float: f64,
    integer: u64,
}

fn main() {}
