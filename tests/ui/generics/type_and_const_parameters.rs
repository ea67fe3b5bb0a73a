//! As `type_parameter`: of a type and a constant.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Grid<T, const N: usize> {
    cells: [T; N],
}

fn main() {}
