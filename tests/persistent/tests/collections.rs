//! `rpds`' collections on [`any::Rc`] and [`any::Arc`] hold what they hold on std's pointers, whatever is done to them and
//! to copies of them.
//!
//! [`any::Rc`]: typed_pool::any::Rc
//! [`any::Arc`]: typed_pool::any::Arc

use std::thread;

use archery::{ArcK, RcK, SharedPointerKind};
use persistent::{ArcPool, RcPool};
use proptest::collection::vec;
use proptest::prelude::*;
use rpds::{RedBlackTreeMap, Vector};

/// On the heap, so that tools notice one that is dropped twice or never.
type Word = Box<u32>;

/// An operation on one of several versions of a collection.
#[derive(Clone, Copy, Debug)]
enum Step {
    Copy { version: usize },
    Drop { version: usize },
    Put { version: usize, key: u32, word: u32 },
    Take { version: usize, key: u32 },
    Change { version: usize, key: u32 },
}

fn step() -> impl Strategy<Value = Step> {
    let version = 0..8_usize;
    let key = 0..60_u32;
    prop_oneof![
        1 => version.clone().prop_map(|version| Step::Copy { version }),
        1 => version.clone().prop_map(|version| Step::Drop { version }),
        9 => (version.clone(), key.clone(), any::<u32>())
            .prop_map(|(version, key, word)| Step::Put { version, key, word }),
        4 => (version.clone(), key.clone()).prop_map(|(version, key)| Step::Take { version, key }),
        3 => (version, key).prop_map(|(version, key)| Step::Change { version, key }),
    ]
}

/// A persistent collection; those without keys use the number as they can.
trait Collection: Clone + Default {
    fn put(&mut self, key: u32, word: Word);
    fn take(&mut self, key: u32);
    fn change(&mut self, key: u32);
    /// In an order that the pointers do not decide.
    fn contents(&self) -> Vec<(u32, Word)>;
}

fn grow(word: &mut Word) {
    **word = word.wrapping_mul(31).wrapping_add(1);
}

impl<P: SharedPointerKind> Collection for Vector<Word, P> {
    fn put(&mut self, key: u32, word: Word) {
        if !self.set_mut(key as usize, word.clone()) {
            self.push_back_mut(word);
        }
    }

    fn take(&mut self, _key: u32) {
        self.drop_last_mut();
    }

    fn change(&mut self, key: u32) {
        if let Some(word) = self.get_mut(key as usize) {
            grow(word);
        }
    }

    fn contents(&self) -> Vec<(u32, Word)> {
        self.iter().cloned().map(|word| (0, word)).collect()
    }
}

impl<P: SharedPointerKind> Collection for RedBlackTreeMap<u32, Word, P> {
    fn put(&mut self, key: u32, word: Word) {
        self.insert_mut(key, word);
    }

    fn take(&mut self, key: u32) {
        self.remove_mut(&key);
    }

    fn change(&mut self, key: u32) {
        if let Some(word) = self.get_mut(&key) {
            grow(word);
        }
    }

    fn contents(&self) -> Vec<(u32, Word)> {
        self.iter().map(|(&key, word)| (key, word.clone())).collect()
    }
}

/// Several versions, which share what they have in common.
#[derive(Clone)]
struct History<C>(Vec<C>);

impl<C: Collection> History<C> {
    fn new() -> Self {
        Self(vec![C::default()])
    }

    fn run(&mut self, steps: &[Step]) {
        let versions = &mut self.0;
        for &step in steps {
            let len = versions.len();
            match step {
                Step::Copy { version } if len < 8 => versions.push(versions[version % len].clone()),
                Step::Copy { .. } => {}
                Step::Drop { version } if len > 1 => drop(versions.swap_remove(version % len)),
                Step::Drop { .. } => {}
                Step::Put { version, key, word } => {
                    versions[version % len].put(key, Box::new(word))
                }
                Step::Take { version, key } => versions[version % len].take(key),
                Step::Change { version, key } => versions[version % len].change(key),
            }
        }
    }

    fn contents(&self) -> Vec<Vec<(u32, Word)>> {
        self.0.iter().map(C::contents).collect()
    }
}

/// The same steps on both lead to the same versions.
fn agree<C: Collection, D: Collection>(steps: &[Step]) {
    let (mut one, mut other) = (History::<C>::new(), History::<D>::new());
    for steps in steps.chunks(50) {
        one.run(steps);
        other.run(steps);
        assert_eq!(one.contents(), other.contents());
    }
}

