//! As `too_small`: one that is used, and still one error.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
struct Spark(u8);

fn main() {
    let spark = Spark::pool_alloc();
    Spark::pool_free(spark);
}
