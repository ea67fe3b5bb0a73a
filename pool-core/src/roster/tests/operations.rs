//! Operations on a roster, and a model that keeps the same elements in a tree.
//!
//! For the tests of this crate, where a slot has five uses, for those in `tests/rosters`, and for `fuzz/`.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Debug;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::{Handle, Roster, USES};

pub(crate) trait Element: Clone + Debug + PartialEq + 'static {
    fn new(seed: u64) -> Self;

    /// The roster, written down and read again, if that can be done.
    fn restored(_: &Roster<Self>) -> Option<Roster<Self>> {
        None
    }
}

macro_rules! elements {
    ($($Element:ty: |$seed:pat_param| $new:expr;)*) => {$(
        impl Element for $Element {
            fn new($seed: u64) -> Self {
                $new
            }

            fn restored(roster: &Roster<Self>) -> Option<Roster<Self>> {
                super::restored(roster)
            }
        }
    )*};
}

elements! {
    u8: |seed| seed as u8;
    u32: |seed| seed as u32;
    (): |_| ();
    String: |seed| seed.to_string();
    // Not a power of two in size, so that a wrong stride shows.
    [u64; 3]: |seed| [seed, !seed, seed.rotate_left(17)];
}

#[derive(Clone, Debug, PartialEq)]
#[repr(align(128))]
pub(crate) struct Wide(u64);

impl Element for Wide {
    fn new(seed: u64) -> Self {
        Self(seed)
    }
}

/// An index stands for one of the handles issued so far, or of those that are live, modulo their
/// number.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Insert(u64),
    InsertMany(usize, u64),
    InsertWith(u64),
    InsertWithPanic,
    /// Filled, dropped or leaked.
    VacantEntry(u64, Option<bool>),
    Remove(usize),
    RemoveIssued(usize),
    Change(usize, u64),
    SwapThree([usize; 3]),
    SwapLive(usize, usize),
    Detach(usize),
    Reattach(usize, u64),
    ReattachIssued(usize),
    Release(usize),
    /// Keeps the elements whose slots this does not divide.
    Retain(usize),
    /// The same, but the closure panics at the element with this number.
    RetainWithPanic(usize, usize),
    /// So many; the rest is dropped with the iterator.
    Drain(usize),
    DrainSomeAndForget(usize),
    /// Takes out the elements whose slots this divides, up to so many.
    ExtractIf(usize, usize),
    Clear,
    Reserve(usize),
    ShrinkToFit,
    ShrinkTo(usize),
    Prefault,
    /// Goes on with the clone, or with the original.
    Clone(bool),
    /// Goes on with one that was written down and read again.
    Restore,
    /// Asks for a dense index, so that the indices are kept from here on.
    Index,
}

struct Model<T> {
    limit: usize,
    /// With where the element lies. In the order of slots, as handles are.
    live: BTreeMap<Handle<T>, (T, *const T)>,
    detached: BTreeSet<Handle<T>>,
    /// Every handle that was ever seen.
    issued: Vec<Handle<T>>,
    /// The generation of each slot's last handle.
    generations: Vec<u32>,
    /// The slots that have had a handle and have none now.
    vacant: BTreeSet<usize>,
    /// How many slots are worn out.
    retired: usize,
    /// The live handles by their dense index, once one has been asked for.
    order: Option<Vec<Handle<T>>>,
}

