//! What is alive where nothing should be.

#[cfg(feature = "sites")]
use alloc::vec::Vec;
use core::fmt;

use crate::base::ledger::Storage;
use crate::base::stats::OneLine;
#[cfg(feature = "sites")]
use crate::base::watch::sites::lines::Site;
use crate::pools::info::{Identity, Occupied, PoolInfo, PoolThread, identified};
use crate::pools::source::Source;

/// Elements of one pool that are still alive.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled, pools};
///
/// #[derive(Pooled)]
/// struct Texture([u64; 4]);
///
/// PoolBox::leak(PoolBox::new(Texture([0; 4])));
/// let leak = pools::leaks().find(|leak| leak.type_name.ends_with("Texture")).unwrap();
/// assert_eq!((leak.live, leak.bytes), (1, 32));
/// assert!(leak.to_string().starts_with("1 element of `"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Leak {
    /// Which pool it is. Its fields are read as this one's: `leak.type_name`.
    pub identity: Identity,
    /// The thread whose pool it is; `None` for static pools and for values.
    pub thread: Option<PoolThread>,
    /// How many elements are alive, or detached from their roster.
    pub live: usize,
    /// How many more slots are held by weak pointers alone ([`PoolStats::weak`](crate::PoolStats::weak)).
    pub weak: usize,
    /// The bytes of all these slots.
    pub bytes: usize,
    /// Whether that is so at this moment ([`PoolInfo::is_exact`]). If not, `Display` writes a `~` before the number. Where a guard of
    /// [`pool_borrow_mut`](crate::Pooled::pool_borrow_mut) was leaked, it is what was alive when the roster last grew, or that was made,
    /// perhaps 0; `Display` says how many there may be.
    pub is_exact: bool,
    /// The most that may be alive.
    most: usize,
    pub(super) source: Source,
}

identified!(Leak);

impl Leak {
    pub(super) fn of(info: &PoolInfo) -> Option<Self> {
        let PoolInfo { identity, thread, stats, is_exact, source, .. } = *info;
        let occupied @ Occupied { live, weak } = info.occupied();
        let bytes = occupied.slots() * stats.slot_bytes;
        let leak =
            Self { identity, thread, live, weak, bytes, is_exact, most: stats.capacity, source };
        (occupied.slots() > 0 || info.is_left_lent()).then_some(leak)
    }

    /// The lines that have made what is alive at this moment, as [`PoolInfo::sites`] says.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled, pools};
    ///
    /// #[derive(Pooled)]
    /// struct Mesh([u64; 4]);
    ///
    /// std::thread::spawn(|| std::mem::forget(PoolBox::new(Mesh([0; 4])))).join().unwrap();
    /// for leak in pools::leaks() {
    ///     println!("{leak}"); // "1 element of `game::Mesh`, .., which has ended; made at src/main.rs:6:41 (1)"
    ///     assert!(leak.sites().iter().all(|site| site.location.file() == file!()));
    /// }
    /// ```
    #[cfg(feature = "sites")]
    pub fn sites(&self) -> Vec<Site> {
        self.source.list(self.bytes.checked_div(self.live + self.weak).unwrap_or(0))
    }
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { identity, thread, live, weak, bytes, is_exact, most, .. } = *self;
        let Identity { type_name, name, storage, .. } = identity;
        Occupied { live, weak }.write(f, is_exact, type_name)?;
        if let Some(name) = name {
            write!(f, " in \"{}\"", OneLine(name))?;
        }
        write!(f, ", {bytes} bytes, in ")?;
        match (thread, storage) {
            (Some(PoolThread { id, name, has_ended, .. }), _) => {
                write!(f, "thread {id}")?;
                if let Some(name) = name {
                    write!(f, " ({})", OneLine(&name))?;
                }
                match (has_ended, is_exact) {
                    (true, true) => f.write_str(", which has ended"),
                    (true, false) => {
                        write!(
                            f,
                            ", which has ended while a guard had the roster, with {most} slots"
                        )
                    }
                    (false, _) => Ok(()),
                }
            }
            (None, Storage::Static) => f.write_str("a static pool"),
            (None, _) => f.write_str("a pool of its own"),
        }?;
        self.source.fmt(f)
    }
}

/// What is alive in any pool at this moment: at a point where nothing should be, what has leaked.
///
/// For a pool of another thread that still runs, it is what was alive when that pool last grew or was trimmed, or the thread called
/// [`publish`](crate::pools::publish); then [`Leak::is_exact`] is false. What ended threads have left is exact.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled, pools};
///
/// #[derive(Pooled)]
/// struct Mesh([u64; 4]);
///
/// std::thread::spawn(|| std::mem::forget(PoolBox::new(Mesh([0; 4])))).join().unwrap();
/// for leak in pools::leaks() {
///     println!("{leak}"); // "1 element of `game::Mesh`, 32 bytes, in thread 1 (..), which has ended"
/// }
/// # #[cfg(not(feature = "passthrough"))]
/// assert_eq!(pools::leaks().count(), 1);
/// ```
pub fn leaks() -> impl Iterator<Item = Leak> {
    crate::pools::pools().filter_map(|info| Leak::of(&info))
}
