//! An instance that borrows
//!
//! Fix: own the data (`Token<String>`), write `Token<&'static str>`, or keep the elements in a
//! `FreeList` of your own.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances(Token<&str>, Token<Vec<(u8, &[u8])>>))]
struct Token<T>(T);

fn main() {}
