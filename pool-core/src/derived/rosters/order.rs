//! The orders in which threads lend static rosters, in debug builds. Where two orders contradict each other, threads
//! can deadlock: that is a panic every time, not a deadlock now and then.
//!
//! The tables have a fixed size, since the heap may itself be a user of pools. What does not fit goes unnoticed.

use alloc::format;
use alloc::string::String;
use core::cell::Cell;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The most rosters that a thread may have at a time.
const DEPTH: usize = 16;

/// The most pairs that may be known.
const PAIRS: usize = 256;

/// A static roster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RosterId {
    pub(super) address: usize,
    /// Of the elements' type.
    pub(super) name: &'static str,
}

struct Thread {
    /// 0 until it is needed.
    number: Cell<usize>,
    /// The rosters that it has, in no order: closures may be suspended.
    rosters: Cell<[Option<RosterId>; DEPTH]>,
}

std::thread_local! {
    static THREAD: Thread =
        const { Thread { number: Cell::new(0), rosters: Cell::new([None; DEPTH]) } };
}

/// The inner roster was lent while the outer one was, by the thread with this number, or by several (0).
#[derive(Clone, Copy)]
struct Pair {
    outer: usize,
    inner: usize,
    thread: usize,
}

struct Pairs {
    list: [Pair; PAIRS],
    len: usize,
}

static PAIRS_SEEN: Mutex<Pairs> =
    Mutex::new(Pairs { list: [Pair { outer: 0, inner: 0, thread: 0 }; PAIRS], len: 0 });

/// A number, from 1 on, that no other caller gets.
pub(super) fn unique() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// To be called before the thread waits for a roster that it does not have.
///
/// # Errors
///
/// The name of a roster that the thread has, and that others have lent while they had the wanted one.
pub(super) fn enter(wanted: RosterId) -> Result<(), &'static str> {
    // In a destructor that runs because of a panic, a second panic would end the process.
    if !cfg!(debug_assertions) || thread::panicking() {
        return Ok(());
    }
    THREAD.try_with(|thread| thread.enter(wanted)).unwrap_or(Ok(()))
}

/// To be called when the thread gives a roster back.
pub(super) fn leave(address: usize) {
    if !cfg!(debug_assertions) {
        return;
    }
    let _ = THREAD.try_with(|thread| {
        let mut rosters = thread.rosters.get();
        for place in &mut rosters {
            if place.is_some_and(|roster| roster.address == address) {
                *place = None;
            }
        }
        thread.rosters.set(rosters);
    });
}

impl Thread {
    fn enter(&self, wanted: RosterId) -> Result<(), &'static str> {
        let mut rosters = self.rosters.get();
        if self.number.get() == 0 {
            self.number.set(unique());
        }
        if rosters.iter().any(Option::is_some) {
            let mut seen = PAIRS_SEEN.lock().unwrap_or_else(PoisonError::into_inner);
            for outer in rosters.iter().flatten() {
                let (outer, inner, thread) = (outer.address, wanted.address, self.number.get());
                if !seen.add(Pair { outer, inner, thread }) {
                    let name = rosters.iter().flatten().find(|roster| roster.address == outer);
                    return Err(name.map_or("", |roster| roster.name));
                }
            }
        }
        if let Some(place) = rosters.iter_mut().find(|place| place.is_none()) {
            *place = Some(wanted);
        }
        self.rosters.set(rosters);
        Ok(())
    }
}

impl Pairs {
    /// Notes a pair; `false` if it contradicts those that are there.
    fn add(&mut self, new: Pair) -> bool {
        let known = self.list[..self.len]
            .iter()
            .position(|pair| (pair.outer, pair.inner) == (new.outer, new.inner));
        if known.is_some_and(|at| [0, new.thread].contains(&self.list[at].thread)) {
            return true;
        }
        if self.leads_back(new) {
            return false;
        }
        match known {
            Some(at) => self.list[at].thread = 0,
            None if self.len < PAIRS => {
                self.list[self.len] = new;
                self.len += 1;
            }
            None => {}
        }
        true
    }

    /// Whether a path of pairs leads from the inner roster to the outer one. Pairs of this thread alone do not count: it
    /// does not wait for itself.
    fn leads_back(&self, new: Pair) -> bool {
        /// How the inner roster of a pair can be reached.
        #[derive(Clone, Copy, PartialEq, PartialOrd)]
        enum Path {
            None,
            Own,
            Foreign,
        }

        let pairs = &self.list[..self.len];
        let mut paths = [Path::None; PAIRS];
        let mut is_found = true;
        while is_found {
            is_found = false;
            for (at, pair) in pairs.iter().enumerate() {
                let reached = |&(_, before): &(&Path, &Pair)| before.inner == pair.outer;
                let before = paths.iter().zip(pairs).filter(reached).map(|(&path, _)| path);
                let start = if pair.outer == new.inner { Path::Own } else { Path::None };
                let best = before.fold(start, |best, path| if path > best { path } else { best });
                let path = match best {
                    Path::Own if pair.thread != new.thread => Path::Foreign,
                    path => path,
                };
                if path > paths[at] {
                    paths[at] = path;
                    is_found = true;
                }
            }
        }
        paths
            .iter()
            .zip(pairs)
            .any(|(&path, pair)| pair.inner == new.outer && path == Path::Foreign)
    }
}

/// The thread has the roster of `outer`, and wants the roster of `inner`.
#[cold]
pub(super) fn message(inner: &str, outer: &str) -> String {
    format!(
        "the pools of `{outer}` and `{inner}` can deadlock: here `{inner}` is borrowed while `{outer}` is, and \
         another thread has borrowed them the other way round, perhaps with others in between; borrow static rosters in \
         the same order everywhere, or one after the other (debug builds notice this)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_room_goes_unnoticed() {
        let pair = |outer, inner, thread| Pair { outer, inner, thread };
        let mut pairs = Pairs { list: [pair(0, 0, 0); PAIRS], len: 0 };
        for n in 1..PAIRS + 10 {
            assert!(pairs.add(pair(n, n + 1, 1)));
        }
        assert_eq!(pairs.len, PAIRS);
        assert!(pairs.add(pair(PAIRS + 1, 1, 1)), "by one thread alone");
        assert!(!pairs.add(pair(PAIRS + 1, 1, 2)));
        assert!(pairs.add(pair(PAIRS + 2, 1, 2)), "it is not known how one gets there");
        let thread = Thread { number: Cell::new(1), rosters: Cell::new([None; DEPTH]) };
        for address in 1..=DEPTH + 10 {
            assert_eq!(thread.enter(RosterId { address, name: "" }), Ok(()));
        }
    }
}
