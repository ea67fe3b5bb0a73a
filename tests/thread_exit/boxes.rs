//! A thread-local pool at the end of its thread: boxes that outlive the pool's clean-up, pools that
//! are used by other thread-locals' destructors, and what is left on the heap afterwards.

#![allow(clippy::duplicate_mod, reason = "one suite for both strategies")]

use std::sync::Mutex;
use std::sync::atomic::Ordering;

use crate::heap::watch;
use crate::{ARRAYS, CHUNKS, alone};

/// Runs `f` in a thread of its own, and `then` when that has ended; returns what `f` returned, with the number of chunks
/// that are left behind. Where the strategy has arrays, one stays if a chunk does, and none otherwise.
fn in_thread<R: Send>(has_array: bool, then: fn(), f: impl FnOnce() -> R + Send) -> (R, isize) {
    let _alone = alone();
    let before = [&CHUNKS, &ARRAYS].map(|count| count.load(Ordering::Relaxed));
    let watched = || {
        watch();
        f()
    };
    let result = std::thread::scope(|scope| scope.spawn(watched).join());
    then();
    let chunks = CHUNKS.load(Ordering::Relaxed) - before[0];
    let arrays = ARRAYS.load(Ordering::Relaxed) - before[1];
    let result = result.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    assert_eq!(arrays, isize::from(has_array && chunks > 0));
    (result, chunks)
}

/// Then a free list has an array of links, too.
const HARDENED: bool = cfg!(feature = "hardened");

/// Remembers what is leaked on purpose, or a leak checker would report it.
fn note_leaked<T>(leaked: &'static mut T) -> &'static mut T {
    static LEAKED: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    LEAKED.lock().unwrap().push((&raw const *leaked).addr());
    leaked
}

/// Leaks a box on purpose.
macro_rules! leak {
    () => {
        fn leak<T: Pooled>(b: PoolBox<T>) -> &'static mut T {
            crate::boxes::note_leaked(PoolBox::leak(b))
        }
    };
}

macro_rules! strategies {
    ($dollar:tt $($strategy:ident, $has_array:expr;)*) => {$(
        #[path = "boxes"]
        mod $strategy {
            macro_rules! pooled {
                ($dollar(#[$dollar attribute:meta])* struct $dollar($dollar item:tt)*) => {
                    #[derive(Pooled)]
                    #[pool(strategy = $strategy)]
                    $dollar(#[$dollar attribute])*
                    struct $dollar($dollar item)*
                };
            }

            pub(crate) use typed_pool::{PoolBox, PoolRc as Counted, PoolRcWeak as CountedWeak, Pooled};

            pub(crate) const HAS_ARRAY: bool = $has_array;
            pub(crate) const IN_BATCHES: bool = false;
            pub(crate) const THEN: fn() = || {};

            leak!();

            #[path = "counted.rs"]
            mod counted;
            #[path = "limits.rs"]
            mod limits;
            #[path = "suite.rs"]
            mod suite;
        }
    )*};
}

strategies! { $ free_list, crate::boxes::HARDENED; pointer_stack, true; }

#[path = "boxes"]
mod by_layout {
    by_layout!($ ByLayout, Box);

    pub(crate) const HAS_ARRAY: bool = crate::boxes::HARDENED;
    pub(crate) const IN_BATCHES: bool = false;
    pub(crate) const THEN: fn() = || {};

    leak!();

    #[path = "suite.rs"]
    mod suite;
}

/// Pools of the process keep their chunks when a thread ends. What it had can then be trimmed: no magazine of it holds a slot.
#[path = "boxes"]
mod shared_by_layout {
    by_layout!($ SharedByLayout, SendBox);

    pub(crate) const HAS_ARRAY: bool = false;
    pub(crate) const IN_BATCHES: bool = true;
    pub(crate) const THEN: fn() = || _ = typed_pool::SharedByLayout::trim();

    leak!();

    #[path = "suite.rs"]
    mod suite;
}

#[path = "boxes"]
mod rc_by_layout {
    by_layout!($ ByLayout, Box, Rc, RcWeak);

    pub(crate) const HAS_ARRAY: bool = crate::boxes::HARDENED;
    pub(crate) const THEN: fn() = || {};

    #[path = "counted.rs"]
    mod counted;
}

#[path = "boxes"]
mod arc_by_layout {
    by_layout!($ SharedByLayout, SendBox, Arc, ArcWeak);

    pub(crate) const HAS_ARRAY: bool = false;
    pub(crate) const THEN: fn() = || _ = typed_pool::SharedByLayout::trim();

    #[path = "counted.rs"]
    mod counted;
}
