//! Frame stacks as allocators of `allocator-api2`, for containers.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::allocator::{Blocks, allocators};
use crate::frame::{FrameScope, Frames, Sharing};

allocators! {
    /// For containers that take an allocator: `allocator_api2::vec::Vec`, hashbrown's maps.
    ///
    /// What a container gives back is free again if it is the last block; otherwise it stays until the reset.
    /// So a vector that grows while nothing else is allocated grows where it stands, without a copy, and
    /// leaves nothing behind when it is dropped. One that grows while others allocate above it leaves each of
    /// its earlier blocks behind: for a doubling vector, as many bytes again as it ends with. Make such
    /// containers with the capacity that they will need.
    ///
    /// # Examples
    ///
    /// ```
    /// use allocator_api2::vec::Vec;
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::with_capacity(64 * 1024);
    /// let mut squares = Vec::new_in(&frame);
    /// squares.extend((0..1000_u64).map(|n| n * n));
    /// // It has only ever grown, so it lies where it began.
    /// assert_eq!(frame.used(), squares.capacity() * 8);
    /// drop(squares);
    /// assert_eq!(frame.used(), 0);
    /// ```
    [S: Sharing] &Frames<S>
}

// SAFETY: a block stays valid and in its place until it is given back, or the stack is reset or
// dropped, which it cannot be while a reference to it lives. A copy of the reference is the same stack.
unsafe impl<S: Sharing> Blocks for &Frames<S> {
    #[inline]
    fn allocate(&self, layout: Layout) -> Option<NonNull<[u8]>> {
        let block = self.alloc_block(layout)?;
        Some(NonNull::slice_from_raw_parts(block, layout.size()))
    }

    #[inline]
    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        // SAFETY: passed on from the caller.
        unsafe { self.free_last(block, layout) };
    }

    unsafe fn resize(&self, block: NonNull<u8>, old: Layout, new: Layout) -> Option<NonNull<[u8]>> {
        if new.size() == 0 {
            // SAFETY: passed on from the caller.
            unsafe { self.free_last(block, old) };
            return self.allocate(new);
        }
        if block.as_ptr().addr() % new.align() == 0 {
            // SAFETY: passed on from the caller.
            let is_resized = unsafe { self.resize_last(block, old.size(), new.size()) };
            // A block that is not the last keeps its bytes, though its owner knows of fewer.
            if is_resized || new.size() <= old.size() {
                return Some(NonNull::slice_from_raw_parts(block, new.size()));
            }
        }
        // SAFETY: passed on from the caller.
        unsafe { self.relocate(block, old, new) }
    }
}

// A block lives until the scope ends, or a scope around it, and neither can end while a reference to this scope lives; nor
// can a scope within it begin.
allocators! {
    /// As for `&`[`Frames`], for containers that end before the scope does.
    ///
    /// # Examples
    ///
    /// ```
    /// use allocator_api2::vec::Vec;
    /// use typed_pool::FrameStack;
    ///
    /// let mut frame = FrameStack::new();
    /// let sum = frame.scope(|scope| {
    ///     let mut numbers = Vec::new_in(&*scope);
    ///     numbers.extend(1..=100);
    ///     numbers.iter().sum::<u32>()
    /// });
    /// assert_eq!((sum, frame.used()), (5050, 0));
    /// ```
    [S: Sharing] &FrameScope<'_, S>, by stack
}

/// A vector in a frame stack: `allocator-api2`'s (0.2), by a short name.
///
/// `A` is what it lies in, if that is not a [`FrameStack`](crate::FrameStack): a [`LocalFrameStack`](super::LocalFrameStack) or a
/// [`FrameScope`](super::FrameScope). It grows in place while it is the last block; its `leak` makes a slice of it that
/// lasts as long as the frame. (For a slice whose items are there already: [`Frames::alloc_iter`](super::Frames::alloc_iter).)
///
/// # Examples
///
/// ```
/// use typed_pool::{FrameStack, LocalFrameStack, frame};
///
/// struct Level<'f> { rooms: frame::Vec<'f, u32> }
///
/// let stack = FrameStack::new();
/// let mut level = Level { rooms: frame::Vec::new_in(&stack) };
/// level.rooms.extend(1..=10);
/// assert_eq!(level.rooms.iter().sum::<u32>(), 55);
///
/// let stack = LocalFrameStack::new();
/// let rooms: frame::Vec<'_, u32, LocalFrameStack> = frame::Vec::with_capacity_in(10, &stack);
/// assert_eq!(stack.used(), rooms.capacity() * 4);
/// ```
#[cfg(all(feature = "allocator-api2-02", target_has_atomic = "ptr"))]
pub type Vec<'f, T, A = crate::frame::FrameStack> = allocator_api2::vec::Vec<T, &'f A>;

/// A hash map in a frame stack: `hashbrown`'s (0.17), by a short name.
///
/// `A` is what it lies in, if that is not a [`FrameStack`](crate::FrameStack): see [`Vec`]. A map that grows leaves its smaller tables behind,
/// as many bytes again as it ends with: make it with the capacity that it will need.
///
/// # Examples
///
/// ```
/// use typed_pool::{FrameStack, frame};
///
/// fn by_length<'f>(words: &[&'static str], stack: &'f FrameStack) -> frame::HashMap<'f, usize, &'static str> {
///     let mut map = frame::HashMap::with_capacity_in(words.len(), stack);
///     map.extend(words.iter().map(|word| (word.len(), *word)));
///     map
/// }
///
/// let stack = FrameStack::new();
/// let map = by_length(&["to", "be", "or", "not"], &stack);
/// assert_eq!((map.len(), map[&3]), (2, "not"));
/// ```
#[cfg(all(feature = "hashbrown-017", target_has_atomic = "ptr"))]
pub type HashMap<'f, K, V, A = crate::frame::FrameStack> =
    hashbrown::HashMap<K, V, hashbrown::DefaultHashBuilder, &'f A>;
