//! The error of a pool that is at its limit, or that the heap has no room for.

use core::alloc::Layout;
use core::fmt;

use crate::base::config::{Bound, Config};
use crate::base::handle::LAST_GENERATION;
use crate::base::stats::OneLine;

/// A pool has no slot for another element, or not as many as are to be reserved; or a block does not fit into a frame stack.
/// [`Exhausted::reason`] says why.
///
/// Returned by the `try_*` operations. A value that was passed in comes back with the error.
///
/// # Examples
///
/// ```
/// use typed_pool::FreeList;
///
/// let pool = FreeList::bounded(1);
/// let first = pool.alloc([1_u64]);
/// let error = pool.try_alloc([2]).unwrap_err();
/// assert_eq!(error.capacity(), 1);
/// assert_eq!(error.into_inner(), [2]);
/// # drop(first);
/// ```
#[derive(Clone, Copy)]
pub struct Exhausted<T = ()> {
    value: T,
    pool: &'static str,
    bound: Bound,
    full: Full,
}

/// Why a request could not be met: [`Exhausted::reason`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The pool's limit is reached, or what was reserved for a frame stack is used.
    Limit,
    /// A roster's limit is reached by slots that are worn out, among others ([`Roster::renew`](crate::Roster::renew)).
    Retired,
    /// The heap has no room.
    Heap,
}

/// The most bytes of an object.
const MOST: usize = isize::MAX as usize;

/// The limit that was reached. `additional` slots were to be reserved; 0 if one was to be taken.
#[derive(Clone, Copy)]
enum Full {
    /// `occupied` of at most `slots` slots are occupied. Those of a roster may be detached or retired.
    Slots { slots: usize, occupied: usize, additional: usize, detached: u32, retired: u32 },
    Frame {
        bytes: usize,
        used: usize,
        /// So many elements of this size were asked for, aligned to a power of two.
        len: usize,
        size: usize,
        power: u8,
        missing: Missing,
    },
    /// No chunk can be added to these slots: the heap refused this layout, or, without one, no chunk can be that large.
    Heap { slots: usize, slot_bytes: usize, additional: usize, request: Option<Layout> },
}

/// The lack of a frame stack.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Missing {
    /// A higher limit.
    Limit,
    /// A chunk.
    Chunk,
    /// Its first chunk, which is larger than the request; with the function, if any, whose argument sets that chunk's size.
    First(Option<&'static str>),
}

impl Exhausted {
    /// The error of a pool at its limit, which grows as `config` says and is called `name` unless it has a name.
    #[inline]
    pub(crate) fn new(name: &'static str, config: &Config) -> Self {
        let (pool, slots) = (config.name.unwrap_or(name), config.max);
        let full = Full::Slots { slots, occupied: slots, additional: 0, detached: 0, retired: 0 };
        Self { value: (), pool, bound: config.bound, full }
    }

    /// The error of a pool with `occupied` slots that has no room for `additional` more: for its limit, or as of [`Exhausted::at_heap`].
    #[inline]
    pub(crate) fn to_reserve(
        name: &'static str,
        config: &Config,
        (occupied, additional): (usize, usize),
        slot_bytes: usize,
        request: Option<Layout>,
    ) -> Self {
        let (new, slots) = (Self::new(name, config), config.max);
        if additional <= slots.saturating_sub(occupied) {
            let full = Full::Heap { slots: occupied, slot_bytes, additional, request };
            return Self { full, ..new };
        }
        // No larger limit would help where no memory could hold them.
        let is_possible = additional < MOST / slot_bytes.max(1);
        let bound = if is_possible { config.bound } else { Bound::None };
        let full = Full::Slots { slots, occupied, additional, detached: 0, retired: 0 };
        Self { bound, full, ..new }
    }

    /// The pool is a roster, some of whose slots are detached or retired.
    #[inline]
    pub(crate) fn of_roster(mut self, detached: usize, retired: usize) -> Self {
        if let Full::Slots { detached: lent, retired: worn, .. } = &mut self.full {
            // A roster's slots have numbers of 32 bits.
            (*lent, *worn) = (detached as u32, retired as u32);
        }
        self
    }

    /// The pool has `slots` slots, and the heap has no room for more.
    #[inline]
    pub(crate) fn at_heap(self, slots: usize, slot_bytes: usize, request: Option<Layout>) -> Self {
        Self { full: Full::Heap { slots, slot_bytes, additional: 0, request }, ..self }
    }

