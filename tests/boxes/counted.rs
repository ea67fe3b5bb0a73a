//! `PoolRc` and `PoolArc`: shared elements, over every kind of pool that has boxes.
//!
//! Each test has types of its own, since each type has one pool.

#![allow(clippy::duplicate_mod, reason = "one suite for all pools")]

use std::sync::{Mutex, MutexGuard, PoisonError};

#[path = "counted"]
mod others {
    mod limits;
    mod panics;
    mod random;
    mod threads;
}

/// The suite for either kind of pointer, in each pool. (The first argument is a `$`.)
macro_rules! suite {
    ($d:tt $($module:ident: $Counted:ident, $CountedWeak:ident, $attribute:tt;)*) => {$(
        #[path = "counted"]
        mod $module {
            macro_rules! pooled {
                ($d(#[$d meta:meta])* struct $d($d item:tt)*) => {
                    #[derive(Pooled)]
                    #[pool $attribute]
                    $d(#[$d meta])*
                    struct $d($d item)*
                };
            }

            use typed_pool::{$Counted as Counted, $CountedWeak as CountedWeak, PoolBox, Pooled};

            use super::none as alone;

            #[path = "suite.rs"]
            mod suite;
        }
    )*};
}

/// Tests that have a pool each need no lock.
fn none() -> Option<MutexGuard<'static, ()>> {
    None
}

/// Only one test at a time may use the pools of the process.
fn one() -> Option<MutexGuard<'static, ()>> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    Some(ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner))
}

suite! { $
    rc_of_a_free_list: PoolRc, PoolRcWeak, (strategy = free_list, rc);
    rc_of_a_pointer_stack: PoolRc, PoolRcWeak, (strategy = pointer_stack, rc);
    arc_of_static_lists: PoolArc, PoolArcWeak, (static, strategy = free_list, rc);
    arc_of_static_stacks: PoolArc, PoolArcWeak, (static, rc);
    arc_of_a_fixed_list: PoolArc, PoolArcWeak, (static, capacity = 200, strategy = free_list, rc);
    arc_of_a_fixed_stack: PoolArc, PoolArcWeak, (static, capacity = 200, strategy = pointer_stack, rc);
}

#[path = "counted"]
mod rc_by_layout {
    by_layout!($ ByLayout, Box, Rc, RcWeak);

    use super::none as alone;

    #[path = "suite.rs"]
    mod suite;
}

#[path = "counted"]
mod arc_by_layout {
    by_layout!($ SharedByLayout, SendBox, Arc, ArcWeak);

    use super::one as alone;

    #[path = "suite.rs"]
    mod suite;
}
