//! The log of a rewind: how slots were before they changed, and after which mark each was last written to.
//!
//! Clones are made, and destructors run, while all is in order; nothing else here runs code of the user.

use alloc::boxed::Box;
use alloc::collections::{TryReserveError, VecDeque};
use alloc::vec::Vec;
use core::alloc::Layout;
use core::any::Any;
use core::cell::Cell;
use core::mem;
use core::num::NonZeroU32;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::base::atomic::swap;
use crate::base::copied;
use crate::base::handle::{Handle, is_of_handle};
use crate::rewind::mark::{Forgotten, Mark};
use crate::roster::{RawHandle, Roster};

/// After so many marks, memory that none of them needed goes back to the heap.
const WINDOW: u64 = 64;

/// The log of a [`Rewind`](crate::Rewind).
///
/// Each mark begins a segment. Entries lie one after the other, whatever their segment, so a mark is confirmed or gone
/// back to by taking them from one end.
pub(super) struct Log<T> {
    pub(super) links: Links,
    /// The known marks, the oldest first.
    segments: VecDeque<Segment<T>>,
    /// How live slots were when they were first written to after a mark.
    pub(super) live: VecDeque<Entry<T>>,
    /// How slots without an element were.
    empty: VecDeque<Entry<bool>>,
    /// How many entries of each kind went before those. (The numbers wrap.)
    gone: [usize; 2],
    /// Elements that a rewind has replaced, to be dropped when all is in order.
    spent: VecDeque<T>,
    /// Segments without a mark, whose memory the next ones use. What is kept or copied there is to be dropped or overwritten.
    spare: VecDeque<Segment<T>>,
    /// The most entries of each kind at once, and the most segments, since memory was last given back.
    most: [usize; 3],
    /// For how many more entries the user has reserved room.
    pub(super) reserved: usize,
}

/// A value beside the roster, as it was at a mark.
#[derive(Default)]
pub(super) struct Kept {
    value: Option<Box<dyn Any + Send + Sync>>,
    /// Whether it is of this mark. If not, it is memory for another.
    is_current: bool,
}

impl Kept {
    pub(super) fn get<V: 'static>(&mut self) -> Option<&mut V> {
        self.value.as_mut().filter(|_| self.is_current)?.downcast_mut()
    }

    /// Clones a value, into the memory of the one before if there is one.
    pub(super) fn set<V: Clone + Send + Sync + 'static>(&mut self, value: &V) {
        self.is_current = false;
        match self.value.as_mut().and_then(|before| before.downcast_mut::<V>()) {
            Some(before) => before.clone_from(value),
            None => self.value = Some(Box::new(value.clone())),
        }
        self.is_current = true;
    }
}

/// A mark, and what was remembered after it.
struct Segment<T> {
    mark: Mark,
    /// How many entries of each kind were made before. (The numbers wrap.)
    start: [usize; 2],
    kept: Vec<Kept>,
    /// All elements as they were at the mark, in place of an entry for each that is written to; or memory for that.
    copy: Copied<T>,
}

/// The elements of a roster, copied.
struct Copied<T> {
    /// The words of all slots, unless there is no copy,
    words: Vec<u32>,
    /// their links,
    before: Vec<u64>,
    /// and the elements, in the order of slots.
    elements: Vec<T>,
}

/// How a slot was, when it was first written to after a mark: with an element; or without, and then whether that was detached.
pub(super) struct Entry<E> {
    /// Without its type, so that a rewind is covariant in `T`.
    handle: RawHandle,
    /// The slot's link when the entry was made.
    before: u64,
    element: E,
}

impl<T> Segment<T> {
    const EMPTY: Self =
        Self { mark: Mark::NONE, start: [0; 2], kept: Vec::new(), copy: Copied::EMPTY };
}

impl<T> Log<T> {
    pub(super) const fn new() -> Self {
        Self {
            links: Links::new(),
            segments: VecDeque::new(),
            live: VecDeque::new(),
            empty: VecDeque::new(),
            gone: [0; 2],
            spent: VecDeque::new(),
            spare: VecDeque::new(),
            most: [0; 3],
            reserved: 0,
        }
    }

