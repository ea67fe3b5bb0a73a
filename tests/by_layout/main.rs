//! Pools by layout: elements of any type.

use std::sync::{Mutex, MutexGuard, PoisonError};

use typed_pool::{ByLayout, PoolBoxIn, SharedByLayout, any};

#[cfg(feature = "allocator-api2-02")]
#[path = "../common/config.rs"]
mod config;
#[cfg(feature = "allocator-api2-02")]
mod containers;
mod made;
#[cfg(feature = "allocator-api2-02")]
mod model;
#[cfg(feature = "allocator-api2-02")]
mod operations;

/// Only one test at a time may use the pools of the process.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Many layouts at once, freed in another order.
#[test]
fn elements_of_all_sizes() {
    fn all<P>(pool: P)
    where
        P: Copy
            + typed_pool::Pool<u8>
            + typed_pool::Pool<[u8; 3]>
            + typed_pool::Pool<u128>
            + typed_pool::Pool<[u64; 100]>
            + typed_pool::Pool<[u64; 1000]>
            + typed_pool::Pool<()>
            + typed_pool::Pool<String>,
    {
        let mut kept = Vec::new();
        for number in 0..1000_u64 {
            kept.push((
                PoolBoxIn::new_in(number as u8, pool),
                PoolBoxIn::new_in([number as u8; 3], pool),
                PoolBoxIn::new_in(u128::from(number), pool),
                PoolBoxIn::new_in([number; 100], pool),
                PoolBoxIn::new_in([number; 1000], pool),
                PoolBoxIn::new_in((), pool),
                PoolBoxIn::new_in(number.to_string(), pool),
            ));
            if number % 3 == 0 {
                kept.swap_remove(kept.len() / 2);
            }
        }
        for (a, b, c, d, e, _, f) in kept {
            assert_eq!(*f, c.to_string());
            let number = *c as u64;
            assert_eq!((*a, *b), (number as u8, [number as u8; 3]));
            assert_eq!((*d, *e), ([number; 100], [number; 1000]));
            assert_eq!(PoolBoxIn::as_ptr(&c).addr() % align_of::<u128>(), 0);
        }
    }
    let _alone = alone();
    all(ByLayout);
    all(SharedByLayout);
}

#[test]
fn aligned_elements() {
    #[repr(align(64))]
    struct Line(u8);
    #[repr(align(4096))]
    struct Page(u8);
    let mut lines = Vec::new();
    for number in 0..100 {
        let (line, page) = (any::Box::new(Line(number)), any::Box::new(Page(number)));
        assert_eq!((any::Box::as_ptr(&line).addr() % 64, line.0), (0, number));
        assert_eq!((any::Box::as_ptr(&page).addr() % 4096, page.0), (0, number));
        lines.push(line);
    }
}

#[test]
fn shared_boxes_leave_their_thread() {
    let _alone = alone();
    let boxes: Vec<_> = (0..1000).map(|n| PoolBoxIn::new_in([n; 7], SharedByLayout)).collect();
    let sum = std::thread::spawn(move || boxes.iter().map(|b| b[6]).sum::<i32>()).join().unwrap();
    assert_eq!(sum, 499_500);
}
