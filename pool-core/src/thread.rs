//! State of each thread: one thread-local besides those of the types, and the end of the thread.
//!
//! Thread-locals here live as long as their thread. Where the linker and the system lay them out, std's do, too, if they have no
//! destructor. On other targets std keeps them on the heap, and destroys all of them when a thread ends, in an order of its own: pools
//! would go before the boxes from them. There `keyed.rs` replaces std's. `build.rs` lists the targets.

use core::cell::Cell;

use crate::base::ledger::PoolOps;

#[cfg(feature = "std")]
pub(crate) mod end;
#[cfg(all(feature = "std", not(pool_native_tls)))]
mod keyed;
#[cfg(all(feature = "std", not(all(loom, test))))]
pub(crate) mod local;
pub(crate) mod request;

pub(crate) use target::number;
#[cfg(feature = "std")]
pub use target::{LocalKey, thread_local};
use target::{peek, with};

/// State of a thread, whatever types it uses.
struct This {
    /// [`number`]; 0 until somebody asks.
    #[cfg_attr(not(pool_native_tls), allow(dead_code, reason = "the system's number"))]
    number: Cell<usize>,
    /// Whose requests to the heap are under way (`request.rs`).
    mark: Cell<usize>,
    /// The head of the list of pools that the end of the thread is to close (`end.rs`).
    first: Cell<Option<&'static dyn PoolOps>>,
    /// While they are being closed, how many rounds may follow.
    rounds: Cell<Option<u32>>,
    /// Whether the thread has begun to end.
    is_ending: Cell<bool>,
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

/// The linker's thread-locals.
#[cfg(all(feature = "std", pool_native_tls))]
mod target {
    use core::sync::atomic::{AtomicUsize, Ordering};
    pub use std::{thread::LocalKey, thread_local};

    use crate::thread::{THIS, This};

    /// Calls `f` with what this thread has.
    #[inline(always)]
    pub(crate) fn with<R>(f: impl FnOnce(&This) -> R) -> Option<R> {
        THIS.try_with(f).ok()
    }

    pub(crate) use with as peek;

    /// A number that tells this thread from all others that run, the same to its very end. Threads are numbered from 1 on, in the order in
    /// which they ask. 0 if there is no number left.
    #[inline(always)]
    pub(crate) fn number() -> usize {
        #[cold]
        #[inline(never)]
        fn first_time(this: &This) -> usize {
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
}

/// Emulated thread-locals.
#[cfg(all(feature = "std", not(pool_native_tls)))]
mod target {
    pub use crate::__keyed_thread_local as thread_local;
    pub use crate::thread::keyed::LocalKey;
    use crate::thread::{THIS, This, keyed, spread};

    /// Calls `f` with what this thread has. `None` if this is the first time, and there is no memory.
    pub(crate) fn with<R>(f: impl FnOnce(&This) -> R) -> Option<R> {
        THIS.try_with(f).ok()
    }

    /// [`with`], but `None` if this is the first time: so it calls no heap.
    pub(crate) fn peek<R>(f: impl FnOnce(&This) -> R) -> Option<R> {
        THIS.peek(f)
    }

    /// A number that tells this thread from all others that run, the same to its very end: the system's, spread.
    pub(crate) fn number() -> usize {
        spread(keyed::this_thread())
    }
}

/// Without `std`, one thread, of which nothing is known.
#[cfg(not(feature = "std"))]
mod target {
    use crate::thread::This;

    pub(crate) fn with<R>(_: impl FnOnce(&This) -> R) -> Option<R> {
        None
    }

    pub(crate) use with as peek;

    pub(crate) fn number() -> usize {
        0
    }
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
