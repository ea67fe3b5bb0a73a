//! Boxes and vacant slots, of pools that are types' own and of pools that are values.

use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::hash::{Hash as _, Hasher as _};
use std::pin::Pin;
use std::rc::Rc;
use std::thread;

use typed_pool::{
    FreeList, Init, PointerStack, PoolBox, PoolBoxIn, Pooled, Vacant, init, try_init,
};

use super::part::{Ledger, Part, element};
use super::schedule::{
    each_seed, in_threads, interleave, leak, panic_on_purpose, pause, some_of, unwind_at_the_end,
};

/// What is the same for all boxes of a type: `$make` allocates one. (The macro names no other pool.)
macro_rules! with_a_box {
    ($make:expr) => {
        with_a_box!($make, $make)
    };
    ($made:expr, $make:expr) => {{
        let mut element = $made;
        pause();
        element.change();
        match fastrand::u8(..5) {
            0 => {
                let text = format!("{element} {element:?}");
                assert!(text.len() > 10);
            }
            1 => {
                let other = $make;
                assert!(element.eq(&other) == other.cmp(&element).is_eq());
                let mut hasher = DefaultHasher::new();
                other.hash(&mut hasher);
                assert!(hasher.finish() != 0);
            }
            2 => {
                let value = PoolBoxIn::into_inner(element);
                pause();
                value.check();
                return;
            }
            3 => panic_on_purpose(),
            _ => {}
        }
        element.check();
    }};
}

