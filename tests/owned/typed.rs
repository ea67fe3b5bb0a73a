//! Owned pools: one suite for both strategies, and what tells them apart.

#![allow(clippy::duplicate_mod, reason = "one suite for both strategies")]

use typed_pool::{FreeList, PointerStack, PoolBoxIn};

#[path = "typed"]
mod free_list {
    pub(crate) use typed_pool::FreeList as Pool;

    pub(crate) const KIND: &str = "FreeList of ";
    pub(crate) const SMALLEST_SLOT: usize = size_of::<usize>();

    mod kept;
    #[path = "suite.rs"]
    mod suite;
}

#[path = "typed"]
mod pointer_stack {
    pub(crate) use typed_pool::PointerStack as Pool;

    pub(crate) const KIND: &str = "PointerStack of ";
    pub(crate) const SMALLEST_SLOT: usize = 1;

    mod kept;
    #[path = "suite.rs"]
    mod suite;
}

#[test]
fn what_exceeds_the_address_space_is_named() {
    let panic_of = |capacity: usize| {
        let panic = std::panic::catch_unwind(|| PointerStack::<u8>::bounded(capacity)).unwrap_err();
        *panic.downcast::<String>().unwrap()
    };
    // Slots of a byte have room there, also where pointers have 8 bytes; and pointers have none.
    let message = panic_of(isize::MAX as usize / (size_of::<usize>() - 1));
    let remark = format!("of `u8`: capacity overflow: at {} bytes each, they", size_of::<usize>());
    assert!(message.contains(&remark), "{message}");
    let message = panic_of(usize::MAX);
    assert!(message.contains(&remark), "{message}");
}

#[test]
fn a_free_list_pools_what_has_no_size() {
    assert_eq!(FreeList::<()>::new().stats().slot_bytes, size_of::<usize>());
    let nothings = FreeList::new();
    let (a, b) = (nothings.alloc(()), nothings.alloc(()));
    assert_ne!(PoolBoxIn::as_ptr(&a), PoolBoxIn::as_ptr(&b));
}

#[test]
#[cfg_attr(feature = "hardened", ignore = "a chunk has a bit for each slot as well")]
fn a_pointer_stack_takes_no_more_than_its_elements_and_pointers() {
    let pool = PointerStack::<[u8; 3]>::bounded(10_000);
    let bytes = pool.stats().bytes - 10_000 * (3 + size_of::<usize>());
    assert!(bytes < 200, "a chunk's header is {bytes} bytes");
    let boxes: Vec<_> = (0..10_000).map(|_| pool.alloc([1; 3])).collect();
    let at: Vec<_> = boxes.iter().map(|b| PoolBoxIn::as_ptr(b).addr()).collect();
    assert!(at.windows(2).all(|pair| pair[1] - pair[0] == 3));
    drop(boxes);
    // The stack shrinks with the chunks.
    let growing = PointerStack::<u64>::new();
    let mut boxes: Vec<_> = (0..100_000).map(|n| growing.alloc(n)).collect();
    boxes.truncate(1);
    growing.trim();
    let stats = growing.stats();
    assert!(stats.bytes < stats.capacity * (8 + size_of::<usize>()) + 200, "{stats}");
}

/// The models have random programs, for which Miri is too slow.
#[test]
fn each_operation_agrees_with_the_model() {
    macro_rules! check {
        ($module:ident) => {{
            use crate::model::$module::Pool;
            use crate::model::$module::operations::{Operation::*, run};

            let start =
                [Alloc(1), AllocWithPanic, InitWithError, Vacant(2, true), Vacant(3, false)];
            let end = [Raw(1), Reserve(20), Prefault, Free(0), Trim, Alloc(4), FreeAll, Alloc(5)];
            let all: Vec<_> = start.into_iter().chain((6..20).map(Alloc)).chain(end).collect();
            run(&Pool::with_capacity(2), usize::MAX, &all);
            run(&Pool::bounded(5), 5, &all);
        }};
    }
    check!(free_list);
    check!(pointer_stack);
}
