//! Elements that are still alive in pools of threads that have ended, by the line that made them. Their pools are closed, and
//! nobody can look into them any more.
//!
//! Only the thread whose pool it is writes what is said of the pool, and any thread reads it, without a lock: they are figures.

use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use crate::base::watch::sites::{IS_SITED, Line};

/// How many lines of closed pools are kept. What others have left has no site.
const MOST: usize = if IS_SITED { 1024 } else { 0 };

/// How many elements of a line are alive in a closed pool.
struct Remains {
    /// The pool's account (the address of its entry); 0 for none.
    account: AtomicUsize,
    line: AtomicU32,
    live: AtomicUsize,
}

static REMAINS: [Remains; MOST] = [const {
    Remains { account: AtomicUsize::new(0), line: AtomicU32::new(0), live: AtomicUsize::new(0) }
}; MOST];

/// What is kept of a pool.
fn of(account: usize) -> impl Iterator<Item = &'static Remains> {
    let is_its = move |kept: &&Remains| kept.account.load(Ordering::Acquire) == account;
    REMAINS.iter().filter(is_its)
}

/// A closed pool has one more element of a line.
pub(crate) fn add(account: usize, line: Line) {
    if account == 0 || line == Line::NONE {
        return;
    }
    let known = of(account).find(|kept| kept.line.load(Ordering::Relaxed) == line.number());
    let claim = |kept: &&Remains| {
        let (success, failure) = (Ordering::AcqRel, Ordering::Relaxed);
        kept.account.compare_exchange(0, account, success, failure).is_ok()
    };
    if let Some(kept) = known.or_else(|| REMAINS.iter().find(claim)) {
        kept.line.store(line.number(), Ordering::Relaxed);
        kept.live.fetch_add(1, Ordering::Relaxed);
    }
}

/// A closed pool has one less element of a line.
pub(crate) fn remove(account: usize, line: Line) {
    let known = of(account).find(|kept| kept.line.load(Ordering::Relaxed) == line.number());
    if let Some(kept) = known.filter(|_| account != 0) {
        let live = kept.live.load(Ordering::Relaxed);
        kept.live.store(live.saturating_sub(1), Ordering::Relaxed);
    }
}

/// Nothing is left in a closed pool.
pub(crate) fn forget(account: usize) {
    for kept in of(account) {
        kept.live.store(0, Ordering::Relaxed);
        kept.line.store(0, Ordering::Relaxed);
        kept.account.store(0, Ordering::Release);
    }
}

/// Shows the lines of a closed pool, each as often as it has elements.
#[cfg(feature = "sites")]
pub(crate) fn show(account: usize, found: &mut dyn FnMut(Line)) {
    for kept in of(account) {
        let line = Line::with_number(kept.line.load(Ordering::Relaxed));
        (0..kept.live.load(Ordering::Relaxed)).for_each(|_| found(line));
    }
}

#[cfg(all(test, feature = "sites"))]
mod tests;