/// The same where threads go on from what they share, each on its own, and some of it is dropped elsewhere.
fn agree_in_threads<C: Collection + Send + Sync, D: Collection>(steps: &[Step]) {
    let (begin, rest) = steps.split_at(steps.len() / 2);
    let mut one = History::<C>::new();
    one.run(begin);
    let parts: Vec<_> = rest.chunks((rest.len() / 3).max(1)).collect();
    let ends: Vec<_> = thread::scope(|scope| {
        let go_on = |steps| {
            let mut history = one.clone();
            scope.spawn(move || {
                history.run(steps);
                history
            })
        };
        let threads: Vec<_> = parts.iter().copied().map(go_on).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    drop(one);
    let mut other = History::<D>::new();
    other.run(begin);
    for (end, steps) in ends.iter().zip(parts) {
        let mut other = other.clone();
        other.run(steps);
        assert_eq!(end.contents(), other.contents());
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    vec(step(), 0..600)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    #[test]
    fn a_vector_holds_what_it_should(steps in steps()) {
        agree::<Vector<Word, RcPool>, Vector<Word, RcK>>(&steps);
        agree_in_threads::<Vector<Word, ArcPool>, Vector<Word, ArcK>>(&steps);
    }

    #[test]
    fn a_tree_map_holds_what_it_should(steps in steps()) {
        agree::<RedBlackTreeMap<u32, Word, RcPool>, RedBlackTreeMap<u32, Word, RcK>>(&steps);
        agree_in_threads::<RedBlackTreeMap<u32, Word, ArcPool>, RedBlackTreeMap<u32, Word, ArcK>>(&steps);
    }

}

/// More than one class of size, more than one chunk, and boxes among the elements.
#[test]
fn thousands_are_built_shared_and_dropped() {
    fn holds<P: SharedPointerKind>() {
        let words: Vec<Word> = (0..20_000).map(Box::new).collect();
        let vector: Vector<Word, P> = words.iter().cloned().collect();
        let copy = vector.clone();
        let shorter = copy.drop_last().and_then(|copy| copy.set(0, Box::new(7))).unwrap();
        assert!(vector.iter().eq(&words));
        assert_eq!((shorter.len(), &**shorter.first().unwrap()), (19_999, &7));

        let map: RedBlackTreeMap<u32, Word, P> =
            words.iter().map(|word| (word.reverse_bits(), word.clone())).collect();
        let less = (0..20_000_u32)
            .step_by(2)
            .fold(map.clone(), |map, key| map.remove(&key.reverse_bits()));
        assert_eq!((map.size(), less.size()), (20_000, 10_000));
        assert!(less.values().all(|word| **word % 2 == 1));
    }
    holds::<RcPool>();
    holds::<ArcPool>();
}

/// The functions of `SharedPointer`, one by one: the collections never clone an element that panics.
mod pointers {
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::rc::Rc;

    use archery::{SharedPointer, SharedPointerKind};
    use persistent::{ArcPool, RcPool};

    fn unwrap_and_change<P: SharedPointerKind>() {
        let mut word = SharedPointer::<String, P>::new("one".to_owned());
        SharedPointer::get_mut(&mut word).unwrap().push('!');
        let other = word.clone();
        assert_eq!(SharedPointer::strong_count(&word), 2);
        assert!(SharedPointer::get_mut(&mut word).is_none());
        SharedPointer::make_mut(&mut word).push('?');
        assert_eq!((word.as_str(), other.as_str()), ("one!?", "one!"));
        assert_eq!(SharedPointer::strong_count(&other), 1);

        let third = other.clone();
        let other = SharedPointer::try_unwrap(other).unwrap_err();
        drop(third);
        assert_eq!(SharedPointer::try_unwrap(other).unwrap(), "one!");
        let boxed = P::from_box(Box::new(5_u128));
        // SAFETY: it was made with this type.
        assert_eq!(unsafe { boxed.try_unwrap::<u128>() }.unwrap(), 5);
    }

    #[test]
    fn have_the_surface_of_std() {
        unwrap_and_change::<RcPool>();
        unwrap_and_change::<ArcPool>();
    }

    struct Fragile(Rc<Cell<u32>>);

    impl Clone for Fragile {
        fn clone(&self) -> Self {
            panic!("as asked")
        }
    }

    impl Drop for Fragile {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    fn survives<P: SharedPointerKind>() {
        let dead = Rc::new(Cell::new(0));
        let mut one = SharedPointer::<_, P>::new(Fragile(dead.clone()));
        let other = one.clone();
        catch_unwind(AssertUnwindSafe(|| drop(SharedPointer::make_mut(&mut one).0.clone())))
            .unwrap_err();
        assert!(SharedPointer::ptr_eq(&one, &other));
        assert_eq!(SharedPointer::strong_count(&one), 2);
        drop(other);
        assert_eq!(dead.get(), 0);
        drop(one);
        assert_eq!(dead.get(), 1);
    }

    #[test]
    fn are_unchanged_when_a_clone_panics() {
        survives::<RcPool>();
        survives::<ArcPool>();
    }
}
