//! Short names for containers of others whose memory is a frame stack's.

use crate::frame::FrameStack;

/// A vector in a frame stack: `allocator-api2`'s (0.2), by a short name.
///
/// `A` is what it lies in, if that is not a [`FrameStack`]: a [`LocalFrameStack`](super::LocalFrameStack) or a
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
pub type Vec<'f, T, A = FrameStack> = allocator_api2::vec::Vec<T, &'f A>;

/// A hash map in a frame stack: `hashbrown`'s (0.17), by a short name.
///
/// `A` is what it lies in, if that is not a [`FrameStack`]: see [`Vec`]. A map that grows leaves its smaller tables behind,
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
#[cfg(feature = "hashbrown-017")]
pub type HashMap<'f, K, V, A = FrameStack> =
    hashbrown::HashMap<K, V, hashbrown::DefaultHashBuilder, &'f A>;
