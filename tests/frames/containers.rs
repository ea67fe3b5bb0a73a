//! Containers of others in a frame stack.

#![cfg(feature = "allocator-api2-02")]

use std::alloc::Layout;
use std::ptr::NonNull;

use allocator_api2::alloc::Allocator;
use allocator_api2::{boxed::Box as BoxIn, vec::Vec as VecIn};
use hashbrown::{DefaultHashBuilder, HashMap};
use typed_pool::frame::{FrameScope, Shared};
use typed_pool::{FrameStack, LocalFrameStack, frame};

fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).unwrap()
}

/// A new block in which each byte holds its index.
fn numbered(stack: &FrameStack, size: usize, align: usize) -> NonNull<u8> {
    let block = stack.allocate(layout(size, align)).unwrap().cast::<u8>();
    for index in 0..size {
        let byte = block.as_ptr().wrapping_add(index);
        // SAFETY: within the block.
        unsafe { byte.write(index as u8) };
    }
    block
}

fn is_numbered(block: NonNull<[u8]>, bytes: usize) -> bool {
    (0..bytes).all(|index| {
        let byte = block.cast::<u8>().as_ptr().wrapping_add(index);
        // SAFETY: within the block, and written by `numbered`.
        unsafe { byte.read() == index as u8 }
    })
}

#[test]
fn maps_and_strings_and_boxes() {
    let mut stack = FrameStack::with_capacity(64);
    for frame in 0..10_u64 {
        let mut map = HashMap::with_hasher_in(DefaultHashBuilder::default(), &stack);
        for n in 0..1000_u64 {
            map.insert(n, BoxIn::new_in((n + frame).to_string(), &stack));
        }
        map.retain(|n, _| n % 3 == 0);
        assert!(map.iter().all(|(n, text)| **text == (n + frame).to_string()));
        assert_eq!(map.len(), 334);
        drop(map);
        stack.reset();
    }
    let settled = stack.capacity();
    stack.scope(|scope| {
        let mut words = VecIn::new_in(&*scope);
        words.extend(["a", "b"].map(|word| BoxIn::new_in(word, &*scope)));
        words.reserve(1000);
        assert_eq!(*words[1], "b");
        words.shrink_to_fit();
        let zeros: VecIn<u64, _> = allocator_api2::vec![in &*scope; 0; 100];
        assert!(zeros.iter().all(|&zero| zero == 0));
    });
    assert_eq!((stack.used(), stack.capacity()), (0, settled));
}

#[test]
fn grown_with_zeros() {
    let stack = FrameStack::new();
    // What is free is not zero.
    let used = stack.alloc_raw(layout(4000, 1)).unwrap().cast::<u8>();
    // SAFETY: the block is new, and of this size.
    unsafe { used.write_bytes(0xFF, 4000) };
    // SAFETY: the block is of this layout, and used no more.
    assert!(unsafe { stack.free_last(used, layout(4000, 1)) });
    let block = numbered(&stack, 16, 1);
    let _above = (numbered(&stack, 1, 1), numbered(&stack, 100, 1));
    for new in [layout(64, 1), layout(200, 1)] {
        let block = numbered(&stack, 16, 1);
        // SAFETY: the block is of this layout.
        let grown = unsafe { (&stack).grow_zeroed(block, layout(16, 1), new) }.unwrap();
        assert!(is_numbered(grown, 16));
        // SAFETY: all bytes are written.
        let bytes = unsafe { grown.as_ref() };
        assert!(bytes[16..].iter().all(|&byte| byte == 0));
    }
    // SAFETY: the block is of this layout.
    let moved = unsafe { (&stack).grow_zeroed(block, layout(16, 1), layout(32, 1)) }.unwrap();
    // SAFETY: all bytes are written.
    assert!(unsafe { moved.as_ref() }[16..].iter().all(|&byte| byte == 0));
}

#[test]
fn short_names_are_for_both_stacks_and_for_scopes() {
    struct Level<'f> {
        rooms: frame::Vec<'f, u32>,
    }
    let (mut shared, local) = (FrameStack::new(), LocalFrameStack::new());
    let mut level = Level { rooms: frame::Vec::new_in(&shared) };
    level.rooms.extend(1..=3);
    let mut other: frame::Vec<'_, u32, LocalFrameStack> = frame::Vec::new_in(&local);
    other.extend_from_slice(&level.rooms);
    let leaked: &mut [u32] = other.leak();
    assert_eq!(leaked, [1, 2, 3]);
    drop(level);
    let in_scope = shared.scope(|scope| {
        let mut rooms: frame::Vec<'_, u32, FrameScope<'_, Shared>> = frame::Vec::new_in(&*scope);
        rooms.extend(1..=4);
        rooms.iter().sum::<u32>()
    });
    assert_eq!((in_scope, shared.used()), (10, 0));
}
