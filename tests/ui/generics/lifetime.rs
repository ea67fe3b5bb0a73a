use typed_pool::Pooled;

#[derive(Pooled)]
struct Token<'a> {
    text: &'a str,
}

fn main() {}
