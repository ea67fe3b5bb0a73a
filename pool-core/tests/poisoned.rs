//! Poisoning for AddressSanitizer, in a program that is built for it. (`build.rs` says so to this package alone.)
//!
//! `RUSTFLAGS=-Zsanitizer=address cargo +nightly test -p pool-core --test poisoned --target ..`

#![cfg(pool_asan)]
#![allow(missing_docs, reason = "no library")]

use std::cell::Cell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use pool_core::{FrameBox, FrameStack, FreeList, PointerStack, PoolBoxIn, Roster};

unsafe extern "C" {
    fn __asan_address_is_poisoned(address: *const c_void) -> i32;
}

fn is_poisoned<T>(element: *const T) -> bool {
    [0, size_of::<T>() - 1].iter().any(|&byte| {
        let address = element.wrapping_byte_add(byte).cast();
        // SAFETY: the call looks at the sanitizer's shadow only.
        unsafe { __asan_address_is_poisoned(address) != 0 }
    })
}

/// Whether live bytes are fit for use, and the freed slots' are not: all of them where slots are
/// granules, and else whatever the sanitizer makes of it.
macro_rules! check {
    ($Pool:ident, $size:literal) => {
        let pool = $Pool::<[u8; $size]>::with_capacity(10);
        let is_exact = $size % 8 == 0;
        let mut boxes: Vec<_> = (0..10).map(|n| Some(pool.alloc([n; $size]))).collect();
        let at: Vec<_> = boxes.iter().flatten().map(PoolBoxIn::as_ptr).collect();
        for freed in [3, 0, 7, 9, 1] {
            boxes[freed] = None;
            for (slot, &at) in boxes.iter().zip(&at) {
                match slot {
                    Some(_) => assert!(!is_poisoned(at)),
                    None => assert!(is_poisoned(at) || !is_exact),
                }
            }
        }
        pool.trim();
        let again: Vec<_> = (0..3).map(|n| pool.alloc([n; $size])).collect();
        assert!(again.iter().all(|b| !is_poisoned(PoolBoxIn::as_ptr(b))));
        assert!(boxes.iter().flatten().all(|b| !is_poisoned(PoolBoxIn::as_ptr(b))));
        if is_exact {
            assert_eq!(at.iter().filter(|&&at| is_poisoned(at)).count(), 2);
        }
        drop((boxes, again));
        assert!(at.iter().all(|&at| is_poisoned(at)) || !is_exact);

        let fresh = $Pool::<[u8; $size]>::with_capacity(2);
        let first = fresh.alloc([0; $size]);
        let never_used = PoolBoxIn::as_ptr(&first).wrapping_add(1);
        assert!(is_poisoned(never_used) || !is_exact);
    };
}

#[test]
fn what_is_vacant_is_poisoned_and_what_is_live_is_not() {
    check!(FreeList, 24);
    check!(PointerStack, 24);
    check!(PointerStack, 8);
}

#[test]
fn what_is_live_is_not_poisoned_by_its_neighbours() {
    check!(PointerStack, 1);
    check!(PointerStack, 3);
    check!(PointerStack, 4);
    check!(PointerStack, 13);
}

#[test]
fn what_is_vacant_in_a_roster_is_poisoned_and_what_is_live_is_not() {
    let mut roster = Roster::with_capacity(16);
    let handles: Vec<_> = (0..10).map(|n| roster.insert([n; 24])).collect();
    let at: Vec<_> = handles.iter().map(|&handle| &raw const roster[handle]).collect();
    let agrees = |roster: &Roster<[u8; 24]>| {
        let live = handles.iter().map(|&handle| roster.contains(handle));
        live.zip(&at).all(|(is_live, &at)| is_poisoned(at) != is_live)
    };
    assert!(agrees(&roster));
    assert!(is_poisoned(at[9].wrapping_add(1)), "never used");

    roster.remove(handles[3]);
    assert!(agrees(&roster));
    roster.retain(|_, element| element[0] % 4 != 1);
    assert!(agrees(&roster));
    let detached = roster.detach(handles[6]);
    assert!(agrees(&roster));
    roster.reattach(handles[6], detached.unwrap());
    assert!(agrees(&roster) && !is_poisoned(at[6]));

    let clone = roster.clone();
    assert!(clone.values().all(|element| !is_poisoned(element)));
    let before_vacant = &raw const clone[handles[2]];
    assert!(is_poisoned(before_vacant.wrapping_add(1)));
    drop(clone);
    assert_eq!(roster.insert_with(|_| [3; 24]).index(), 1);
    assert!(!is_poisoned(at[1]));
    assert_eq!(roster.drain().count(), 7);
    assert!(at.iter().all(|&at| is_poisoned(at)));
}

#[test]
fn a_slot_is_poisoned_after_its_destructor_and_not_before() {
    struct Noted<'a>(&'a Cell<Option<*const Self>>);
    impl Drop for Noted<'_> {
        fn drop(&mut self) {
            assert!(!is_poisoned(&raw const *self));
            self.0.set(Some((&raw const *self).cast()));
            resume_unwind(Box::new("no"));
        }
    }

    let dropped = Cell::new(None);
    let mut roster = Roster::from_iter([Noted(&dropped)]);
    assert!(catch_unwind(AssertUnwindSafe(|| roster.clear())).is_err());
    assert!(is_poisoned(dropped.get().unwrap()));
}

#[test]
fn what_a_frame_stack_has_not_handed_out_is_poisoned() {
    let mut stack = FrameStack::bounded(64);
    let first = FrameBox::into_raw(stack.alloc([1_u64; 2]));
    let next = first.wrapping_add(1);
    assert!(!is_poisoned(first) && is_poisoned(next));
    let last = stack.alloc_slice(&[7_u8; 3]).as_ptr();
    // Up to the end of its 8 bytes, which are its own.
    assert!(!is_poisoned(last) && is_poisoned(last.wrapping_add(8)));
    let mark = stack.mark();
    let freed = stack.alloc(1_u64);
    let at = FrameBox::as_ptr(&freed);
    assert!(!is_poisoned(at));
    assert!(stack.free(freed));
    assert!(is_poisoned(at) && !is_poisoned(last));
    stack.alloc(2_u64);
    // SAFETY: what is newer than the mark is not used any more.
    assert!(unsafe { stack.rewind(mark) });
    assert!(is_poisoned(at) && !is_poisoned(last));
    stack.scope(|scope| assert!(!is_poisoned(FrameBox::as_ptr(&scope.alloc(3_u64)))));
    assert!(is_poisoned(at) && !is_poisoned(last));
    stack.reset();
    assert!(is_poisoned(first) && is_poisoned(last));
}
