#[derive(Pooled)]
#[pool(static, strategy = free_list, capacity = 64, instances(Node<f32>, Node<f64>))]
struct Node<T>([T; 4]);
