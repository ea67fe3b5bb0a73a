//! Both raw pools behind one trait, and what is done with their blocks.

use std::alloc::Layout;
use std::ptr::NonNull;

use typed_pool::pools::PoolMap;
use typed_pool::{PoolStats, RawFreeList, RawPointerStack, RawPoolError};

/// The functions that the two have in common.
pub(crate) trait RawPool: Sized + std::fmt::Display {
    const NAME: &'static str;

    fn new(element: Layout, count: usize) -> Result<Self, RawPoolError>;
    fn with_capacity(element: Layout, capacity: usize) -> Result<Self, RawPoolError>;
    fn alloc(&self) -> Option<NonNull<[u8]>>;
    unsafe fn free(&self, block: NonNull<[u8]>);
    fn owns(&self, address: *const u8) -> bool;
    fn stats(&self) -> PoolStats;
    fn map(&self) -> PoolMap;
    fn trim(&self) -> usize;
}

macro_rules! raw_pool {
    ($Name:ident) => {
        impl RawPool for $Name {
            const NAME: &'static str = stringify!($Name);

            fn new(element: Layout, count: usize) -> Result<Self, RawPoolError> {
                Self::new(element, count)
            }
            fn with_capacity(element: Layout, capacity: usize) -> Result<Self, RawPoolError> {
                Self::with_capacity(element, capacity)
            }
            fn alloc(&self) -> Option<NonNull<[u8]>> {
                self.alloc()
            }
            unsafe fn free(&self, block: NonNull<[u8]>) {
                // SAFETY: the block is from this pool, and is not used afterwards (caller).
                unsafe { self.free(block) };
            }
            fn owns(&self, address: *const u8) -> bool {
                self.owns(address)
            }
            fn stats(&self) -> PoolStats {
                self.stats()
            }
            fn map(&self) -> PoolMap {
                self.map()
            }
            fn trim(&self) -> usize {
                self.trim()
            }
        }
    };
}

raw_pool!(RawFreeList);
raw_pool!(RawPointerStack);

pub(crate) const WORD: usize = size_of::<usize>();

pub(crate) fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).unwrap()
}

pub(crate) fn fill(block: NonNull<[u8]>, byte: u8) {
    // SAFETY: the block is taken, and as long as it says.
    unsafe { block.cast::<u8>().write_bytes(byte, block.len()) };
}

/// The bytes of a block that were written before.
pub(crate) fn bytes(block: NonNull<[u8]>) -> Vec<u8> {
    let byte = |index| {
        // SAFETY: the index lies within the block.
        let byte = unsafe { block.cast::<u8>().add(index) };
        // SAFETY: the caller has written all bytes of it before, by `fill`.
        unsafe { byte.read() }
    };
    (0..block.len()).map(byte).collect()
}
