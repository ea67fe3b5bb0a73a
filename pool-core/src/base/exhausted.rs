//! The error of a pool that is at its limit.

use core::alloc::Layout;
use core::fmt;

use crate::base::config::{Bound, Config};
use crate::base::handle::LAST_GENERATION;

/// Every slot that a pool may have is occupied; or what was asked of a frame stack does not fit.
///
/// Returned by the `try_*` operations. Where a value was given, it comes back with the error.
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
    limit: Limit,
}

/// The limit that was reached, and whose.
#[derive(Clone, Copy)]
struct Limit {
    pool: &'static str,
    slots: usize,
    /// Of a roster's `slots`, those that are worn out ([`Handle`](crate::Handle)), and those that are detached.
    retired: u32,
    detached: u32,
    bound: Bound,
    /// Of a frame stack. Then `slots` are bytes.
    request: Option<Request>,
}

/// What a frame stack had no room for.
#[derive(Clone, Copy)]
struct Request {
    layout: Layout,
    used: usize,
}

impl Exhausted {
    /// `config` is that of a pool of `T`s which is at its limit.
    pub(crate) fn new<T>(config: &Config) -> Self {
        let pool = config.name_of::<T>();
        Self {
            value: (),
            limit: Limit {
                pool,
                slots: config.max,
                retired: 0,
                detached: 0,
                bound: config.bound,
                request: None,
            },
        }
    }

    pub(crate) fn of_roster(mut self, slots: usize, retired: usize, detached: usize) -> Self {
        // A roster's slots have numbers of 32 bits.
        let [retired, detached] = [retired, detached].map(|count| count as u32);
        self.limit = Limit { slots, retired, detached, ..self.limit };
        self
    }

    /// A frame stack has no room for a block of this layout: because it is full, or because the heap
    /// has none for a chunk.
    pub(crate) fn of_frame(layout: Layout, used: usize, capacity: usize, is_full: bool) -> Self {
        let bound = if is_full { Bound::Bounded } else { Bound::None };
        let request = Some(Request { layout, used });
        Self {
            value: (),
            limit: Limit {
                pool: "frame stack",
                slots: capacity,
                retired: 0,
                detached: 0,
                bound,
                request,
            },
        }
    }

    /// Of a frame stack: whether it was the heap that had no room.
    pub(crate) fn is_of_heap(&self) -> bool {
        self.limit.bound == Bound::None
    }

    pub(crate) fn with_value<T>(self, value: T) -> Exhausted<T> {
        Exhausted { value, limit: self.limit }
    }
}

impl<T> Exhausted<T> {
    /// The value that found no slot.
    pub fn into_inner(self) -> T {
        self.value
    }

    /// How many slots the pool may have, all of which are occupied. Of a frame stack: its bytes.
    pub fn capacity(&self) -> usize {
        self.limit.slots
    }

    /// What the pool is called: the element's type, or the name given by `#[pool(name = "..")]`;
    /// `frame stack` if it is one.
    pub fn pool(&self) -> &'static str {
        self.limit.pool
    }
}

impl<T> fmt::Display for Exhausted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limit { pool, slots, retired, detached, bound, request } = self.limit;
        if let Some(Request { layout, used }) = request {
            let (size, align) = (layout.size(), layout.align());
            write!(
                f,
                "the frame stack is exhausted: {size} bytes aligned to {align} do not fit, as "
            )?;
            write!(f, "{used} of {slots} bytes are used")?;
            return match bound {
                Bound::None => write!(
                    f,
                    " and the heap has no room for a chunk; ask for less, \
                                             or make it with a smaller `with_capacity(..)`"
                ),
                _ => write!(f, "; reset it, or make it with a larger `bounded(..)`"),
            };
        }
        write!(f, "the pool of `{pool}` is exhausted: all {slots} slots are occupied")?;
        if retired > 0 {
            write!(f, ", {retired} of them retired after {LAST_GENERATION} uses")?;
        }
        if detached > 0 {
            write!(f, ", {detached} of them detached: `release` those whose element is gone")?;
        }
        match bound {
            Bound::None => write!(f, "; free some"),
            _ => write!(f, "; free some, or {}", bound.remedy()),
        }
    }
}

impl<T> fmt::Debug for Exhausted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exhausted")
            .field("pool", &self.limit.pool)
            .field("capacity", &self.limit.slots)
            .field("request", &self.limit.request.map(|request| request.layout))
            .finish_non_exhaustive()
    }
}

impl<T> core::error::Error for Exhausted<T> {}
