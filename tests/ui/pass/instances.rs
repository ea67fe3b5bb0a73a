use typed_pool::Pooled;

mod tree {
    #[derive(typed_pool::Pooled)]
    #[pool(instances(Node<f32>, super::tree::Node<f64>, Node<Vec<Option<u8>>, 2>,))]
    pub struct Node<T, const N: usize = 4>(pub [T; N])
    where
        T: Clone;
}

fn main() {
    println!("{}", tree::Node::<f32>::pool_stats());
    println!("{}", tree::Node::<f64, 4>::pool_stats());
    println!("{}", tree::Node::<Vec<Option<u8>>, 2>::pool_stats());
}