    /// Whether anything is to be remembered.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        !self.segments.is_empty()
    }

    /// How many entries of each kind there are.
    fn counts(&self) -> [usize; 2] {
        [self.live.len(), self.empty.len()]
    }

    /// How many of the entries were made before a segment.
    fn before(&self, segment: &Segment<T>) -> [usize; 2] {
        [0, 1].map(|kind| segment.start[kind].wrapping_sub(self.gone[kind]))
    }

    /// Makes room for `additional` entries, and for a link of each slot and of one more: nothing can fail once something has
    /// changed. The error is the layout of an entry, for which the heap has no room.
    #[inline]
    pub(super) fn try_reserve(&mut self, additional: usize, slots: usize) -> Result<(), Layout> {
        let live = self.live.try_reserve(additional);
        let entries = live.and_then(|()| self.empty.try_reserve(additional));
        let all = entries.and_then(|()| self.links.try_reserve(slots + 1));
        all.map_err(|_| Layout::new::<Entry<T>>())?;
        self.links.grow(slots);
        Ok(())
    }

    /// Remembers a slot without an element, if this is the first write since the last mark: this is its next handle, or the handle of its
    /// detached element.
    #[inline]
    pub(super) fn push_empty(&mut self, handle: Handle<T>, is_detached: bool) {
        if !self.is_open() {
            return;
        }
        self.links.grow(handle.index() + 1);
        // A copy does not have it.
        let memory = Memory { has_copied: false, ..Memory::of(self) };
        let Some(link) = memory.first_write(handle.slot()) else { return };
        let before = link.replace(memory.last_mark);
        self.empty.push_back(Entry { handle: handle.raw(), before, element: is_detached });
    }

    /// Remembers an element that was removed. Gives it back if no rewind can bring it back: there was another at the mark, or
    /// none.
    pub(super) fn push_removed(&mut self, handle: Handle<T>, element: T) -> Option<T> {
        let memory = Memory::of(self);
        let Some(link) = memory.first_write(handle.slot()) else { return Some(element) };
        let before = link.replace(memory.last_mark);
        self.live.push_back(Entry { handle: handle.raw(), before, element });
        None
    }

    /// Whether a mark copies all `len` elements: if more than 7 in 16 were written to since the last mark; or 14 in 16 if all together do not
    /// fit into the nearest caches. Measured in `docs/decisions/rewind.md`.
    fn should_copy(&self, len: usize) -> bool {
        let written = match self.segments.back() {
            Some(segment) if segment.copy.is_there() => self.links.count_since(segment.mark),
            Some(segment) => self.live.len() - self.before(segment)[0],
            None => 0,
        };
        let share = if len.saturating_mul(size_of::<T>()) <= 256 * 1024 { 7 } else { 14 };
        written * 16 > len * share
    }

    /// Lets first writes be counted from the last mark.
    fn begin(&mut self) {
        let last = self.segments.back();
        self.links.has_copied = last.is_some_and(|last| last.copy.is_there());
        self.links.last_mark = last.map_or(0, |last| last.mark.number);
    }

    /// Now and then, gives back memory that recent marks did not need: spare segments, and lists with room for more than twice their need.
    /// Called before a mark is entered.
    fn settle(&mut self, mark: Mark) {
        fn fit<U>(list: &mut VecDeque<U>, needed: usize) {
            if list.capacity() > 2 * needed.max(4) {
                list.shrink_to(needed);
            }
        }

        let [live, empty] = self.counts();
        let counts = [live, empty, self.segments.len() + 1];
        self.most = [0, 1, 2].map(|kind| counts[kind].max(self.most[kind]));
        if mark.number % WINDOW != 0 {
            return;
        }
        let [live, empty, segments] = mem::take(&mut self.most);
        let [live, empty] = [live, empty].map(|most| (most + most / 4).max(self.reserved));
        // One more has room for what a rewind puts back.
        self.spare.truncate((segments + 1).saturating_sub(self.segments.len()));
        let [segments, spare] = [self.segments.len(), self.spare.len()];
        fit(&mut self.live, live);
        fit(&mut self.empty, empty);
        fit(&mut self.spent, live);
        fit(&mut self.segments, segments);
        fit(&mut self.spare, spare);
    }

    /// Returns the index of the segment with the mark.
    pub(super) fn find(&self, mark: Mark) -> Option<usize> {
        let found = self.segments.binary_search_by_key(&mark.number, |known| known.mark.number);
        found.ok().filter(|&at| self.segments[at].mark == mark)
    }

    /// Why a mark is not known, which this rewind has had.
    pub(super) fn why_forgotten(&self, mark: Mark) -> Forgotten {
        match self.segments.front() {
            Some(first) if first.mark.number < mark.number => Forgotten::Rewound,
            _ => Forgotten::Confirmed,
        }
    }

    /// The values that were kept at a known mark, and room for others: the same until the rewind is done.
    pub(super) fn kept(&mut self, mark: Mark) -> Option<[&mut Vec<Kept>; 2]> {
        let at = self.find(mark)?;
        if self.spare.is_empty() {
            self.spare.push_back(Segment::EMPTY);
        }
        Some([&mut self.segments[at].kept, &mut self.spare[0].kept])
    }

    /// Puts `roster` back to a mark, if it is known. What it had instead waits for [`Log::drop_spent`].
    #[track_caller]
    pub(super) fn rewind(&mut self, roster: &mut Roster<T>, mark: Mark) -> Option<()> {
        let at = self.find(mark)?;
        let [live, empty] = self.before(&self.segments[at]);
        let Self { links, spent, .. } = self;
        let mut spend =
            |element: Option<T>| spent.extend(element.filter(|_| mem::needs_drop::<T>()));
        // Of several entries for a slot the oldest counts, whose link leads before the mark.
        for Entry { handle: (slot, word), before, element: is_detached } in
            self.empty.drain(empty..).rev()
        {
            let handle = Handle::new(slot, word);
            if links.follow_back(slot, before, mark) {
                let restored = match is_detached {
                    true => roster.restore_detached(handle),
                    false => roster.restore_slot(handle, None),
                };
                spend(restored);
            }
        }
        while self.live.len() > live {
            let Some(&Entry { handle: (slot, word), before, .. }) = self.live.back() else { break };
            // Each way takes the entry out by itself, so that none moves its element twice.
            if !links.follow_back(slot, before, mark) {
                spend(self.live.pop_back().map(|entry| entry.element));
                continue;
            }
            let handle = Handle::new(slot, word);
            if let Some(present) = roster.get_mut(handle) {
                spend(self.live.pop_back().map(|entry| mem::replace(present, entry.element)));
            } else {
                let element = self.live.pop_back().map(|entry| entry.element);
                spend(roster.restore_slot(handle, element));
            }
        }
        for segment in self.segments.range_mut(at..) {
            segment.copy.undo(links, roster, [segment.mark, mark], &mut spend);
        }
        self.spare.extend(self.segments.drain(at + 1..));
        self.begin();
        Some(())
    }

    /// Forgets the marks before this one. What they remembered waits for [`Log::drop_spent`].
    pub(super) fn confirm(&mut self, mark: Mark) {
        let Some(at) = self.find(mark) else { return };
        self.spare.extend(self.segments.drain(..at));
    }

    /// Drops elements that no rewind can bring back. To be called after each rewind and each confirmation.
    pub(super) fn drop_spent(&mut self) {
        let Some(first) = self.segments.front() else { return };
        let (start, [live, empty]) = (first.start, self.before(first));
        // If a destructor panics, the others of its list run all the same.
        self.gone = start;
        self.empty.drain(..empty);
        self.live.drain(..live);
        self.spent.clear();
        self.spare.iter_mut().for_each(|spare| spare.copy.elements.clear());
    }

    /// Writes how slots were at a known mark, for those that were written to since: the word of each. `words` has a place for each
    /// slot. O(slots + entries since the mark).
    pub(super) fn words_at(&self, mark: Mark, words: &[AtomicU32]) {
        words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        let Some(at) = self.find(mark) else { return };
        let [live, empty] = self.before(&self.segments[at]);
        let copied = self.segments.range(at..).find(|segment| segment.copy.is_there());
        let [live_end, empty_end] = copied.map_or(self.counts(), |copied| self.before(copied));
        let live = self.live.range(live..live_end);
        let live =
            live.map(|&Entry { handle: (slot, word), before, .. }| (slot, word.get(), before));
        let empty = self.empty.range(empty..empty_end);
        let empty = empty
            .map(|&Entry { handle: (slot, word), before, .. }| (slot, word.get() & !1, before));
        let oldest = empty.chain(live).filter(|&(.., before)| before < mark.number);
        for (slot, word, _) in oldest.take(self.links.count_since(mark)) {
            words[slot as usize].store(word, Ordering::Relaxed);
        }
        // The others were as they are in the copy.
        let copied = copied.map_or(&[][..], |copied| &copied.copy.words);
        for ((&copied, word), &link) in copied.iter().zip(words).zip(&self.links.of) {
            if link >= mark.number && word.load(Ordering::Relaxed) == 0 {
                word.store(copied, Ordering::Relaxed);
            }
        }
    }

    /// Heap bytes held, without what elements hold themselves.
    pub(super) fn bytes(&self) -> usize {
        let own = |segment: &Segment<T>| {
            segment.kept.capacity() * size_of::<Kept>() + segment.copy.bytes()
        };
        self.links.of.capacity() * size_of::<u64>()
            + self.links.words.capacity() * size_of::<AtomicU32>()
            + self.live.capacity() * size_of::<Entry<T>>()
            + self.empty.capacity() * size_of::<Entry<bool>>()
            + self.spent.capacity() * size_of::<T>()
            + (self.segments.capacity() + self.spare.capacity()) * size_of::<Segment<T>>()
            + self.segments.iter().chain(&self.spare).map(own).sum::<usize>()
    }
}

