//! Random operations on a frame stack, against a model.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;

use proptest::collection::vec;
use proptest::prelude::*;
use typed_pool::{FrameStack, LocalFrameStack};

use crate::config::config;
use operations::{HEAP, Operation, run};

#[path = "model/operations.rs"]
mod operations;
#[cfg(feature = "allocator-api2-02")]
mod resize;

struct Heap;

// SAFETY: what is not refused goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > HEAP.get() {
            return ptr::null_mut();
        }
        // SAFETY: the caller asks for a layout with a size.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller gives up a block with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static HEAP_OF_ALL: Heap = Heap;

#[cfg(not(feature = "allocator-api2-02"))]
mod resize {
    use std::alloc::Layout;
    use std::ptr::NonNull;

    use typed_pool::frame::{Frames, Sharing};

    pub(crate) unsafe fn resize<S: Sharing>(
        _: &Frames<S>,
        _: NonNull<u8>,
        _: Layout,
        _: Layout,
    ) -> Option<NonNull<[u8]>> {
        unreachable!("not asked for (`resizing`)")
    }
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        10 => (0_usize..40, 0_u32..4).prop_map(|(size, align)| Operation::Alloc(size, align)),
        2 => (0_usize..3000, 0_u32..13).prop_map(|(size, align)| Operation::Alloc(size, align)),
        2 => (0_usize..40).prop_map(Operation::Slice),
        1 => Just(Operation::AllocWithPanic),
        1 => (0_usize..9, 0_usize..9).prop_map(|(len, at)| Operation::SliceWithPanic(len, at)),
        4 => resizing(),
        1 => (vec((0_usize..100, 0_u32..6), 0..8), any::<bool>())
            .prop_map(|(blocks, panics)| Operation::Scope(blocks, panics)),
        1 => prop_oneof![Just(usize::MAX), 200_usize..9000].prop_map(Operation::Heap),
        8 => Just(Operation::FreeLast),
        3 => any::<usize>().prop_map(Operation::FreeAny),
        2 => Just(Operation::Mark),
        1 => any::<usize>().prop_map(Operation::Rewind),
        1 => Just(Operation::Reset),
        1 => Just(Operation::Trim),
    ]
}

fn resizing() -> impl Strategy<Value = Operation> {
    // The newest more often than any other.
    let index = prop_oneof![Just(0), any::<usize>()];
    let size = prop_oneof![4 => 0_usize..60, 1 => 0_usize..2000];
    (index, size, 0_u32..5).prop_map(|(of, size, align)| {
        // Only containers ask for it.
        if cfg!(feature = "allocator-api2-02") {
            Operation::Resize(of, size, align)
        } else {
            Operation::FreeLast
        }
    })
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn a_growing_stack_agrees_with_its_model(
        first in 0_usize..600,
        operations in vec(operation(), 1..300),
    ) {
        run(FrameStack::with_capacity(first), usize::MAX, &operations);
        run(LocalFrameStack::with_capacity(first), usize::MAX, &operations);
    }

    #[test]
    fn a_bounded_stack_agrees_with_its_model(
        limit in 0_usize..3000,
        operations in vec(operation(), 1..200),
    ) {
        run(FrameStack::bounded(limit), limit, &operations);
        run(LocalFrameStack::bounded(limit), limit, &operations);
    }
}
