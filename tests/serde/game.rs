//! A game that machines play, some of them from a snapshot in the middle on.
//!
//! For tests, and for `fuzz/`.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use typed_pool::{Handle, Roster};

use super::walk::{there_and_back, to_json, walk};

#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Insert,
    /// Here and below: the handle with this number, modulo all handles so far.
    Remove(usize),
    Detach(usize),
    Reattach(usize),
    Release(usize),
    InsertWithPanic,
    IndexOf(usize),
    HandleAt(usize),
    /// Keeps elements with a number that is not a multiple of this.
    Retain(u32),
    Drain(usize),
    Clear,
    Reserve(usize),
    Shrink,
}

/// One machine.
#[derive(Clone)]
struct Game {
    roster: Roster<u32>,
    handles: Vec<Handle<u32>>,
    next: u32,
}

impl Game {
    fn new(roster: Roster<u32>) -> Self {
        Self { roster, handles: Vec::new(), next: 0 }
    }

    fn handle(&self, at: usize) -> Option<Handle<u32>> {
        self.handles.get(at % self.handles.len().max(1)).copied()
    }

    /// Applies the operation; returns its result as text.
    fn apply(&mut self, operation: &Operation) -> String {
        let roster = &mut self.roster;
        let len = roster.len();
        match *operation {
            Operation::Insert => {
                self.next += 1;
                let handle = roster.try_insert(self.next).ok();
                self.handles.extend(handle);
                format!("{handle:?}")
            }
            Operation::Remove(at) => {
                format!("{:?}", self.handle(at).map(|handle| self.roster.remove(handle)))
            }
            Operation::Detach(at) => {
                format!("{:?}", self.handle(at).map(|handle| self.roster.detach(handle)))
            }
            Operation::Reattach(at) => {
                format!("{:?}", self.handle(at).map(|handle| self.roster.try_reattach(handle, 7)))
            }
            Operation::Release(at) => {
                format!("{:?}", self.handle(at).map(|handle| self.roster.release(handle)))
            }
            Operation::InsertWithPanic => {
                let mut seen = None;
                let insert = || {
                    roster.try_insert_with(|handle| {
                        seen = Some(handle);
                        resume_unwind(Box::new(()))
                    })
                };
                let _ = catch_unwind(AssertUnwindSafe(insert));
                format!("{seen:?}")
            }
            Operation::IndexOf(at) => {
                format!("{:?}", self.handle(at).map(|handle| self.roster.order().index_of(handle)))
            }
            Operation::HandleAt(at) => format!("{:?}", roster.order().handle_at(at % (len + 1))),
            Operation::Retain(of) => {
                roster.retain(|_, number| *number % of != 0);
                String::new()
            }
            Operation::Drain(count) => {
                format!("{:?}", roster.drain().take(count).collect::<Vec<_>>())
            }
            Operation::Clear => {
                roster.clear();
                String::new()
            }
            Operation::Reserve(count) => {
                // How much room there is at once is up to the roster.
                let _ = roster.try_reserve(count);
                String::new()
            }
            Operation::Shrink => {
                roster.shrink_to_fit();
                String::new()
            }
        }
    }
}

pub(crate) fn play(mut roster: Roster<u32>, before: &[Operation], after: &[Operation]) {
    // With its first memory it has its tag.
    let _ = roster.try_reserve(1);
    let mut game = Game::new(roster);
    for operation in before {
        game.apply(operation);
    }
    let mut others = there_and_back(&game.roster).map(|roster| Game { roster, ..game.clone() });
    for operation in after {
        let expected = game.apply(operation);
        for other in &mut others {
            assert_eq!(other.apply(operation), expected, "{operation:?}");
            assert!(other.roster.iter().eq(game.roster.iter()), "{operation:?}");
        }
    }
    // All that is there, and so all that may come.
    let expected = to_json(&game.roster);
    for other in others {
        assert_eq!(to_json(&other.roster), expected);
        let order = |roster: &Roster<u32>| -> Vec<_> {
            roster.clone().order().iter().map(|(handle, _)| handle).collect()
        };
        assert_eq!(order(&other.roster), order(&game.roster));
        walk(other.roster, || 0);
    }
}
