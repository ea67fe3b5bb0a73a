//! `PoolRc` and `PoolArc`: shared elements, over every kind of pool that has boxes.
//!
//! Each test has types of its own, since each type has one pool.

#![allow(clippy::duplicate_mod, reason = "one suite for all pools")]

#[path = "counted"]
mod others {
    mod ends;
    mod limits;
    mod panics;
    mod random;
    mod threads;
    mod wakers;
}

/// What either kind of pointer does, wherever the pool is. (The first argument is a `$`.)
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

            use typed_pool::{$Counted as Counted, $CountedWeak as CountedWeak};

            #[path = "suite.rs"]
            mod suite;
        }
    )*};
}

suite! { $
    rc_of_a_free_list: PoolRc, PoolRcWeak, (strategy = free_list, rc);
    rc_of_a_pointer_stack: PoolRc, PoolRcWeak, (strategy = pointer_stack, rc);
    arc_of_static_lists: PoolArc, PoolArcWeak, (static, strategy = free_list, rc);
    arc_of_static_stacks: PoolArc, PoolArcWeak, (static, rc);
    arc_of_a_fixed_list: PoolArc, PoolArcWeak, (static, capacity = 200, strategy = free_list, rc);
    arc_of_a_fixed_stack: PoolArc, PoolArcWeak, (static, capacity = 200, strategy = pointer_stack, rc);
}
