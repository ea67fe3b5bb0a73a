//! The heaps that the pool is compared with.

use core::alloc::{GlobalAlloc, Layout};
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use mimalloc::MiMalloc;

use super::tree::{Home, QuadTreeNode};

/// Nodes live in `Box`es, in the system's heap.
pub(crate) struct SystemHeap;

impl Home for SystemHeap {
    type Box = Box<QuadTreeNode<Self>>;

    fn place(node: impl FnOnce() -> QuadTreeNode<Self>) -> Self::Box {
        Box::new(node())
    }
}

/// Nodes live in mimalloc's heap, one of the fastest general ones.
pub(crate) struct MimallocHeap;

impl Home for MimallocHeap {
    type Box = MimallocBox<QuadTreeNode<Self>>;

    fn place(node: impl FnOnce() -> QuadTreeNode<Self>) -> Self::Box {
        MimallocBox::new_with(node)
    }
}

/// A `Box` in mimalloc's heap. As `#[global_allocator]`, mimalloc would take over the contestant
/// above as well; called directly, both run in one process.
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
        // SAFETY: `place` has the size and alignment of T, and nobody else knows of it.
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
        // SAFETY: the value is alive, and after its box's drop nobody can reach it.
        unsafe { self.0.drop_in_place() };
        // SAFETY: the memory came from this allocator with this layout, and is given back once.
        unsafe { MiMalloc.dealloc(self.0.as_ptr().cast(), Self::LAYOUT) };
    }
}
