//! As `type_parameter`: with a constant parameter.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Grid<const N: usize> {
    cells: [u64; N],
}

fn main() {}
