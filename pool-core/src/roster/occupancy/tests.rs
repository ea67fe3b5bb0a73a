//! Vacancies against a model.

use alloc::collections::BTreeSet;

use super::*;

impl Occupancy {
    fn vacant(&self) -> usize {
        let occupied: usize = self.words.iter().map(|word| word.count_ones() as usize).sum();
        self.slots - occupied
    }

    /// Takes the lowest vacant slot, however far the next is.
    fn take_lowest(&mut self) -> Option<usize> {
        let slot = self.lowest_vacant()?;
        self.occupy(slot);
        Some(slot)
    }
}

fn vacant(slots: usize) -> Occupancy {
    let mut set = Occupancy::new().with_room(slots).unwrap();
    set.resize(slots);
    set
}

/// Sizes of rosters; small ones where each step takes long.
fn sizes<const N: usize>(all: [usize; N]) -> impl Iterator<Item = usize> {
    all.into_iter().filter(|&slots| slots < 5_000 || !cfg!(miri))
}

fn release(set: &mut Occupancy, slot: usize) {
    assert!(slot < set.slots());
    // SAFETY: just asserted.
    unsafe { set.release(slot) };
}

#[test]
fn finds_the_few_vacancies_of_a_crowd() {
    // The last has two words of groups.
    for slots in sizes([4_500, 10_000, 300_000]) {
        let mut set = vacant(slots);
        (0..slots).for_each(|slot| assert_eq!(set.take_lowest(), Some(slot)));
        let mut model = BTreeSet::new();
        let mut random = fastrand::Rng::with_seed(11);
        for round in 0..if cfg!(miri) { 500 } else { 20_000 } {
            // More than the two that are known, and words that were known before.
            for _ in 0..random.usize(..5) {
                let slot = random.usize(..if round % 3 == 0 { 200 } else { slots });
                if model.insert(slot) {
                    release(&mut set, slot);
                }
            }
            for _ in 0..random.usize(..5) {
                // In either way, as a roster does.
                let taken = set.take_at_hand().or_else(|| set.take_lowest());
                assert_eq!(taken, model.pop_first());
            }
        }
        assert_eq!(set.vacant(), model.len());
        while let Some(lowest) = model.pop_first() {
            assert_eq!(set.take_lowest(), Some(lowest));
        }
        assert_eq!(set.take_lowest(), None);
    }
}

#[test]
fn occupies_any() {
    // No level of summaries, one, and two, and sizes about the boundaries.
    for slots in sizes([1, 2, 63, 64, 65, 300, 4_095, 4_096, 4_097, 70_000, 262_145, 300_000]) {
        let mut set = vacant(slots);
        let mut model: BTreeSet<_> = (0..slots).collect();
        let mut random = fastrand::Rng::with_seed(13);
        for round in 0..slots.min(2_000) {
            // Whole words, and single slots.
            let first = random.usize(..slots);
            let end = if random.bool() { first + 1 } else { slots.min(first + 150) };
            for slot in first..end {
                if round % 3 == 0 && model.insert(slot) {
                    release(&mut set, slot);
                } else if round % 3 != 0 && model.remove(&slot) {
                    set.occupy(slot);
                }
            }
            for _ in 0..random.usize(..3) {
                let taken = set.take_at_hand().or_else(|| set.take_lowest());
                assert_eq!(taken, model.pop_first());
            }
            assert_eq!(set.lowest_vacant(), model.first().copied());
        }
        assert_eq!(set.vacant(), model.len());
        while let Some(lowest) = model.pop_first() {
            assert_eq!(set.take_lowest(), Some(lowest));
        }
        assert_eq!(set.take_lowest(), None);
    }
}

#[test]
fn shrinks_and_grows() {
    let mut set = vacant(10_000);
    (0..10_000).for_each(|_| assert!(set.take_lowest().is_some()));
    [5, 70, 9_999].into_iter().for_each(|slot| release(&mut set, slot));
    let words = set.bytes() / size_of::<u64>();
    assert!((160..200).contains(&words), "157, and 3 of a summary: {words}");
    set.resize(71);
    set = set.with_room(71).unwrap();
    set.resize(71);
    assert_eq!(set.bytes(), 3 * size_of::<u64>());
    let lowest = [(); 3].map(|()| set.take_lowest());
    assert_eq!(lowest, [Some(5), Some(70), None]);
    set = set.with_room(5_000).unwrap();
    set.resize(5_000);
    (71..4_999).for_each(|slot| set.occupy(slot));
    assert_eq!((set.take_lowest(), set.take_lowest()), (Some(4_999), None));
    set.resize(0);
    assert_eq!(set.take_lowest(), None);
}