impl<T: Clone> Log<T> {
    /// Enters a mark, which is later than all others. Copies all elements, instead of remembering each when it is written to, if most were
    /// written to since the mark before.
    ///
    /// If a clone panics, there is no such mark.
    pub(super) fn mark(&mut self, mark: Mark, roster: &Roster<T>) {
        let copies = self.should_copy(roster.len());
        self.links.grow(roster.capacity());
        self.settle(mark);
        let mut next = self.spare.pop_back().unwrap_or(Segment::EMPTY);
        next.kept.iter_mut().for_each(|kept| kept.is_current = false);
        let mut copy = mem::replace(&mut next.copy, Copied::EMPTY);
        if copies {
            copy.elements.clear(); // a destructor that panicked may have left some
            roster.for_each_run(|run| copy.elements.extend_from_slice(run));
            copy.before.clone_from(&self.links.of);
            copy.words.clear();
            copy.words.extend_from_slice(roster.words());
            next.copy = copy;
        } else {
            // What a destructor that panicked has left there is dropped before the mark is entered.
            drop(copy);
        }
        let counts = self.counts();
        let start = [0, 1].map(|kind| self.gone[kind].wrapping_add(counts[kind]));
        self.segments.push_back(Segment { mark, start, ..next });
        self.begin();
    }
}

