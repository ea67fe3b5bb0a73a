use typed_pool::{FreeList, init};

struct Name(String);

fn main() {
    let pool = FreeList::new();
    let name = String::from("Grendel");
    let _ = pool.init(init!(Name { 0: name.clone() }));
    println!("{name}");
}