    /// A frame stack has no room for `len` elements: `used` of its `bytes` bytes are used.
    #[inline]
    pub(crate) fn of_frame(
        (element, len): (Layout, usize),
        used: usize,
        bytes: usize,
        missing: Missing,
    ) -> Self {
        let (size, power) = (element.size(), element.align().trailing_zeros() as u8);
        let full = Full::Frame { bytes, used, len, size, power, missing };
        Self { value: (), pool: "frame stack", bound: Bound::None, full }
    }

    pub(crate) fn with_value<T>(self, value: T) -> Exhausted<T> {
        let Self { value: (), pool, bound, full } = self;
        Exhausted { value, pool, bound, full }
    }
}

impl<T> Exhausted<T> {
    /// The error without its value, and the value: for a function that returns `Exhausted`, whatever did not fit.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Exhausted, FreeList, PoolBoxIn};
    ///
    /// fn pair(pool: &FreeList<i32>) -> Result<[PoolBoxIn<i32, &FreeList<i32>>; 2], Exhausted> {
    ///     let alloc = |n| pool.try_alloc(n).map_err(|full| full.into_parts().0);
    ///     Ok([alloc(1)?, alloc(2)?])
    /// }
    ///
    /// assert!(pair(&FreeList::bounded(2)).is_ok());
    /// assert_eq!(pair(&FreeList::bounded(1)).unwrap_err().capacity(), 1);
    /// ```
    #[must_use]
    pub fn into_parts(self) -> (Exhausted, T) {
        let Self { value, pool, bound, full } = self;
        (Exhausted { value: (), pool, bound, full }, value)
    }

    /// Why there is no room.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, Reason};
    ///
    /// let error = FreeList::bounded(0).try_alloc(7).unwrap_err();
    /// assert_eq!(error.reason(), Reason::Limit);
    /// ```
    #[must_use]
    pub fn reason(&self) -> Reason {
        match self.full {
            Full::Heap { .. } => Reason::Heap,
            Full::Frame { missing, .. } if missing != Missing::Limit => Reason::Heap,
            Full::Slots { retired: 1.., .. } => Reason::Retired,
            _ => Reason::Limit,
        }
    }

    /// Panics; or ends as `Box` does if the heap has no room.
    #[cold]
    #[track_caller]
    pub(crate) fn raise(self) -> ! {
        raise(&self, self.request())
    }

    /// Returns the layout that the heap refused, if a block can be that large.
    fn request(&self) -> Option<Layout> {
        let (bytes, power) = match self.full {
            Full::Heap { request, .. } => return request,
            Full::Frame { missing: Missing::Chunk, len, size, power, .. } => {
                (size.checked_mul(len)?, power)
            }
            Full::Frame { bytes, power, .. } if self.reason() == Reason::Heap => (bytes, power),
            _ => return None,
        };
        Layout::from_size_align(bytes, 1 << power).ok()
    }

    /// The value that found no room.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }

    /// Returns the most slots that the pool may have, if its limit is reached; or how many it has, if the heap has no room. In an error of
    /// `try_reserve` some of them may be vacant. For a frame stack, the number of its bytes, as
    /// [`Frames::capacity`](crate::frame::Frames::capacity).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FrameStack, FreeList};
    ///
    /// assert_eq!(FreeList::bounded(0).try_alloc(7).unwrap_err().capacity(), 0);
    /// let error = FrameStack::bounded(128).try_alloc([0_u8; 129]).unwrap_err();
    /// assert_eq!(error.capacity(), 128);
    /// ```
    #[must_use]
    pub fn capacity(&self) -> usize {
        match self.full {
            Full::Slots { slots, .. } | Full::Heap { slots, .. } => slots,
            Full::Frame { bytes, .. } => bytes,
        }
    }

    /// Returns the pool's name: the element's type, or the name given by `#[pool(name = "..")]`;
    /// `frame stack` if it is one.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.pool
    }
}

