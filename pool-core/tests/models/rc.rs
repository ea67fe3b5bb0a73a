//! Models of the counts of shared elements: who drops the element, who gives the slot back, and what they
//! have seen by then.

use std::sync::Arc;

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::thread;

use crate::pointer::ref_counts::Atomic;
use crate::pointer::ref_counts::Counts;

/// An element, and its slot: loom watches both.
struct Shared {
    counts: Counts<Atomic>,
    /// `None` once it was dropped.
    element: UnsafeCell<Option<u32>>,
    /// Whether it was released.
    slot: UnsafeCell<bool>,
}

impl Shared {
    fn new(strong: usize) -> Arc<Self> {
        Arc::new(Self {
            counts: Counts::new(strong),
            element: UnsafeCell::new(Some(1)),
            slot: UnsafeCell::new(false),
        })
    }

    /// Reads as an owner.
    fn read(&self) -> u32 {
        self.element.with(|element| {
            // SAFETY: the element has an owner, or loom says so.
            unsafe { *element }.expect("an owner finds the element")
        })
    }

    /// Writes as the only owner, or as the maker.
    fn write(&self, value: u32) {
        self.element.with_mut(|element| {
            // SAFETY: it is alone, or loom says so.
            unsafe { *element = Some(value) }
        });
    }

    /// `Counted::drop`.
    fn drop_strong(&self) {
        if self.counts.dec_strong() {
            self.element.with_mut(|element| {
                // SAFETY: as above.
                assert!(unsafe { (*element).take() }.is_some());
            });
            self.drop_weak();
        }
    }

    /// `CountedWeak::drop`.
    fn drop_weak(&self) {
        if self.counts.dec_weak() {
            self.slot.with_mut(|is_released| {
                // SAFETY: no pointer is left, or loom says so.
                assert!(!unsafe { is_released.replace(true) });
            });
            self.element.with_mut(|_| {});
        }
    }

    /// No pointer is left: the slot was released.
    fn is_gone(&self) {
        self.slot.with(|is_released| {
            // SAFETY: all threads have ended.
            assert!(unsafe { *is_released });
        });
    }
}

/// Threads with these roles have pointers to one element, as many as `before` makes of the first one;
/// they give up all of them. In both orders, as `check` of the parent.
fn check<const THREADS: usize>(
    strong: usize,
    before: fn(&Shared),
    mut roles: [fn(&Shared); THREADS],
) {
    for _ in 0..2 {
        Builder::new().check(move || {
            let shared = Shared::new(strong);
            before(&shared);
            let threads = roles.map(|role| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || role(&shared))
            });
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            shared.is_gone();
        });
        roles.reverse();
    }
}

/// Each has seen the element before the last of them drops it.
#[test]
fn the_last_owner_drops_what_all_have_seen() {
    fn role(shared: &Shared) {
        shared.counts.inc_strong();
        shared.drop_strong();
        assert_eq!(shared.read(), 1);
        shared.drop_strong();
    }
    check(2, |_| {}, [role; 2]);
}

/// Who upgrades a weak pointer finds a whole element, or none.
#[test]
fn a_weak_pointer_finds_the_element_or_none() {
    check(
        1,
        |shared| shared.counts.downgrade(),
        [
            |shared| {
                assert_eq!(shared.read(), 1);
                shared.drop_strong();
            },
            |shared| {
                if shared.counts.upgrade() {
                    assert_eq!(shared.read(), 1);
                    shared.drop_strong();
                }
                shared.drop_weak();
            },
        ],
    );
}

/// One owner writes if alone, while the other goes over to a weak pointer, and back.
#[test]
fn who_is_alone_writes_what_nobody_reads() {
    check(
        2,
        |_| {},
        [
            |shared| {
                if shared.counts.is_unique() {
                    shared.write(1);
                }
                shared.drop_strong();
            },
            |shared| {
                shared.counts.downgrade();
                assert_eq!(shared.read(), 1);
                shared.drop_strong();
                if shared.counts.upgrade() {
                    assert_eq!(shared.read(), 1);
                    shared.drop_strong();
                }
                shared.drop_weak();
            },
        ],
    );
}

/// One owner writes if alone, while a weak pointer becomes a strong one, and goes before it.
#[test]
fn an_upgraded_pointer_is_seen_behind_its_weak_one() {
    check(
        1,
        |shared| shared.counts.downgrade(),
        [
            |shared| {
                if shared.counts.is_unique() {
                    shared.write(1);
                }
                shared.drop_strong();
            },
            |shared| {
                let is_there = shared.counts.upgrade();
                shared.drop_weak();
                if is_there {
                    assert_eq!(shared.read(), 1);
                    shared.drop_strong();
                }
            },
        ],
    );
}

/// Exactly one of two owners that both want the element gets it; or one may be refused, and drops it.
#[test]
fn one_of_the_last_owners_takes_the_element() {
    check(
        2,
        |_| {},
        [
            |shared| {
                if shared.counts.dec_strong() {
                    shared.write(2);
                    shared.drop_weak();
                }
            },
            |shared| {
                assert_eq!(shared.read(), 1);
                if shared.counts.dec_strong_if_unique() {
                    shared.write(2);
                    shared.drop_weak();
                } else {
                    shared.drop_strong();
                }
            },
        ],
    );
}

/// The element is made while another thread has a weak pointer to it.
#[test]
fn what_knows_itself_is_found_whole() {
    check(
        0,
        |shared| {
            shared.counts.inc_weak();
            shared.element.with_mut(|element| {
                // SAFETY: no thread runs yet.
                unsafe { *element = None }
            });
        },
        [
            |shared| {
                shared.write(1);
                shared.counts.publish();
                shared.drop_strong();
            },
            |shared| {
                if shared.counts.upgrade() {
                    assert_eq!(shared.read(), 1);
                    shared.drop_strong();
                }
                shared.drop_weak();
            },
        ],
    );
}
