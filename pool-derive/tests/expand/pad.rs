#[derive(Pooled)]
#[pool(pad)]
struct Spark(u8);
