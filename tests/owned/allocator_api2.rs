//! Raw pools as allocators of `allocator-api2`: containers on them, and what they refuse.

#![cfg(feature = "allocator-api2-02")]

use std::alloc::Layout;
use std::ptr::NonNull;

use allocator_api2::alloc::Allocator;
use hashbrown::HashMap;
use typed_pool::{RawFreeList, RawPointerStack};

/// Calls the check with a pool of each kind, and with the number of its live slots.
macro_rules! for_both {
    ($check:ident($size:expr, $align:expr, $count:expr)) => {
        let slot = Layout::from_size_align($size, $align).unwrap();
        let (list, stack) = (RawFreeList::new(slot, $count), RawPointerStack::new(slot, $count));
        let (list, stack) = (list.unwrap(), stack.unwrap());
        $check(&list, || list.stats().live);
        $check(&stack, || stack.stats().live);
    };
}

#[test]
fn a_hash_map_lives_in_slots_as_large_as_its_table() {
    fn check<A: Allocator + Copy>(pool: A, live: impl Fn() -> usize) {
        // Tables of one sixteenth of a slot up to one: each growth is a new block, then the old goes.
        let mut squares = HashMap::new_in(pool);
        let mut count = 0_u64;
        while squares.try_reserve(1).is_ok() {
            squares.insert(count, count * count);
            count += 1;
        }
        assert!(count > 100, "only {count} fit");
        assert_eq!(live(), 1);
        assert!((0..count).all(|n| squares[&n] == n * n));
        let other: HashMap<_, _, _, _> = squares.clone();
        assert_eq!((other == squares, live()), (true, 2));
        drop((squares, other));
        assert_eq!(live(), 0);
    }
    for_both!(check(4096, 16, 2));
}

#[test]
fn a_pool_serves_what_fits_and_refuses_the_rest() {
    fn check<A: Allocator + Copy>(pool: A, live: impl Fn() -> usize) {
        let of = |size, align| Layout::from_size_align(size, align).unwrap();
        for refused in [of(49, 1), of(64, 16), of(32, 32), of(8, 64)] {
            assert!(pool.allocate(refused).is_err(), "{refused:?}");
        }
        // A block without size takes no slot.
        let nothing = pool.allocate(of(0, 64)).unwrap();
        assert_eq!((nothing.len(), nothing.cast::<u8>().as_ptr().addr() % 64), (0, 0));
        assert_eq!(live(), 0);
        let grown = |block: NonNull<[u8]>, old, new| {
            // SAFETY: the block is allocated by this pool with the old layout, which is no larger.
            unsafe { pool.grow_zeroed(block.cast(), old, new) }
        };
        let block = grown(nothing, of(0, 64), of(8, 8)).unwrap();
        assert!(block.len() >= 8 && live() == 1);
        // SAFETY: the block has eight bytes.
        unsafe { block.cast::<[u8; 8]>().write([7; 8]) };
        assert!(grown(block, of(8, 8), of(49, 1)).is_err());
        assert!(grown(block, of(8, 8), of(16, 32)).is_err());
        let larger = grown(block, of(8, 8), of(48, 16)).unwrap();
        assert_eq!((larger.cast::<u8>(), larger.len()), (block.cast(), 48));
        // SAFETY: 48 bytes: the first eight were written, and the rest zeroed.
        let bytes = unsafe { larger.cast::<[u8; 48]>().read() };
        assert!(bytes[..8] == [7; 8] && bytes[8..] == [0; 40]);
        // SAFETY: the block is allocated with this layout, and nothing is smaller.
        let shrunk = unsafe { pool.shrink(larger.cast(), of(48, 16), of(0, 2)) }.unwrap();
        assert_eq!((shrunk.len(), live()), (0, 0));
        // SAFETY: as above; it takes no slot, so none is given back.
        unsafe { pool.deallocate(shrunk.cast(), of(0, 2)) };
        let blocks: Vec<_> = (0..4).map(|n| pool.allocate(of(n + 1, 1)).unwrap()).collect();
        assert!(pool.allocate(of(1, 1)).is_err(), "all are taken");
        for (block, n) in blocks.into_iter().zip(1..) {
            // SAFETY: the block was allocated with this layout.
            unsafe { pool.deallocate(block.cast(), of(n, 1)) };
        }
        assert_eq!(live(), 0);
    }
    for_both!(check(48, 16, 4));
}
