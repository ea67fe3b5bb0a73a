use typed_pool::zeroable;

union Either {
    number: u32,
    reference: &'static u32,
}

zeroable!(Either { number });

fn main() {}
