use typed_pool::Pooled;

#[derive(Pooled)]
struct Spark(u32);

fn main() {}
