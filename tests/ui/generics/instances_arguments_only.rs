use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances(f32, f64))]
struct Node<T>([T; 4]);

fn main() {}
