//! The thread's own frame, for the length of a closure.

use std::cell::{Cell, RefCell};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use typed_pool::{LocalFrameStack, frame};

/// Returns the address at which a frame puts a block.
fn place() -> usize {
    frame::scratch(|frame| {
        assert_eq!(frame.used(), 0);
        (&raw const *frame.alloc([0_u64; 10])).addr()
    })
}

#[test]
fn all_is_taken_back_when_the_closure_returns() {
    thread::spawn(|| {
        let first = place();
        for round in 0..10_u32 {
            let dropped = std::rc::Rc::new(());
            let names = frame::scratch(|frame| {
                let counted = frame.alloc(dropped.clone());
                let name = frame.alloc_fmt(format_args!("{round}"));
                let more = frame.alloc_iter((0..round).map(|_| counted.clone()));
                (name.to_owned(), more.len())
            });
            assert_eq!(names, (round.to_string(), round as usize));
            assert_eq!(std::rc::Rc::strong_count(&dropped), 1);
            assert_eq!(place(), first);
        }
    })
    .join()
    .unwrap();
}

#[test]
fn a_nested_call_has_a_frame_of_its_own() {
    fn nested(depth: usize) -> usize {
        frame::scratch(|frame| {
            let mut mine = frame.alloc([depth; 100]);
            let below = if depth > 0 { nested(depth - 1) } else { 0 };
            assert_eq!(*mine, [depth; 100]);
            mine[0] += below;
            mine[0]
        })
    }

    // Deeper than a thread keeps frames.
    for depth in (0..20).chain([1, 10]) {
        assert_eq!(nested(depth), depth * (depth + 1) / 2);
    }
}

#[test]
fn a_panic_takes_all_back_and_harms_no_frame_around_it() {
    thread::spawn(|| {
        let first = place();
        frame::scratch(|outer| {
            let kept = outer.alloc([7_u64; 100]);
            for _ in 0..3 {
                let panics = || {
                    frame::scratch(|inner| {
                        let text = inner.alloc(String::from("dropped"));
                        assert_eq!(text.len(), 1, "on purpose");
                    });
                };
                assert!(catch_unwind(panics).is_err());
            }
            assert_eq!(*kept, [7; 100]);
        });
        let dropped = Cell::new(false);
        struct Panics<'a>(&'a Cell<bool>);
        impl Drop for Panics<'_> {
            fn drop(&mut self) {
                self.0.set(true);
                frame::scratch(|frame| drop(frame.alloc([1_u8; 500])));
                panic!("on purpose");
            }
        }
        let panics = || frame::scratch(|frame| drop(frame.alloc(Panics(&dropped))));
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        assert!(dropped.get());
        assert_eq!(place(), first);
    })
    .join()
    .unwrap();
}

#[test]
fn the_frame_has_scopes_and_gives_its_memory_back() {
    thread::spawn(|| {
        let sum = frame::scratch(|frame| {
            let inner = frame.scope(|frame| frame.alloc_iter(0..100_u64).iter().sum::<u64>());
            assert_eq!(frame.used(), 0);
            inner + *frame.alloc(1)
        });
        assert_eq!(sum, 4951);
        assert!(frame::scratch(|frame| frame.trim()) > 0);
        assert_eq!(frame::scratch(|frame| frame.trim()), 0);
        // A frame that a closure has put in its place is as good.
        frame::scratch(|frame| drop(mem::take(frame)));
        place();
    })
    .join()
    .unwrap();
}

#[test]
fn a_frame_with_a_limit_or_a_capacity_is_not_kept() {
    thread::spawn(|| {
        for other in [LocalFrameStack::bounded(64), LocalFrameStack::with_capacity(64)] {
            frame::scratch(|frame| {
                *frame = other;
                let _ = frame.alloc(7_u64);
            });
            frame::scratch(|frame| {
                assert_eq!(frame.capacity(), 8192, "as of any thread");
                let _ = frame.alloc([0_u8; 1000]);
            });
            assert!(frame::scratch(|frame| frame.trim()) > 0);
        }
    })
    .join()
    .unwrap();
}

/// Scratches when its thread ends, which may be before or after the thread's frames are gone.
struct Late(RefCell<Vec<u64>>);

impl Drop for Late {
    fn drop(&mut self) {
        for depth in 0..3 {
            let sum = frame::scratch(|frame| {
                let mine = frame.alloc_iter(self.0.borrow().iter().map(|n| n + depth));
                frame::scratch(|inner| drop(inner.alloc(1_u64)));
                mine.iter().sum::<u64>()
            });
            assert_eq!(sum, 45 + 10 * depth);
        }
    }
}

#[test]
fn a_thread_that_is_ending_has_frames() {
    thread_local! {
        static LATE: Late = const { Late(RefCell::new(Vec::new())) };
    }

    for late_first in [true, false] {
        // Thread-locals are destroyed in one order or the other of their first uses.
        let ended = thread::spawn(move || {
            if late_first {
                LATE.with(|late| late.0.borrow_mut().extend(0..10));
            }
            place();
            if !late_first {
                LATE.with(|late| late.0.borrow_mut().extend(0..10));
            }
        });
        ended.join().unwrap();
    }
}
