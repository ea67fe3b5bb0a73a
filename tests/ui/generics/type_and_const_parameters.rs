//! As `type_parameter`: with a type and a constant parameter.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Grid<T, const N: usize> {
    cells: [T; N],
}

fn main() {}
