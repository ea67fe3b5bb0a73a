//! A part of an element: it may be suspended in each of its operations, and knows whether it is whole.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use super::schedule::pause;

/// The parts of one test.
pub(super) struct Ledger {
    made: AtomicUsize,
    dropped: AtomicUsize,
    faults: AtomicUsize,
}

impl Ledger {
    pub(super) const fn new() -> Self {
        let [made, dropped, faults] = [const { AtomicUsize::new(0) }; 3];
        Self { made, dropped, faults }
    }

    /// No part was seen that was not whole, and each was dropped once.
    #[track_caller]
    pub(super) fn check(&self) {
        assert_eq!(self.faults.load(Relaxed), 0, "parts that were not whole");
        assert_eq!(self.dropped.load(Relaxed), self.made.load(Relaxed));
    }

    /// The same, but that some were leaked.
    #[track_caller]
    pub(super) fn check_leaked(&self) {
        assert_eq!(self.faults.load(Relaxed), 0, "parts that were not whole");
        assert!(self.dropped.load(Relaxed) <= self.made.load(Relaxed));
    }
}

pub(super) struct Part {
    ledger: &'static Ledger,
    number: u64,
    /// `!number`, on the heap: tools notice what is dropped twice, or used afterwards.
    inverse: Box<u64>,
}

impl Part {
    pub(super) fn new(ledger: &'static Ledger) -> Self {
        pause();
        ledger.made.fetch_add(1, Relaxed);
        let number = fastrand::u64(..);
        Self { ledger, number, inverse: Box::new(!number) }
    }

    fn is_whole(&self) -> bool {
        *self.inverse == !self.number
    }

    #[track_caller]
    pub(super) fn check(&self) {
        assert!(self.is_whole(), "{} and {}", self.number, self.inverse);
    }

    /// Another number.
    pub(super) fn change(&mut self) {
        self.check();
        let number = fastrand::u64(..);
        self.number = number;
        *self.inverse = !number;
        pause();
        assert_eq!(self.number, number, "another coroutine has written here");
        self.check();
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // A panic would not do, as this may run while a coroutine is unwound.
        self.ledger.faults.fetch_add(usize::from(!self.is_whole()), Relaxed);
        self.ledger.dropped.fetch_add(1, Relaxed);
        pause();
        *self.inverse = self.number;
    }
}

impl Clone for Part {
    fn clone(&self) -> Self {
        pause();
        self.check();
        Self::new(self.ledger)
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Part {}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Part {
    fn cmp(&self, other: &Self) -> Ordering {
        self.check();
        pause();
        other.check();
        self.number.cmp(&other.number)
    }
}

impl Hash for Part {
    fn hash<H: Hasher>(&self, state: &mut H) {
        pause();
        self.check();
        self.number.hash(state);
    }
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pause();
        self.check();
        write!(f, "{}", self.number)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A type of elements: its name, what stands before it, and its test's ledger.
macro_rules! element {
    ($ledger:ident, $(#[$meta:meta])* $Name:ident) => {
        static $ledger: Ledger = Ledger::new();

        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        struct $Name {
            first: Part,
            second: Part,
        }

        #[allow(dead_code, reason = "not every test needs all of it")]
        impl $Name {
            fn part() -> Part {
                Part::new(&$ledger)
            }

            fn new() -> Self {
                let first = Self::part();
                if fastrand::u8(..20) == 0 {
                    panic_on_purpose();
                }
                Self { first, second: Self::part() }
            }

            #[track_caller]
            fn check(&self) {
                self.first.check();
                self.second.check();
            }

            fn change(&mut self) {
                self.first.change();
                self.second.change();
            }

            /// One that never panics.
            fn plain() -> Self {
                Self { first: Self::part(), second: Self::part() }
            }

            /// Initialisers of all kinds.
            fn initialiser() -> impl Init<Self> {
                let whole = init!(Self { first: Self::part(), second <- init::with(Self::part) });
                init::chain(whole, |element: &mut Self| {
                    pause();
                    element.change();
                    Ok(())
                })
            }

            /// One that fails now and then.
            fn fallible() -> impl Init<Self, ()> {
                let second = || {
                    let part = Self::part();
                    if fastrand::bool() { Ok(part) } else { Err(()) }
                };
                try_init!(Self { first: Self::part(), second <- init::try_with(second) } ? ())
            }
        }

        impl Default for $Name {
            fn default() -> Self {
                Self::new()
            }
        }

        impl fmt::Display for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} {}", self.first, self.second)
            }
        }
    };
}
pub(super) use element;
