//! What a rewind remembers: how slots were before they changed.
//!
//! Except for clones, which are made while all is in order, nothing here runs code of the user.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::any::Any;
use core::iter;
use core::mem;

use crate::base::handle::Handle;
use crate::base::watch::sites::Line;
use crate::rewind::links::{EMPTY, Links, Position, link_to, position_of};
use crate::rewind::mark::{Forgotten, Mark};
use crate::roster::{RawHandle, Roster, SlotState, SlotStates};

/// The first position that there is not. (Tests of this crate want to come to it.)
const END: Position = if cfg!(test) { 1 << 14 } else { position_of(!0) };

/// The log of a [`Rewind`](crate::Rewind).
pub(super) struct Log<T> {
    /// The marks that are known, the oldest first; at least one.
    marks: VecDeque<Marked<T>>,
    /// What was remembered since the last mark.
    segment: Segment<T>,
    /// The position of its first entry.
    start: Position,
    /// What has happened to dense indices: `None` for an element that has come, the slot and the place of one that went.
    dense: VecDeque<Option<(u32, u32)>>,
    /// How many of these were forgotten.
    dense_forgotten: u64,
    /// Elements that nobody can get back, to be dropped when all is in order,
    spent: Vec<T>,
    /// and more of them.
    spent_segments: Vec<Segment<T>>,
    /// Empty ones, with memory,
    spare: Vec<Segment<T>>,
    /// and without elements.
    #[allow(clippy::vec_box, reason = "a segment has one in a box, and takes it from here")]
    spare_copied: Vec<Box<Copied<T>>>,
    /// What forgotten marks have kept, for the next ones.
    spare_kept: Vec<Vec<Kept>>,
}

/// A log that several [`Touched`](crate::Touched) write to in turn. There from the first mark on.
pub(super) type SharedLog<T> = Option<Box<Log<T>>>;

/// A value beside the roster, as it was at a mark.
pub(super) type Kept = Option<Box<dyn Any + Send + Sync>>;

/// How slots were when they were first written to after a mark. The n-th of each list has the n-th position behind the mark.
struct Segment<T> {
    live: Vec<Live<T>>,
    empty: Vec<Empty>,
    /// Elements that were removed after they had been written to, or been inserted.
    removed: Vec<T>,
    /// Everything, in place of what is above, if the mark has copied; it has the first position.
    copied: Option<Box<Copied<T>>>,
}

/// Everything that there was at a mark.
struct Copied<T> {
    states: SlotStates,
    /// The links of all slots.
    before: Vec<u32>,
    /// The elements, in the order of slots.
    elements: Vec<T>,
}

/// How a slot was that had an element.
struct Live<T> {
    handle: RawHandle,
    /// The slot's link when the entry was made.
    before: u32,
    element: T,
}

/// How a slot was that had none.
struct Empty {
    slot: u32,
    state: SlotState,
    before: u32,
}

/// What was when a mark was made.
struct Marked<T> {
    mark: Mark,
    /// The position of the first entry behind it.
    start: Position,
    /// How much had happened to dense indices, if they were kept.
    dense: Option<u64>,
    kept: Vec<Kept>,
    /// What was remembered from here to the next mark. (The last mark's is in the log itself.)
    segment: Segment<T>,
}

impl<T> Segment<T> {
    const fn new() -> Self {
        Self { live: Vec::new(), empty: Vec::new(), removed: Vec::new(), copied: None }
    }

    /// How many positions the entries take.
    #[inline]
    fn len(&self) -> usize {
        self.live.len().max(self.empty.len()).max(usize::from(self.copied.is_some()))
    }

    /// How many elements it may have, or find in a roster of so many slots.
    fn count(&self, slots: usize) -> usize {
        let copied = if self.copied.is_some() { slots } else { 0 };
        self.live.len() + self.empty.len() + self.removed.len() + copied
    }

    fn bytes(&self) -> usize {
        self.copied.as_ref().map_or(0, |copied| copied.bytes())
            + self.live.capacity() * size_of::<Live<T>>()
            + self.empty.capacity() * size_of::<Empty>()
            + self.removed.capacity() * size_of::<T>()
    }

