//! An instance listed twice, by another name

use typed_pool::Pooled;

type Real = f32;

#[derive(Pooled)]
#[pool(instances(Node<f32>, Node<Real>))]
struct Node<T>([T; 4]);

fn main() {}
