use typed_pool::Pooled;

#[derive(Pooled)]
struct Grid<T, const N: usize> {
    cells: [T; N],
}

fn main() {}
