use typed_pool::FreeList;

fn main() {
    let bullet = {
        let pool = FreeList::new();
        pool.alloc([0.0_f32; 4])
    };
    println!("{}", bullet[0]);
}
