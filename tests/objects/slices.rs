//! Shared slices and text by layout: how they are made, of every length and alignment, and what a panic leaves.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use typed_pool::{ByLayout, SharedByLayout, any};

use crate::alone;

fn live() -> usize {
    ByLayout::stats().map(|pool| pool.live).sum()
}

fn shared_live() -> usize {
    SharedByLayout::stats().map(|pool| pool.live).sum()
}

#[repr(align(64))]
#[derive(Clone, Debug, PartialEq)]
struct Line(u8);

#[repr(align(128))]
#[derive(Clone, Debug, PartialEq)]
struct Pair(u8);

#[repr(align(128))]
#[derive(Clone, Debug, PartialEq)]
struct Nothing;

/// Counts its drops. Every third clone panics.
struct Noted<'a> {
    clones: &'a Cell<u32>,
    drops: &'a Cell<u32>,
}

impl Clone for Noted<'_> {
    fn clone(&self) -> Self {
        self.clones.set(self.clones.get() + 1);
        assert!(self.clones.get() % 3 != 0, "on purpose");
        Self { ..*self }
    }
}

impl Drop for Noted<'_> {
    fn drop(&mut self) {
        self.drops.set(self.drops.get() + 1);
    }
}

macro_rules! suite {
    ($name:ident, $Rc:ident, $Weak:ident, $Box:ident, $live:expr, $alone:expr) => {
        mod $name {
            use super::*;

            /// Slices of many lengths at once, which go in another order, some with their weak pointers after them.
            fn all<T: Clone + Debug + PartialEq>(element: impl Fn(usize) -> T) {
                let lengths = (0..70)
                    .chain([127, 128, 129, 255, 256, 257, 500, 2031, 2032, 2033, 2048, 9999]);
                let mut kept: Vec<(Vec<T>, any::$Rc<[T]>, any::$Weak<[T]>)> = Vec::new();
                for length in lengths {
                    let elements: Vec<T> = (0..length).map(&element).collect();
                    let shared: any::$Rc<[T]> = elements.clone().into();
                    assert_eq!(any::$Rc::as_ptr(&shared).addr() % align_of::<T>(), 0);
                    let weak = any::$Rc::downgrade(&shared);
                    kept.push((elements, shared, weak));
                    if length % 5 == 0 {
                        kept.swap_remove(kept.len() / 2);
                    }
                }
                for (number, (elements, mut shared, weak)) in kept.into_iter().enumerate() {
                    assert_eq!(*shared, *elements);
                    assert!(any::$Rc::get_mut(&mut shared).is_none());
                    let other = weak.upgrade().unwrap();
                    assert!(any::$Rc::ptr_eq(&shared, &other));
                    assert_eq!(
                        (any::$Rc::strong_count(&shared), any::$Rc::weak_count(&shared)),
                        (2, 1)
                    );
                    drop(other);
                    if number % 2 == 0 {
                        drop(shared);
                        assert!(weak.upgrade().is_none());
                    } else {
                        drop(weak);
                        any::$Rc::get_mut(&mut shared).unwrap().reverse();
                        assert!(shared.iter().eq(elements.iter().rev()));
                        let raw = any::$Rc::into_raw(shared);
                        // SAFETY: it has just come from `into_raw`.
                        drop(unsafe { any::$Rc::<[T]>::from_raw(raw) });
                    }
                }
            }

            #[test]
            fn of_every_length_and_alignment() {
                #[allow(clippy::let_unit_value, reason = "of a thread")]
                let _alone = $alone;
                let before = $live;
                all(|n| n as u8);
                all(|n| [n as u8; 3]);
                all(|n| n as u64);
                all(|n| n as u128);
                all(|n| n.to_string());
                all(|n| Line(n as u8));
                all(|n| Pair(n as u8));
                all(|_| ());
                all(|_| Nothing);
                assert_eq!($live, before);
            }

            #[test]
            fn every_way_to_make_them() {
                #[allow(clippy::let_unit_value, reason = "of a thread")]
                let _alone = $alone;
                let before = $live;
                let (one, two) = (String::from("one"), String::from("two"));
                let both = [one, two];
                let boxed: any::$Box<[String]> = both.clone().into();
                let slices: [any::$Rc<[String]>; 5] = [
                    both.to_vec().into(),
                    both.clone().into(),
                    both[..].into(),
                    both.iter().cloned().collect(),
                    boxed.into(),
                ];
                assert!(slices.iter().all(|slice| **slice == both));
                let text: any::$Box<str> = "text".into();
                let texts: [any::$Rc<str>; 5] = [
                    "text".into(),
                    String::from("text").into(),
                    Cow::Borrowed("text").into(),
                    text.into(),
                    any::$Rc::<str>::from("text").clone(),
                ];
                assert!(texts.iter().all(|text| &**text == "text"));
                let (nothing, empty) =
                    (any::$Rc::<[String]>::default(), any::$Rc::<str>::default());
                assert_eq!((nothing.len(), &*empty, $live), (0, "", before + 12));
                assert_eq!(size_of_val(&empty), 2 * size_of::<usize>());
                drop((slices, texts, nothing, empty));
                assert_eq!($live, before);
            }

            #[test]
            fn a_weak_pointer_keeps_the_slot() {
                #[allow(clippy::let_unit_value, reason = "of a thread")]
                let _alone = $alone;
                let before = $live;
                let text = any::$Rc::<str>::from("a word");
                let (weak, other) = (any::$Rc::downgrade(&text), text.clone());
                drop(text);
                assert_eq!(weak.upgrade().as_deref(), Some("a word"));
                drop(other);
                assert!(weak.upgrade().is_none());
                let next = any::$Rc::<str>::from("others");
                assert_eq!(($live, &*next), (before + 2, "others"));
                drop((weak, next));
                assert_eq!($live, before);
            }

            #[test]
            fn panics_lose_neither_slots_nor_elements() {
                #[allow(clippy::let_unit_value, reason = "of a thread")]
                let _alone = $alone;
                let before = $live;
                let (clones, drops) = (Cell::new(0), Cell::new(0));
                let noted = || Noted { clones: &clones, drops: &drops };
                let three = [noted(), noted(), noted()];
                let cloned = || any::$Rc::<[Noted<'_>]>::from(&three[..]);
                assert!(catch_unwind(AssertUnwindSafe(|| drop(cloned()))).is_err());
                assert_eq!((clones.get(), drops.get(), $live), (3, 2, before));
                let elements = (0..5).map(|n| if n < 4 { noted() } else { panic!("on purpose") });
                let collected = || elements.collect::<any::$Rc<[_]>>();
                assert!(catch_unwind(AssertUnwindSafe(|| drop(collected()))).is_err());
                assert_eq!((drops.get(), $live), (6, before));
                let moved: any::$Rc<[_]> = three.into();
                assert_eq!((drops.get(), $live), (6, before + 1));
                drop(moved);
                assert_eq!((drops.get(), $live), (9, before));
            }
        }
    };
}

suite!(rc, Rc, RcWeak, Box, live(), ());

suite!(arc, Arc, ArcWeak, SendBox, shared_live(), alone());

#[test]
fn text_leaves_its_thread() {
    let _alone = alone();
    let before = shared_live();
    let word: any::Arc<str> = "word".into();
    let large: any::Arc<[u64]> = (0..10_000).collect();
    let (word_there, large_there) = (word.clone(), large.clone());
    let there = thread::spawn(move || (word_there.len(), large_there.iter().sum::<u64>()));
    assert_eq!(there.join().unwrap(), (4, 49_995_000));
    let weak = any::Arc::downgrade(&word);
    thread::spawn(move || drop((word, large))).join().unwrap();
    assert!(weak.upgrade().is_none());
    drop(weak);
    assert_eq!(shared_live(), before);
}
