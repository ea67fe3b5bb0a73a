//! As `instance_not_listed`: shared, of a type with bounds and a constant.

use typed_pool::{PoolRc, Pooled};

#[derive(Pooled)]
#[pool(rc, instances(Node<f32, 4>))]
struct Node<T: Copy, const N: usize = 4>([T; N])
where
    T: Send + 'static;

fn main() {
    let node = PoolRc::new(Node([0.0_f64; 4]));
}
