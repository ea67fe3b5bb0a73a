//! What a rewind remembers: how slots were before they changed.
//!
//! Nothing here runs code of the user, so the log is in order whenever such code runs.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::any::Any;
use core::iter::Empty;
use core::mem;

use crate::base::handle::Handle;
use crate::base::sites::Line;
use crate::rewind::links::{Links, Position, WRITTEN};
use crate::rewind::mark::{Forgotten, Mark};
use crate::roster::{Roster, SlotState};

/// The first position that there is not. (Tests of this crate want to come to it.)
const END: Position = if cfg!(test) { 1 << 14 } else { WRITTEN };

/// The log of a [`Rewind`](crate::Rewind).
pub(super) struct Log<T> {
    /// How slots were, the oldest first.
    entries: VecDeque<Entry>,
    /// The elements of those entries that have one, in their order.
    elements: VecDeque<T>,
    /// The position of the first entry.
    first: Position,
    /// The marks that are known; at least one.
    marks: VecDeque<Marked>,
    /// Whether the last of them has copied all elements.
    has_copied: bool,
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

struct Entry {
    slot: u32,
    /// The slot's link when the entry was made.
    before: u32,
    /// How the slot was; `None` if this merely has an element, which was written to and then removed.
    state: Option<SlotState>,
}

impl Entry {
    fn has_element(&self) -> bool {
        self.state.is_none_or(|state| state.is_live())
    }
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
            entries: VecDeque::new(),
            elements: VecDeque::new(),
            first: 1,
            marks: VecDeque::new(),
            has_copied: false,
            dense: VecDeque::new(),
            dense_forgotten: 0,
            spent: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// The position of the next entry.
    #[inline]
    fn end(&self) -> Position {
        self.first + self.entries.len() as u32
    }

    /// Makes sure that there are positions for `count` entries. (Not while links are shared.)
    #[inline]
    pub(super) fn reserve_positions(&mut self, links: &mut Links, count: usize) {
        if count > (END - self.end()) as usize {
            self.renumber(links, count);
        }
    }

    /// Lets positions begin with 1 again.
    #[cold]
    #[inline(never)]
    fn renumber(&mut self, links: &mut Links, count: usize) {
        let (shift, first) = (self.first - 1, self.first);
        assert!(
            count + self.entries.len() < END as usize,
            "capacity overflow: a rewind remembers too many changes; `confirm` a mark"
        );
        let shifted = |link: u32| match link & !WRITTEN {
            position if position < first => 0,
            _ => link - shift,
        };
        links.of.iter_mut().for_each(|link| *link = shifted(*link));
        self.entries.iter_mut().for_each(|entry| entry.before = shifted(entry.before));
        self.marks.iter_mut().for_each(|marked| marked.start -= shift);
        links.last_mark -= shift;
        self.first = 1;
    }

    /// Makes room for one more entry, so that nothing can fail once something has changed.
    #[inline]
    pub(super) fn reserve(&mut self) {
        if self.entries.len() == self.entries.capacity()
            || self.elements.len() == self.elements.capacity()
        {
            self.reserve_more(1);
        }
    }

    #[cold]
    #[inline(never)]
    fn reserve_more(&mut self, additional: usize) {
        self.entries.reserve(additional);
        self.elements.reserve(additional);
    }

    /// Remembers how a live slot was, whose link was `before`, and returns its link. There is a position for it.
    #[inline]
    pub(super) fn push_live(&mut self, handle: Handle<T>, before: u32, element: T) -> u32 {
        self.reserve();
        let link = self.end() | WRITTEN;
        let state = Some(SlotState::live(handle));
        self.entries.push_back(Entry { slot: handle.slot(), before, state });
        self.elements.push_back(element);
        link
    }

    /// Remembers how a slot without an element was, if it is written to for the first time since the last mark.
    #[inline]
    pub(super) fn push_empty(&mut self, links: &mut Links, slot: u32, state: SlotState) {
        self.reserve_positions(links, 1);
        let end = self.end();
        if let Some(link) = links.share().first_write(slot) {
            self.entries.push_back(Entry { slot, before: link.get(), state: Some(state) });
            link.set(end | WRITTEN);
        }
    }

    /// Remembers an element that was removed. There is room for it, and a position.
    pub(super) fn push_removed(&mut self, links: &mut Links, handle: Handle<T>, element: T) {
        let slot = handle.slot();
        match links.share().first_write(slot) {
            Some(link) => link.set(self.push_live(handle, link.get(), element)),
            None => {
                // How it was is known already.
                self.entries.push_back(Entry { slot, before: 0, state: None });
                self.elements.push_back(element);
            }
        }
    }

    /// Remembers what has happened to dense indices.
    pub(super) fn push_dense(&mut self, change: Option<(u32, u32)>) {
        self.dense.push_back(change);
    }

    /// How much was written to since the last mark.
    pub(super) fn count_written(&self, links: &Links) -> usize {
        match self.marks.back() {
            Some(_) if self.has_copied => links.count_written(),
            Some(marked) => (self.end() - marked.start) as usize,
            None => 0,
        }
    }

