//! A box sent to another thread in generic code

use typed_pool::{PoolBox, Pooled};

fn send<T: Pooled + Send>(element: PoolBox<T>) {
    std::thread::spawn(move || drop(element));
}

fn main() {}
