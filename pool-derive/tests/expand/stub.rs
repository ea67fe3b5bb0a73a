#[derive(Pooled)]
#[pool(capcity = 64, chunk)]
struct Node<'a, T: Clone + 'a, const N: usize>([&'a T; N]);
