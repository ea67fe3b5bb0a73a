//! Containers of others in a frame stack.

#![cfg(feature = "allocator-api2-02")]

use std::alloc::Layout;
use std::ptr::NonNull;

use allocator_api2::alloc::{AllocError, Allocator};
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

fn grow(
    stack: &FrameStack,
    block: NonNull<u8>,
    old: Layout,
    new: Layout,
) -> Result<NonNull<[u8]>, AllocError> {
    // SAFETY: the tests pass what `numbered` returned for `old`.
    unsafe { stack.grow(block, old, new) }
}

fn shrink(stack: &FrameStack, block: NonNull<u8>, old: Layout, new: Layout) -> NonNull<[u8]> {
    // SAFETY: as in `grow`.
    unsafe { stack.shrink(block, old, new) }.unwrap()
}

#[test]
fn a_vector_on_top_grows_in_place() {
    let stack = FrameStack::with_capacity(1 << 20);
    let mut vector = VecIn::new_in(&stack);
    vector.push(0_u64);
    let first = vector.as_ptr();
    vector.extend(1..10_000);
    assert_eq!((vector.as_ptr(), stack.used()), (first, vector.capacity() * 8));
    vector.truncate(100);
    vector.shrink_to_fit();
    assert_eq!((vector.as_ptr(), stack.used()), (first, 800));
    assert!(vector.iter().copied().eq(0..100));
    drop(vector);
    assert_eq!(stack.used(), 0);
}

#[test]
fn a_vector_below_others_moves_and_leaves_its_blocks_behind() {
    let stack = LocalFrameStack::new();
    let mut vectors: Vec<_> = (0..2).map(|_| VecIn::new_in(&stack)).collect();
    for n in 0..1000_u32 {
        vectors.iter_mut().for_each(|vector| vector.push(n));
    }
    assert!(vectors.iter().all(|vector| vector.iter().copied().eq(0..1000)));
    let held: usize = vectors.iter().map(|vector| vector.capacity() * 4).sum();
    // A geometric series: at most the same number of bytes again.
    assert!(stack.used() > held && stack.used() <= 2 * held, "{} of {held}", stack.used());
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
fn blocks_are_resized_where_they_stand_or_moved() {
    let stack = FrameStack::bounded(2000);
    let (small, large) = (layout(100, 4), layout(300, 4));
    let block = numbered(&stack, 100, 4);
    let grown = grow(&stack, block, small, large).unwrap();
    assert_eq!((grown.cast(), grown.len(), stack.used()), (block, 300, 300));
    assert!(is_numbered(grown, 100));
    assert!(grow(&stack, block, large, layout(2001, 4)).is_err());
    assert_eq!(stack.used(), 300);

    // Not the last any more.
    let above = numbered(&stack, 8, 8);
    let moved = grow(&stack, block, large, layout(400, 4)).unwrap();
    assert!(moved.cast() != block && is_numbered(moved, 100));
    assert_eq!(stack.used(), 304 + 8 + 400);
    // What is not last stays where it is, and cannot be given back then.
    let cut = shrink(&stack, above, layout(8, 8), layout(1, 1));
    assert_eq!((cut.cast(), cut.len()), (above, 1));
    // SAFETY: the block is known by this layout now, and used no more.
    unsafe { (&stack).deallocate(above, layout(1, 1)) };
    assert_eq!(stack.used(), 712);
    // To nothing, from the top.
    let nothing = shrink(&stack, moved.cast(), layout(400, 4), layout(0, 16));
    assert_eq!((nothing.len(), nothing.cast::<u8>().addr().get(), stack.used()), (0, 16, 312));
    // From nothing.
    let again = grow(&stack, nothing.cast(), layout(0, 16), layout(16, 16)).unwrap();
    assert_eq!((again.len(), stack.used()), (16, 336));
    let below = numbered(&stack, 8, 8);
    let above = numbered(&stack, 1, 1);
    let cut = shrink(&stack, below, layout(8, 8), layout(4, 512));
    assert!(cut.cast::<u8>().addr().get() % 512 == 0 && is_numbered(cut, 4));
    let cut = shrink(&stack, cut.cast(), layout(4, 512), layout(0, 1));
    assert!(cut.is_empty() && shrink(&stack, above, layout(1, 1), layout(1, 1)).cast() == above);
    // To another alignment, in place only if it happens to be aligned.
    let odd = numbered(&stack, 4, 4);
    let aligned = grow(&stack, odd, layout(4, 4), layout(8, 256)).unwrap();
    assert!(aligned.cast::<u8>().addr().get() % 256 == 0 && is_numbered(aligned, 4));
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
fn a_block_that_shrinks_keeps_the_padding_before_it_known() {
    let stack = FrameStack::new();
    let byte = numbered(&stack, 1, 1);
    let padded = numbered(&stack, 64, 8);
    let cut = shrink(&stack, padded, layout(64, 8), layout(3, 1));
    assert_eq!((cut.cast(), stack.used()), (padded, 11));
    // SAFETY: both are of these layouts, and used no more.
    unsafe { (&stack).deallocate(padded, layout(3, 1)) };
    assert_eq!(stack.used(), 1);
    // SAFETY: as above.
    unsafe { (&stack).deallocate(byte, layout(1, 1)) };
    assert_eq!(stack.used(), 0);
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
