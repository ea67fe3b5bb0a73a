//! Types with parameters, whose instances are not listed

use typed_pool::{PoolBox, Pooled};

// A generic type without instances, which holds boxes of itself.
#[derive(Pooled)]
struct TypeParameter<T> {
    value: T,
    next: Option<PoolBox<TypeParameter<T>>>,
    children: Vec<PoolBox<Self>>,
}

// With a constant parameter.
#[derive(Pooled)]
struct ConstParameter<const N: usize> {
    cells: [u64; N],
}

// A type with a lifetime.
#[derive(Pooled)]
struct Lifetime<'a> {
    text: &'a str,
}

fn main() {
    // One mistake is one error.
    let node = PoolBox::new(TypeParameter { value: 1, next: None, children: Vec::new() });
    println!("{} {:?}", node.value, node.next.is_none());
}
