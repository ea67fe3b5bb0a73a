//! As `too_small`: that is used: still one error.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
struct Spark(u8);

fn main() {
    let spark = Spark::pool_alloc();
    Spark::pool_free(spark);
}
