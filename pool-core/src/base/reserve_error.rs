//! The error of a pool that cannot have as many more slots as were asked for.

use core::alloc::Layout;
use core::fmt;

use crate::base::config::{Bound, Config};
use crate::base::exhausted::{write_detached, write_retired, write_weak};
use crate::base::stats::OneLine;

/// A pool has no room for as many more elements as were asked for: `try_reserve` of pools and rosters, and
/// [`Pooled::pool_try_reserve`](crate::Pooled::pool_try_reserve).
///
/// # Examples
///
/// ```
/// use typed_pool::FreeList;
///
/// let pool = FreeList::<[u64; 2]>::bounded(4);
/// assert!(pool.try_reserve(4).is_ok());
/// let error = pool.try_reserve(5).unwrap_err();
/// assert!(error.to_string().contains("cannot reserve 5 more slots"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ReserveError {
    pub(crate) name: &'static str,
    pub(crate) additional: usize,
    /// The most slots that there may be.
    pub(crate) limit: usize,
    /// What set it.
    pub(crate) bound: Bound,
    /// Slots that are live, detached or retired.
    pub(crate) occupied: usize,
    pub(crate) detached: usize,
    pub(crate) retired: usize,
    /// Of the occupied ones, those that weak pointers alone hold.
    pub(crate) weak: usize,
    /// Of a slot, and of what is beside it in a block of its own, the larger.
    pub(crate) slot_bytes: usize,
    /// Where the limit allows them: what the heap does not have. `None` if no block can be that large.
    pub(crate) request: Option<Layout>,
}

impl ReserveError {
    /// Of a pool with `occupied` slots that grows as `config` says, and is called `name` unless it was given a name.
    pub(crate) fn new(
        name: &'static str,
        config: &Config,
        occupied: usize,
        additional: usize,
        slot_bytes: usize,
    ) -> Self {
        Self {
            name: config.name.unwrap_or(name),
            additional,
            limit: config.max,
            bound: config.bound,
            occupied,
            detached: 0,
            retired: 0,
            weak: 0,
            slot_bytes,
            request: None,
        }
    }

    fn is_over_limit(&self) -> bool {
        self.additional > self.limit.saturating_sub(self.occupied)
    }

    /// Panics; or ends as `Box` does if the heap has no room.
    #[cold]
    #[track_caller]
    pub(crate) fn raise(self) -> ! {
        #[cfg(feature = "alloc")]
        if let (false, Some(layout)) = (self.is_over_limit(), self.request) {
            alloc::alloc::handle_alloc_error(layout)
        }
        panic!("{self}")
    }
}

impl fmt::Display for ReserveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, slot_bytes, limit, bound, occupied, additional, .. } = *self;
        let (name, slots) = (OneLine(name), if additional == 1 { "slot" } else { "slots" });
        write!(f, "cannot reserve {additional} more {slots} in the pool of `{name}`: ")?;
        if !self.is_over_limit() {
            return match self.request {
                Some(_) => write!(f, "there is no memory for them, at {slot_bytes} bytes each"),
                None => write!(
                    f,
                    "capacity overflow: at {slot_bytes} bytes each, they exceed isize::MAX bytes"
                ),
            };
        }
        match limit {
            0 => f.write_str("it has no slots")?,
            _ => write!(f, "{occupied} of at most {limit} are occupied")?,
        }
        write_retired(f, self.retired)?;
        write_detached(f, self.detached)?;
        write_weak(f, self.weak)?;
        // No larger limit would help where no memory could hold them.
        let is_possible = additional < isize::MAX as usize / slot_bytes.max(1);
        let bound = if is_possible { bound } else { Bound::None };
        write!(f, "; {}", bound.remedy())
    }
}

impl core::error::Error for ReserveError {}
