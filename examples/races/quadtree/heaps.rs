//! The heaps with which the pool is compared.

use core::alloc::{GlobalAlloc, Layout};
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use mimalloc::MiMalloc;

use super::tree::{Backend, QuadTreeNode};

/// Nodes live in `Box`es, in the system's heap.
pub(crate) struct SystemHeap;

impl Backend for SystemHeap {
    type Box = Box<QuadTreeNode<Self>>;

    fn place(node: impl FnOnce() -> QuadTreeNode<Self>) -> Self::Box {
        Box::new(node())
    }
}

/// Nodes live in mimalloc's heap, one of the fastest general ones.
pub(crate) struct MimallocHeap;

impl Backend for MimallocHeap {
    type Box = MimallocBox<QuadTreeNode<Self>>;

    fn place(node: impl FnOnce() -> QuadTreeNode<Self>) -> Self::Box {
        MimallocBox::new_with(node)
    }
}

/// A `Box` in mimalloc's heap. As `#[global_allocator]`, mimalloc would serve `SystemHeap` as well;
/// called directly, both run in one process.
pub(crate) struct MimallocBox<T>(NonNull<T>);

impl<T> MimallocBox<T> {
    const LAYOUT: Layout = {
        assert!(size_of::<T>() > 0, "a heap has no memory without size");
        Layout::new::<T>()
    };

    fn new_with(value: impl FnOnce() -> T) -> Self {
        // SAFETY: LAYOUT's size is not zero, as its definition asserts.
        let memory = unsafe { MiMalloc.alloc(Self::LAYOUT) };
        let place = NonNull::new(memory.cast::<T>()).expect("mimalloc is out of memory");
        let value = value();
        // SAFETY: `place` has the size and alignment of T, and nothing else refers to it.
        unsafe { place.write(value) };
        Self(place)
    }
}

impl<T> Deref for MimallocBox<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: `new_with` put a value there, which lives until `drop`; `&self` shares it.
        unsafe { self.0.as_ref() }
    }
}

impl<T> DerefMut for MimallocBox<T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`, and `&mut self` makes the access exclusive.
        unsafe { self.0.as_mut() }
    }
}

impl<T> Drop for MimallocBox<T> {
    fn drop(&mut self) {
        // SAFETY: the value is alive, and nothing can reach it after its box is dropped.
        unsafe { self.0.drop_in_place() };
        // SAFETY: the memory came from this allocator with this layout, and is freed once.
        unsafe { MiMalloc.dealloc(self.0.as_ptr().cast(), Self::LAYOUT) };
    }
}
