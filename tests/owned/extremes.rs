//! Messages for 0, 1, the limit, more than the limit, and `usize::MAX`: they name the numbers that were asked for, and a remedy that
//! helps.

use std::alloc::Layout;
use std::panic::{AssertUnwindSafe, catch_unwind};

use typed_pool::{FrameStack, FreeList, PointerStack, Pooled, RawFreeList, Roster};

const MAX: usize = usize::MAX;

fn panic_of<R>(f: impl FnOnce() -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| drop(f()))).expect_err("a panic");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => String::from(*panic.downcast::<&str>().unwrap()),
    }
}

fn error_of<R, E: std::fmt::Display>(result: Result<R, E>) -> String {
    result.map(drop).expect_err("an error").to_string()
}

/// Compares each message with the expected one, in which `{M}` stands for `usize::MAX`, and `{M8}` for the most
/// that is a multiple of 8.
macro_rules! says {
    ($($said:expr => $expected:expr;)*) => {$(
        assert_eq!($said, $expected.replace("{M}", &MAX.to_string()).replace("{M8}", &(MAX & !7).to_string()));
    )*};
}

#[derive(Debug, Pooled)]
#[pool(max = 1, name = "one")]
struct One(#[allow(dead_code, reason = "what it holds makes no difference")] u64);

#[derive(Debug, Pooled)]
#[pool(static, max = 2, name = "two")]
struct Two(#[allow(dead_code, reason = "what it holds makes no difference")] u64);

#[derive(Debug, Pooled)]
#[pool(static, capacity = 1, name = "fixed")]
struct Fixed(#[allow(dead_code, reason = "what it holds makes no difference")] u64);

#[derive(Debug, Pooled)]
#[pool(strategy = roster, capacity = 1, name = "roster")]
struct Monster(#[allow(dead_code, reason = "what it holds makes no difference")] u64);

#[test]
fn pools_that_are_values() {
    let [none, one] = [0, 1].map(FreeList::<u64>::bounded);
    let kept = one.alloc(1);
    let free = FreeList::<u64>::new();
    says! {
        error_of(none.try_alloc(1)) =>
            "the pool of `u64` is exhausted: it has no slots; make the pool with a larger `bounded(..)`";
        error_of(one.try_alloc(1)) =>
            "the pool of `u64` is exhausted: its only slot is occupied; free some, or make the pool with a larger `bounded(..)`";
        error_of(none.try_reserve(1)) =>
            "cannot reserve 1 more slot in the pool of `u64`: it has no slots; make the pool with a larger `bounded(..)`";
        error_of(one.try_reserve(1)) =>
            "cannot reserve 1 more slot in the pool of `u64`: 1 of at most 1 are occupied; make the pool with a larger `bounded(..)`";
        error_of(one.try_reserve(2)) =>
            "cannot reserve 2 more slots in the pool of `u64`: 1 of at most 1 are occupied; make the pool with a larger `bounded(..)`";
        panic_of(|| one.reserve(MAX)) =>
            "cannot reserve {M} more slots in the pool of `u64`: 1 of at most 1 are occupied; ask for less";
        error_of(free.try_reserve(MAX)) =>
            "cannot reserve {M} more slots in the pool of `u64`: capacity overflow: at 8 bytes each, they exceed isize::MAX bytes";
        panic_of(|| FreeList::<u64>::bounded(MAX)) =>
            "cannot reserve {M} more slots in the pool of `u64`: capacity overflow: at 8 bytes each, they exceed isize::MAX bytes";
        panic_of(|| PointerStack::<[u64; 2]>::with_capacity(MAX)) =>
            "cannot reserve {M} more slots in the pool of `[u64; 2]`: capacity overflow: at 16 bytes each, they exceed isize::MAX bytes";
    }
    assert!(
        none.try_reserve(0).is_ok() && one.try_reserve(0).is_ok() && free.try_reserve(0).is_ok()
    );
    drop(kept);
    assert!(one.try_reserve(1).is_ok());
}

#[test]
fn pools_of_types() {
    let kept = One::pool_alloc_with(|| One(1));
    let fixed = Fixed::pool_alloc_with(|| Fixed(1));
    let two = [1, 2].map(|n| Two::pool_alloc_with(|| Two(n)));
    let monster = Monster::pool_insert(Monster(1));
    says! {
        error_of(One::pool_try_vacant()) =>
            "the pool of `one` is exhausted: its only slot is occupied; free some, or raise `max` in `#[pool(..)]`";
        error_of(One::pool_try_reserve(1)) =>
            "cannot reserve 1 more slot in the pool of `one`: 1 of at most 1 are occupied; raise `max` in `#[pool(..)]`";
        panic_of(|| One::pool_reserve(MAX)) =>
            "cannot reserve {M} more slots in the pool of `one`: 1 of at most 1 are occupied; ask for less";
        error_of(Two::pool_try_vacant()) =>
            "the pool of `two` is exhausted: all 2 slots are occupied; free some, or raise `max` in `#[pool(..)]`";
        error_of(Two::pool_try_reserve(1)) =>
            "cannot reserve 1 more slot in the pool of `two`: 2 of at most 2 are occupied; raise `max` in `#[pool(..)]`";
        error_of(Fixed::pool_try_vacant()) =>
            "the pool of `fixed` is exhausted: its only slot is occupied; free some, or raise `capacity` in `#[pool(..)]`";
        error_of(Fixed::pool_try_reserve(2)) =>
            "cannot reserve 2 more slots in the pool of `fixed`: 1 of at most 1 are occupied; raise `capacity` in `#[pool(..)]`";
        error_of(Fixed::pool_try_reserve(MAX)) =>
            "cannot reserve {M} more slots in the pool of `fixed`: 1 of at most 1 are occupied; ask for less";
        error_of(Monster::pool_try_insert(Monster(2))) =>
            "the pool of `roster` is exhausted: its only slot is occupied; free some, or raise `capacity` in `#[pool(..)]`";
        error_of(Monster::pool_try_reserve(1)) =>
            "cannot reserve 1 more slot in the pool of `roster`: 1 of at most 1 are occupied; raise `capacity` in `#[pool(..)]`";
        panic_of(|| Monster::pool_reserve(MAX)) =>
            "cannot reserve {M} more slots in the pool of `roster`: 1 of at most 1 are occupied; ask for less";
    }
    drop((kept, fixed, two));
    Monster::pool_remove(monster);
}

#[test]
fn rosters() {
    let mut none = Roster::<u64>::bounded(0);
    says! {
        error_of(none.try_insert(1)) =>
            "the pool of `u64` is exhausted: it has no slots; make the pool with a larger `bounded(..)`";
        error_of(none.try_reserve(1)) =>
            "cannot reserve 1 more slot in the pool of `u64`: it has no slots; make the pool with a larger `bounded(..)`";
    }
    // With 32 bits, these would not fit into the address space; with 64, a roster's handles cannot tell so many slots apart.
    #[cfg(target_pointer_width = "32")]
    says! {
        panic_of(|| Roster::<u64>::bounded(MAX)) =>
            "cannot reserve {M} more slots in the pool of `u64`: capacity overflow: at 8 bytes each, they exceed isize::MAX bytes";
        panic_of(|| Roster::<u64>::with_capacity(MAX)) =>
            "cannot reserve {M} more slots in the pool of `u64`: capacity overflow: at 8 bytes each, they exceed isize::MAX bytes";
    }
    #[cfg(target_pointer_width = "64")]
    says! {
        panic_of(|| Roster::<u64>::bounded(MAX)) =>
            "cannot reserve {M} more slots in the pool of `u64`: 0 of at most 4294967295 are occupied; ask for less";
        panic_of(|| Roster::<u64>::with_capacity(MAX)) =>
            "cannot reserve {M} more slots in the pool of `u64`: 0 of at most 4294967295 are occupied; ask for less";
        panic_of(|| Roster::<u64>::bounded(1 << 33)) =>
            "cannot reserve 8589934592 more slots in the pool of `u64`: 0 of at most 4294967295 are occupied; ask for less";
    }
}

/// Eight bytes, aligned to eight on every target.
#[derive(Clone, Copy)]
#[repr(align(8))]
struct Word(#[allow(dead_code, reason = "what it holds makes no difference")] u64);

#[test]
fn frame_stacks() {
    let [none, some] = [0, 16].map(FrameStack::bounded);
    let kept = some.alloc(1_u64);
    let new = FrameStack::new();
    let vast = FrameStack::with_capacity(MAX);
    says! {
        error_of(none.try_alloc(1_u8)) =>
            "the frame stack is exhausted: 1 bytes aligned to 1 do not fit, as 0 of 0 bytes are used; make it with a larger `bounded(..)`";
        error_of(some.try_alloc([Word(1); 2])) =>
            "the frame stack is exhausted: 16 bytes aligned to 8 do not fit, as 8 of 16 bytes are used; reset it, or make it with a \
             larger `bounded(..)`";
        error_of(some.try_alloc_iter((0..MAX).map(|_| 1_u64))) =>
            "capacity overflow: {M} elements of 8 bytes for a frame stack exceed isize::MAX bytes; ask for less";
        error_of(new.try_alloc_iter((0..MAX).map(|_| 1_u64))) =>
            "capacity overflow: {M} elements of 8 bytes for a frame stack exceed isize::MAX bytes; ask for less";
        error_of(new.try_alloc_iter((0..MAX).map(|_| 1_u16))) =>
            "capacity overflow: {M} elements of 2 bytes for a frame stack exceed isize::MAX bytes; ask for less";
        panic_of(|| drop(new.alloc_iter((0..MAX).map(|_| 1_u64)))) =>
            "capacity overflow: {M} elements of 8 bytes for a frame stack exceed isize::MAX bytes; ask for less";
        error_of(vast.try_alloc(1_u8)) =>
            "the frame stack is exhausted: 1 bytes aligned to 1 do not fit, as 0 of {M8} bytes are used and the heap has no room for a \
             chunk of that size; make it with a smaller `with_capacity(..)`";
        error_of(FrameStack::bounded(MAX).try_alloc(1_u8)) =>
            "the frame stack is exhausted: 1 bytes aligned to 1 do not fit, as 0 of {M8} bytes are used and the heap has no room for a \
             chunk of that size; make it with a smaller `bounded(..)`";
        panic_of(|| drop(vast.alloc(1_u8))) =>
            "the frame stack is exhausted: 1 bytes aligned to 1 do not fit, as 0 of {M8} bytes are used and the heap has no room for a \
             chunk of that size; make it with a smaller `with_capacity(..)`";
    }
    let most = Layout::from_size_align(isize::MAX as usize, 1).unwrap();
    let message = error_of(new.alloc_raw(most));
    assert!(message.ends_with("and the heap has no room for a chunk; ask for less"), "{message}");
    assert_eq!(*kept, 1);
}

#[test]
fn raw_pools() {
    let word = Layout::new::<u64>();
    let [none, most] = [0, MAX].map(|count| error_of(RawFreeList::new(word, count)));
    assert!(none.contains("ask for 1 or more"), "{none}");
    assert!(most.contains(&format!("{MAX} slots of 8 bytes")), "{most}");
}