    /// Takes out an element, whichever is next.
    fn pop_element(&mut self) -> Option<T> {
        let element = self.removed.pop().or_else(|| self.live.pop().map(|entry| entry.element));
        element.or_else(|| self.copied.as_mut()?.elements.pop())
    }

    /// Forgets what does not have to be dropped.
    fn clear(&mut self) {
        self.empty.clear();
        if !mem::needs_drop::<T>() {
            self.live.clear();
            self.removed.clear();
        }
    }
}

impl<T> Log<T> {
    pub(super) fn new() -> Self {
        Self {
            marks: VecDeque::new(),
            segment: Segment::new(),
            start: 1,
            dense: VecDeque::new(),
            dense_forgotten: 0,
            spent: Vec::new(),
            spent_segments: Vec::new(),
            spare: Vec::new(),
            spare_copied: Vec::new(),
            spare_kept: Vec::new(),
        }
    }

    /// The first position behind all entries.
    #[inline]
    fn end(&self) -> Position {
        self.start + self.segment.len() as u32
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
        let shifted = |link: &mut u32| {
            *link = if position_of(*link) < first { 0 } else { *link - link_to(shift, 0) };
        };
        links.of.iter_mut().for_each(shifted);
        links.last_mark -= link_to(shift, 0);
        self.start -= shift;
        let segments = self.marks.iter_mut().map(|marked| {
            marked.start -= shift;
            &mut marked.segment
        });
        for segment in segments.chain([&mut self.segment]) {
            segment.live.iter_mut().for_each(|entry| shifted(&mut entry.before));
            segment.empty.iter_mut().for_each(|entry| shifted(&mut entry.before));
            segment.copied.iter_mut().for_each(|copied| copied.before.iter_mut().for_each(shifted));
        }
    }

    /// Makes room for one more entry, so that nothing can fail once something has changed.
    #[inline]
    pub(super) fn reserve(&mut self) {
        self.segment.live.reserve(1);
        self.segment.empty.reserve(1);
        self.segment.removed.reserve(1);
    }

    /// Remembers how a live slot was, whose link was `before`, and returns its link. There is a position for it.
    #[inline]
    pub(super) fn push_live(&mut self, handle: RawHandle, before: u32, element: T) -> u32 {
        let live = &mut self.segment.live;
        let link = link_to(self.start + live.len() as u32, 0);
        live.push(Live { handle, before, element });
        link
    }

    /// Remembers how a slot without an element was, if it is written to for the first time since the last mark.
    #[inline]
    pub(super) fn push_empty(&mut self, links: &mut Links, slot: u32, state: SlotState) {
        let empty = &mut self.segment.empty;
        if let Some(link) = links.share().first_write(slot) {
            let position = self.start + empty.len() as u32;
            empty.push(Empty { slot, state, before: link.get() });
            link.set(link_to(position, EMPTY));
        }
    }

    /// Remembers an element that was removed. There is room for it, and a position.
    pub(super) fn push_removed(&mut self, links: &mut Links, handle: Handle<T>, element: T) {
        match links.share().first_write(handle.slot()) {
            Some(link) => link.set(self.push_live(handle.raw(), link.get(), element)),
            // How the slot was is known already.
            None => self.segment.removed.push(element),
        }
    }

    /// Remembers what has happened to dense indices.
    pub(super) fn push_dense(&mut self, change: Option<(u32, u32)>) {
        self.dense.push_back(change);
    }

    /// How much was written to since the last mark.
    pub(super) fn count_written(&self, links: &Links) -> usize {
        if links.has_copied { links.count_written() } else { self.segment.live.len() }
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
        links.has_copied = false;
        links.last_mark = link_to(start, 0);
    }

    fn find(&self, mark: Mark) -> Option<usize> {
        self.marks.binary_search_by_key(&mark, |marked| marked.mark).ok()
    }

    pub(super) fn knows(&self, mark: Mark) -> bool {
        self.find(mark).is_some()
    }

