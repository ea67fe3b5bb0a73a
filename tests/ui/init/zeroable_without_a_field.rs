use typed_pool::zeroable;

struct Name {
    length: usize,
    text: Box<str>,
}

zeroable!(Name { length });

fn main() {}
