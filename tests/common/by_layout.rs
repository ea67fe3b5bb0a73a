//! Pools by layout under the names that suites of derived pools use: `PoolBox`, `Counted`, `Pooled` and `pooled!`.

/// A box, and what a type's pool can do, of the pools of a marker. What a class is asked for goes for all its types. (The
/// first argument is a `$`.)
macro_rules! by_layout {
    ($d:tt $Marker:ident, $Box:ident) => {
        by_layout!($d $Marker, $Box, |size| {
            let is_it = |pool: &typed_pool::PoolStats| pool.slot_bytes >= size;
            typed_pool::$Marker::stats().find(is_it).expect("an element that is not large")
        });
    };
    // With shared pointers, whose slots are larger than those of boxes: what is live is so in any pool.
    ($d:tt $Marker:ident, $Box:ident, $Rc:ident, $Weak:ident) => {
        #[allow(unused_imports, reason = "a suite may not use both")]
        pub(crate) use typed_pool::any::{$Rc as Counted, $Weak as CountedWeak};

        by_layout!($d $Marker, $Box, |_| {
            let live = typed_pool::$Marker::stats().map(|pool| pool.live).sum();
            let mut stats = typed_pool::$Marker::stats().next().expect("the first class");
            stats.live = live;
            stats
        });
    };
    ($d:tt $Marker:ident, $Box:ident, $stats:expr) => {
        #[allow(dead_code, reason = "a suite may be of shared pointers alone")]
        pub(crate) type PoolBox<T> = typed_pool::any::$Box<T>;

        #[allow(dead_code, reason = "a suite may not use them all")]
        pub(crate) trait Pooled: Sized {
            fn pool_stats() -> typed_pool::PoolStats {
                let stats: fn(usize) -> typed_pool::PoolStats = $stats;
                stats(size_of::<Self>())
            }

            fn pool_reserve(additional: usize) {
                typed_pool::$Marker::reserve(std::alloc::Layout::new::<Self>(), additional);
            }

            fn pool_trim() -> usize {
                typed_pool::$Marker::trim()
            }
        }

        impl<T> Pooled for T {}

        /// Elements without a pool of their own.
        #[allow(unused_macros, reason = "a suite may not need it")]
        macro_rules! pooled {
                            (#[pool $attribute:tt] $d($item:tt)*) => { pooled! { $d($item)* } };
                            ($d($item:tt)*) => { $d($item)* };
                        }
    };
}
