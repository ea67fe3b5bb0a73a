use typed_pool::{FreeList, init};

fn main() {
    let pool = FreeList::new();
    let zeros = init::value([0_u8; 64]);
    let _first = pool.init(zeros);
    let _second = pool.init(zeros);
}
