//! An instance that is not listed

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
#[pool(instances(Node<f32>))]
struct Node<T>([T; 4]);

fn main() {
    let node = PoolBox::new(Node([0.0_f64; 4]));
}
