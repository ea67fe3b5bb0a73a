//! State of each thread: one thread-local besides those of the types, and the end of the thread.
//!
//! Thread-locals here stay as long as their thread. Where the linker and the system lay them out, std's do, as long as they have no
//! destructor. On other targets std keeps them on the heap, and destroys all of them when a thread ends, in an order of its own: pools
//! would go before the boxes from them. There `keyed.rs` takes their place. `build.rs` lists the targets.

use core::cell::Cell;

use crate::base::ledger::PoolOps;

#[cfg(feature = "std")]
pub(crate) mod end;
#[cfg(all(feature = "std", not(pool_native_tls)))]
mod keyed;
#[cfg(all(feature = "std", not(all(loom, test))))]
pub(crate) mod local;
pub(crate) mod request;

#[cfg(all(feature = "std", pool_native_tls))]
pub use std::{thread::LocalKey, thread_local};
#[cfg(all(feature = "std", not(pool_native_tls)))]
pub use {crate::__keyed_thread_local as thread_local, keyed::LocalKey};

/// State of a thread, whatever types it uses.
struct This {
    /// [`number`]; 0 until somebody asks.
    #[cfg_attr(not(pool_native_tls), allow(dead_code, reason = "the system's number"))]
    number: Cell<usize>,
    /// Whose requests to the heap are under way (`request.rs`).
    mark: Cell<usize>,
    /// The latest of the pools that the end of the thread is to close (`end.rs`).
    first: Cell<Option<&'static dyn PoolOps>>,
    /// While they are being closed, how many rounds may follow.
    rounds: Cell<Option<u32>>,
    /// Whether the thread has begun to end.
    is_ending: Cell<bool>,
}

#[cfg(feature = "std")]
impl crate::base::opaque::Resident for This {
    fn is_reclaimable(&self) -> bool {
        self.mark.get() == 0 && self.first.get().is_none() && self.rounds.get().is_none()
    }
}

#[cfg(feature = "std")]
thread_local! {
    static THIS: This = const {
        This {
            number: Cell::new(0),
            mark: Cell::new(0),
            first: Cell::new(None),
            rounds: Cell::new(None),
            is_ending: Cell::new(false),
        }
    };
}

/// Calls `f` with what this thread has. `None` without `std`; or if thread-locals are emulated, this is the first, and there is no memory.
#[cfg(feature = "std")]
#[inline(always)]
fn with<R>(f: impl FnOnce(&This) -> R) -> Option<R> {
    THIS.try_with(f).ok()
}

#[cfg(not(feature = "std"))]
fn with<R>(_: impl FnOnce(&This) -> R) -> Option<R> {
    None
}

/// [`with`], but an emulated thread-local is not made for it: so it calls no heap.
#[cfg(any(not(feature = "std"), pool_native_tls))]
use with as peek;

#[cfg(all(feature = "std", not(pool_native_tls)))]
fn peek<R>(f: impl FnOnce(&This) -> R) -> Option<R> {
    THIS.peek(f)
}

/// A number that tells this thread from all others that run, the same to its very end. Threads are numbered from 1 on, in the order in
/// which they ask. 0 without `std`, and if there is no number left.
#[cfg(any(not(feature = "std"), pool_native_tls))]
#[inline(always)]
pub(crate) fn number() -> usize {
    #[cold]
    #[inline(never)]
    fn first_time(this: &This) -> usize {
        use core::sync::atomic::{AtomicUsize, Ordering};

        static LAST: AtomicUsize = AtomicUsize::new(0);
        let relaxed = Ordering::Relaxed;
        let last = LAST.fetch_update(relaxed, relaxed, |last| last.checked_add(1));
        this.number.set(last.map_or(0, |last| last + 1));
        this.number.get()
    }

    let number = with(|this| match this.number.get() {
        0 => first_time(this),
        known => known,
    });
    number.unwrap_or(0)
}

/// A number that tells this thread from all others that run, the same to its very end: the system's, [`spread`].
#[cfg(all(feature = "std", not(pool_native_tls)))]
pub(crate) fn number() -> usize {
    spread(keyed::this_thread())
}

/// Spreads numbers whose low digits are alike, so that their low digits differ, by the golden ratio (Knuth, *The Art of Computer
/// Programming*, 6.4). No two become one.
#[cfg(all(feature = "std", any(test, not(pool_native_tls))))]
const fn spread(number: usize) -> usize {
    const RATIO: usize = (0x9E37_79B9_7F4A_7C15_u64 >> (u64::BITS - usize::BITS)) as usize | 1;
    number.wrapping_mul(RATIO).rotate_left(u8::BITS)
}

#[cfg(all(test, feature = "std", not(loom)))]
mod tests;
