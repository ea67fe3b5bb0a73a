//! What a rewind remembers: how slots were before they changed.
//!
//! Except for clones, which are made while all is in order, nothing here runs code of the user.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::any::Any;
use core::iter::Empty;
use core::mem;

use crate::base::handle::Handle;
use crate::base::watch::sites::Line;
use crate::rewind::links::{Links, Position, WRITTEN};
use crate::rewind::mark::{Forgotten, Mark};
use crate::roster::{Roster, SlotState};

/// The first position that there is not. (Tests of this crate want to come to it.)
const END: Position = if cfg!(test) { 1 << 14 } else { WRITTEN };

/// The log of a [`Rewind`](crate::Rewind).
pub(super) struct Log<T> {
    /// The marks that are known, the oldest first; at least one.
    marks: VecDeque<Marked<T>>,
    /// What was remembered since the last mark.
    segment: Segment<T>,
    /// The position of its first entry.
    start: Position,
    /// Whether the last mark has copied all elements.
    has_copied: bool,
    /// What has happened to dense indices: `None` for an element that has come, the slot and the place of one that went.
    dense: VecDeque<Option<(u32, u32)>>,
    /// How many of these were forgotten.
    dense_forgotten: u64,
    /// Elements that nobody can get back, to be dropped when all is in order,
    spent: Vec<T>,
    /// and more of them.
    spent_segments: Vec<Segment<T>>,
    /// Empty ones, with memory.
    spare: Vec<Segment<T>>,
    /// What forgotten marks have kept, for the next ones.
    spare_kept: Vec<Kept>,
}

/// A log that several [`Touched`](crate::Touched) write to in turn. There from the first mark on.
pub(super) type SharedLog<T> = Option<Box<Log<T>>>;

/// Values beside the roster, as they were at a mark.
pub(super) type Kept = Vec<Option<Box<dyn Any + Send + Sync>>>;

/// How slots were when they were first written to after a mark.
struct Segment<T> {
    entries: Vec<Entry>,
    /// The elements of those entries that have one, in their order.
    elements: Vec<T>,
}

struct Entry {
    slot: u32,
    /// The slot's link when the entry was made.
    before: u32,
    /// How the slot was; `None` if this merely has an element, which was written to and then removed.
    state: Option<SlotState>,
}

/// What was when a mark was made.
struct Marked<T> {
    mark: Mark,
    /// The position of the first entry behind it.
    start: Position,
    /// How much had happened to dense indices, if they were kept.
    dense: Option<u64>,
    kept: Kept,
    /// What was remembered from here to the next mark. (The last mark's is in the log itself.)
    segment: Segment<T>,
}

impl<T> Segment<T> {
    const fn new() -> Self {
        Self { entries: Vec::new(), elements: Vec::new() }
    }

    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.elements.capacity() * size_of::<T>()
    }
}

impl Entry {
    #[inline]
    fn has_element(&self) -> bool {
        self.state.is_none_or(|state| state.is_live())
    }
}

impl<T> Log<T> {
    pub(super) fn new() -> Self {
        Self {
            marks: VecDeque::new(),
            segment: Segment::new(),
            start: 1,
            has_copied: false,
            dense: VecDeque::new(),
            dense_forgotten: 0,
            spent: Vec::new(),
            spent_segments: Vec::new(),
            spare: Vec::new(),
            spare_kept: Vec::new(),
        }
    }

    /// The position of the next entry.
    #[inline]
    fn end(&self) -> Position {
        self.start + self.segment.entries.len() as u32
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
        let first = self.marks.front().map_or(self.start, |marked| marked.start);
        let shift = first - 1;
        assert!(
            count <= (END - (self.end() - shift)) as usize,
            "capacity overflow: a rewind remembers too many changes; `confirm` a mark"
        );
        let shifted = |link: u32| match link & !WRITTEN {
            position if position < first => 0,
            _ => link - shift,
        };
        links.of.iter_mut().for_each(|link| *link = shifted(*link));
        links.last_mark -= shift;
        self.start -= shift;
        let entries = self.marks.iter_mut().flat_map(|marked| {
            marked.start -= shift;
            &mut marked.segment.entries
        });
        let entries = entries.chain(&mut self.segment.entries);
        entries.for_each(|entry| entry.before = shifted(entry.before));
    }

