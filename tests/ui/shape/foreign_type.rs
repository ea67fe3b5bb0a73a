use typed_pool::PoolBox;

fn main() {
    let name = PoolBox::new(String::new());
}
