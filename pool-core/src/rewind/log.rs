//! What a rewind remembers: how slots were before they changed.
//!
//! Nothing here runs code of the user, so the log is in order whenever such code runs.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::any::Any;
use core::mem;

use crate::base::handle::Handle;
use crate::base::sites::Line;
use crate::rewind::mark::{Forgotten, Mark};
use crate::roster::{Roster, SlotState};

/// Entries have positions, in the order in which they were made. 0 is none.
type Position = u32;

/// The bit of a link that is 1 if the slot was written to after the entry, or what caused it. (It is 0 if the element was only copied,
/// by a mark.) The highest, so that one comparison tells whether a slot was written to since the last mark.
const WRITTEN: u32 = 1 << 31;

/// The first position that there is not. (Tests of this crate want to come to it.)
const END: Position = if cfg!(test) { 1 << 14 } else { WRITTEN };

/// From which share of the elements, in 64ths, a mark copies all of them if as many were written to since the mark before.
/// Measured in `docs/decisions/rewind.md`.
const COPY_SHARE: usize = 48;

/// The log of a [`Rewind`](crate::Rewind), which has one once it has been marked.
pub(super) struct Log<T> {
    /// For each slot the position of its last entry, with [`WRITTEN`]. It may be out of date, and lead before the first
    /// entry.
    links: Vec<u32>,
    /// How slots were, the oldest first.
    entries: VecDeque<Entry<T>>,
    /// The position of the first entry.
    first: Position,
    /// The position at which the last mark was made, with [`WRITTEN`].
    last_mark: u32,
    /// How many elements were written to since the last mark.
    written: usize,
    /// The marks that are known; at least one.
    marks: VecDeque<Marked>,
    /// What has happened to dense indices: `None` for an element that has come, the slot and the place of one that went.
    dense: VecDeque<Option<(u32, u32)>>,
    /// How many of these were forgotten.
    dense_forgotten: u64,
    /// Elements that a rewind has found, to be dropped when all is in order.
    spent: Vec<T>,
    /// What forgotten marks have kept, for the next ones.
    spare: Vec<Kept>,
}

/// A log that several [`Touched`](crate::Touched) write to in turn. There from the first mark on.
pub(super) type SharedLog<T> = Option<Box<Log<T>>>;

/// Values beside the roster, as they were at a mark.
pub(super) type Kept = Vec<Option<Box<dyn Any + Send + Sync>>>;

struct Entry<T> {
    slot: u32,
    /// The slot's link when the entry was made.
    before: u32,
    /// How the slot was; `None` if this merely holds an element, which was written to and then removed.
    state: Option<SlotState>,
    element: Option<T>,
}

/// What was when a mark was made.
struct Marked {
    mark: Mark,
    /// The position of the first entry behind it.
    start: Position,
    /// How much had happened to dense indices, if they were kept.
    dense: Option<u64>,
    kept: Kept,
}

