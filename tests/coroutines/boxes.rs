//! Boxes, vacant slots and shared elements, of pools that are types' own and by layout.

use std::thread;

use typed_pool::{ByLayout, Init, Pooled, SharedByLayout, Vacant, any, init, try_init};

use super::schedule::{
    Ledger, Part, each_seed, in_threads, interleave, leak, panic_on_purpose, pause, some_of, thing,
    unwind_at_the_end,
};

/// Interleaves the operations on a pool, which the threads of the process share or each have for themselves.
fn drive(
    operations: &'static [fn()],
    ledger: &Ledger,
    live: fn() -> usize,
    use_it: fn(),
    is_shared: bool,
) {
    each_seed(|| {
        interleave(|| some_of(operations));
        ledger.check();
        assert_eq!(live(), 0);
    });
    if is_shared {
        in_threads(|| interleave(|| some_of(operations)));
    }
    // Nothing is stuck.
    use_it();
    thread::spawn(use_it).join().unwrap();
    ledger.check();
    assert_eq!(live(), 0);
    unwind_at_the_end(|| some_of(operations));
    ledger.check();
    leak(|| some_of(operations), use_it);
    ledger.check_leaked();
}

/// The test of one pool, to which `$Box`, `$Counted` and `$Weak` point.
macro_rules! suite {
    ($Box:path, $Counted:path, $Weak:path, $live:expr, $tidy:expr, $is_shared:expr) => {
        use {$Box as PoolBox, $Counted as Counted, $Weak as CountedWeak};

        fn boxed(mut one: PoolBox<Thing>) {
            pause();
            one.change();
            match fastrand::u8(..6) {
                0 => PoolBox::into_inner(one).check(),
                1 => {
                    let mut other = one.clone();
                    other.clone_from(&one);
                    drop(one);
                    other.check();
                }
                2 => shared(Counted::from(one)),
                3 => panic_on_purpose(),
                _ => one.check(),
            }
        }

        fn shared(mut one: Counted<Thing>) {
            pause();
            one.check();
            let other = Counted::clone(&one);
            let weak: CountedWeak<Thing> = Counted::downgrade(&other);
            pause();
            match fastrand::u8(..6) {
                0 => drop(other),
                1 => Counted::make_mut(&mut one).change(),
                2 => Counted::try_unwrap(one).unwrap_or_else(|one| Thing::clone(&one)).check(),
                3 => drop((one, other)),
                4 => {
                    drop(other);
                    Counted::try_unwrap(one).unwrap().check();
                }
                _ => assert!(format!("{one:?}").len() > 10),
            }
            pause();
            if let Some(thing) = weak.upgrade() {
                thing.check();
            }
        }

        const OPERATIONS: &[fn()] = &[
            || boxed(PoolBox::new(Thing::new())),
            || boxed(PoolBox::new_with(Thing::new)),
            || boxed(PoolBox::default()),
            || _ = PoolBox::init(Thing::fallible()).map(boxed),
            || _ = PoolBox::try_init(Thing::fallible()).map(boxed),
            || {
                let slot = vacant();
                pause();
                match fastrand::u8(..5) {
                    0 => boxed(slot.fill(Thing::new())),
                    1 => boxed(slot.fill_with(Thing::new)),
                    2 => _ = slot.init(Thing::fallible()).map(boxed),
                    3 => drop(slot.init(Thing::fallible()).map(PoolBox::into_pin)),
                    _ => drop(slot),
                }
            },
            || {
                let around = PoolBox::new_with(|| {
                    let within = PoolBox::new_with(Thing::new);
                    pause();
                    let thing = Thing { first: within.first.clone(), second: Thing::part() };
                    // Or the compiler would leak the thing if this is unwound (rust-lang/rust#47949).
                    drop(within);
                    thing
                });
                around.check();
            },
            || shared(Counted::new(Thing::new())),
            || shared(Counted::from(PoolBox::new_with(Thing::new))),
            || _ = Counted::init(Thing::fallible()).map(shared),
            || {
                let (mut kept, mut seen) = (CountedWeak::new(), None);
                let thing = Counted::new_cyclic(|this| {
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
            || assert!(live() <= 200),
            || $tidy(fastrand::usize(..20)),
        ];

        fn live() -> usize {
            $live
        }

        fn use_it() {
            let all = [(); 200].map(|()| PoolBox::new(Thing::plain()));
            all.iter().for_each(|thing| thing.check());
        }

        #[test]
        fn suspended() {
            drive(OPERATIONS, &LEDGER, live, use_it, $is_shared);
        }
    };
}

macro_rules! derived {
    ($($name:ident: $attribute:tt, $Counted:ident, $Weak:ident, $is_shared:expr;)*) => {$(
        mod $name {
            use super::*;

            thing!(#[derive(Pooled)] #[pool $attribute]);

            fn vacant() -> Vacant<Thing> {
                Thing::pool_vacant()
            }

            fn tidy(more: usize) {
                Thing::pool_trim();
                Thing::pool_reserve(more);
            }

            suite!(typed_pool::PoolBox, typed_pool::$Counted, typed_pool::$Weak, Thing::pool_stats().live, tidy, $is_shared);
        }
    )*};
}

derived! {
    of_a_free_list: (strategy = free_list, rc), PoolRc, PoolRcWeak, false;
    of_a_pointer_stack: (strategy = pointer_stack, rc), PoolRc, PoolRcWeak, false;
    of_a_bounded_free_list: (capacity = 256, rc), PoolRc, PoolRcWeak, false;
    of_a_static_pool: (static, rc), PoolArc, PoolArcWeak, true;
    of_a_fixed_list: (static, capacity = 256, strategy = free_list, rc), PoolArc, PoolArcWeak, true;
    of_a_fixed_stack: (static, capacity = 256, rc), PoolArc, PoolArcWeak, true;
}

macro_rules! by_layouts {
    ($($name:ident: $Marker:ident, $Box:ident, $Counted:ident, $Weak:ident, $is_shared:expr;)*) => {$(
        mod $name {
            use super::*;

            thing!();

            fn vacant() -> Vacant<Thing, $Marker> {
                Vacant::new_in($Marker)
            }

            fn tidy(more: usize) {
                $Marker::trim();
                $Marker::reserve(std::alloc::Layout::new::<Thing>(), more);
            }

            suite!(any::$Box, any::$Counted, any::$Weak, $Marker::stats().map(|pool| pool.live).sum(), tidy, $is_shared);
        }
    )*};
}

by_layouts! {
    by_layout_in_a_thread: ByLayout, Box, Rc, RcWeak, false;
    by_layout_in_all_threads: SharedByLayout, SendBox, Arc, ArcWeak, true;
}