impl<T> Copied<T> {
    const EMPTY: Self = Self { words: Vec::new(), before: Vec::new(), elements: Vec::new() };

    fn is_there(&self) -> bool {
        !self.words.is_empty()
    }

    /// Uses the copy up: undoes what happened to slots since it was made, if they were not written to before it and after `mark`.
    #[track_caller]
    fn undo(
        &mut self,
        links: &mut Links,
        roster: &mut Roster<T>,
        [own, mark]: [Mark; 2],
        mut spend: impl FnMut(Option<T>),
    ) {
        let live = self.words.drain(..).zip(&self.before).zip(0_u32..);
        let live = live
            .filter_map(|((word, &before), slot)| Some((live_handle::<T>(slot, word)?, before)));
        for ((handle, before), element) in live.zip(self.elements.drain(..)) {
            let slot = handle.slot();
            let is_written = links.of[slot as usize] >= own.number;
            spend(if is_written && links.follow_back(slot, before, mark) {
                roster.restore_slot(handle, Some(element))
            } else {
                Some(element)
            });
        }
    }

    fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
            + self.before.capacity() * size_of::<u64>()
            + self.elements.capacity() * size_of::<T>()
    }
}

/// The handle to a slot, if this is the word of a live one.
#[inline]
pub(super) fn live_handle<T>(slot: u32, word: u32) -> Option<Handle<T>> {
    let word = NonZeroU32::new(word).filter(|word| is_of_handle(word.get()))?;
    Some(Handle::new(slot, word))
}

/// For each slot, the number of the mark after which it was last written to.
pub(super) struct Links {
    /// While there is a mark, and before an element is lent, there is one for each slot that was ever used.
    pub(super) of: Vec<u64>,
    /// As long as those: room for [`Log::words_at`], since changes are asked for behind a shared reference,
    pub(super) words: Vec<AtomicU32>,
    /// and 1 while somebody uses it.
    lent: swap::AtomicUsize,
    /// The number of the last mark; 0 if there is none.
    last_mark: u64,
    /// Whether the last mark has copied everything.
    pub(super) has_copied: bool,
}

