#[derive(Pooled)]
#[pool(rc)]
struct Squad { alive: u32 }
