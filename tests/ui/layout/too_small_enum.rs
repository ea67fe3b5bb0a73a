use typed_pool::Pooled;

#[derive(Pooled)]
enum Light {
    Red,
    Green,
}

fn main() {}