    /// Makes room for one more entry, so that nothing can fail once something has changed.
    #[inline]
    pub(super) fn reserve(&mut self) {
        self.segment.entries.reserve(1);
        self.segment.elements.reserve(1);
    }

    /// Remembers how a live slot was, whose link was `before`, and returns its link. There is a position for it.
    #[inline]
    pub(super) fn push_live(&mut self, handle: Handle<T>, before: u32, element: T) -> u32 {
        let link = self.end() | WRITTEN;
        self.reserve();
        let state = Some(SlotState::live(handle));
        self.segment.entries.push(Entry { slot: handle.slot(), before, state });
        self.segment.elements.push(element);
        link
    }

    /// Remembers how a slot without an element was, if it is written to for the first time since the last mark.
    #[inline]
    pub(super) fn push_empty(&mut self, links: &mut Links, slot: u32, state: SlotState) {
        let end = self.end();
        if let Some(link) = links.share().first_write(slot) {
            self.segment.entries.push(Entry { slot, before: link.get(), state: Some(state) });
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
                self.segment.entries.push(Entry { slot, before: 0, state: None });
                self.segment.elements.push(element);
            }
        }
    }

    /// Remembers what has happened to dense indices.
    pub(super) fn push_dense(&mut self, change: Option<(u32, u32)>) {
        self.dense.push_back(change);
    }

    /// How much was written to since the last mark.
    pub(super) fn count_written(&self, links: &Links) -> usize {
        if self.has_copied { links.count_written() } else { self.segment.entries.len() }
    }

    /// Enters a mark, which is later than all others.
    pub(super) fn mark(&mut self, links: &mut Links, mark: Mark, keeps_dense: bool) {
        let start = self.end();
        let dense = keeps_dense.then(|| self.dense_forgotten + self.dense.len() as u64);
        let kept = self.spare_kept.pop().unwrap_or_default();
        let next = self.spare.pop().unwrap_or(Segment::new());
        let segment = mem::replace(&mut self.segment, next);
        match self.marks.back_mut() {
            Some(last) => last.segment = segment,
            None => self.spare.push(segment),
        }
        self.marks.push_back(Marked { mark, start, dense, kept, segment: Segment::new() });
        self.begin(links, start);
    }

    fn begin(&mut self, links: &mut Links, start: Position) {
        self.start = start;
        self.has_copied = false;
        links.last_mark = start | WRITTEN;
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
        loop {
            self.undo_segment(links, roster, start, line);
            if self.marks.len() == at + 1 {
                break;
            }
            self.spare_kept.extend(self.marks.pop_back().map(|marked| marked.kept));
            if let Some(last) = self.marks.back_mut() {
                let segment = mem::replace(&mut last.segment, Segment::new());
                self.spare.push(mem::replace(&mut self.segment, segment));
            }
        }
        self.begin(links, start);
        roster.end_restore();
        Ok(())
    }

    /// Undoes what the present segment remembers, the last first.
    fn undo_segment(
        &mut self,
        links: &mut Links,
        roster: &mut Roster<T>,
        start: Position,
        line: Line,
    ) {
        let Segment { entries, elements } = &mut self.segment;
        while let Some(entry) = entries.pop() {
            let has_element = entry.has_element();
            if let Some(state) = links.follow_back(&entry, start) {
                let live = state.handle(entry.slot).and_then(|handle| roster.get_mut(handle));
                if let (Some(live), Some(element)) = (live, elements.last_mut()) {
                    // The usual case: it is still there. What it was like until now is over.
                    mem::swap(live, element);
                } else {
                    let element = if has_element { elements.pop() } else { None };
                    self.spent.extend(roster.restore_slot(entry.slot, state, element, line));
                    continue;
                }
            }
            if has_element && mem::needs_drop::<T>() {
                self.spent.extend(elements.pop());
            } else if has_element {
                elements.truncate(elements.len() - 1);
            }
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
        for Marked { kept, mut segment, .. } in self.marks.drain(..at) {
            self.spare_kept.push(kept);
            segment.entries.clear();
            if mem::needs_drop::<T>() {
                self.spent_segments.push(segment);
            } else {
                segment.elements.clear();
                self.spare.push(segment);
            }
        }
        if let Some(start) = self.marks[0].dense {
            self.dense.drain(..(start - self.dense_forgotten) as usize);
            self.dense_forgotten = start;
        }
    }

    /// Takes out an element that nobody can get back; `None` if there is no other. To be called after each rewind and each
    /// confirmation, until there is none.
    pub(super) fn pop_spent(&mut self) -> Option<T> {
        if let Some(element) = self.spent.pop() {
            return Some(element);
        }
        while let Some(last) = self.spent_segments.last_mut() {
            if let Some(element) = last.elements.pop() {
                return Some(element);
            }
            self.spare.extend(self.spent_segments.pop());
        }
        None
    }

    /// Where the entries begin that were made since a mark.
    pub(super) fn start(&self, mark: Mark) -> Option<Position> {
        Some(self.marks[self.find(mark)?].start)
    }

    fn entry(&self, position: Position) -> &Entry {
        let (start, segment) = if position >= self.start {
            (self.start, &self.segment)
        } else {
            let behind = self.marks.partition_point(|marked| marked.start <= position);
            (self.marks[behind - 1].start, &self.marks[behind - 1].segment)
        };
        &segment.entries[(position - start) as usize]
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
                let entry = self.entry(link & !WRITTEN);
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
        let segments = self.marks.iter().map(|marked| &marked.segment);
        let segments =
            segments.chain([&self.segment]).chain(&self.spent_segments).chain(&self.spare);
        let lists = self.spare.capacity() + self.spent_segments.capacity();
        size_of::<Self>()
            + segments.map(Segment::bytes).sum::<usize>()
            + lists * size_of::<Segment<T>>()
            + self.spent.capacity() * size_of::<T>()
            + self.dense.capacity() * size_of::<Option<(u32, u32)>>()
            + self.marks.capacity() * size_of::<Marked<T>>()
            + self.spare_kept.capacity() * size_of::<Kept>()
    }

    /// Gives memory back to the heap that is kept for later.
    pub(super) fn shrink_to_fit(&mut self) {
        self.segment.entries.shrink_to_fit();
        self.segment.elements.shrink_to_fit();
        self.dense.shrink_to_fit();
        self.marks.shrink_to_fit();
        self.spent = Vec::new();
        self.spent_segments = Vec::new();
        self.spare = Vec::new();
        self.spare_kept = Vec::new();
    }
}

