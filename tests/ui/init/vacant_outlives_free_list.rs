use typed_pool::FreeList;

fn main() {
    let slot = {
        let pool = FreeList::<u64>::new();
        pool.vacant()
    };
    drop(slot);
}
