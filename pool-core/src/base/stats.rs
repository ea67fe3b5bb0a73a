//! Statistics of a pool.

use core::fmt::{self, Write as _};

/// The figures of a pool at one moment.
///
/// Exact for thread-local and owned pools, and for a static pool while no other thread uses it.
/// Otherwise `live` is an estimate, from 0 to `high_water`: vacant slots on their way from one thread to others
/// count as occupied. A thread that ends gives back what it keeps before its `join` returns;
/// [`std::thread::scope`] alone may return a moment earlier.
///
/// The figures of a derived pool are those of boxes and of shared elements together
/// ([`PoolArc`](crate::PoolArc), [`PoolRc`](crate::PoolRc)), which have slots of two kinds and perhaps two limits; so
/// `high_water` is the sum of two marks, which may be of different times.
///
/// # Examples
///
/// ```
/// use typed_pool::FreeList;
///
/// let pool = FreeList::<[u64; 4]>::bounded(8);
/// let kept = pool.alloc([0; 4]);
/// drop(pool.alloc([1; 4]));
/// let stats = pool.stats();
/// assert_eq!((stats.live, stats.high_water, stats.capacity), (1, 2, 8));
/// assert_eq!(stats.slot_bytes, 32);
/// println!("{stats}");
/// # drop(kept);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStats {
    /// The pool's name: the element's type, or the name that it was given.
    pub name: &'static str,
    /// How vacant slots are remembered.
    pub strategy: Strategy,
    /// Elements that are live; for boxes, occupied slots: those included that are reserved, or that weak pointers alone keep
    /// ([`PoolRc::downgrade`](crate::PoolRc::downgrade)).
    pub live: usize,
    /// Slots of a roster that are occupied but have no live element: it is detached ([`Roster::detach`]), or being
    /// made ([`Roster::insert_with`]). Always 0 for boxes.
    ///
    /// [`Roster::detach`]: crate::Roster::detach
    /// [`Roster::insert_with`]: crate::Roster::insert_with
    pub detached: usize,
    /// Slots of a roster that are worn out, and never used again unless [`Roster::renew`] makes them fresh. Always 0 for
    /// boxes.
    ///
    /// [`Roster::renew`]: crate::Roster::renew
    pub retired: usize,
    /// The most slots that were ever occupied at once. In a static pool the slots that were ever used, which may be
    /// more: if it grows, a thread takes a batch with its first element.
    pub high_water: usize,
    /// Slots that can be occupied without growth. A pool of a fixed capacity has that capacity
    /// even while its memory is not allocated yet.
    pub capacity: usize,
    /// The most slots that the pool may grow to; `None` if only memory limits it.
    pub limit: Option<usize>,
    /// Blocks of memory that the slots lie in.
    pub chunks: usize,
    /// Bytes of one slot: the size of an element; in a free list rounded up to the size and alignment
    /// of a pointer. With `#[pool(rc)]` two words more, rounded up to the element's alignment.
    pub slot_bytes: usize,
    /// Bytes of heap memory held: with vacant slots, chunk headers, the pointer stack and the buffers
    /// between threads. Of a static pool with a capacity, the size of the `static`.
    pub bytes: usize,
    /// How many of these bytes are the log of a `Rewind`: what it takes to go back to its marks. 0 for all else.
    pub log_bytes: usize,
}

impl fmt::Display for PoolStats {
    /// One line, for a log or a debug overlay.
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, live, detached, retired, .. } = self;
        let Self { high_water, capacity, limit, chunks, slot_bytes, bytes, log_bytes, .. } = self;
        write!(f, "{}: {live} of {capacity} slots live", OneLine(name))?;
        let some = [(detached, "detached"), (retired, "retired")];
        for (count, what) in some.into_iter().filter(|(count, _)| **count > 0) {
            write!(f, ", {count} {what}")?;
        }
        write!(f, ", high-water mark {high_water}")?;
        if let Some(limit) = limit {
            write!(f, ", limit {limit}")?;
        }
        let chunks = Counted(*chunks, "chunk");
        write!(f, ", {slot_bytes} bytes a slot, {bytes} bytes in {chunks}")?;
        if *log_bytes > 0 {
            write!(f, ", {log_bytes} of them in a log")?;
        }
        Ok(())
    }
}

/// The memory of one pool.
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    /// Slots.
    pub(crate) capacity: usize,
    pub(crate) chunks: usize,
    pub(crate) bytes: usize,
}

impl Memory {
    pub(crate) const NONE: Self = Self { capacity: 0, chunks: 0, bytes: 0 };
}

/// How a pool remembers its vacant slots. It is displayed, and compares with text, as in `#[pool(strategy = ..)]`.
///
/// # Examples
///
/// ```
/// use typed_pool::pools::Strategy;
///
/// assert_eq!(Strategy::FREE_LIST.to_string(), "free_list");
/// assert!(Strategy::ROSTER == *"roster");
/// ```
// Constants, and no variants: beside a variant of the name `Roster` the compiler's messages would name the type by its path.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Strategy(&'static str);

impl Strategy {
    /// A list through the vacant slots.
    pub const FREE_LIST: Self = Self("free_list");
    /// Their addresses, beside them.
    pub const POINTER_STACK: Self = Self("pointer_stack");
    /// Handles lead to the slots.
    pub const ROSTER: Self = Self("roster");

    pub(crate) const fn as_str(self) -> &'static str {
        self.0
    }
}

/// The home of a pool. It is displayed, and compares with text, as in `#[pool(..)]`; a value is `owned`.
///
/// # Examples
///
/// ```
/// use typed_pool::pools::Storage;
///
/// assert_eq!(Storage::ThreadLocal.to_string(), "thread_local");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Storage {
    /// Each thread has one.
    ThreadLocal,
    /// One for the whole process.
    Static,
    /// A value, such as `FreeList::new()`.
    Owned,
}

impl Storage {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::ThreadLocal => "thread_local",
            Self::Static => "static",
            Self::Owned => "owned",
        }
    }
}

impl fmt::Debug for Strategy {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

macro_rules! words {
    ($($type:ident)*) => {$(
        impl fmt::Display for $type {
            #[inline]
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl PartialEq<str> for $type {
            #[inline]
            fn eq(&self, word: &str) -> bool {
                self.as_str() == word
            }
        }
    )*};
}

words!(Strategy Storage);

/// A name in a line of text: characters that would end the line, or that a terminal or XML does not take as text, are escaped.
pub(crate) struct OneLine<'a>(pub(crate) &'a str);

impl fmt::Display for OneLine<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') {
                write!(f, "\\u{{{:x}}}", u32::from(character))?;
            } else {
                f.write_char(character)?;
            }
        }
        Ok(())
    }
}

/// A number of things, with their noun.
pub(crate) struct Counted(pub(crate) usize, pub(crate) &'static str);

impl fmt::Display for Counted {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number, what) = self;
        write!(f, "{number} {what}{}", if *number == 1 { "" } else { "s" })
    }
}
