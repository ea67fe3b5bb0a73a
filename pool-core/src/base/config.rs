//! How a pool grows, and what it is called in messages.

use core::any::type_name;

/// How a pool grows: the parsed form of `#[pool(..)]`, in units of slots.
///
/// Built in `const` context by the derive; the setters keep to the attribute's names.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Slots in the first chunk; 0 leaves the choice to the pool.
    pub(crate) first: usize,
    /// The most slots the pool may have.
    pub(crate) max: usize,
    /// The source of `max`.
    pub(crate) bound: Bound,
    pub(crate) name: Option<&'static str>,
    /// The tag of a roster's handles; `None` leaves the choice to the roster.
    pub(crate) tag: Option<u8>,
}

/// The source of a pool's limit, which tells how to raise it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// Nothing but the address space.
    None,
    /// `#[pool(max = N)]`.
    Max,
    /// `#[pool(capacity = N)]`: one chunk that never grows.
    Capacity,
    /// An owned pool's `bounded(N)`: one chunk that never grows.
    Bounded,
    /// The limit of a saved roster.
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "for `serde`"))]
    Saved,
}

impl Bound {
    /// Returns the advice that would allow more.
    pub(crate) fn remedy(self) -> &'static str {
        match self {
            Self::Capacity => "raise `capacity` in `#[pool(..)]`",
            Self::Max => "raise `max` in `#[pool(..)]`",
            Self::Bounded => "make the pool with a larger `bounded(..)`",
            Self::Saved => "raise the limit that was saved with it",
            Self::None => "ask for less",
        }
    }
}

impl Config {
    /// A pool that grows as far as memory lasts.
    #[must_use]
    pub const fn new() -> Self {
        Self { first: 0, max: usize::MAX, bound: Bound::None, name: None, tag: None }
    }

    /// One chunk of `slots` slots that never grows.
    #[must_use]
    pub const fn capacity(self, slots: usize) -> Self {
        Self { first: slots, max: slots, bound: Bound::Capacity, ..self }
    }

    /// `slots` slots in the first chunk.
    #[must_use]
    pub const fn chunk(self, slots: usize) -> Self {
        Self { first: slots, ..self }
    }

    /// At most `slots` slots in all chunks together.
    #[must_use]
    pub const fn max(self, slots: usize) -> Self {
        Self { max: slots, bound: Bound::Max, ..self }
    }

    /// Sets the pool's name in messages and statistics, in place of the type's path.
    #[must_use]
    pub const fn name(self, name: &'static str) -> Self {
        Self { name: Some(name), ..self }
    }

    /// The tag of a roster's handles.
    #[must_use]
    pub const fn tag(self, tag: u8) -> Self {
        Self { tag: Some(tag), ..self }
    }

    /// Returns the name of a pool of `T`s.
    pub(crate) fn name_of<T>(&self) -> &'static str {
        self.name.unwrap_or_else(type_name::<T>)
    }

    /// One chunk of `slots` slots that never grows, for a pool that is a value.
    pub(crate) const fn bounded(slots: usize) -> Self {
        Self { bound: Bound::Bounded, ..Self::new().capacity(slots) }
    }

    /// The fewest slots that the pool's growth asks the heap for.
    pub(crate) fn least_chunk(&self) -> usize {
        self.first.min(self.max).max(1)
    }

    /// Whether the pool has one chunk of a fixed size.
    pub(crate) fn is_fixed(&self) -> bool {
        matches!(self.bound, Bound::Capacity | Bound::Bounded)
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::new()
    }
}
