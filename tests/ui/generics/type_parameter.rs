use typed_pool::Pooled;

#[derive(Pooled)]
struct Node<T> {
    bounds: [T; 4],
}

fn main() {}