impl<T> fmt::Display for Exhausted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pool, bound, full, .. } = self;
        let pool = OneLine(pool);
        if let Full::Slots { additional: more @ 1.., .. }
        | Full::Heap { additional: more @ 1.., .. } = full
        {
            let slots = if *more == 1 { "slot" } else { "slots" };
            write!(f, "cannot reserve {more} more {slots} in the pool of `{pool}`: ")?;
            match *full {
                Full::Heap { request: Some(_), slot_bytes, .. } => {
                    return write!(f, "there is no memory for them, at {slot_bytes} bytes each");
                }
                Full::Heap { slot_bytes, .. } => {
                    return write!(
                        f,
                        "capacity overflow: at {slot_bytes} bytes each, they exceed isize::MAX bytes"
                    );
                }
                Full::Slots { slots: 0, .. } => f.write_str("it has no slots")?,
                Full::Slots { slots, occupied, detached, retired, .. } => {
                    write!(f, "{occupied} of at most {slots} are occupied")?;
                    write_parts(f, retired, detached)?;
                }
                Full::Frame { .. } => {}
            }
            return write!(f, "; {}", bound.remedy());
        }
        match self.full {
            Full::Frame { bytes, used, len, size, power, missing } => {
                let align = 1_usize << power;
                let Some(whole) = size.checked_mul(len).filter(|whole| *whole <= MOST) else {
                    return write!(
                        f,
                        "capacity overflow: {len} elements of {size} bytes for a {pool} exceed \
                         isize::MAX bytes; ask for less"
                    );
                };
                write!(
                    f,
                    "the {pool} is exhausted: {whole} bytes aligned to {align} do not fit, as \
                     {used} of {bytes} bytes are used"
                )?;
                f.write_str(match missing {
                    Missing::Limit if used == 0 => "; make it with a larger `bounded(..)`",
                    Missing::Limit => "; reset it, or make it with a larger `bounded(..)`",
                    Missing::Chunk => " and the heap has no room for a chunk; ask for less",
                    Missing::First(_) => " and the heap has no room for a chunk of that size",
                })?;
                return match missing {
                    Missing::First(Some(made)) => {
                        write!(f, "; make it with a smaller `{made}(..)`")
                    }
                    _ => Ok(()),
                };
            }
            Full::Heap { request: Some(request), slots, .. } => {
                let bytes = request.size();
                write!(
                    f,
                    "the pool of `{pool}` cannot grow: the heap has no room for {bytes} bytes"
                )?;
                return match slots {
                    0 => Ok(()),
                    _ => write!(f, ", and {}", All(slots, "occupied")),
                };
            }
            Full::Heap { slot_bytes, .. } => {
                return write!(
                    f,
                    "capacity overflow: the slots of {slot_bytes} bytes for `{pool}` exceed \
                     isize::MAX bytes"
                );
            }
            Full::Slots { slots, detached, retired, .. } => {
                write!(f, "the pool of `{pool}` is exhausted: ")?;
                if retired > 0 && retired as usize == slots {
                    write!(f, "{} (worn out by {LAST_GENERATION} uses ", All(slots, "retired"))?;
                    return f.write_str("each): call `renew()`");
                }
                All(slots, "occupied").fmt(f)?;
                write_parts(f, retired, detached)?;
            }
        }
        match (bound, self.capacity()) {
            (Bound::None, _) => f.write_str("; free some"),
            (_, 0) => write!(f, "; {}", bound.remedy()),
            _ => write!(f, "; free some, or {}", bound.remedy()),
        }
    }
}

impl<T> fmt::Debug for Exhausted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Exhausted");
        shown.field("pool", &self.pool).field("capacity", &self.capacity());
        match self.full {
            Full::Frame { len, size, .. } => shown.field("len", &len).field("size", &size),
            _ => &mut shown,
        };
        shown.finish_non_exhaustive()
    }
}

impl<T> core::error::Error for Exhausted<T> {}

/// Says of all slots of a pool what they are: "its only slot is occupied".
struct All(usize, &'static str);

impl fmt::Display for All {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(0, _) => f.write_str("it has no slots"),
            Self(1, what) => write!(f, "its only slot is {what}"),
            Self(slots, what) => write!(f, "all {slots} slots are {what}"),
        }
    }
}

/// Says which of the slots just named are retired or detached.
#[inline]
fn write_parts(f: &mut fmt::Formatter<'_>, retired: u32, detached: u32) -> fmt::Result {
    if retired > 0 {
        write!(f, ", {retired} of them retired (worn out by {LAST_GENERATION} uses each) ")?;
        f.write_str("until an empty roster's `renew()`")?;
    }
    if detached > 0 {
        write!(f, ", {detached} of them detached: `release` those whose element is gone")?;
    }
    Ok(())
}

/// Unwraps the value, or panics with the error.
#[cfg(any(feature = "frames", feature = "rosters"))]
#[inline(always)]
#[track_caller]
pub(crate) fn raised<R, T>(made: Result<R, Exhausted<T>>) -> R {
    match made {
        Ok(made) => made,
        Err(exhausted) => exhausted.raise(),
    }
}

/// Panics with the error; or, if the heap refused this layout, ends as `Box` does.
#[cold]
#[track_caller]
fn raise(error: &dyn fmt::Display, request: Option<Layout>) -> ! {
    #[cfg(feature = "alloc")]
    if let Some(layout) = request {
        alloc::alloc::handle_alloc_error(layout);
    }
    let _ = request;
    panic!("{error}")
}
