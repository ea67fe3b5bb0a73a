//! As `instance_borrows`: with the lifetime named.

use typed_pool::Pooled;

struct Text<'a>(&'a str);

#[derive(Pooled)]
#[pool(instances(Token<Text<'_>>, Token<&'a str>, Token<Box<dyn Fn() + 'a>>))]
struct Token<T>(T);

fn main() {}
