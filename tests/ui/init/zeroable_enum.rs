use typed_pool::zeroable;

enum Never {}

zeroable!(Never {});

fn main() {}
