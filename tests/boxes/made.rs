//! Ways to make boxes that `Box` has too, and many at once, over every kind of pool that has boxes.
//!
//! Each test has types of its own, since each type has one pool. Each pool has 200 slots.

#![allow(
    clippy::duplicate_mod,
    dead_code,
    reason = "one suite for all pools; elements are there to be counted"
)]

/// The suite for boxes in each pool. (The first argument is a `$`.)
macro_rules! suite {
    ($d:tt $($module:ident: $attribute:tt;)*) => {$(
        #[path = "made"]
        mod $module {
            macro_rules! pooled {
                ($d(#[$d meta:meta])* struct $d($d item:tt)*) => {
                    #[derive(Pooled)]
                    #[pool $attribute]
                    $d(#[$d meta])*
                    struct $d($d item)*
                };
            }

            #[path = "suite.rs"]
            mod suite;
        }
    )*};
}

suite! { $
    of_a_free_list: (strategy = free_list, max = 200);
    of_a_pointer_stack: (strategy = pointer_stack, max = 200);
    of_one_chunk: (capacity = 200);
    with_counts: (capacity = 200, rc);
    of_static_lists: (static, strategy = free_list, max = 200);
    of_static_stacks: (static, max = 200);
    of_static_stacks_with_counts: (static, max = 200, rc);
    of_a_fixed_list: (static, capacity = 200, strategy = free_list);
    of_a_fixed_stack: (static, capacity = 200, strategy = pointer_stack);
}
