use typed_pool::Pooled;

#[derive(Pooled)]
struct Message {
    id: u64,
    text: str,
}

fn main() {}