impl Links {
    #[inline]
    const fn new() -> Self {
        Self {
            of: Vec::new(),
            words: Vec::new(),
            lent: swap::AtomicUsize::new(0),
            last_mark: 0,
            has_copied: false,
        }
    }

    /// Makes room for so many slots.
    #[inline]
    fn try_reserve(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let more = slots.saturating_sub(self.of.len());
        self.of.try_reserve(more).and_then(|()| self.words.try_reserve(more))
    }

    /// Gives so many slots a link each.
    #[inline]
    pub(super) fn grow(&mut self, slots: usize) {
        if self.of.len() < slots {
            self.of.resize(slots, 0);
            self.words.resize_with(slots, AtomicU32::default);
        }
    }

    /// Follows a slot's link back over an entry that was made after `mark`, if that is the oldest.
    #[inline]
    fn follow_back(&mut self, slot: u32, before: u64, mark: Mark) -> bool {
        let is_oldest = before < mark.number;
        if is_oldest {
            self.of[slot as usize] = before;
        }
        is_oldest
    }

    /// Whether the caller has `words` for itself now, until [`Links::take_words_back`].
    #[inline]
    pub(super) fn lend_words(&self) -> bool {
        // Elsewhere one of two threads that ask at once could not be refused.
        let lend = || self.lent.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed);
        swap::IS_THERE && lend().is_ok()
    }

    #[inline]
    pub(super) fn take_words_back(&self) {
        self.lent.store(0, Ordering::Release);
    }

    /// How many slots were written to since a mark. O(slots).
    #[inline]
    fn count_since(&self, mark: Mark) -> usize {
        self.of.iter().filter(|&&link| link >= mark.number).count()
    }
}

/// The part of the log that lent elements share, since their entries need it. While there is a mark, each of them has a link.
pub(super) struct Memory<'a, T> {
    links: &'a [Cell<u64>],
    last_mark: u64,
    has_copied: bool,
    /// It is in its place while code of the user runs.
    live: &'a Cell<VecDeque<Entry<T>>>,
}

copied!(['a, T] Memory['a, T]);

impl<'a, T> Memory<'a, T> {
    #[inline]
    pub(super) fn of(log: &'a mut Log<T>) -> Self {
        let Links { last_mark, has_copied, ref mut of, .. } = log.links;
        let links = Cell::from_mut(of.as_mut_slice()).as_slice_of_cells();
        Self { links, last_mark, has_copied, live: Cell::from_mut(&mut log.live) }
    }

    /// The link of a slot that is about to be written to, if the log has to remember how it was: this is the first time
    /// since the last mark, which has not copied it.
    #[inline(always)]
    pub(super) fn first_write(&self, slot: u32) -> Option<&'a Cell<u64>> {
        // Without a link there was no mark.
        let link = self.links.get(slot as usize)?;
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

impl<T: Clone> Memory<'_, T> {
    /// Remembers an element that is about to be written to, if that is the first time since the last mark.
    #[inline]
    pub(super) fn before_write(&self, handle: Handle<T>, element: &T) {
        if let Some(link) = self.first_write(handle.slot()) {
            remember(self.live, self.last_mark, link, handle, element);
        }
    }
}

/// Remembers how a live slot was, after the last mark.
// Not inlined, so that a loop that looks at all elements stays short.
#[inline(never)]
fn remember<T: Clone>(
    shared: &Cell<VecDeque<Entry<T>>>,
    last_mark: u64,
    link: &Cell<u64>,
    handle: Handle<T>,
    element: &T,
) {
    let element = element.clone();
    let entry = Entry { handle: handle.raw(), before: link.replace(last_mark), element };
    let mut live = shared.take();
    if live.len() == live.capacity() {
        return push_in_more_room(shared, live, entry);
    }
    live.push_back(entry);
    // What is there is empty, and has nothing to drop.
    mem::forget(shared.replace(live));
}

/// By itself, so that the other way needs no registers but its own.
#[cold]
#[inline(never)]
fn push_in_more_room<T>(
    shared: &Cell<VecDeque<Entry<T>>>,
    mut live: VecDeque<Entry<T>>,
    entry: Entry<T>,
) {
    live.reserve(1);
    live.push_back(entry);
    shared.set(live);
}
