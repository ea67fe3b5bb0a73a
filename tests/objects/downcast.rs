//! Objects of derived types become a type again.

use std::cell::Cell;

use typed_pool::{PoolArc, PoolBox, PoolObject, PoolRc, Pooled, StaticPoolObject, unsize};

trait Enemy: PoolObject {
    fn strength(&self) -> u64;
}

trait Job: StaticPoolObject + Send + Sync {}

thread_local! {
    static DROPPED: Cell<u32> = const { Cell::new(0) };
}

#[derive(Pooled)]
#[pool(rc)]
struct Orc(u64);

/// It has the layout of an orc.
#[derive(Pooled)]
#[pool(rc)]
struct Elf(u64);

#[derive(Pooled)]
#[pool(static, rc)]
struct Sum(u64);

impl Enemy for Orc {
    fn strength(&self) -> u64 {
        self.0
    }
}

impl Enemy for Elf {
    fn strength(&self) -> u64 {
        2 * self.0
    }
}

impl Job for Sum {}

impl Drop for Orc {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
    }
}

#[test]
fn a_box_is_of_its_type_and_of_no_other() {
    let enemy = unsize!(PoolBox::new(Orc(7)) => dyn Enemy);
    let at = PoolBox::as_ptr(&enemy).cast();
    let Err(enemy) = PoolBox::downcast::<Elf>(enemy) else { panic!("it is an orc") };
    assert_eq!((enemy.strength(), DROPPED.get()), (7, 0));
    let Ok(orc) = PoolBox::downcast::<Orc>(enemy) else { panic!("it is an orc") };
    assert_eq!((orc.0, PoolBox::as_ptr(&orc)), (7, at));
    // Boxes of types with a size, too.
    assert!(PoolBox::downcast::<Elf>(orc).is_err());
    assert_eq!((DROPPED.get(), Orc::pool_stats().live, Elf::pool_stats().live), (1, 0, 0));
}

#[test]
fn a_shared_one_as_well() {
    let enemy = unsize!(PoolRc::new(Orc(7)) => dyn Enemy);
    let (other, weak) = (PoolRc::clone(&enemy), PoolRc::downgrade(&enemy));
    let Err(enemy) = PoolRc::downcast::<Elf>(enemy) else { panic!("it is an orc") };
    let Ok(orc) = PoolRc::downcast::<Orc>(enemy) else { panic!("it is an orc") };
    assert_eq!((orc.0, PoolRc::strong_count(&orc), PoolRc::weak_count(&orc)), (7, 2, 1));
    drop(other);
    assert_eq!(DROPPED.get(), 0);
    drop(orc);
    assert!(weak.upgrade().is_none() && DROPPED.get() == 1);
    drop(weak);
    assert_eq!(Orc::pool_stats().live, 0);

    let job = unsize!(PoolArc::new(Sum(3)) => dyn Job);
    let Ok(sum) = PoolArc::downcast::<Sum>(job) else { panic!("it is a sum") };
    assert_eq!((sum.0, PoolArc::strong_count(&sum)), (3, 1));
}