impl Links {
    /// Follows a slot's link back over an entry, the last. Tells how the slot was then, if it is to be so again.
    #[inline]
    fn follow_back(&mut self, entry: &Entry, start: Position) -> Option<SlotState> {
        let Entry { slot, before, state: Some(state) } = *entry else { return None };
        let link = mem::replace(&mut self.of[slot as usize], before);
        if link & WRITTEN == 0 {
            // It was copied, and not written to.
            return None;
        }
        if before & !WRITTEN >= start {
            // An older entry says how the slot is to be.
            self.of[slot as usize] |= WRITTEN;
            return None;
        }
        Some(state)
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
    /// If a clone panics, none was copied.
    pub(super) fn copy(&mut self, links: &mut Links, roster: &Roster<T>) {
        self.reserve_positions(links, roster.len());
        self.segment.entries.reserve(roster.len());
        let mut elements = mem::take(&mut self.segment.elements);
        elements.reserve(roster.len());
        roster.values().for_each(|element| elements.push(element.clone()));
        self.segment.elements = elements;
        self.has_copied = true;
        let (start, entries) = (self.start, &mut self.segment.entries);
        roster.handles().for_each(|handle| {
            let link = start + entries.len() as u32;
            let before = mem::replace(&mut links.of[handle.index()], link);
            let state = Some(SlotState::live(handle));
            entries.push(Entry { slot: handle.slot(), before, state });
        });
    }
}