    /// Enters a mark, which is later than all others.
    pub(super) fn mark(&mut self, links: &mut Links, mark: Mark, keeps_dense: bool) {
        let start = self.end();
        let dense = keeps_dense.then(|| self.dense_forgotten + self.dense.len() as u64);
        let kept = self.spare.pop().unwrap_or_default();
        self.marks.push_back(Marked { mark, start, dense, kept });
        self.has_copied = false;
        links.begin(start);
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
        links: &mut Links,
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
            self.undo(links, roster, entry, start, line);
        }
        let forgotten = self.marks.drain(at + 1..).map(|marked| marked.kept);
        self.spare.extend(forgotten);
        self.has_copied = false;
        links.begin(start);
        roster.end_restore();
        Ok(())
    }

    /// Undoes what has happened to a slot since an entry, the last, which was taken out.
    #[inline]
    fn undo(
        &mut self,
        links: &mut Links,
        roster: &mut Roster<T>,
        entry: Entry,
        start: Position,
        line: Line,
    ) {
        let mut element = if entry.has_element() { self.elements.pop_back() } else { None };
        let Entry { slot, before, state } = entry;
        if let Some(state) = state {
            let link = mem::replace(&mut links.of[slot as usize], before);
            if link & WRITTEN == 0 {
                // It was copied, and nothing more.
            } else if before & !WRITTEN >= start {
                // An older entry says how the slot is to be.
                links.of[slot as usize] |= WRITTEN;
            } else if let (Some(element), Some(live)) =
                (&mut element, state.handle(slot).and_then(|handle| roster.get_mut(handle)))
            {
                mem::swap(live, element);
            } else {
                element = roster.restore_slot(slot, state, element, line);
            }
        }
        if mem::needs_drop::<T>() {
            self.spent.extend(element);
        }
    }

    fn rewind_dense(&mut self, roster: &mut Roster<T>, dense: Option<u64>) {
        let Some(start) = dense else {
            self.dense.clear();
            return roster.restore_dense(None::<Empty<_>>);
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
            let entries = self.entries.drain(..forgotten as usize);
            let elements = entries.filter(Entry::has_element).count();
            self.elements.drain(..elements);
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
            if self.entries.pop_front()?.has_element() {
                return self.elements.pop_front();
            }
        }
        None
    }

    /// Where the entries begin that were made since a mark.
    pub(super) fn start(&self, mark: Mark) -> Option<Position> {
        Some(self.marks[self.find(mark)?].start)
    }

    /// The first slot from `next` on that was written to since `start`, and how it was then. Moves `next` behind it.
    pub(super) fn next_written(
        &self,
        links: &Links,
        next: &mut usize,
        start: Position,
    ) -> Option<(u32, SlotState)> {
        loop {
            let rest = links.of.get(*next..)?;
            let slot = *next + rest.iter().position(|link| link & !WRITTEN >= start)?;
            *next = slot + 1;
            let (mut link, mut written, mut state) = (links.of[slot], 0, None);
            while link & !WRITTEN >= start {
                let entry = &self.entries[(link & !WRITTEN) as usize - self.first as usize];
                written |= link & WRITTEN;
                (link, state) = (entry.before, entry.state);
            }
            if let (WRITTEN, Some(state)) = (written, state) {
                return Some((slot as u32, state));
            }
        }
    }

    /// Heap bytes held, without what elements hold themselves.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.entries.capacity() * size_of::<Entry>()
            + (self.elements.capacity() + self.spent.capacity()) * size_of::<T>()
            + self.dense.capacity() * size_of::<Option<(u32, u32)>>()
            + self.marks.capacity() * size_of::<Marked>()
            + self.spare.capacity() * size_of::<Kept>()
    }

    /// Gives unneeded memory back to the heap.
    pub(super) fn shrink_to_fit(&mut self) {
        self.entries.shrink_to_fit();
        self.elements.shrink_to_fit();
        self.dense.shrink_to_fit();
        self.marks.shrink_to_fit();
        self.spent = Vec::new();
        self.spare = Vec::new();
    }
}

impl<T: Clone> Log<T> {
    /// Remembers an element that is about to be written to, if that is the first time since the last mark.
    #[inline]
    pub(super) fn before_write(&mut self, links: &mut Links, handle: Handle<T>, element: &T) {
        self.reserve_positions(links, 1);
        links.grow(handle.index() + 1);
        if let Some(link) = links.share().first_write(handle.slot()) {
            let before = element.clone();
            link.set(self.push_live(handle, link.get(), before));
        }
    }

    /// Copies all elements, instead of remembering each when it is written to. To be called behind a mark.
    ///
    /// If a clone panics, those before it are copied, and all is in order.
    pub(super) fn copy(&mut self, links: &mut Links, roster: &Roster<T>) {
        self.reserve_positions(links, roster.len());
        self.reserve_more(roster.len());
        self.has_copied = true;
        for (handle, element) in roster {
            let element = element.clone();
            let link = self.end();
            let before = mem::replace(&mut links.of[handle.index()], link);
            let state = Some(SlotState::live(handle));
            self.entries.push_back(Entry { slot: handle.slot(), before, state });
            self.elements.push_back(element);
        }
    }
}
