//! A type that is not of your crate
//!
//! Fix: take `any::Box<String>`, which is for all types; or write `#[derive(Pooled)]` on a struct of yours that holds it.

use typed_pool::PoolBox;

fn main() {
    let name: PoolBox<String> = PoolBox::new(String::new());
}
