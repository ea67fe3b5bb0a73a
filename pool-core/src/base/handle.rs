//! Handles: numbers that name the elements of a roster.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::num::NonZeroU32;

use crate::base::copied;

#[cfg(feature = "serde")]
mod serde;

// A word, from the highest bit to the lowest: the tag of the roster, the generation, and a bit that is 1 in a
// handle, and 0 in the roster's table while no element is live.

/// Bits of a word that hold the tag.
const TAG_BITS: u32 = 8;
const TAG_SHIFT: u32 = u32::BITS - TAG_BITS;

/// The last generation of a slot, after which it is retired. Unit tests wear out slots, and have fewer.
pub(crate) const LAST_GENERATION: u32 = if cfg!(test) { 5 } else { (1 << (TAG_SHIFT - 1)) - 1 };

/// The generation that a word holds.
pub(crate) const fn generation_of(word: u32) -> u32 {
    without_tag(word) >> 1
}

/// The tag that a word holds.
pub(crate) const fn tag_of(word: u32) -> u8 {
    (word >> TAG_SHIFT) as u8
}

/// Generation and lowest bit of a word.
pub(crate) const fn without_tag(word: u32) -> u32 {
    word & ((1 << TAG_SHIFT) - 1)
}

/// The word with `rest` as generation and lowest bit.
pub(crate) const fn with_tag(rest: u32, tag: u8) -> u32 {
    ((tag as u32) << TAG_SHIFT) | rest
}

/// The bit that is set in the number of a handle.
pub(crate) const IS_HANDLE: u64 = 1;

/// Whether this is the word of a handle; in a roster's table, that of a live slot.
#[inline(always)]
pub(crate) const fn is_of_handle(word: u32) -> bool {
    word & 1 != 0
}

/// The name of an element in a [`Roster`](crate::Roster): a number of 8 bytes, which can be copied, compared,
/// hashed, sent, and kept after the element is gone. An `Option` of it has 8 bytes as well.
///
/// A handle borrows nothing. It is *stale* once its element has been removed; a stale handle finds nothing, even if
/// the slot is in use again.
///
/// # The 64 bits
///
/// | bits | what | range |
/// |---|---|---|
/// | 0 | 1, so that no handle is 0, or equals the word that the roster keeps for a vacant slot | |
/// | 1..24 | generation: counts the uses of the slot | 1 to 8,388,607 |
/// | 24..32 | tag of the roster | 256 tags; a new roster gets one that none of the last 255 has, or the one that is [chosen](crate::Roster::tagged) |
/// | 32..64 | index of the slot | up to `u32::MAX` slots in a roster |
///
/// With `serde`, a handle is a string such as `"17:3:0"` in formats that people read, and these bits in others.
///
/// In languages whose numbers are doubles (JavaScript, Lua), the handles to the first 2,097,152 slots of a roster pass as they
/// are: they are below 2^53, whatever their generation and tag. A number above that loses its lowest bit there, and
/// [`from_bits`](Handle::from_bits) refuses it. So such a program keeps a handle or has none, and never has another.
///
/// The roster compares generation and tag as one word, so rejecting a handle of another roster costs nothing.
///
/// - A slot whose generations are spent is *retired*: it is not used again, so a stale handle stays stale. After
///   8,388,607 uses a slot's memory is lost; a roster that may not grow holds one element fewer. Once the roster is empty,
///   [`Roster::renew`](crate::Roster::renew) makes all its slots fresh.
/// - A roster gets its tag when it first allocates memory: one that none of the last 255 rosters of the process
///   has, of any type, including those that `serde` has read. A deserialised roster keeps its tag, and so may share
///   it with any other. Between rosters with the same tag, a handle of one may find an element of the other, if
///   slot and generation agree as well. (This is not undefined behaviour: the element has the right type.)
///
/// A handle of another element type does not compile.
///
/// A handle of a derived thread-local pool finds its element on its own thread only. On other threads, including
/// rayon's workers, it finds nothing: borrow the roster first ([`Pooled`](crate::Pooled) shows how). Every thread's
/// roster gets a tag of its own: if threads come and go, the rosters of the next 255 reject a handle, but the 256th
/// may accept it.
///
/// # Examples
///
/// ```
/// use typed_pool::{Handle, Roster};
///
/// let mut monsters = Roster::new();
/// let goblin: Handle<&str> = monsters.insert("goblin");
/// assert_eq!(size_of_val(&Some(goblin)), 8);
///
/// assert_eq!(monsters.remove(goblin), Some("goblin"));
/// let orc = monsters.insert("orc"); // in the same slot
/// assert_eq!(monsters.get(goblin), None);
/// assert_eq!(monsters.get(orc), Some(&"orc"));
/// ```
#[doc(alias("Key", "DefaultKey", "KeyData", "new_key_type"))]
pub struct Handle<T> {
    index: u32,
    word: NonZeroU32,
    /// Neither owns nor borrows a `T`, and stands for exactly this type.
    marker: PhantomData<fn(T) -> T>,
}

