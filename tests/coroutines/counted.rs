//! Shared elements.

use std::fmt;
use std::thread;

use typed_pool::{Init, PoolArc, PoolArcWeak, PoolRc, PoolRcWeak, Pooled, init, try_init};

use super::part::{Ledger, Part, element};
use super::schedule::{
    each_seed, in_threads, interleave, leak, panic_on_purpose, pause, some_of, unwind_at_the_end,
};

/// What both kinds of shared pointers do with a `Thing`.
macro_rules! suite {
    ($Counted:ident, $Weak:ident, $in_threads:expr) => {
        fn shared(mut one: $Counted<Thing>) {
            pause();
            one.check();
            let other = $Counted::clone(&one);
            let weak: $Weak<Thing> = $Counted::downgrade(&other);
            pause();
            match fastrand::u8(..6) {
                0 => drop(other),
                1 => $Counted::make_mut(&mut one).change(),
                2 => $Counted::unwrap_or_clone(one).check(),
                3 => drop((one, other)),
                4 => {
                    drop(other);
                    $Counted::into_inner(one).unwrap().check();
                }
                _ => assert!(format!("{one} {one:?}").len() > 10 && one == other),
            }
            pause();
            if let Some(thing) = weak.upgrade() {
                thing.check();
            }
        }

        const OPERATIONS: &[fn()] = &[
            || shared($Counted::new(Thing::new())),
            || shared($Counted::new_with(Thing::new)),
            || shared($Counted::try_new_with(Thing::new).unwrap()),
            || shared($Counted::init(Thing::initialiser()).unwrap_or_else(|e| match e {})),
            || {
                let _ = $Counted::<Thing>::init(Thing::fallible()).map(shared);
            },
            || {
                let _ = $Counted::<Thing>::try_init(Thing::fallible()).map(shared);
            },
            || {
                let pinned = $Counted::<Thing>::pin_init(Thing::fallible());
                pause();
                pinned.iter().for_each(|thing| thing.check());
            },
            || {
                let (mut kept, mut seen) = ($Weak::new(), None);
                let thing = $Counted::new_cyclic(|this| {
                    kept = this.clone();
                    let thing = Thing::new();
                    seen = this.upgrade();
                    thing
                });
                assert!(seen.is_none());
                kept.upgrade().unwrap().check();
                shared(thing);
                pause();
                assert!(kept.upgrade().is_none());
            },
            || assert!(Thing::pool_stats().live <= 200),
            || {
                Thing::pool_trim();
            },
        ];

        #[test]
        fn suspended() {
            each_seed(|| {
                interleave(|| some_of(OPERATIONS));
                LEDGER.check();
                assert_eq!(Thing::pool_stats().live, 0);
            });
            if $in_threads {
                in_threads(|| interleave(|| some_of(OPERATIONS)));
            }
            let use_it = || {
                let all = [(); 200].map(|()| $Counted::new(Thing::plain()));
                all.iter().for_each(|thing| thing.check());
            };
            use_it();
            thread::spawn(use_it).join().unwrap();
            LEDGER.check();
            assert_eq!(Thing::pool_stats().live, 0);
            unwind_at_the_end(|| some_of(OPERATIONS));
            LEDGER.check();
            leak(|| some_of(OPERATIONS), use_it);
            LEDGER.check_leaked();
        }
    };
}

macro_rules! counted {
    ($($name:ident: $Counted:ident, $Weak:ident, $attribute:tt, $in_threads:expr;)*) => {$(
        mod $name {
            use super::*;

            element!(LEDGER, #[derive(Pooled)] #[pool $attribute] Thing);

            suite!($Counted, $Weak, $in_threads);
        }
    )*};
}

/// The same by layout. (The first argument is a `$`.)
macro_rules! by_layouts {
    ($d:tt $($name:ident: $Marker:ident, $Box:ident, $Counted:ident, $Weak:ident, $in_threads:expr;)*) => {$(
        mod $name {
            use typed_pool::$Marker;
            use typed_pool::any::{$Counted, $Weak};

            use super::*;

            // The slots of shared elements are larger than those of boxes, which are others' tests.
            by_layout!($d $Marker, $Box, |size| {
                let slot = size + 2 * size_of::<usize>();
                $Marker::stats().find(|pool| pool.slot_bytes >= slot).expect("a small element")
            });

            element!(LEDGER, Thing);

            suite!($Counted, $Weak, $in_threads);
        }
    )*};
}

counted! {
    of_a_free_list: PoolRc, PoolRcWeak, (strategy = free_list, rc), false;
    of_a_pointer_stack: PoolRc, PoolRcWeak, (strategy = pointer_stack, rc), false;
    of_static_lists: PoolArc, PoolArcWeak, (static, strategy = free_list, rc), true;
    of_static_stacks: PoolArc, PoolArcWeak, (static, rc), true;
    of_a_fixed_list: PoolArc, PoolArcWeak, (static, capacity = 256, strategy = free_list, rc), true;
    of_a_fixed_stack: PoolArc, PoolArcWeak, (static, capacity = 256, rc), true;
}

by_layouts! { $
    by_layout_in_a_thread: ByLayout, Box, Rc, RcWeak, false;
    by_layout_in_all_threads: SharedByLayout, SendBox, Arc, ArcWeak, true;
}
