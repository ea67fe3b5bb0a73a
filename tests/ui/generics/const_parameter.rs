//! As `type_parameter`: of a constant.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Grid<const N: usize> {
    cells: [u64; N],
}

fn main() {}
