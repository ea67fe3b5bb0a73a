use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances(Node))]
struct Node<T>([T; 4]);

fn main() {}
