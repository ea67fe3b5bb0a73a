//! A box of a type parameter sent to another thread
//!
//! Fix: ask for `PoolBox<T>: Send`.

use typed_pool::{PoolBox, Pooled};

fn send<T: Pooled + Send>(element: PoolBox<T>) {
    std::thread::spawn(move || drop(element));
}

fn main() {}
