//! As `too_small`: in a function.

use typed_pool::Pooled;

fn main() {
    #[derive(Pooled)]
    struct Spark(u8);
}