impl<T: Element> Model<T> {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            live: BTreeMap::new(),
            detached: BTreeSet::new(),
            issued: Vec::new(),
            generations: Vec::new(),
            vacant: BTreeSet::new(),
            retired: 0,
            order: None,
        }
    }

    fn room(&self) -> usize {
        self.limit - self.live.len() - self.detached.len() - self.retired
    }

    fn pick<'a>(
        handles: impl ExactSizeIterator<Item = &'a Handle<T>>,
        of: usize,
    ) -> Option<Handle<T>> {
        let mut handles = handles;
        let count = handles.len();
        (count > 0).then(|| *handles.nth(of % count).unwrap())
    }

    /// A handle has been issued: it must be the next of the lowest vacant slot.
    fn issue(&mut self, handle: Handle<T>) {
        let lowest = self.vacant.pop_first().unwrap_or_else(|| {
            self.generations.push(0);
            self.generations.len() - 1
        });
        assert_eq!(handle.index(), lowest);
        self.generations[lowest] += 1;
        assert_eq!(handle.generation(), self.generations[lowest]);
        self.issued.push(handle);
    }

    fn put(&mut self, roster: &Roster<T>, handle: Handle<T>, value: T) {
        self.live.insert(handle, (value, &raw const roster[handle]));
        self.order.iter_mut().for_each(|order| order.push(handle));
    }

    fn take(&mut self, handle: Handle<T>) -> Option<T> {
        let (value, _) = self.live.remove(&handle)?;
        if let Some(order) = &mut self.order {
            let place = order.iter().position(|&other| other == handle).unwrap();
            order.swap_remove(place);
        }
        Some(value)
    }

    /// The slot has no element any more.
    fn vacate(&mut self, handle: Handle<T>) {
        match handle.generation() < USES {
            true => _ = self.vacant.insert(handle.index()),
            false => self.retired += 1,
        }
    }

    fn remove(&mut self, handle: Handle<T>) -> Option<T> {
        let value = self.take(handle)?;
        self.vacate(handle);
        Some(value)
    }

    fn insert(&mut self, roster: &mut Roster<T>, seed: u64) {
        let is_full = self.room() == 0;
        match roster.try_insert(T::new(seed)) {
            Ok(handle) => {
                assert!(!is_full, "more elements than the roster may have");
                self.issue(handle);
                self.put(roster, handle, T::new(seed));
            }
            Err(error) => {
                assert!(is_full);
                assert_eq!(error.capacity(), self.limit);
                assert_eq!(error.into_inner(), T::new(seed));
            }
        }
    }

    fn swap<const N: usize>(&mut self, roster: &mut Roster<T>, handles: [Handle<T>; N]) {
        let is_disjoint = handles.iter().collect::<BTreeSet<_>>().len() == N;
        let are_live = handles.iter().all(|handle| self.live.contains_key(handle));
        let found = roster.get_disjoint_mut(handles);
        assert_eq!(found.is_some(), is_disjoint && are_live);
        let Some(found) = found else { return };
        for (element, handle) in found.iter().zip(&handles) {
            let (expected, at) = &self.live[handle];
            assert_eq!((&**element, &raw const **element), (expected, *at));
        }
        for (n, element) in (0..).zip(found) {
            *element = T::new(n);
            self.live.get_mut(&handles[n as usize]).unwrap().0 = T::new(n);
        }
    }

    fn apply(&mut self, roster: &mut Roster<T>, operation: &Operation) {
        match *operation {
            Operation::Insert(seed) => self.insert(roster, seed),
            Operation::InsertMany(count, seed) => {
                (0..count as u64).for_each(|n| self.insert(roster, seed ^ n));
            }
            Operation::InsertWith(seed) => {
                let mut seen = None;
                let inserted = roster.try_insert_with(|handle| {
                    seen = Some(handle);
                    T::new(seed)
                });
                assert_eq!(inserted.ok(), seen);
                assert_eq!(seen.is_some(), self.room() > 0);
                if let Some(handle) = seen {
                    self.issue(handle);
                    self.put(roster, handle, T::new(seed));
                }
            }
            Operation::InsertWithPanic => {
                let mut seen = None;
                let make = |handle| {
                    seen = Some(handle);
                    resume_unwind(Box::new("no"))
                };
                let result = catch_unwind(AssertUnwindSafe(|| roster.try_insert_with(make)));
                // An exhausted roster does not call the constructor.
                assert_eq!(result.is_ok(), self.room() == 0);
                if let Some(handle) = seen {
                    self.issue(handle);
                    self.vacate(handle);
                }
            }
            Operation::VacantEntry(seed, end) => {
                let Ok(entry) = roster.try_vacant_entry() else {
                    assert_eq!(self.room(), 0);
                    return;
                };
                assert!(self.room() > 0);
                let handle = entry.handle();
                assert!(!self.issued.contains(&handle));
                match end {
                    Some(true) => {
                        self.issue(handle);
                        assert_eq!(*entry.insert(T::new(seed)), T::new(seed));
                        self.put(roster, handle, T::new(seed));
                        return;
                    }
                    Some(false) => _ = entry,
                    #[allow(
                        clippy::forget_non_drop,
                        reason = "whether it has a destructor is its own affair"
                    )]
                    None => mem::forget(entry),
                }
                assert!(!roster.contains(handle));
                assert_eq!(roster.vacant_entry().handle(), handle);
            }
            Operation::Remove(of) => {
                let Some(handle) = Self::pick(self.live.keys(), of) else { return };
                assert_eq!(roster.remove(handle), self.remove(handle));
            }
            Operation::RemoveIssued(of) => {
                let Some(handle) = Self::pick(self.issued.iter(), of) else { return };
                assert_eq!(roster.remove(handle), self.remove(handle));
            }
            Operation::Change(of, to) => {
                let Some(handle) = Self::pick(self.issued.iter(), of) else { return };
                let element = roster.get_mut(handle);
                let expected = self.live.get_mut(&handle).map(|(value, _)| value);
                assert_eq!(element, expected);
                if let (Some(element), Some(expected)) = (element, expected) {
                    (*element, *expected) = (T::new(to), T::new(to));
                }
            }
            Operation::SwapThree(of) => {
                let [Some(a), Some(b), Some(c)] = of.map(|of| Self::pick(self.issued.iter(), of))
                else {
                    return;
                };
                self.swap(roster, [a, b, c]);
            }
            Operation::SwapLive(a, b) => {
                let [Some(a), Some(b)] = [a, b].map(|of| Self::pick(self.live.keys(), of)) else {
                    return;
                };
                self.swap(roster, [a, b]);
            }
            Operation::Detach(of) => {
                let Some(handle) = Self::pick(self.issued.iter(), of) else { return };
                let expected = self.take(handle);
                self.detached.extend(expected.is_some().then_some(handle));
                assert_eq!(roster.detach(handle), expected);
            }
            Operation::Reattach(of, seed) => {
                let Some(handle) = Self::pick(self.detached.iter(), of) else { return };
                self.detached.remove(&handle);
                roster.reattach(handle, T::new(seed));
                self.put(roster, handle, T::new(seed));
            }
            Operation::ReattachIssued(of) => {
                let Some(handle) = Self::pick(self.issued.iter(), of) else { return };
                let is_detached = self.detached.remove(&handle);
                match roster.try_reattach(handle, T::new(0)) {
                    Ok(()) => {
                        assert!(is_detached);
                        self.put(roster, handle, T::new(0));
                    }
                    Err(value) => assert_eq!((is_detached, value), (false, T::new(0))),
                }
            }
            Operation::Release(of) => {
                let Some(handle) = Self::pick(self.issued.iter(), of) else { return };
                let is_detached = self.detached.remove(&handle);
                assert_eq!(roster.release(handle), is_detached);
                if is_detached {
                    self.vacate(handle);
                }
            }
            Operation::Retain(divisor) => {
                let mut offered = Vec::new();
                roster.retain(|handle, element| {
                    offered.push((handle, element.clone()));
                    *element = T::new(7);
                    handle.index() % divisor != 0
                });
                let live = self.live.iter().map(|(&handle, (value, _))| (handle, value.clone()));
                assert!(offered.iter().cloned().eq(live));
                for (handle, _) in offered {
                    if handle.index() % divisor == 0 {
                        self.remove(handle);
                    } else {
                        self.live.get_mut(&handle).unwrap().0 = T::new(7);
                    }
                }
            }
            Operation::RetainWithPanic(divisor, count) => {
                let mut offered = Vec::new();
                let keep = |handle: Handle<T>, _: &mut T| {
                    if offered.len() == count {
                        resume_unwind(Box::new("no"));
                    }
                    offered.push(handle);
                    handle.index() % divisor != 0
                };
                let result = catch_unwind(AssertUnwindSafe(|| roster.retain(keep)));
                assert_eq!(result.is_err(), self.live.len() > count);
                assert!(offered.iter().eq(self.live.keys().take(count)));
                for handle in offered.into_iter().filter(|handle| handle.index() % divisor == 0) {
                    self.remove(handle);
                }
            }
            Operation::Drain(count) => {
                self.drain(&mut roster.drain(), count);
                self.remove_all();
            }
            Operation::DrainSomeAndForget(count) => {
                let mut drain = roster.drain();
                self.drain(&mut drain, count);
                mem::forget(drain);
            }
            Operation::ExtractIf(divisor, count) => {
                let mut offered = Vec::new();
                let is_to_go = |handle: Handle<T>, element: &mut T| {
                    offered.push((handle, mem::replace(element, T::new(7))));
                    handle.index() % divisor == 0
                };
                let taken: Vec<_> = roster.extract_if(is_to_go).take(count).collect();
                let live = self.live.iter().map(|(&handle, (value, _))| (handle, value.clone()));
                assert!(offered.iter().cloned().eq(live.take(offered.len())));
                assert!(taken.len() == count || offered.len() == self.live.len());
                let is_divided = |(last, _): &(Handle<T>, T)| last.index() % divisor == 0;
                assert!(taken.len() < count || offered.last().is_none_or(is_divided), "it is lazy");
                let mut taken = taken.into_iter();
                for (handle, _) in offered {
                    self.live.get_mut(&handle).unwrap().0 = T::new(7);
                    if handle.index() % divisor == 0 {
                        assert_eq!(taken.next(), Some((handle, self.remove(handle).unwrap())));
                    }
                }
                assert!(taken.next().is_none());
            }
            Operation::Clear => {
                roster.clear();
                self.remove_all();
            }
            Operation::Reserve(additional) => {
                if roster.try_reserve(additional).is_err() {
                    assert!(additional > self.room());
                    return;
                }
                assert!(additional <= self.room());
                let capacity = roster.capacity();
                let fresh = capacity.saturating_sub(self.generations.len());
                assert!(self.vacant.range(..capacity).count() + fresh >= additional);
            }
            Operation::Prefault => roster.prefault(),
            Operation::ShrinkToFit => {
                roster.shrink_to_fit();
                let handles = self.live.keys().chain(&self.detached);
                let used = handles.map(|handle| handle.index() + 1).max().unwrap_or(0);
                assert!(roster.capacity() >= used);
                assert!(used > 0 || roster.capacity() == 0);
            }
            Operation::ShrinkTo(capacity) => {
                let before = roster.capacity();
                roster.shrink_to(capacity);
                let handles = self.live.keys().chain(&self.detached);
                let used = handles.map(|handle| handle.index() + 1).max().unwrap_or(0);
                assert!(roster.capacity() >= used.max(capacity.min(before)));
                assert!(roster.capacity() <= before);
            }
            Operation::Clone(goes_on_with_clone) => {
                let mut clone = roster.clone();
                let mut places = self.live.values().map(|&(_, at)| at);
                let moved = clone.values().all(|element| {
                    size_of::<T>() == 0 || !places.any(|at| at == &raw const *element)
                });
                assert!(moved, "two rosters share an element");
                assert_eq!(clone.capacity(), roster.capacity());
                assert!(clone == *roster);
                if let Some(element) = roster.values().next() {
                    assert_eq!(clone.handle_of(element), None, "of another roster");
                }
                let values: Vec<T> = clone.clone().into_values().collect();
                assert!(values.iter().eq(self.expected().map(|(_, value)| value)));
                if goes_on_with_clone {
                    mem::swap(roster, &mut clone);
                    self.has_moved(roster);
                }
                clone.clear();
            }
            Operation::Restore => {
                let Some(restored) = T::restored(roster) else { return };
                assert_eq!(restored, *roster);
                *roster = restored;
                self.has_moved(roster);
            }
            // Without an element, no index can be observed.
            Operation::Index if self.order.is_some() || self.live.is_empty() => {}
            Operation::Index => {
                let order = roster.order().iter().map(|(handle, _)| handle);
                self.order = Some(order.collect());
            }
        }
    }

    /// The elements lie elsewhere.
    fn has_moved(&mut self, roster: &Roster<T>) {
        for (&handle, (_, at)) in &mut self.live {
            *at = &raw const roster[handle];
        }
    }

    fn drain<I>(&mut self, drain: &mut I, count: usize)
    where
        I: ExactSizeIterator<Item = (Handle<T>, T)>,
    {
        for _ in 0..count.min(self.live.len()) {
            let handle = *self.live.keys().next().unwrap();
            assert_eq!(drain.next(), Some((handle, self.remove(handle).unwrap())));
            assert_eq!(drain.len(), self.live.len());
        }
        assert!(!self.live.is_empty() || drain.next().is_none());
    }

    /// In the order of memory.
    fn remove_all(&mut self) {
        while let Some((&handle, _)) = self.live.first_key_value() {
            self.remove(handle);
        }
    }

    fn check(&self, roster: &mut Roster<T>) {
        let stats = roster.stats();
        assert_eq!((roster.len(), roster.is_empty()), (self.live.len(), self.live.is_empty()));
        // A slot is occupied while it is detached, or while its element is being made.
        assert_eq!((stats.live, stats.high_water), (self.live.len(), self.generations.len()));
        assert_eq!((stats.detached, stats.retired), (self.detached.len(), self.retired));
        assert!(roster.capacity() >= self.live.len() + self.detached.len());
        assert!(roster.capacity() <= self.limit);

        for handle in &self.issued {
            let expected = self.live.get(handle);
            assert_eq!(roster.contains(*handle), expected.is_some());
            let found = roster.get(*handle).map(|element| (element, &raw const *element));
            assert_eq!(found, expected.map(|(value, at)| (value, *at)));
            if expected.is_none() {
                assert_ne!(roster.handle_of_slot(handle.index() as u32), Some(*handle));
            } else {
                assert_eq!(roster.handle_of_slot(handle.index() as u32), Some(*handle));
                let of_reference = (size_of::<T>() > 0).then_some(*handle);
                assert_eq!(roster.handle_of(&roster[*handle]), of_reference);
            }
        }
        let places: HashSet<_> = self.live.values().map(|&(_, at)| at).collect();
        assert!(size_of::<T>() == 0 || places.len() == self.live.len());
        assert!(places.iter().all(|at| at.is_aligned()));

        if let Some(order) = &self.order {
            assert_eq!(order.len(), roster.len());
            let kept = roster.order();
            for (index, &handle) in order.iter().enumerate() {
                assert_eq!(kept.index_of(handle), Some(index));
                assert_eq!(kept.handle_at(index), Some(handle));
            }
            assert_eq!((kept.len(), kept.handle_at(order.len())), (order.len(), None));
            let is_stale = |handle: &&Handle<T>| !self.live.contains_key(*handle);
            assert!(self.issued.iter().filter(is_stale).all(|&h| kept.index_of(h).is_none()));
        }
        self.check_iteration(roster);
    }

    fn expected(&self) -> impl DoubleEndedIterator<Item = (Handle<T>, &T)> {
        self.live.iter().map(|(&handle, (value, _))| (handle, value))
    }

    fn check_iteration(&self, roster: &mut Roster<T>) {
        let mixed = [0xAAAA_AAAA_AAAA_AAAA, 0xF0F0_3C5A_0001_FFFE, self.issued.len() as u64];
        for ends in [u64::MAX, 0].into_iter().chain(mixed) {
            assert!(from_both_ends(roster.iter(), ends).eq(self.expected()));
            assert!(
                from_both_ends(roster.values(), ends).eq(self.expected().map(|(_, value)| value))
            );
            assert!(from_both_ends(roster.handles(), ends).eq(self.live.keys().copied()));
            let mut found = from_both_ends(roster.iter_mut(), ends).zip(self.expected());
            assert!(found.all(|((handle, found), expected)| (handle, &*found) == expected));
            let mut found = from_both_ends(roster.values_mut(), ends).zip(self.expected());
            assert!(found.all(|(found, (_, expected))| *found == *expected));
        }

        // `fold`, from the beginning and from further on, up to the end and less far.
        for ahead in [0, 1, 2, 3, 60, self.live.len() / 2] {
            let ahead = ahead.min(self.live.len());
            let mut iter = roster.iter();
            assert!(iter.by_ref().take(ahead).eq(self.expected().take(ahead)));
            let mut twin = iter.clone();
            let behind = twin.len() / 3;
            assert!(twin.by_ref().rev().take(behind).eq(self.expected().rev().take(behind)));
            let expected = self.expected().skip(ahead).take(twin.len());
            assert_eq!(twin.clone().fold(Vec::new(), pushed), expected.collect::<Vec<_>>());
            let twin = iter.clone();
            let mut expected = self.expected().skip(ahead);
            iter.for_each(|item| assert_eq!(Some(item), expected.next()));
            assert!(expected.next().is_none());
            assert!(twin.eq(self.expected().skip(ahead)));
            let mut handles = roster.handles().skip(ahead);
            assert_eq!(handles.next(), self.live.keys().copied().nth(ahead));
        }
        let mut expected = self.expected().map(|(_, value)| value);
        roster.values_mut().for_each(|found| assert!(expected.next() == Some(&*found)));
        assert!(expected.next().is_none());
        let mut expected = self.expected();
        let folded = roster.iter_mut().fold(0, |count, (handle, found)| {
            assert!(expected.next() == Some((handle, &*found)));
            count + 1
        });
        assert_eq!(folded, self.live.len());
    }
}