impl<T> Log<T> {
    pub(super) fn new() -> Self {
        Self {
            links: Vec::new(),
            entries: VecDeque::new(),
            first: 1,
            last_mark: WRITTEN | 1,
            written: 0,
            marks: VecDeque::new(),
            dense: VecDeque::new(),
            dense_forgotten: 0,
            spent: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// The position of the next entry.
    fn end(&self) -> Position {
        self.first + self.entries.len() as u32
    }

    /// Whether the slot was written to since the last mark, so that nothing has to be remembered.
    #[inline(always)]
    pub(super) fn is_written(&self, slot: u32) -> bool {
        self.links.get(slot as usize).is_some_and(|&link| link >= self.last_mark)
    }

    /// Notes that the slot was written to, if the last mark has copied its element.
    #[inline]
    pub(super) fn is_copied(&mut self, slot: u32) -> bool {
        match self.links.get_mut(slot as usize) {
            Some(link) if (*link | WRITTEN) >= self.last_mark => {
                *link |= WRITTEN;
                self.written += 1;
                true
            }
            _ => false,
        }
    }

    /// Makes room for one entry, of one of the first `slots` slots, so that nothing can fail once something has changed.
    #[inline]
    pub(super) fn reserve(&mut self, slots: usize) {
        if self.entries.len() == self.entries.capacity()
            || self.links.len() < slots
            || self.end() == END
        {
            self.reserve_more(slots);
        }
    }

    #[cold]
    #[inline(never)]
    fn reserve_more(&mut self, slots: usize) {
        self.entries.reserve(1);
        if self.links.len() < slots {
            self.links.resize(slots, 0);
        }
        if self.end() == END {
            self.renumber();
        }
    }

    /// Lets positions begin with 1 again.
    fn renumber(&mut self) {
        let shift = self.first - 1;
        assert!(
            shift > 0,
            "capacity overflow: a rewind remembers too many changes; `confirm` a mark"
        );
        let first = self.first;
        let shifted = |link: u32| match link & !WRITTEN {
            position if position < first => 0,
            _ => link - shift,
        };
        self.links.iter_mut().for_each(|link| *link = shifted(*link));
        self.entries.iter_mut().for_each(|entry| entry.before = shifted(entry.before));
        self.marks.iter_mut().for_each(|marked| marked.start -= shift);
        self.last_mark -= shift;
        self.first = 1;
    }

    /// Remembers how a slot was. There is [room](Log::reserve).
    #[inline]
    pub(super) fn push(&mut self, slot: u32, state: SlotState, element: Option<T>) {
        self.written += 1;
        self.enter(slot, WRITTEN, state, element);
    }

    #[inline]
    fn enter(&mut self, slot: u32, written: u32, state: SlotState, element: Option<T>) {
        let link = self.end() | written;
        let before = mem::replace(&mut self.links[slot as usize], link);
        self.entries.push_back(Entry { slot, before, state: Some(state), element });
    }

    /// Remembers that an element was inserted. There is room.
    #[inline]
    pub(super) fn push_inserted(&mut self, handle: Handle<T>) {
        if !self.is_written(handle.slot()) {
            self.push(handle.slot(), SlotState::vacant(handle), None);
        }
    }

    /// Remembers an element that was removed. There is room.
    pub(super) fn push_removed(&mut self, handle: Handle<T>, element: T) {
        let slot = handle.slot();
        if self.is_written(slot) || self.is_copied(slot) {
            // How it was is known already.
            self.entries.push_back(Entry { slot, before: 0, state: None, element: Some(element) });
        } else {
            self.push(slot, SlotState::live(handle), Some(element));
        }
    }

    /// Remembers what has happened to dense indices.
    pub(super) fn push_dense(&mut self, change: Option<(u32, u32)>) {
        self.dense.push_back(change);
    }

    /// Whether the next mark should copy, of `len` elements.
    pub(super) fn should_copy(&self, len: usize) -> bool {
        self.written * 64 > len * COPY_SHARE
    }

    /// Enters a mark, which is later than all others.
    pub(super) fn mark(&mut self, mark: Mark, keeps_dense: bool) {
        let start = self.end();
        let dense = keeps_dense.then(|| self.dense_forgotten + self.dense.len() as u64);
        let kept = self.spare.pop().unwrap_or_default();
        self.marks.push_back(Marked { mark, start, dense, kept });
        self.begin(start);
    }

    fn begin(&mut self, start: Position) {
        self.last_mark = start | WRITTEN;
        self.written = 0;
    }

    /// Remembers an element that may not change after all. There is room.
    pub(super) fn copy(&mut self, handle: Handle<T>, element: T) {
        self.enter(handle.slot(), 0, SlotState::live(handle), Some(element));
    }

    fn find(&self, mark: Mark) -> Option<usize> {
        self.marks.binary_search_by_key(&mark, |marked| marked.mark).ok()
    }

    pub(super) fn knows(&self, mark: Mark) -> bool {
        self.find(mark).is_some()
    }

    /// Puts `roster` back to a mark. What it had instead waits in [`Log::pop_spent`].
    pub(super) fn rewind(
        &mut self,
        roster: &mut Roster<T>,
        mark: Mark,
        line: Line,
    ) -> Result<(), Forgotten> {
        let at = self.find(mark).ok_or(Forgotten)?;
        let Marked { start, dense, .. } = self.marks[at];
        if mem::needs_drop::<T>() {
            self.spent.reserve((self.end() - start) as usize);
        }
        self.rewind_dense(roster, dense);
        while self.end() > start {
            let Some(entry) = self.entries.pop_back() else { break };
            self.undo(roster, entry, start, line);
        }
        let forgotten = self.marks.drain(at + 1..).map(|marked| marked.kept);
        self.spare.extend(forgotten);
        self.begin(start);
        roster.end_restore();
        Ok(())
    }

    /// Undoes what happened since the last entry was made, which had been taken out.
    fn undo(&mut self, roster: &mut Roster<T>, entry: Entry<T>, start: Position, line: Line) {
        let Entry { slot, before, state, mut element } = entry;
        if let Some(state) = state {
            let link = mem::replace(&mut self.links[slot as usize], before);
            if link & WRITTEN != 0 {
                if (before & !WRITTEN) >= start {
                    // An older entry says how the slot is to be.
                    self.links[slot as usize] |= WRITTEN;
                } else if roster.slot_state(slot) == state {
                    let live = state.handle(slot).and_then(|handle| roster.get_mut(handle));
                    if let (Some(live), Some(element)) = (live, &mut element) {
                        mem::swap(live, element);
                    }
                } else {
                    element = roster.restore_slot(slot, state, element, line);
                }
            }
        }
        if mem::needs_drop::<T>() {
            self.spent.extend(element);
        }
    }

    fn rewind_dense(&mut self, roster: &mut Roster<T>, dense: Option<u64>) {
        let Some(start) = dense else {
            self.dense.clear();
            return roster.restore_dense(None::<core::iter::Empty<_>>);
        };
        let kept = (start - self.dense_forgotten) as usize;
        roster.restore_dense(Some(self.dense.drain(kept..).rev()));
    }

    /// Forgets the marks before this one. What they remembered waits in [`Log::pop_spent`].
    pub(super) fn confirm(&mut self, mark: Mark) {
        let Some(at) = self.find(mark) else { return };
        let forgotten = self.marks.drain(..at).map(|marked| marked.kept);
        self.spare.extend(forgotten);
        if let Some(start) = self.marks[0].dense {
            self.dense.drain(..(start - self.dense_forgotten) as usize);
            self.dense_forgotten = start;
        }
        if !mem::needs_drop::<T>() {
            let forgotten = self.marks[0].start - self.first;
            self.entries.drain(..forgotten as usize);
            self.first += forgotten;
        }
    }

    /// Takes out an element that nobody can get back; `None` if there is no other. To be called after each rewind and each
    /// confirmation, until there is none.
    pub(super) fn pop_spent(&mut self) -> Option<T> {
        if let Some(element) = self.spent.pop() {
            return Some(element);
        }
        while self.first < self.marks.front()?.start {
            self.first += 1;
            let element = self.entries.pop_front()?.element;
            if element.is_some() {
                return element;
            }
        }
        None
    }

    /// Where the entries begin that were made since a mark.
    pub(super) fn start(&self, mark: Mark) -> Option<Position> {
        Some(self.marks[self.find(mark)?].start)
    }

    /// The first slot from `slot` on of which there is an entry since `start`, and how it was then, if it was written to
    /// since; with the slot behind it.
    pub(super) fn next_written(
        &self,
        slot: &mut usize,
        start: Position,
    ) -> Option<(u32, SlotState)> {
        loop {
            let links = self.links.get(*slot..)?;
            let at = *slot + links.iter().position(|link| (link & !WRITTEN) >= start)?;
            *slot = at + 1;
            let (mut link, mut written, mut state) = (self.links[at], 0, None);
            while (link & !WRITTEN) >= start {
                let entry = &self.entries[((link & !WRITTEN) - self.first) as usize];
                written |= link & WRITTEN;
                (link, state) = (entry.before, entry.state);
            }
            if let (WRITTEN, Some(state)) = (written, state) {
                return Some((at as u32, state));
            }
        }
    }

    /// Heap bytes held, those that elements hold themselves excepted.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.links.capacity() * size_of::<u32>()
            + self.entries.capacity() * size_of::<Entry<T>>()
            + self.dense.capacity() * size_of::<Option<(u32, u32)>>()
            + self.marks.capacity() * size_of::<Marked>()
            + self.spent.capacity() * size_of::<T>()
            + self.spare.capacity() * size_of::<Kept>()
    }

    /// Gives unneeded memory back to the heap.
    pub(super) fn shrink_to_fit(&mut self) {
        self.entries.shrink_to_fit();
        self.dense.shrink_to_fit();
        self.marks.shrink_to_fit();
        self.spent = Vec::new();
        self.spare = Vec::new();
    }
}
