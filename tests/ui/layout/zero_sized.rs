use typed_pool::Pooled;

#[derive(Pooled)]
struct Marker;

fn main() {}
