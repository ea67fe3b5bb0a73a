//! A random program against a roster that is cloned at each mark.

use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use super::*;

/// An element that knows how many of its kind there are.
struct Counted {
    value: u64,
    alive: Rc<Cell<isize>>,
}

impl Counted {
    fn new(value: u64, alive: &Rc<Cell<isize>>) -> Self {
        alive.set(alive.get() + 1);
        Self { value, alive: alive.clone() }
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Self::new(self.value, &self.alive)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.alive.set(self.alive.get() - 1);
    }
}

impl PartialEq for Counted {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl fmt::Debug for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// The state at a mark.
struct Saved {
    mark: Mark,
    roster: Roster<Counted>,
    detached: Vec<Handle<Counted>>,
    /// How many writes there had been.
    writes: usize,
}

struct Program {
    rewind: Rewind<Counted>,
    /// The same without a log.
    model: Roster<Counted>,
    /// What the rewind had at the last check.
    capacity: usize,
    saved: Vec<Saved>,
    /// Marks that are forgotten.
    forgotten: Vec<Mark>,
    /// Every handle that there ever was.
    handles: Vec<Handle<Counted>>,
    detached: Vec<Handle<Counted>>,
    /// The elements that were lent to be written to.
    writes: Vec<Handle<Counted>>,
    alive: Rc<Cell<isize>>,
    random: fastrand::Rng,
    next: u64,
}

impl Program {
    fn new(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut model =
            if random.bool() { Roster::new() } else { Roster::bounded(random.usize(1..90)) };
        // One that has no slots yet has no tag.
        model.reserve(1);
        Self {
            rewind: Rewind::from(model.clone()),
            model,
            capacity: 0,
            saved: Vec::new(),
            forgotten: Vec::new(),
            handles: Vec::new(),
            detached: Vec::new(),
            writes: Vec::new(),
            alive: Rc::default(),
            random,
            next: 0,
        }
    }

    fn value(&mut self) -> Counted {
        self.next += 1;
        Counted::new(self.next, &self.alive)
    }

    fn any_handle(&mut self) -> Handle<Counted> {
        // Mostly one of the latest.
        let count = self.handles.len();
        let from = if self.random.u8(..4) == 0 { 0 } else { count.saturating_sub(100) };
        if count == 0 { Handle::DANGLING } else { self.handles[self.random.usize(from..count)] }
    }

    fn insert(&mut self) {
        let value = self.value();
        let ours = self.rewind.try_insert(value.clone());
        // Not the roster's clone: it has a tag of its own.
        let theirs = self.model.try_insert(value);
        assert_eq!(ours.as_ref().ok(), theirs.as_ref().ok());
        self.handles.extend(ours.ok());
    }

    fn insert_with(&mut self) {
        let value = self.value();
        let panics = self.random.u8(..4) == 0;
        let make = |_| if panics { panic!("made up") } else { value.clone() };
        let ours = catch_unwind(AssertUnwindSafe(|| self.rewind.try_insert_with(make)));
        let theirs = catch_unwind(AssertUnwindSafe(|| self.model.try_insert_with(make)));
        if let (Ok(Ok(ours)), Ok(Ok(theirs))) = (&ours, &theirs) {
            assert_eq!(ours, theirs);
            self.handles.push(*ours);
        }
        assert_eq!(ours.is_err(), theirs.is_err());
    }

    fn write(&mut self, handle: Handle<Counted>) {
        let value = self.value().value;
        let (ours, theirs) = (self.rewind.get_mut(handle), self.model.get_mut(handle));
        assert_eq!(ours, theirs);
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            (ours.value, theirs.value) = (value, value);
            self.writes.push(handle);
        }
    }

