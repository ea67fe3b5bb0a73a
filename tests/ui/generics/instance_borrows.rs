//! An instance that borrows

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances(Token<&str>, Token<Vec<(u8, &[u8])>>))]
struct Token<T>(T);

fn main() {}
