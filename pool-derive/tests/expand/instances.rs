#[derive(Pooled)]
#[pool(capacity = 16, instances(Node<f32>, Node<Vec<u8>, 2>))]
struct Node<T, const N: usize = 4>
where
    T: Clone,
{
    bounds: [T; N],
}
