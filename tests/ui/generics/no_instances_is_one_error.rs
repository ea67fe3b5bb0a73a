//! As `type_parameter`: on a type that is used, and still one error.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Node<T: ?Sized + ToString>
where
    T: Send,
{
    id: u64,
    value: T,
}

fn main() {
    let node = Node::pool_alloc_with(|| Node { id: 1, value: 2 });
    println!("{}", Node::<i32>::pool_stats());
    println!("{}", node.id);
}
