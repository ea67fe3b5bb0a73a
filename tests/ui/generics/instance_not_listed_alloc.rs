//! As `instance_not_listed`: by `pool_alloc`, where a note says so.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
#[pool(instances(Node<f32>))]
struct Node<T>([T; 4]);

fn main() {
    drop(Node::<f64>::pool_alloc());
}