impl<T> Handle<T> {
    /// A handle that no roster ever gives out: it finds nothing, as a stale one does, and never will.
    ///
    /// For a field that must have a handle before there is one. It is equal to itself only, so `==` tells it from all
    /// others. (Any other handle may be stale; ask the roster's [`contains`](crate::Roster::contains).) Where
    /// "none" is an ordinary case, `Option<Handle<T>>` takes no more room. A [`SecondaryMap`](crate::SecondaryMap)
    /// refuses it, as it refuses stale handles. It is the `Default`.
    ///
    /// It names the slot `u32::MAX`, which no roster has. As a number it is `u64::MAX`.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Handle, Roster};
    ///
    /// struct Node { parent: Handle<Node> }
    ///
    /// let mut nodes = Roster::new();
    /// let root = nodes.insert(Node { parent: Handle::DANGLING });
    /// let child = nodes.insert(Node { parent: root });
    /// assert!(nodes.get(nodes[root].parent).is_none());
    /// assert!(nodes[child].parent != Handle::DANGLING);
    /// ```
    #[doc(alias("null", "NONE", "is_null", "is_none"))]
    pub const DANGLING: Self = Self::new(u32::MAX, NonZeroU32::MAX);

    #[inline(always)]
    pub(crate) const fn new(index: u32, word: NonZeroU32) -> Self {
        Self { index, word, marker: PhantomData }
    }

    /// The handle as a number, which is never 0.
    ///
    /// For a save file, a wire or a foreign interface. See [the table](Handle#the-64-bits), which also says what becomes of it in a
    /// double. Numbers of handles are ordered as the handles are: by slot, then by tag and generation.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Handle, Roster};
    ///
    /// let mut roster = Roster::new();
    /// let handle = roster.insert('a');
    /// assert_eq!(Handle::from_bits(handle.to_bits()), Some(handle));
    /// ```
    #[doc(alias("as_ffi", "into_raw_parts", "data"))]
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        ((self.index as u64) << 32) | self.word.get() as u64
    }

    /// The handle from the number of [`Handle::to_bits`]; `None` if bit 0 or the generation is 0, which no handle
    /// has.
    ///
    /// Any other number makes a handle. At worst it finds nothing, or another element, which is wrong but safe.
    #[doc(alias("from_ffi", "from_raw_parts"))]
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        match NonZeroU32::new(bits as u32) {
            // With generation 0, it would pass for the handle of a reserved slot that is retired.
            Some(word) if is_of_handle(word.get()) && generation_of(word.get()) != 0 => {
                Some(Self::new((bits >> 32) as u32, word))
            }
            _ => None,
        }
    }

    /// The number of the slot, from 0. No two live elements of a roster share a slot.
    ///
    /// For a table beside the roster. [`SecondaryMap`](crate::SecondaryMap) also checks generations.
    #[doc(alias = "slot")]
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// Returns the generation: the use of the slot for which this handle stands, from 1.
    #[doc(alias = "version")]
    #[inline]
    #[must_use]
    pub const fn generation(self) -> u32 {
        generation_of(self.word.get())
    }

    /// Returns the tag, which tells the roster from others: see [`Roster::tag`](crate::Roster::tag).
    #[must_use]
    #[inline]
    pub const fn tag(self) -> u8 {
        tag_of(self.word.get())
    }

    /// [`Handle::index`], as it is stored.
    #[inline(always)]
    pub(crate) const fn slot(self) -> u32 {
        self.index
    }

    /// Generation and tag.
    #[inline(always)]
    pub(crate) const fn word(self) -> NonZeroU32 {
        self.word
    }

    /// Slot and word, without the element's type.
    #[inline(always)]
    pub(crate) const fn raw(self) -> (u32, NonZeroU32) {
        (self.index, self.word)
    }
}

/// [`Handle::DANGLING`], so that structs with handles can derive `Default`.
impl<T> Default for Handle<T> {
    #[inline]
    fn default() -> Self {
        Self::DANGLING
    }
}

copied!([T] Handle[T]);

impl<T> PartialEq for Handle<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

impl<T> Eq for Handle<T> {}

impl<T> PartialOrd for Handle<T> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By slot, then by tag and generation.
impl<T> Ord for Handle<T> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        (self.index, self.word).cmp(&(other.index, other.word))
    }
}

impl<T> Hash for Handle<T> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        // With the parts that differ most in the lowest bits, where simple hashers look.
        self.to_bits().rotate_left(32).hash(state);
    }
}

impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle")
            .field("index", &self.index)
            .field("generation", &self.generation())
            .field("tag", &self.tag())
            .finish()
    }
}
