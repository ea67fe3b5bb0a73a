//! What is rarely done with a pool, behind a trait object: compiled once, and not for each type.

use crate::base::exhausted::Exhausted;
use crate::base::ledger::record::{self, Records};
use crate::base::ledger::terms::{Storage, Strategy};
use crate::base::reserve_error::ReserveError;
use crate::base::stats::PoolStats;
use crate::base::watch::sites::Line;

use draw::Draw;

/// What does not change about the pools of one type.
pub(crate) struct Facts {
    pub(crate) type_name: fn() -> &'static str,
    pub(crate) name: Option<&'static str>,
    pub(crate) strategy: Strategy,
    pub(crate) storage: Storage,
    /// Whether pools of this type have accounts. Others can only be looked at.
    pub(crate) has_accounts: bool,
    pub(crate) upkeep: &'static dyn Upkeep,
}

/// What the process keeps of the pools of one type.
pub(crate) type Record = record::Record<Facts>;

#[cfg(not(all(loom, test)))]
static RECORDS: Records<Facts> = Records::new();

/// All records of the process.
#[cfg(not(all(loom, test)))]
pub(crate) fn records() -> impl Iterator<Item = &'static Record> {
    RECORDS.iter()
}

impl Record {
    /// Sees to it that the record is in the list of all, if the target can keep one.
    pub(crate) fn join(&'static self, facts: &'static Facts) {
        #[cfg(not(all(loom, test)))]
        self.join_in(&RECORDS, facts);
        let _ = facts;
    }
}

/// What is rarely done with this thread's pool of a type, or with the one that all threads share.
///
/// A refusal is returned, since a panic in here would not name the user's line ([`Facts::expect`]). By default the pool is out
/// of reach.
pub(crate) trait Upkeep: Draw + Sync {
    /// The figures. Unless it `may_wait`, an error where it would wait for another thread, or for a user's code.
    fn stats(&'static self, may_wait: bool) -> Result<PoolStats, Refusal> {
        let _ = may_wait;
        Err(Refusal::InUse)
    }

    /// Shows the line that has made each element, where that is kept.
    #[cfg_attr(not(feature = "sites"), allow(dead_code, reason = "for `sites`"))]
    fn show_lines(
        &'static self,
        may_wait: bool,
        found: &mut dyn FnMut(Line),
    ) -> Result<(), Refusal> {
        let _ = (may_wait, found);
        Err(Refusal::InUse)
    }

    /// Makes room for `additional` more elements.
    fn reserve(&'static self, additional: usize) -> Result<(), Refusal> {
        let _ = additional;
        Err(Refusal::InUse)
    }

    /// Brings in the memory of slots that were never used.
    fn prefault(&'static self) -> Result<(), Refusal> {
        Ok(())
    }

    /// Gives the chunks without an occupied slot back to the heap; returns their bytes.
    fn trim(&'static self) -> Result<usize, Refusal> {
        Ok(0)
    }

    /// Why a pool of boxes has just found no slot.
    fn exhausted(&'static self) -> Result<Exhausted, Refusal> {
        Err(Refusal::InUse)
    }

    /// Where the totals of the type's threads are. `None` for a pool that is a value.
    fn record(&'static self) -> Option<&'static Record> {
        None
    }
}

/// Stands for a pool that is a value: others cannot look at it.
struct OutOfReach;

impl Upkeep for OutOfReach {}

/// Why something cannot be done with a pool.
pub(crate) enum Refusal {
    /// The roster is lent, or the pool is a value.
    InUse,
    /// A thread uses its pool for the first time, and the platform has no memory for the pool itself.
    NoMemory,
    /// As many slots as are to be reserved.
    NoRoom(ReserveError),
}

impl Facts {
    /// Of a pool that is a value with a name, which its account has.
    pub(crate) const fn owned(type_name: fn() -> &'static str, strategy: Strategy) -> Self {
        let (name, storage) = (None, Storage::Owned);
        Self { type_name, name, strategy, storage, has_accounts: true, upkeep: &OutOfReach }
    }

    /// The figures at this moment. `None` if the pool cannot be looked at now, without waiting for a user's code.
    pub(crate) fn look(&self) -> Option<PoolStats> {
        self.upkeep.stats(false).ok()
    }

    /// The name in figures and messages.
    pub(crate) fn pool_name(&self) -> &'static str {
        match self.name {
            Some(name) => name,
            None => (self.type_name)(),
        }
    }

    /// What was done with the pool; a refusal is a panic here, at the caller's line.
    #[track_caller]
    pub(crate) fn expect<R>(&self, done: Result<R, Refusal>) -> R {
        match done {
            Ok(result) => result,
            Err(refusal) => self.refuse(refusal),
        }
    }

    #[cold]
    #[track_caller]
    pub(crate) fn refuse(&self, refusal: Refusal) -> ! {
        match refusal {
            Refusal::InUse => panic!(
                "the pool of `{}` is in use: use the closure's argument, or the guard, or end the borrow first \
                 (`pool_with`, `pool_read`, `pool_get`, `pool_borrow`)",
                (self.type_name)()
            ),
            Refusal::NoMemory => {
                panic!("the system has no memory for the thread's pool of `{}`", (self.type_name)())
            }
            Refusal::NoRoom(error) => error.raise(),
        }
    }
}

/// What draws maps, in a build with maps.
#[cfg(all(feature = "alloc", feature = "view"))]
pub(crate) mod draw {
    use crate::base::ledger::upkeep::{OutOfReach, Refusal};
    use crate::base::map::{Canvas, PoolMap, Room};

    /// Draws the pool that an [`Upkeep`](crate::base::ledger::Upkeep) leads to.
    pub(crate) trait Draw {
        fn map(&'static self) -> Result<PoolMap, Refusal> {
            Err(Refusal::InUse)
        }
    }

    impl Draw for OutOfReach {}

    /// The map that `draw` draws, which may refuse.
    pub(crate) fn drawn(
        mut draw: impl FnMut(&mut Canvas) -> Result<Result<(), Room>, Refusal>,
    ) -> Result<PoolMap, Refusal> {
        let mut refused = None;
        let map = Canvas::draw(|canvas| match draw(canvas) {
            Ok(drawn) => drawn,
            Err(refusal) => {
                refused = Some(refusal);
                Ok(())
            }
        });
        refused.map_or(Ok(map), Err)
    }
}

#[cfg(not(all(feature = "alloc", feature = "view")))]
pub(crate) mod draw {
    /// Nothing.
    pub(crate) trait Draw {}

    impl<U: ?Sized> Draw for U {}
}
