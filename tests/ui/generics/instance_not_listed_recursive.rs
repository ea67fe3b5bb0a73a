//! As `instance_not_listed`: of a type with a bound on itself, where a note says so.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
#[pool(instances(List<f32>, List<f64>))]
struct List<T>
where
    List<T>: Pooled,
{
    value: T,
    next: Option<PoolBox<List<T>>>,
}

fn main() {
    let list = PoolBox::new(List { value: 1_u8, next: None });
}
