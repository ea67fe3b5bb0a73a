//! Which shard a thread uses: the same in every pool.

/// How many shards a pool has: a power of two. One where threads cannot be told apart.
pub(crate) const SHARDS: usize = if cfg!(feature = "std") { 8 } else { 1 };

/// The shard of this thread. Threads are given theirs in turn.
#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn shard() -> usize {
    use core::cell::Cell;

    std::thread_local! {
        /// 1 and up, once needed. Without a destructor, so that it is there to the very
        /// end of the thread.
        static NUMBER: Cell<usize> = const { Cell::new(0) };
    }

    #[cold]
    #[inline(never)]
    fn first_time(number: &Cell<usize>) -> usize {
        use core::sync::atomic::{AtomicUsize, Ordering};

        static LAST: AtomicUsize = AtomicUsize::new(0);
        number.set(LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1).max(1));
        number.get()
    }

    // Where the platform destroys even such a thread-local, any shard will do.
    let number = NUMBER.try_with(|number| match number.get() {
        0 => first_time(number),
        known => known,
    });
    number.unwrap_or(0) % SHARDS
}

/// The shard of this thread.
#[cfg(not(feature = "std"))]
#[inline(always)]
pub(crate) fn shard() -> usize {
    0
}

#[cfg(all(test, feature = "std", not(loom)))]
mod tests {
    use alloc::collections::BTreeSet;
    use std::thread;

    use super::{SHARDS, shard};

    /// More than there are shards, since other tests may have threads that are given theirs meanwhile.
    #[test]
    fn threads_in_turn_have_every_shard() {
        let shards = (0..8 * SHARDS).map(|_| {
            let first_and_again = || [(); 3].map(|()| shard());
            let [first, again @ ..] = thread::spawn(first_and_again).join().unwrap();
            assert_eq!(again, [first; 2]);
            first
        });
        assert!(shards.collect::<BTreeSet<_>>().into_iter().eq(0..SHARDS));
    }
}