    /// What was kept beside the roster at a mark.
    pub(super) fn kept(&mut self, mark: Mark) -> Option<&mut Vec<Kept>> {
        let at = self.find(mark)?;
        Some(&mut self.marks[at].kept)
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
            let segments = self.marks.iter().skip(at).map(|marked| &marked.segment);
            let segments = segments.chain([&self.segment]);
            self.spent.reserve(segments.map(|segment| segment.count(links.of.len())).sum());
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
                let undone = mem::replace(&mut self.segment, segment);
                self.spare.push(undone);
            }
        }
        self.begin(links, start);
        roster.end_restore();
        Ok(())
    }

    /// Undoes what the present segment remembers.
    fn undo_segment(
        &mut self,
        links: &mut Links,
        roster: &mut Roster<T>,
        start: Position,
        line: Line,
    ) {
        let Segment { live, empty, removed, copied } = &mut self.segment;
        if let Some(mut copied) = copied.take() {
            let own = self.marks.back().map_or(start, |marked| marked.start);
            copied.undo(links, roster, [own, start], line, &mut self.spent);
            self.spare_copied.push(copied);
        }
        if mem::needs_drop::<T>() {
            self.spent.append(removed);
        }
        removed.clear();
        for Empty { slot, state, before } in empty.drain(..) {
            if links.follow_back(slot, before, start) {
                self.spent.extend(roster.restore_slot(slot, state, None, line));
            }
        }
        let mut spend = |element| {
            if mem::needs_drop::<T>() {
                self.spent.push(element);
            }
        };
        for Live { handle: (slot, word), before, element } in live.drain(..).rev() {
            let handle = Handle::new(slot, word);
            if !links.follow_back(slot, before, start) {
                spend(element);
            } else if let Some(live) = roster.get_mut(handle) {
                // It is still there. What it was like until now is over.
                spend(mem::replace(live, element));
            } else {
                let state = SlotState::live(handle);
                roster
                    .restore_slot(slot, state, Some(element), line)
                    .into_iter()
                    .for_each(&mut spend);
            }
        }
    }

    fn rewind_dense(&mut self, roster: &mut Roster<T>, dense: Option<u64>) {
        let Some(start) = dense else {
            self.dense.clear();
            return roster.restore_dense(None::<iter::Empty<_>>);
        };
        let kept = (start - self.dense_forgotten) as usize;
        roster.restore_dense(Some(self.dense.drain(kept..).rev()));
    }

    /// Forgets the marks before this one. What they remembered waits in [`Log::pop_spent`].
    pub(super) fn confirm(&mut self, mark: Mark) {
        let Some(at) = self.find(mark) else { return };
        for _ in 0..at {
            let Some(Marked { kept, mut segment, .. }) = self.marks.pop_front() else { break };
            self.spare_kept.push(kept);
            segment.clear();
            if mem::needs_drop::<T>() {
                self.spent_segments.push(segment);
            } else {
                self.put_by(segment);
            }
        }
        if let Some(start) = self.marks[0].dense {
            self.dense.drain(..(start - self.dense_forgotten) as usize);
            self.dense_forgotten = start;
        }
    }

    /// Keeps the memory of a segment.
    fn put_by(&mut self, mut segment: Segment<T>) {
        if let Some(mut copied) = segment.copied.take() {
            copied.elements.clear();
            self.spare_copied.push(copied);
        }
        self.spare.push(segment);
    }

    /// Takes out an element that nobody can get back; `None` if there is no other. To be called after each rewind and each
    /// confirmation, until there is none.
    pub(super) fn pop_spent(&mut self) -> Option<T> {
        if let Some(element) = self.spent.pop() {
            return Some(element);
        }
        while let Some(last) = self.spent_segments.last_mut() {
            if let Some(element) = last.pop_element() {
                return Some(element);
            }
            if let Some(segment) = self.spent_segments.pop() {
                self.put_by(segment);
            }
        }
        None
    }

    /// Where the entries begin that were made since a mark.
    pub(super) fn start(&self, mark: Mark) -> Option<Position> {
        Some(self.marks[self.find(mark)?].start)
    }

    /// How the slot with this link was, and its link before.
    fn entry(&self, slot: usize, link: u32) -> (SlotState, u32) {
        let position = position_of(link);
        let (start, segment) = if position >= self.start {
            (self.start, &self.segment)
        } else {
            let behind = self.marks.partition_point(|marked| marked.start <= position);
            (self.marks[behind - 1].start, &self.marks[behind - 1].segment)
        };
        let at = (position - start) as usize;
        if let Some(copied) = &segment.copied {
            return (copied.states.get(slot), copied.before.get(slot).copied().unwrap_or(0));
        }
        if link & EMPTY != 0 {
            (segment.empty[at].state, segment.empty[at].before)
        } else {
            let (slot, word) = segment.live[at].handle;
            (SlotState::live(Handle::<T>::new(slot, word)), segment.live[at].before)
        }
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
            let slot = *next + rest.iter().position(|&link| position_of(link) >= start)?;
            *next = slot + 1;
            let (mut link, mut before) = (links.of[slot], None);
            while position_of(link) >= start {
                let (state, link_before) = self.entry(slot, link);
                (before, link) = (Some(state), link_before);
            }
            if let Some(before) = before {
                return Some((slot as u32, before));
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
            + self.spare_copied.iter().map(|copied| copied.bytes()).sum::<usize>()
            + lists * size_of::<Segment<T>>()
            + self.spent.capacity() * size_of::<T>()
            + self.dense.capacity() * size_of::<Option<(u32, u32)>>()
            + self.marks.capacity() * size_of::<Marked<T>>()
            + self.spare_kept.capacity() * size_of::<Vec<Kept>>()
    }

    /// Gives memory back to the heap that is kept for later.
    pub(super) fn shrink_to_fit(&mut self) {
        self.segment.live.shrink_to_fit();
        self.segment.empty.shrink_to_fit();
        self.segment.removed.shrink_to_fit();
        self.dense.shrink_to_fit();
        self.marks.shrink_to_fit();
        // Not what is spent: destructors of the user's would run here.
        self.spent.shrink_to_fit();
        self.spent_segments.shrink_to_fit();
        self.spare = Vec::new();
        self.spare_copied = Vec::new();
        self.spare_kept = Vec::new();
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
            link.set(self.push_live(handle.raw(), link.get(), before));
        }
    }

    /// Copies all elements, instead of remembering each when it is written to. To be called behind a mark.
    ///
    /// If a clone panics, none was copied.
    pub(super) fn copy(&mut self, links: &mut Links, roster: &Roster<T>) {
        self.reserve_positions(links, 1);
        let spare = self.spare_copied.pop();
        let mut copied = spare.unwrap_or_else(|| Box::new(Copied::new()));
        copied.elements.reserve(roster.len());
        roster.values().for_each(|element| copied.elements.push(element.clone()));
        copied.before.clone_from(&links.of);
        roster.copy_states(&mut copied.states);
        self.segment.copied = Some(copied);
        links.has_copied = true;
    }
}

impl<T> Copied<T> {
    const fn new() -> Self {
        Self { states: SlotStates::new(), before: Vec::new(), elements: Vec::new() }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.states.bytes()
            + self.before.capacity() * size_of::<u32>()
            + self.elements.capacity() * size_of::<T>()
    }

    /// Undoes what has happened since to slots that were written to.
    fn undo(
        &mut self,
        links: &mut Links,
        roster: &mut Roster<T>,
        [own, start]: [Position; 2],
        line: Line,
        spent: &mut Vec<T>,
    ) {
        let mut elements = self.elements.drain(..);
        for slot in 0..links.of.len() {
            let state = self.states.get(slot);
            let mut element = if state.is_live() { elements.next() } else { None };
            let before = self.before.get(slot).copied().unwrap_or(0);
            if position_of(links.of[slot]) >= own && links.follow_back(slot as u32, before, start) {
                let live = state.handle(slot as u32).and_then(|handle| roster.get_mut(handle));
                if let (Some(live), Some(element)) = (live, &mut element) {
                    mem::swap(live, element);
                } else {
                    element = roster.restore_slot(slot as u32, state, element, line);
                }
            }
            if mem::needs_drop::<T>() {
                spent.extend(element);
            }
        }
    }
}
