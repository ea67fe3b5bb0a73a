//! The directory in serialised form.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::mem;

use crate::base::handle::{LAST_GENERATION, with_tag, without_tag};
use crate::roster::directory::Directory;
use crate::roster::table::copy_with_room;
use crate::roster::word::{MAX_SLOTS, first_word, is_live};

/// The state of the slots, without the tag. Slots at the end that were never used are left out.
pub(in crate::roster) struct Table {
    /// For each slot twice the generation of its handle, or of its next one; one more while an element
    /// is live; 0 if the slot is retired.
    pub(in crate::roster) slots: Vec<u32>,
    /// The slots whose element is detached, in ascending order.
    pub(in crate::roster) detached: Vec<u32>,
    /// The live slots in the order of dense indices, if one was requested.
    pub(in crate::roster) order: Option<Vec<u32>>,
}

impl Directory {
    fn is_detached(&self, at: usize) -> bool {
        !self.is_spare(at) && self.entry(at as u32).is_none()
    }

    /// [`Table::slots`].
    pub(in crate::roster) fn numbers(&self, first: u32) -> impl Iterator<Item = u32> + Clone {
        self.words[..self.used(first)].iter().map(|&word| without_tag(word))
    }

    /// [`Table::detached`].
    pub(in crate::roster) fn detached(&self) -> Vec<u32> {
        (0..self.occupancy.slots()).filter(|&at| self.is_detached(at)).map(|at| at as u32).collect()
    }

    /// [`Table::order`].
    pub(in crate::roster) fn order(&self) -> Option<impl Iterator<Item = u32> + Clone> {
        self.dense.order().map(|order| order.take(self.len()))
    }

    /// The directory for a table that has passed [`Table::check`], with room for `slots` slots.
    pub(in crate::roster) fn restore(table: Table, tag: u8, slots: usize) -> Option<Self> {
        let Table { slots: mut words, detached, order } = table;
        for word in words.iter_mut().filter(|word| **word != 0) {
            *word = with_tag(*word, tag);
        }
        let retired = words.iter().filter(|&&word| word == 0).count();
        let inserted = words.iter().filter(|&&word| is_live(word)).count();
        let reserved = detached.len();
        let words = copy_with_room(&words, slots).ok()?;
        let mut directory = Self { words, inserted, reserved, retired, ..Self::EMPTY };
        let tables = directory.larger_tables(slots)?;
        directory.grow(tables, slots, first_word(tag));
        let words = &directory.words;
        let is_detached = |at: usize| is_detached(&detached, at);
        let is_occupied = |&at: &usize| words[at] == 0 || is_live(words[at]) || is_detached(at);
        directory.occupancy.resize(slots, (0..slots).filter(is_occupied));
        if let Some(order) = order {
            directory.dense.take_over(&order)?;
        }
        Some(directory)
    }
}

impl Table {
    /// How many elements are live, and how many slots are needed for all that is live or detached.
    pub(in crate::roster) fn count(&self) -> (usize, usize) {
        let live = self.slots.iter().filter(|&&number| is_live(number)).count();
        let last = self.slots.iter().rposition(|&number| is_live(number));
        let last = last.max(self.detached.last().map(|&at| at as usize));
        (live, last.map_or(0, |last| last + 1))
    }

    /// Says what is wrong with the table. Nothing about it is taken for granted.
    pub(in crate::roster) fn check(&self) -> Result<(), String> {
        let count = self.slots.len();
        if count > MAX_SLOTS {
            return Err(format!("it has {count} slots, and a roster has at most {MAX_SLOTS}"));
        }
        for (at, &number) in self.slots.iter().enumerate().filter(|(_, number)| **number != 0) {
            let generation = number >> 1;
            if !(1..=LAST_GENERATION).contains(&generation) {
                return Err(format!(
                    "slot {at} is of generation {generation}, which is not one of 1 to \
                     {LAST_GENERATION}"
                ));
            }
        }
        self.check_detached()?;
        // The lowest vacant slot is used first.
        let first = without_tag(first_word(0));
        let is_new = |at: usize| self.slots[at] == first && !is_detached(&self.detached, at);
        if let Some(at) = (1..count).find(|&at| is_new(at - 1) && !is_new(at)) {
            return Err(format!("slot {at} has been used, and the one before it has not"));
        }
        let (live, _) = self.count();
        self.check_order(live)
    }

    fn check_detached(&self) -> Result<(), String> {
        for &at in &self.detached {
            let state = match self.slots.get(at as usize) {
                Some(0) => "both detached and retired".into(),
                Some(&number) if is_live(number) => "both detached and live".into(),
                Some(_) => continue,
                None => format!("detached, and there are {} slots", self.slots.len()),
            };
            return Err(format!("slot {at} is {state}"));
        }
        let unordered = self.detached.windows(2).find(|pair| pair[0] >= pair[1]);
        unordered.map_or(Ok(()), |pair| {
            Err(format!(
                "detached slots are named once each, the lowest first, but {} comes after {}",
                pair[1], pair[0]
            ))
        })
    }

    fn check_order(&self, live: usize) -> Result<(), String> {
        let Some(order) = &self.order else { return Ok(()) };
        if order.len() != live {
            let length = order.len();
            return Err(format!("{length} slots have a dense index, and {live} are live"));
        }
        let mut seen = vec![false; self.slots.len()];
        for &slot in order {
            let at = slot as usize;
            if !self.slots.get(at).is_some_and(|&number| is_live(number)) {
                return Err(format!("slot {slot} has a dense index and is not live"));
            }
            if mem::replace(&mut seen[at], true) {
                return Err(format!("slot {slot} has two dense indices"));
            }
        }
        Ok(())
    }
}

fn is_detached(detached: &[u32], at: usize) -> bool {
    detached.binary_search(&(at as u32)).is_ok()
}
