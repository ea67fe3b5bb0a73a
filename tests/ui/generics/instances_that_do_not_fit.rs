//! Instances that are not listed, or smaller than a pointer

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
#[pool(instances(Node<f32>))]
struct Node<T>([T; 4]);

#[derive(Pooled)]
#[pool(instances(Small<u8>, Small<f32>, Small<()>))]
struct Small<T>([T; 4]);

fn main() {
    let node = PoolBox::new(Node([0.0_f64; 4]));
}
