use typed_pool::zeroable;

struct Name(&'static str);

zeroable!(Name { 0 });

fn main() {}
