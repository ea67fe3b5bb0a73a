//! The limit of a pool of either strategy at the end of its thread.

use super::Pooled;
use super::suite::in_both_orders;

#[test]
fn a_closed_pool_keeps_its_books() {
    pooled! {
        #[pool(capacity = 3)]
        struct Scarce {
            id: u64,
        }
    }

    let make = |id| Scarce::pool_try_alloc_with(|| Scarce { id });
    let left = in_both_orders(move |holder| {
        let kept = make(1).unwrap();
        holder.then = Some(Box::new(move || {
            // The other holder may have kept one, too.
            let others = Scarce::pool_stats().live - 1;
            let mut more = Vec::new();
            more.extend(std::iter::from_fn(|| make(2).ok()));
            assert_eq!(more.len(), 2 - others);
            let stats = Scarce::pool_stats();
            assert_eq!((stats.live, stats.high_water, stats.capacity), (3, 3, 3));
            assert!(make(3).is_err());
            drop(kept);
            let last = make(4).unwrap();
            assert_eq!((last.id, Scarce::pool_stats().live), (4, 3));
            assert_eq!(Scarce::pool_trim(), 0);
        }));
    });
    assert_eq!(left, 0);
}
