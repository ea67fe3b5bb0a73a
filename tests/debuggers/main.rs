//! A program that stops, so that `.ci/deep debuggers` can compare what gdb shows of it.

use typed_pool::rewind::Rewind;
use typed_pool::{FreeList, Handle, PointerStack, PoolBox, Pooled, Roster, any};

#[derive(Clone, Pooled)]
struct Bullet {
    x: f32,
    speed: f32,
}

fn main() {
    let bullet = PoolBox::new(Bullet { x: 1.0, speed: 2.0 });
    let number = any::Box::new(7_u32);

    let mut bullets = Roster::tagged(5);
    let gone = bullets.insert((*bullet).clone());
    bullets.remove(gone);
    let fast = bullets.insert(Bullet { x: 3.0, speed: 40.0 });
    for n in 0..2 {
        bullets.insert(Bullet { x: n as f32, speed: 6.0 });
    }
    let dangling = Handle::<Bullet>::DANGLING;

    // Elements of 40 bytes, so that the roster has granules of 16 slots, and some chunks.
    let mut many = Roster::tagged(6);
    let handles: Vec<_> = (0..100).map(|n| many.insert([n; 5])).collect();
    handles[..98].iter().for_each(|handle| _ = many.remove(*handle));

    let list = FreeList::<[u64; 3]>::new();
    let boxes: Vec<_> = (0..70).map(|n| list.alloc([n; 3])).collect();
    let stack = PointerStack::<[u64; 3]>::new();
    let mut fewer: Vec<_> = (0..70).map(|n| stack.alloc([n; 3])).collect();
    fewer.truncate(60);

    let mut rewind = Rewind::new();
    rewind.insert(1_u8);
    let marks = [rewind.mark(), rewind.mark()];

    println!("{}", bullet.x + bullet.speed + *number as f32); // gdb stops here
    println!("{} {}", bullets.len() + many.len() + boxes.len() + fewer.len(), dangling == fast);
    println!("{:?}", marks[0] == marks[1]);
}