    fn write_several(&mut self) {
        let handles = [(); 3].map(|()| self.any_handle());
        let value = self.value().value;
        let ours = self.rewind.get_disjoint_mut(handles);
        let theirs = self.model.get_disjoint_mut(handles);
        assert_eq!(ours, theirs);
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            ours.into_iter().chain(theirs).for_each(|element| element.value = value);
            self.writes.extend(handles);
        }
    }

    /// Writes to a share of the elements, in 64ths, while all are looked at.
    fn write_share(&mut self, share: u64) {
        let salt = self.random.u64(..);
        let is_due = |value: u64| (value ^ salt).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58 < share;
        let backwards = self.random.bool();
        let mut ours: Vec<_> = self.rewind.iter_mut().collect();
        if backwards {
            ours.reverse();
        }
        for (handle, element) in &mut ours {
            if is_due(element.value) {
                element.value += 1;
                element.value += 1;
                self.writes.push(*handle);
            }
        }
        // Leaked: that changes nothing.
        ours.into_iter().for_each(mem::forget);
        self.model
            .values_mut()
            .filter(|theirs| is_due(theirs.value))
            .for_each(|theirs| theirs.value += 2);
    }

    fn retain(&mut self) {
        let salt = self.random.u64(..);
        let writes = &mut self.writes;
        let mut keep = |handle, element: &mut Counted| {
            element.value += 1;
            writes.push(handle);
            (element.value ^ salt) % 5 != 0
        };
        self.model.retain(&mut keep);
        self.rewind.retain(|handle, element| keep(handle, element));
    }

    fn extract_if(&mut self) {
        let (salt, most) = (self.random.u64(..), self.random.usize(..20));
        let is_to_go = |element: &Counted| (element.value ^ salt) % 5 == 0;
        let ours: Vec<_> =
            self.rewind.extract_if(|_, element| is_to_go(element)).take(most).collect();
        let theirs = self.model.extract_if(|_, element| is_to_go(element)).take(most);
        assert!(theirs.eq(ours));
    }

    fn remove(&mut self, handle: Handle<Counted>) {
        let before = self.alive.get();
        // Whether the log has another copy of what was there at the last mark, or nothing was.
        let is_known = self.saved.last().is_none_or(|last| {
            !last.roster.contains(handle) || self.writes[last.writes..].contains(&handle)
        });
        let is_dropped = is_known || self.rewind.log.links.has_copied;
        let is_removed = self.rewind.remove(handle);
        assert_eq!(is_removed, self.model.contains(handle));
        assert_eq!(before - self.alive.get(), isize::from(is_removed && is_dropped));
        self.model.remove(handle);
    }

    fn detach(&mut self, handle: Handle<Counted>) {
        let (ours, theirs) = (self.rewind.detach(handle), self.model.detach(handle));
        assert_eq!(ours, theirs);
        if ours.is_some() {
            self.detached.push(handle);
            self.writes.push(handle);
        }
    }

    fn reattach(&mut self) {
        let at = self.random.usize(..self.detached.len() + 1);
        let handle = match self.detached.get(at) {
            Some(_) => self.detached.swap_remove(at),
            None => self.any_handle(),
        };
        if self.random.bool() {
            assert_eq!(self.rewind.release(handle), self.model.release(handle));
        } else {
            let value = self.value();
            let ours = self.rewind.try_reattach(handle, value.clone());
            assert_eq!(ours, self.model.try_reattach(handle, value));
        }
        let model = &self.model;
        self.detached.retain(|&handle| model.is_detached(handle));
    }

    fn mark(&mut self) {
        let mark = self.rewind.mark();
        assert!(self.saved.last().is_none_or(|last| last.mark < mark));
        let roster = self.model.clone();
        let detached = self.detached.clone();
        self.saved.push(Saved { mark, roster, detached, writes: self.writes.len() });
    }

    fn rewind(&mut self) {
        let Some(at) = self.random.usize(..self.saved.len() + 1).checked_sub(1) else { return };
        self.forgotten.extend(self.saved.drain(at + 1..).map(|saved| saved.mark));
        let saved = &self.saved[at];
        assert_eq!(self.rewind.rewind(saved.mark), Ok(()));
        self.model = saved.roster.clone();
        self.detached.clone_from(&saved.detached);
        self.writes.truncate(saved.writes);
    }

    fn confirm(&mut self) {
        let Some(at) = self.random.usize(..self.saved.len() + 1).checked_sub(1) else { return };
        self.rewind.confirm(self.saved[at].mark);
        self.forgotten.extend(self.saved.drain(..at).map(|saved| saved.mark));
    }

    fn step(&mut self) {
        let handle = self.any_handle();
        match self.random.u8(..100) {
            0..25 => self.insert(),
            25..30 => self.insert_with(),
            30..45 => self.remove(handle),
            45..57 => self.write(handle),
            57..60 => self.write_several(),
            60..66 => {
                let share = *self.random.choice(&[0, 1, 8, 40, 64]).unwrap();
                self.write_share(share);
            }
            66 => self.retain(),
            67 => self.extract_if(),
            68 if self.random.u8(..4) == 0 => {
                self.rewind.clear();
                self.model.clear();
            }
            68..72 => self.detach(handle),
            72..76 => self.reattach(),
            76..86 => self.mark(),
            86..91 => self.rewind(),
            91..98 => self.confirm(),
            98 if self.random.u8(..40) == 0 => {
                self.rewind.confirm_all();
                self.forgotten.extend(self.saved.drain(..).map(|saved| saved.mark));
            }
            99 if self.random.u8(..10) == 0 => {
                let additional = self.random.usize(..40);
                let ours = self.rewind.try_reserve(additional).is_ok();
                assert_eq!(ours, self.model.try_reserve(additional).is_ok());
            }
            _ => {
                if let Some(&mark) = self.random.choice(&self.forgotten) {
                    assert!(!self.rewind.knows(mark));
                    assert!(self.rewind.rewind(mark).is_err_and(|why| why != Forgotten::Foreign));
                    self.rewind.confirm(mark);
                }
            }
        }
    }

    fn check(&mut self) {
        let (ours, theirs) = (&self.rewind, &self.model);
        assert!(ours.iter().eq(theirs.iter()));
        assert!(ours.iter().rev().eq(theirs.iter().rev()));
        let figures = |roster: &Roster<Counted>| {
            let stats = roster.stats();
            (roster.len(), stats.live, stats.detached, stats.high_water)
        };
        assert_eq!(figures(ours), figures(theirs));
        // Memory that was added since a mark stays. So the two may grow by different steps, but only the slots that both have were used.
        assert!(ours.capacity() >= self.capacity);
        for slot in 0..ours.capacity().min(theirs.capacity()) as u32 {
            assert_eq!(ours.slot_state(slot), theirs.slot_state(slot), "slot {slot}");
        }
        for &handle in self.handles.iter().rev().take(200) {
            assert_eq!(ours.get(handle), theirs.get(handle));
        }
        self.capacity = ours.capacity();
    }

    /// The next insertions, on copies.
    fn check_what_follows(&self) {
        let (mut ours, mut theirs) = (self.rewind.roster.clone(), self.model.clone());
        for value in 0..20 {
            let handles = [&mut ours, &mut theirs]
                .map(|roster| roster.try_insert(Counted::new(value, &self.alive)).ok());
            assert_eq!(handles[0], handles[1]);
        }
    }

    fn check_changes(&mut self) {
        let Some(saved) = self.random.choice(&self.saved) else { return };
        let (before, now) = (&saved.roster, &self.model);
        let written: BTreeSet<_> = self.writes[saved.writes..].iter().copied().collect();
        let mut expected = Vec::new();
        for slot in 0..now.capacity().max(before.capacity()) as u32 {
            match (before.handle_of_slot(slot), now.handle_of_slot(slot)) {
                (Some(was), Some(is)) if was == is => {
                    if written.contains(&is) {
                        expected.push((is, ChangeKind::Changed));
                    } else {
                        assert_eq!(before.get(is), now.get(is));
                    }
                }
                (was, is) => {
                    expected.extend(was.map(|was| (was, ChangeKind::Removed)));
                    expected.extend(is.map(|is| (is, ChangeKind::Inserted)));
                }
            }
        }
        let changes: Vec<_> =
            self.rewind.changes(saved.mark).map(|change| (change.handle, change.kind)).collect();
        assert_eq!(changes, expected);
        let slots: BTreeSet<_> = expected.iter().map(|(handle, _)| handle.index()).collect();
        let dirty: Vec<_> = self.rewind.dirty(saved.mark).collect();
        assert!(dirty.windows(2).all(|pair| pair[0].end < pair[1].start));
        assert!(dirty.into_iter().flatten().eq(slots.iter().copied()));
    }

    fn run(&mut self, steps: usize) {
        for step in 0..steps {
            self.step();
            self.check();
            if step % 16 == 0 {
                self.check_what_follows();
                self.check_changes();
            }
        }
    }
}