/// Runs the `OPERATIONS` on boxes of a `Thing`.
macro_rules! suite {
    ($in_threads:expr) => {
        #[test]
        fn suspended() {
            each_seed(|| {
                interleave(|| some_of(OPERATIONS));
                LEDGER.check();
                assert_eq!(Thing::pool_stats().live, 0);
            });
            if $in_threads {
                in_threads(|| interleave(|| some_of(OPERATIONS)));
                assert_eq!(Thing::pool_stats().live, 0);
            }
            // Nothing is stuck.
            let use_it = || {
                let all = [(); 200].map(|()| PoolBox::new(Thing::plain()));
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

macro_rules! derived {
    ($($name:ident: $attribute:tt, $in_threads:expr;)*) => {$(
        mod $name {
            use super::*;

            element!(LEDGER, #[derive(Pooled)] #[pool $attribute] Thing);

            fn check<E>(built: Result<PoolBox<Thing>, E>) {
                built.iter().for_each(|thing| thing.check());
            }

            fn check_pinned<E>(built: Result<Pin<PoolBox<Thing>>, E>) {
                built.iter().for_each(|thing| thing.check());
            }

            fn fill(slot: Vacant<Thing>) {
                pause();
                match fastrand::u8(..5) {
                    0 => slot.fill(Thing::new()).check(),
                    1 => slot.fill_with(Thing::new).check(),
                    2 => check(slot.init(Thing::fallible())),
                    3 => check_pinned(slot.pin_init(Thing::fallible())),
                    _ => drop(slot),
                }
            }

            const OPERATIONS: &[fn()] = &[
                || with_a_box!(Thing::pool_alloc()),
                || with_a_box!(Thing::pool_alloc_with(Thing::new)),
                || with_a_box!(Thing::pool_try_alloc_with(Thing::new).unwrap()),
                || {
                    let Ok(thing) = Thing::pool_init(Thing::initialiser());
                    with_a_box!(thing, Thing::pool_alloc());
                },
                || with_a_box!(PoolBox::<Thing>::default()),
                || with_a_box!(PoolBox::new(Thing::new())),
                || with_a_box!(PoolBox::new_with(Thing::new)),
                || with_a_box!(PoolBox::try_new_with(Thing::new).unwrap()),
                || with_a_box!(PoolBox::from(Thing::new())),
                || with_a_box!(Thing::pool_alloc().clone()),
                || {
                    let mut one = Thing::pool_alloc();
                    one.clone_from(&Thing::pool_alloc());
                    one.check();
                },
                || check(Thing::pool_init(Thing::fallible())),
                || check(Thing::pool_try_init(Thing::fallible())),
                || check_pinned(Thing::pool_pin_init(Thing::fallible())),
                || check(PoolBox::init(Thing::fallible())),
                || check(PoolBox::try_init(Thing::fallible())),
                || check_pinned(PoolBox::pin_init(Thing::fallible())),
                || fill(Thing::pool_vacant()),
                || fill(Thing::pool_try_vacant().unwrap()),
                || {
                    let around = Thing::pool_alloc_with(|| {
                        let within = Thing::pool_alloc();
                        pause();
                        let thing = Thing { first: within.first.clone(), second: Thing::part() };
                        // Or the compiler would leak the thing if this is unwound (rust-lang/rust#47949).
                        drop(within);
                        thing
                    });
                    around.check();
                },
                || Thing::pool_free(Thing::pool_alloc()),
                || {
                    let many: Vec<_> = (0..fastrand::usize(..4)).map(|_| Thing::pool_alloc()).collect();
                    pause();
                    many.iter().for_each(|thing| thing.check());
                },
                || assert!(Thing::pool_stats().live <= 200),
                || {
 Thing::pool_trim();
},
                || Thing::pool_reserve(fastrand::usize(..20)),
            ];

            suite!($in_threads);
        }
    )*};
}

derived! {
    of_a_free_list: (strategy = free_list), false;
    of_a_pointer_stack: (strategy = pointer_stack), false;
    of_a_bounded_free_list: (capacity = 256), false;
    of_static_lists: (static, strategy = free_list), true;
    of_static_stacks: (static), true;
    of_a_fixed_list: (static, capacity = 256, strategy = free_list), true;
    of_a_fixed_stack: (static, capacity = 256), true;
}

/// Boxes by layout. (The first argument is a `$`.)
macro_rules! by_layouts {
    ($d:tt $($name:ident: $Marker:ident, $Box:ident, $in_threads:expr;)*) => {$(
        mod $name {
            use typed_pool::{$Marker, unsize};

            use super::*;

            by_layout!($d $Marker, $Box);

            element!(LEDGER, Thing);

            fn made() -> PoolBox<Thing> {
                PoolBox::new_with(Thing::new)
            }

            fn check<E>(built: Result<PoolBox<Thing>, E>) {
                built.iter().for_each(|thing| thing.check());
            }

            fn fill(slot: Vacant<Thing, $Marker>) {
                pause();
                match fastrand::u8(..5) {
                    0 => slot.fill(Thing::new()).check(),
                    1 => slot.fill_with(Thing::new).check(),
                    2 => slot.init(Thing::fallible()).iter().for_each(|thing| thing.check()),
                    3 => slot.pin_init(Thing::fallible()).iter().for_each(|thing| thing.check()),
                    _ => drop(slot),
                }
            }

            const OPERATIONS: &[fn()] = &[
                || with_a_box!(made()),
                || with_a_box!(PoolBox::new(Thing::new()), made()),
                || with_a_box!(PoolBox::try_new_with(Thing::new).unwrap(), made()),
                || with_a_box!(PoolBox::<Thing>::default(), made()),
                || with_a_box!(made().clone()),
                || {
                    let Ok(thing) = PoolBox::init(Thing::initialiser());
                    with_a_box!(thing, made());
                },
                || {
                    let mut one = made();
                    one.clone_from(&made());
                    one.check();
                },
                || check(PoolBox::init(Thing::fallible())),
                || check(PoolBox::try_init(Thing::fallible())),
                || {
                    let pinned = PoolBox::<Thing>::pin_init(Thing::fallible());
                    pinned.iter().for_each(|thing| thing.check());
                },
                || fill(PoolBox::new_uninit()),
                || {
                    let around = PoolBox::new_with(|| {
                        let within = made();
                        pause();
                        let thing = Thing { first: within.first.clone(), second: Thing::part() };
                        // Or the compiler would leak the thing if this is unwound (rust-lang/rust#47949).
                        drop(within);
                        thing
                    });
                    around.check();
                },
                || {
                    let many = unsize!(PoolBox::new([Thing::new(), Thing::new()]) => [Thing]);
                    pause();
                    many.iter().for_each(|thing| thing.check());
                },
                || {
                    let object = unsize!(made() => dyn fmt::Debug);
                    pause();
                    assert!(format!("{object:?}").len() > 10);
                },
                || assert!(Thing::pool_stats().live <= 200),
                || {
                    Thing::pool_trim();
                },
                || Thing::pool_reserve(fastrand::usize(..20)),
            ];

            suite!($in_threads);
        }
    )*};
}

by_layouts! { $
    by_layout_in_a_thread: ByLayout, Box, false;
    by_layout_in_all_threads: SharedByLayout, SendBox, true;
}

/// What a box passes on to its element.
mod passed_on {
    use std::future::Future;
    use std::io::Read;
    use std::task::{Context, Poll, Waker};

    use super::*;

    static LEDGER: Ledger = Ledger::new();

    #[derive(Pooled)]
    struct Source {
        part: Part,
        left: u32,
    }

    impl Iterator for Source {
        type Item = Part;

        fn next(&mut self) -> Option<Part> {
            self.part.change();
            self.left = self.left.checked_sub(1)?;
            Some(self.part.clone())
        }
    }

    impl Future for Source {
        type Output = Part;

        fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Part> {
            self.next().map_or_else(|| Poll::Ready(self.part.clone()), |_| Poll::Pending)
        }
    }

    impl Read for Source {
        fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
            Ok(self.next().map_or(0, |_| bytes.len().min(1)))
        }
    }

    fn source() -> PoolBox<Source> {
        PoolBox::new_with(|| Source { part: Part::new(&LEDGER), left: fastrand::u32(..5) })
    }

    const OPERATIONS: &[fn()] = &[
        || source().for_each(|part| part.check()),
        || {
            let mut future = source();
            let mut context = Context::from_waker(Waker::noop());
            while Pin::new(&mut future).poll(&mut context).is_pending() {
                pause();
            }
        },
        || assert!(source().read_to_end(&mut Vec::new()).unwrap() < 5),
    ];

    #[test]
    fn suspended() {
        each_seed(|| {
            interleave(|| some_of(OPERATIONS));
            LEDGER.check();
            assert_eq!(Source::pool_stats().live, 0);
        });
    }
}

macro_rules! owned {
    ($($name:ident: $Pool:ident;)*) => {$(
        mod $name {
            use super::*;

            element!(LEDGER, Thing);

            thread_local! {
                /// For all coroutines of the thread.
                static POOL: Rc<$Pool<Thing>> = Rc::new($Pool::bounded(256));
            }

            fn with_pool(operation: fn(&$Pool<Thing>)) {
                let pool = POOL.with(Rc::clone);
                operation(&pool);
            }

            const OPERATIONS: &[fn()] = &[
                || with_pool(|pool| with_a_box!(pool.alloc(Thing::new()))),
                || with_pool(|pool| with_a_box!(pool.alloc_with(Thing::new))),
                || with_pool(|pool| with_a_box!(pool.try_alloc_with(Thing::new).unwrap())),
                || with_pool(|pool| {
                    let Ok(thing) = pool.init(Thing::initialiser());
                    with_a_box!(thing, pool.alloc(Thing::new()));
                }),
                || with_pool(|pool| {
                    let built = pool.init(Thing::fallible());
                    built.iter().for_each(|thing| thing.check());
                }),
                || with_pool(|pool| {
                    let built = pool.try_init(Thing::fallible());
                    built.iter().for_each(|thing| thing.check());
                }),
                || with_pool(|pool| {
                    let slot = pool.vacant();
                    pause();
                    slot.fill_with(Thing::new).check();
                }),
                || with_pool(|pool| {
                    let slot = pool.vacant();
                    pause();
                    slot.init(Thing::fallible()).iter().for_each(|thing| thing.check());
                }),
                || {
                    let pool = $Pool::bounded(1);
                    let kept = pool.alloc(Thing::new());
                    let refused = pool.try_alloc(Thing::new()).unwrap_err();
                    pause();
                    refused.into_inner().check();
                    kept.check();
                    // The value is dropped before the panic.
                    drop(pool.alloc(Thing::new()));
                },
                || with_pool(|pool| assert!(pool.stats().live <= 200)),
                || with_pool(|pool| {
 pool.trim();
}),
                || with_pool(|pool| pool.reserve(fastrand::usize(..20))),
            ];

            #[test]
            fn suspended() {
                each_seed(|| {
                    interleave(|| some_of(OPERATIONS));
                    LEDGER.check();
                    with_pool(|pool| assert_eq!(pool.stats().live, 0));
                });
                with_pool(|pool| {
                    let all = [(); 256].map(|()| pool.alloc(Thing::plain()));
                    all.iter().for_each(|thing| thing.check());
                });
                LEDGER.check();
            }
        }
    )*};
}

owned! {
    of_a_free_list_that_is_a_value: FreeList;
    of_a_pointer_stack_that_is_a_value: PointerStack;
}
