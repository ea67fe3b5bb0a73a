//! The end of a thread: what is to be done to the pools that have grown in it.

use core::cell::Cell;
use std::io::{self, Write};
use std::thread::LocalKey;

/// How often an end goes through the pools: a destructor that always inserts another element is noticed
/// then.
const ROUNDS: u32 = 1000;

/// A pool's place in the list of those that its thread closes when it ends.
///
/// A list through the pools themselves: to allocate one would make the heap, which may itself be a
/// user of pools, a guest in the middle of a registration.
#[derive(Debug)]
pub(crate) struct Registration {
    is_done: Cell<bool>,
    is_listed: Cell<bool>,
    /// What is to be closed after this pool.
    next: Cell<Option<Close>>,
}

/// Closes a pool, and returns what [`Registration::next`] says is to be closed after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Close(pub(crate) fn() -> Option<Self>);

impl Registration {
    /// That of a pool which has not grown yet.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const NONE: Self =
        Self { is_done: Cell::new(false), is_listed: Cell::new(false), next: Cell::new(None) };

    /// Whether [`Registration::register`] has been called.
    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        self.is_done.get()
    }

    /// Sees to it that the end of the thread calls `close`; `false` if the end has come already.
    pub(crate) fn register(&self, close: Close) -> bool {
        self.is_done.replace(true) || self.list(close)
    }

    /// Sees to it that a pool which has been closed is closed again: a destructor has put something into it
    /// since. `false` if there is no further end; if one destructor always follows another, that is said.
    pub(crate) fn register_again(&self, close: Close, name: fn() -> &'static str) -> bool {
        let is_listed = self.list(close);
        if !is_listed && EXIT.try_with(|exit| exit.rounds.get() == Some(0)).unwrap_or(false) {
            // Once.
            self.is_listed.set(true);
            // There is nobody to panic to: that would abort the process.
            let _ = writeln!(
                io::stderr(),
                "typed-pool: a thread has ended, and left elements in its pool of `{}`: their destructors have \
                 put in others for {ROUNDS} rounds",
                name()
            );
        }
        is_listed
    }

    fn list(&self, close: Close) -> bool {
        if self.is_listed.replace(true) {
            return true;
        }
        let is_listed = EXIT.try_with(|exit| {
            let comes = match exit.rounds.get() {
                Some(left) => left > 0,
                None => ENDS.iter().any(|end| end.try_with(|_| ()).is_ok()),
            };
            if comes {
                self.next.set(exit.first.replace(Some(close)));
            }
            comes
        });
        self.is_listed.set(is_listed.unwrap_or(false));
        self.is_listed.get()
    }

    /// What is to be closed after this pool, which may be listed again from here on.
    pub(crate) fn next(&self) -> Option<Close> {
        self.is_listed.set(false);
        self.next.take()
    }
}

/// The pools of this thread that are to be closed.
///
/// Without a destructor, so that it is there for whatever runs later.
struct Exit {
    /// The latest.
    first: Cell<Option<Close>>,
    /// While they are being closed, how many rounds may follow.
    rounds: Cell<Option<u32>>,
}

std::thread_local! {
    static EXIT: Exit = const { Exit { first: Cell::new(None), rounds: Cell::new(None) } };
}

/// What the end of the thread destroys, once it has been touched, and so closes pools.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        let _ = EXIT.try_with(|exit| {
            for left in (0..ROUNDS).rev() {
                exit.rounds.set(Some(left));
                let mut next = exit.first.take();
                if next.is_none() {
                    break;
                }
                while let Some(Close(close)) = next {
                    next = close();
                }
            }
            exit.rounds.set(None);
        });
    }
}

macro_rules! ends {
    ($($NAME:ident)*) => {
        std::thread_local! {
            $(static $NAME: End = const { End };)*
        }

        /// Several, since each is destroyed once: a thread-local that is destroyed later may put something into a
        /// pool that has been closed.
        static ENDS: [LocalKey<End>; [$(stringify!($NAME)),*].len()] = [$($NAME),*];
    };
}

ends!(FIRST SECOND THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH);
