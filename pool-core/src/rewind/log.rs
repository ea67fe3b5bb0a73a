//! What a rewind remembers: how slots were before they changed, and for each slot the last entry that says so.
//!
//! Except for clones, which are made while all is in order, nothing here runs code of the user.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::any::Any;
use core::cell::Cell;
use core::{fmt, mem};

use crate::base::handle::Handle;
use crate::roster::directory::restore::{SlotState, SlotStates};
use crate::roster::{RawHandle, Roster};

/// The name of a state of a [`Rewind`](crate::Rewind): from [`Rewind::mark`](crate::Rewind::mark). Later ones are greater.
///
/// It is a number, and stands for a state of the rewind that gave it; to another it may mean another state, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    pub(super) number: u64,
    /// Of how many parts it was made together, so that the mark of a part is none of the whole.
    pub(super) parts: u32,
}

/// The state that a [`Mark`] stood for is forgotten: a later mark was confirmed, or an earlier one was gone back to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Forgotten;

impl fmt::Debug for Forgotten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Forgotten: {self}")
    }
}

impl fmt::Display for Forgotten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the mark is forgotten: a later one was confirmed, an earlier one was gone back to, or it is another rewind's",
        )
    }
}

impl core::error::Error for Forgotten {}

/// Entries have positions: those behind a later mark have greater ones. 0 is none.
pub(super) type Position = u32;

/// The bit of a link that is 1 if the slot had no element then. (It is the lowest, so that links are in the order of positions.)
const EMPTY: u32 = 1;

/// The link to the entry with this position.
#[inline]
const fn link_to(position: Position, flags: u32) -> u32 {
    (position << 1) | flags
}

/// The position to which a link leads.
#[inline]
const fn position_of(link: u32) -> Position {
    link >> 1
}

/// The first position that there is not. (Tests of this crate want to come to it.)
const END: Position = if cfg!(test) { 1 << 14 } else { position_of(!0) };

/// The log of a [`Rewind`](crate::Rewind).
#[expect(clippy::vec_box, reason = "what is 250 bytes is moved from list to list each frame")]
pub(super) struct Log<T> {
    /// What was remembered since the last mark.
    last: Box<Segment<T>>,
    /// The same of the marks before it that are known, the oldest first.
    earlier: VecDeque<Box<Segment<T>>>,
    /// Those whose elements nobody can get back, to be dropped when all is in order.
    spent: Vec<Box<Segment<T>>>,
    /// Empty ones, with memory.
    spare: Vec<Box<Segment<T>>>,
}

/// A value beside the roster, as it was at a mark.
pub(super) type Kept = Option<Box<dyn Any + Send + Sync>>;

/// A mark, and how slots were when they were first written to after it. The n-th of each list has the n-th position behind the mark.
struct Segment<T> {
    mark: Mark,
    /// The first position; 0 if there is no mark.
    start: Position,
    kept: Vec<Kept>,
    live: Vec<Live<T>>,
    empty: Vec<Empty>,
    /// Elements that were removed after they had been written to, or been inserted; and, once it is undone, what it was undone with.
    removed: Vec<T>,
    /// Whether the mark has copied everything, in place of `live` and `empty`; the copy has the first position.
    has_copied: bool,
    /// What all slots were,
    states: SlotStates,
    /// their links,
    before: Vec<u32>,
    /// and the elements, in the order of slots.
    copied: Vec<T>,
}

/// How a slot was that had an element.
pub(super) struct Live<T> {
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

impl<T> Segment<T> {
    fn boxed() -> Box<Self> {
        Box::new(Self {
            mark: Mark { number: 0, parts: 0 },
            start: 0,
            kept: Vec::new(),
            live: Vec::new(),
            empty: Vec::new(),
            removed: Vec::new(),
            has_copied: false,
            states: SlotStates::default(),
            before: Vec::new(),
            copied: Vec::new(),
        })
    }

    /// How many positions the entries take.
    #[inline]
    fn len(&self) -> usize {
        self.live.len().max(self.empty.len()).max(usize::from(self.has_copied))
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.live.capacity() * size_of::<Live<T>>()
            + self.empty.capacity() * size_of::<Empty>()
            + (self.removed.capacity() + self.copied.capacity()) * size_of::<T>()
            + self.before.capacity() * size_of::<u32>()
            + self.states.bytes()
            + self.kept.capacity() * size_of::<Kept>()
    }

    /// Takes out an element that has a destructor, whichever is next.
    fn pop_element(&mut self) -> Option<T> {
        if !mem::needs_drop::<T>() {
            return None;
        }
        let element = self.removed.pop().or_else(|| self.live.pop().map(|entry| entry.element));
        element.or_else(|| self.copied.pop())
    }

