//! As `too_small`: in a module that imports nothing.

mod effects {
    #[derive(typed_pool::Pooled)]
    pub struct Spark(pub u8);
}

fn main() {}
