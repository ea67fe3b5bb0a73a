//! Tests of each allocator of `allocator-api2`.

#![cfg(feature = "allocator-api2-02")]

use std::alloc::Layout;
use std::ptr::NonNull;

use allocator_api2::alloc::{Allocator, Global};
use allocator_api2::boxed::Box as BoxIn;
use allocator_api2::vec::Vec as VecIn;
use typed_pool::{ByLayout, FrameStack, LocalFrameStack, SharedByLayout, Tracked};

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size, 8).unwrap()
}

fn bytes<'a>(block: NonNull<[u8]>) -> &'a mut [u8] {
    // SAFETY: `check` has the block to itself, and fills or zeroes it first.
    unsafe { &mut *block.as_ptr() }
}

/// Calls each method with sizes up to 64.
fn check<A: Allocator>(a: A) {
    let zeroed = a.allocate_zeroed(layout(16)).unwrap();
    assert!(bytes(zeroed)[..16].iter().all(|&byte| byte == 0));
    let block = a.allocate(layout(8)).unwrap().cast();
    // SAFETY: the block is new, and has eight bytes.
    unsafe { block.cast::<[u8; 8]>().write([7; 8]) };
    // SAFETY: the block is of this layout, and goes on as what is returned.
    let block = unsafe { a.grow(block, layout(8), layout(24)) }.unwrap();
    let block = block.cast();
    // SAFETY: as above.
    let block = unsafe { a.grow_zeroed(block, layout(24), layout(64)) }.unwrap();
    assert_eq!(bytes(block)[..8], [7; 8]);
    assert!(bytes(block)[24..64].iter().all(|&byte| byte == 0));
    let block = block.cast();
    // SAFETY: as above.
    let block = unsafe { a.shrink(block, layout(64), layout(4)) }.unwrap();
    assert_eq!(bytes(block)[..4], [7; 4]);
    assert!(bytes(zeroed)[..16].iter().all(|&byte| byte == 0));
    for (block, size) in [(block, 4), (zeroed, 16)] {
        // SAFETY: the block is of this layout, and used no more.
        unsafe { a.deallocate(block.cast(), layout(size)) };
    }
    let mut numbers = VecIn::new_in(a);
    numbers.extend(0..8_u64);
    numbers.truncate(5);
    numbers.shrink_to_fit();
    assert_eq!(numbers, [0, 1, 2, 3, 4]);
}

#[test]
fn frame_stacks_and_scopes() {
    let mut shared = FrameStack::bounded(504);
    check(&shared);
    assert!((&shared).allocate(layout(505)).is_err());
    shared.reset();
    shared.scope(|scope| {
        check(&*scope);
        scope.scope(|scope| check(&*scope));
    });
    assert_eq!(shared.used(), 0);
    check(&LocalFrameStack::new());
}

#[test]
fn pools_by_layout() {
    check(ByLayout);
    check(SharedByLayout);
}

#[test]
fn tracked() {
    let heap = Tracked::new(Global);
    check(&heap);
    heap.scope().assert_none_leaked();
    let frame = FrameStack::bounded(504);
    let tracked = Tracked::new(&frame);
    check(&tracked);
    assert_eq!((tracked.stats().live_bytes, tracked.stats().total_count > 2), (0, true));
    assert!(tracked.allocate(layout(505)).is_err());
}

/// The way back of a block whose container has but three bytes of it: allocator-api2 makes a reference to these on the way, and passes
/// on a pointer that, by Stacked Borrows, reaches no further. What it passes on tells an address, and the pool has a pointer of its own.
///
/// Only Miri sees the difference.
mod narrowed {
    use super::*;

    /// A slice of three bytes in a block that may hold more.
    fn three<A: Allocator>(a: A) -> BoxIn<[u8], A> {
        let mut bytes = VecIn::with_capacity_in(3, a);
        bytes.extend([1, 2, 3]);
        bytes.into_boxed_slice()
    }

    fn check<A: Allocator + Copy>(a: A) {
        // A free list writes its link there, beyond the three.
        let slices = [three(a), three(a), three(a)];
        drop(slices);
        // The next owner has the pointer with which the slot came back.
        let eights = [[8_u8; 8]; 3].map(|bytes| BoxIn::new_in(bytes, a));
        assert!(eights.iter().all(|bytes| **bytes == [8; 8]));
        drop(eights);
        // What grows where it is has more than it came with.
        let mut bytes = VecIn::from(three(a));
        bytes.extend(4..=8);
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8]);
        // And what shrinks, where another block follows.
        let next = three(a);
        bytes.truncate(5);
        let mut bytes = VecIn::from(bytes.into_boxed_slice());
        bytes.push(6);
        assert_eq!((&bytes[..], &next[..]), (&[1, 2, 3, 4, 5, 6][..], &[1, 2, 3][..]));
    }

    #[test]
    fn by_layout() {
        check(ByLayout);
    }

    #[test]
    fn shared_by_layout() {
        check(SharedByLayout);
        // A thread that only frees.
        let slices = [(); 3].map(|()| three(SharedByLayout));
        std::thread::spawn(|| drop(slices)).join().unwrap();
        check(SharedByLayout);
    }

    /// The destructor of a thread-local may free to a pool whose thread has ended, and whose chunks list their slots themselves.
    #[test]
    fn by_layout_at_the_end_of_a_thread() {
        use std::cell::RefCell;

        thread_local! {
            static KEPT: RefCell<Vec<BoxIn<[u8], ByLayout>>> = const { RefCell::new(Vec::new()) };
        }
        let ended = std::thread::spawn(|| {
            // Destroyed after what registers later.
            KEPT.with_borrow_mut(|kept| kept.push(three(ByLayout)));
        });
        ended.join().unwrap();
    }

    #[test]
    fn local_frames() {
        check(&LocalFrameStack::new());
    }

    #[test]
    fn shared_frames() {
        let mut stack = FrameStack::new();
        check(&stack);
        stack.reset();
        stack.scope(|scope| check(&*scope));
    }
}