    /// Undoes what it remembers, as far as no older entry since `start` says otherwise. What that takes the place of is in
    /// `removed` then.
    #[track_caller]
    fn undo(&mut self, links: &mut Links, roster: &mut Roster<T>, start: Position) {
        let removed = &mut self.removed;
        let mut spend =
            |element: Option<T>| removed.extend(element.filter(|_| mem::needs_drop::<T>()));
        if mem::take(&mut self.has_copied) {
            let mut copied = self.copied.drain(..);
            for slot in 0..links.of.len() {
                let state = self.states.get(slot);
                let mut element = if state.is_live() { copied.next() } else { None };
                let before = self.before.get(slot).copied().unwrap_or(0);
                let is_written = position_of(links.of[slot]) >= self.start;
                if is_written && links.follow_back(slot as u32, before, start) {
                    let live = state.handle(slot as u32).and_then(|handle| roster.get_mut(handle));
                    element = match (live, element) {
                        (Some(live), Some(element)) => Some(mem::replace(live, element)),
                        (_, element) => roster.restore_slot(slot as u32, state, element),
                    };
                }
                spend(element);
            }
        }
        for Empty { slot, state, before } in self.empty.drain(..) {
            if links.follow_back(slot, before, start) {
                spend(roster.restore_slot(slot, state, None));
            }
        }
        while let Some(&Live { handle: (slot, word), before, .. }) = self.live.last() {
            let is_to_go = !links.follow_back(slot, before, start);
            let handle = Handle::new(slot, word);
            let live = if is_to_go { None } else { roster.get_mut(handle) };
            // Each takes the entry out by itself, so that none moves its element twice.
            match live {
                Some(live) => {
                    spend(self.live.pop().map(|entry| mem::replace(live, entry.element)));
                }
                None if is_to_go => spend(self.live.pop().map(|entry| entry.element)),
                None => {
                    let element = self.live.pop().map(|entry| entry.element);
                    spend(roster.restore_slot(slot, SlotState::live(handle), element));
                }
            }
        }
    }
}

impl<T> Log<T> {
    pub(super) fn new() -> Self {
        Self {
            last: Segment::boxed(),
            earlier: VecDeque::new(),
            spent: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// The first position behind all entries.
    #[inline]
    fn end(&self) -> Position {
        self.last.start + self.last.len() as u32
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
        let first = self.segment(0).start;
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
        for segment in self.earlier.iter_mut().chain([&mut self.last]) {
            segment.start -= shift;
            segment.live.iter_mut().for_each(|entry| shifted(&mut entry.before));
            segment.empty.iter_mut().for_each(|entry| shifted(&mut entry.before));
            segment.before.iter_mut().for_each(shifted);
        }
    }

    /// Makes room for one more entry, and for a link of each slot and of one more: nothing can fail once something has changed. The
    /// error is the layout of an entry, for which the heap has no room.
    #[inline]
    pub(super) fn try_reserve(&mut self, links: &mut Links, slots: usize) -> Result<(), Layout> {
        self.reserve_positions(links, 1);
        let Segment { live, empty, removed, .. } = &mut *self.last;
        let more = (slots + 1).saturating_sub(links.of.len());
        let lists = live.try_reserve(1).and_then(|()| empty.try_reserve(1));
        let lists = lists.and_then(|()| removed.try_reserve(1));
        lists.and_then(|()| links.of.try_reserve(more)).map_err(|_| Layout::new::<Live<T>>())?;
        links.grow(slots);
        Ok(())
    }

    /// The entries of live slots, for elements that are lent to add to.
    #[inline]
    pub(super) fn share(&mut self) -> &Cell<Vec<Live<T>>> {
        Cell::from_mut(&mut self.last.live)
    }

    /// Remembers how a slot without an element was, if it is written to for the first time since the last mark.
    #[inline]
    pub(super) fn push_empty(&mut self, links: &mut Links, slot: u32, state: SlotState) {
        let empty = &mut self.last.empty;
        if let Some(link) = links.share().first_write(slot) {
            let position = self.last.start + empty.len() as u32;
            empty.push(Empty { slot, state, before: link.get() });
            link.set(link_to(position, EMPTY));
        }
    }

    /// Remembers an element that was removed. There is room for it, and a position.
    pub(super) fn push_removed(&mut self, links: &mut Links, handle: Handle<T>, element: T) {
        let links = links.share();
        match links.first_write(handle.slot()) {
            Some(link) => push_live(&mut self.last.live, links.last_mark, link, handle, element),
            // How the slot was is known already.
            None => self.last.removed.push(element),
        }
    }

    /// How much was written to since the last mark.
    pub(super) fn count_written(&self, links: &Links) -> usize {
        if links.has_copied { links.count_written() } else { self.last.live.len() }
    }

    /// Enters a mark, which is later than all others.
    pub(super) fn mark(&mut self, links: &mut Links, mark: Mark) {
        let mut next = self.spare.pop().unwrap_or_else(Segment::boxed);
        (next.mark, next.start) = (mark, self.end().max(1));
        let last = mem::replace(&mut self.last, next);
        if last.start != 0 {
            self.earlier.push_back(last);
        }
        self.begin(links);
    }

    fn begin(&mut self, links: &mut Links) {
        links.has_copied = false;
        links.last_mark = link_to(self.last.start, 0);
    }

    /// Which of the segments has the mark: as many are before it.
    fn find(&self, mark: Mark) -> Option<usize> {
        if self.last.mark == mark {
            return Some(self.earlier.len());
        }
        self.earlier.binary_search_by_key(&mark, |segment| segment.mark).ok()
    }

    /// The segment before which there are so many.
    fn segment(&self, at: usize) -> &Segment<T> {
        self.earlier.get(at).unwrap_or(&self.last)
    }

    fn segment_mut(&mut self, at: usize) -> &mut Segment<T> {
        self.earlier.get_mut(at).unwrap_or(&mut self.last)
    }

    pub(super) fn knows(&self, mark: Mark) -> bool {
        self.find(mark).is_some()
    }

    /// What was kept beside the roster at a mark.
    pub(super) fn kept(&mut self, mark: Mark) -> Option<&mut Vec<Kept>> {
        let at = self.find(mark)?;
        Some(&mut self.segment_mut(at).kept)
    }

    /// Puts `roster` back to a mark. What it had instead waits in [`Log::pop_spent`].
    #[track_caller]
    pub(super) fn rewind(
        &mut self,
        links: &mut Links,
        roster: &mut Roster<T>,
        mark: Mark,
    ) -> Result<(), Forgotten> {
        let at = self.find(mark).ok_or(Forgotten)?;
        let mut next = self.spare.pop().unwrap_or_else(Segment::boxed);
        let Segment { start, kept, .. } = self.segment_mut(at);
        (next.mark, next.start) = (mark, *start);
        mem::swap(&mut next.kept, kept);
        loop {
            self.last.undo(links, roster, next.start);
            if self.earlier.len() == at {
                break;
            }
            if let Some(before) = self.earlier.pop_back() {
                self.spent.push(mem::replace(&mut self.last, before));
            }
        }
        self.spent.push(mem::replace(&mut self.last, next));
        self.begin(links);
        Ok(())
    }

    /// Forgets the marks before this one. What they remembered waits in [`Log::pop_spent`].
    pub(super) fn confirm(&mut self, mark: Mark) {
        let Some(at) = self.find(mark) else { return };
        self.spent.extend((0..at).filter_map(|_| self.earlier.pop_front()));
    }

    /// Takes out an element that nobody can get back; `None` if there is no other. To be called after each rewind and each
    /// confirmation, until there is none.
    pub(super) fn pop_spent(&mut self) -> Option<T> {
        while let Some(last) = self.spent.last_mut() {
            if let Some(element) = last.pop_element() {
                return Some(element);
            }
            last.has_copied = false;
            last.live.clear();
            last.empty.clear();
            last.removed.clear();
            last.copied.clear();
            self.spare.extend(self.spent.pop());
        }
        None
    }

    /// Where the entries begin that were made since a mark.
    pub(super) fn start(&self, mark: Mark) -> Option<Position> {
        Some(self.segment(self.find(mark)?).start)
    }

    /// How the slot with this link was, and its link before.
    fn entry(&self, slot: usize, link: u32) -> (SlotState, u32) {
        let position = position_of(link);
        let segment = if position >= self.last.start {
            &self.last
        } else {
            self.segment(self.earlier.partition_point(|segment| segment.start <= position) - 1)
        };
        let at = (position - segment.start) as usize;
        if segment.has_copied {
            return (segment.states.get(slot), segment.before.get(slot).copied().unwrap_or(0));
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
        let segments = self.earlier.iter().chain([&self.last]).chain(&self.spent);
        let lists = self.earlier.capacity() + self.spent.capacity() + self.spare.capacity();
        size_of::<Self>()
            + segments.chain(&self.spare).map(|segment| segment.bytes()).sum::<usize>()
            + lists * size_of::<Box<Segment<T>>>()
    }

    /// Gives memory back to the heap that is kept for later.
    pub(super) fn shrink_to_fit(&mut self) {
        self.last.live.shrink_to_fit();
        self.last.empty.shrink_to_fit();
        self.last.removed.shrink_to_fit();
        self.last.copied.shrink_to_fit();
        self.earlier.shrink_to_fit();
        // Not what is spent: destructors of the user's would run here.
        self.spare = Vec::new();
    }
}

impl<T: Clone> Log<T> {
    /// Remembers an element that is about to be written to, if that is the first time since the last mark.
    #[inline]
    pub(super) fn before_write(&mut self, links: &mut Links, handle: Handle<T>, element: &T) {
        self.reserve_positions(links, 1);
        links.grow(handle.index() + 1);
        let links = links.share();
        if let Some(link) = links.first_write(handle.slot()) {
            push_live(&mut self.last.live, links.last_mark, link, handle, element.clone());
        }
    }

    /// Copies all elements, instead of remembering each when it is written to. To be called behind a mark.
    ///
    /// If a clone panics, none was copied.
    pub(super) fn copy(&mut self, links: &mut Links, roster: &Roster<T>) {
        self.reserve_positions(links, 1);
        // If a clone panics, those that were made wait to be dropped with the segment.
        let copied = &mut self.last.copied;
        copied.reserve(roster.len());
        roster.for_each_run(|run| copied.extend_from_slice(run));
        self.last.before.clone_from(&links.of);
        roster.copy_states(&mut self.last.states);
        (self.last.has_copied, links.has_copied) = (true, true);
    }
}

/// For each slot, the last entry of the log that says how it was. One may be out of date, and lead before the first entry.
pub(super) struct Links {
    /// Empty before the first mark; from then on, before an element is lent, there is one for each slot.
    pub(super) of: Vec<u32>,
    /// The least link of a slot that was written to since the last mark.
    pub(super) last_mark: u32,
    /// Whether the last mark has copied everything.
    pub(super) has_copied: bool,
}

impl Links {
    pub(super) const fn new() -> Self {
        Self { of: Vec::new(), last_mark: 0, has_copied: false }
    }

    /// Gives so many slots a link each.
    #[inline]
    pub(super) fn grow(&mut self, slots: usize) {
        if self.of.len() < slots {
            self.of.resize(slots, 0);
        }
    }

    /// To be shared by elements that are lent.
    #[inline]
    pub(super) fn share(&mut self) -> SharedLinks<'_> {
        let of = Cell::from_mut(self.of.as_mut_slice()).as_slice_of_cells();
        SharedLinks { of, last_mark: self.last_mark, has_copied: self.has_copied }
    }

    /// Follows a slot's link back over its last entry. Tells whether the slot has to be as that entry says: no older one since
    /// `start` says otherwise.
    #[inline]
    pub(super) fn follow_back(&mut self, slot: u32, before: u32, start: Position) -> bool {
        self.of[slot as usize] = before;
        position_of(before) < start
    }

    /// How many slots were written to since the last mark. O(slots).
    pub(super) fn count_written(&self) -> usize {
        // As numbers of the links' own size: several are compared at once.
        self.of.iter().map(|&link| u32::from(link >= self.last_mark)).sum::<u32>() as usize
    }
}

/// [`Links`] that several may read and write in turn.
#[derive(Clone, Copy)]
pub(super) struct SharedLinks<'a> {
    of: &'a [Cell<u32>],
    pub(super) last_mark: u32,
    has_copied: bool,
}

impl<'a> SharedLinks<'a> {
    /// The link of a slot that is about to be written to, if the log has to remember how it was: this is the first time
    /// since the last mark, which has not copied it.
    #[inline(always)]
    pub(super) fn first_write(&self, slot: u32) -> Option<&'a Cell<u32>> {
        // Without a link there is no log.
        let link = self.of.get(slot as usize)?;
        if self.has_copied {
            link.set(self.last_mark);
            return None;
        }
        if link.get() >= self.last_mark {
            return None;
        }
        Some(link)
    }
}

/// Remembers how a live slot was, among the entries since the last mark. There is a position for it.
#[inline]
pub(super) fn push_live<T>(
    live: &mut Vec<Live<T>>,
    last_mark: u32,
    link: &Cell<u32>,
    handle: Handle<T>,
    element: T,
) {
    let position = live.len() as u32;
    live.push(Live { handle: handle.raw(), before: link.get(), element });
    link.set(last_mark + link_to(position, 0));
}