#[test]
fn agrees_with_clones() {
    std::panic::set_hook(Box::new(|info| {
        if info.payload().downcast_ref::<&str>() != Some(&"made up") {
            std::eprintln!("{info}");
        }
    }));
    for seed in 0..if cfg!(miri) { 2 } else { 25 } {
        let mut program = Program::new(seed);
        program.run(if cfg!(miri) { 200 } else { 1_500 });
        let alive = program.alive.clone();
        drop(program);
        assert_eq!(alive.get(), 0, "seed {seed}: each is dropped once");
    }
}

#[test]
fn a_mark_copies_if_most_was_written_to() {
    let mut rewind: Rewind<u32> = (0..128).collect();
    for (written, copies) in [(0, false), (56, false), (57, true), (128, true), (20, false)] {
        let mark = rewind.mark();
        rewind.values_mut().take(written).for_each(|mut number| *number += 1);
        assert_eq!(rewind.changes(mark).count(), written);
        let mark = rewind.mark();
        assert_eq!(rewind.log.links.has_copied, copies, "{written} written");
        let before: Vec<_> = rewind.values().copied().collect();
        rewind.values_mut().skip(3).step_by(5).for_each(|mut number| *number = 0);
        rewind.retain(|handle, _| handle.index() % 7 > 0);
        let inserted = rewind.insert(9);
        assert!(rewind.changes(mark).any(|change| change.handle == inserted));
        rewind.rewind(mark).unwrap();
        assert!(rewind.values().eq(&before) && rewind.changes(mark).next().is_none());
        // What was copied is used up: it remembers one by one.
        rewind.clear();
        rewind.rewind(mark).unwrap();
        assert!(rewind.values().eq(&before));
    }
}