/// The items, taken from the front where a bit is 1, and from the back where it is 0; the length is exact.
pub(crate) fn from_both_ends<I>(mut iter: I, ends: u64) -> std::vec::IntoIter<I::Item>
where
    I: DoubleEndedIterator + ExactSizeIterator,
{
    let (mut front, mut back) = (Vec::new(), Vec::new());
    for left in (0..iter.len()).rev() {
        match ends.rotate_right(left as u32) & 1 == 1 {
            true => front.extend(iter.next()),
            false => back.extend(iter.next_back()),
        }
        assert_eq!(iter.size_hint(), (left, Some(left)));
    }
    assert!(iter.next().is_none() && iter.next_back().is_none() && iter.next().is_none());
    front.extend(back.into_iter().rev());
    front.into_iter()
}

fn pushed<I>(mut items: Vec<I>, item: I) -> Vec<I> {
    items.push(item);
    items
}

/// Compares all that the roster says after `every` operations. Returns how many slots are worn out.
pub(crate) fn run<T: Element>(
    mut roster: Roster<T>,
    limit: usize,
    every: usize,
    operations: &[Operation],
) -> usize {
    let mut model = Model::new(limit);
    for (n, operation) in operations.iter().enumerate() {
        model.apply(&mut roster, operation);
        if n % every == 0 {
            model.check(&mut roster);
        }
    }
    model.check(&mut roster);
    assert!(roster.into_iter().eq(model.live.into_iter().map(|(h, (value, _))| (h, value))));
    model.retired
}
