use typed_pool::zeroable;

struct Pair<T>(T, T);

zeroable!([T] Pair<T> { 0, 1 });

fn main() {}
