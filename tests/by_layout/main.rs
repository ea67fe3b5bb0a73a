//! Pools by layout: elements of any type.

use std::sync::{Mutex, MutexGuard, PoisonError};

use typed_pool::{ByLayout, Pool, PoolBoxIn, SharedByLayout};

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
    #[repr(align(4096))]
    struct Page(u64);

    fn all<P>(pool: P)
    where
        P: Copy
            + Pool<u8>
            + Pool<[u8; 3]>
            + Pool<[u64; 1000]>
            + Pool<()>
            + Pool<Page>
            + Pool<String>,
    {
        let mut kept = Vec::new();
        for number in 0..300_u64 {
            kept.push((
                PoolBoxIn::new_in(number as u8, pool),
                PoolBoxIn::new_in([number as u8; 3], pool),
                PoolBoxIn::new_in([number; 1000], pool),
                PoolBoxIn::new_in((), pool),
                PoolBoxIn::new_in(Page(number), pool),
                PoolBoxIn::new_in(number.to_string(), pool),
            ));
            if number % 3 == 0 {
                kept.swap_remove(kept.len() / 2);
            }
        }
        for (byte, three, large, _, page, text) in kept {
            assert_eq!((text.parse(), PoolBoxIn::as_ptr(&page).addr() % 4096), (Ok(page.0), 0));
            assert_eq!((*byte, *three, *large), (page.0 as u8, [page.0 as u8; 3], [page.0; 1000]));
        }
    }
    let _alone = alone();
    all(ByLayout);
    all(SharedByLayout);
}
