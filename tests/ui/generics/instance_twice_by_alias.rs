//! An instance listed twice, by another name
//!
//! Fix: remove one: both names mean one type, which has one pool.

use typed_pool::Pooled;

type Real = f32;

#[derive(Pooled)]
#[pool(instances(Node<f32>, Node<Real>))]
struct Node<T>([T; 4]);

fn main() {}
