//! A panic in whatever of the user's a roster calls: every element is still dropped once, the roster
//! goes on working, and all memory goes back.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use typed_pool::{Handle, Roster};

/// Counts the heap bytes that each thread holds.
struct CountBytes;

thread_local! {
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for CountBytes {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.set(BYTES.get() + layout.size() as isize);
        // SAFETY: the layout has a size (caller).
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        BYTES.set(BYTES.get() - layout.size() as isize);
        // SAFETY: the block is from `alloc`, with this layout (caller), and so from the system's allocator.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static HEAP: CountBytes = CountBytes;

/// Knows how often each element was dropped, and lets one call panic.
#[derive(Default)]
struct Ledger {
    drops: RefCell<Vec<u32>>,
    /// How many calls return before one panics.
    fuse: Cell<Option<usize>>,
}

impl Ledger {
    fn element(&self) -> Element<'_> {
        let mut drops = self.drops.borrow_mut();
        drops.push(0);
        Element { id: drops.len() - 1, ledger: self, _bulk: [7; 3] }
    }

    /// The user is called.
    fn call(&self) {
        let left = self.fuse.get().map(|left| left.checked_sub(1));
        self.fuse.set(left.flatten());
        if left == Some(None) {
            resume_unwind(Box::new("burnt down"));
        }
    }

    fn is_live(&self, element: &Element<'_>) -> bool {
        self.drops.borrow()[element.id] == 0
    }

    fn live(&self) -> usize {
        self.drops.borrow().iter().filter(|&&drops| drops == 0).count()
    }
}

struct Element<'a> {
    id: usize,
    ledger: &'a Ledger,
    /// So that the size is no power of two.
    _bulk: [u64; 3],
}

impl Clone for Element<'_> {
    fn clone(&self) -> Self {
        self.ledger.call();
        self.ledger.element()
    }
}

impl Drop for Element<'_> {
    fn drop(&mut self) {
        self.ledger.drops.borrow_mut()[self.id] += 1;
        self.ledger.call();
    }
}

/// With gaps, in more than one chunk.
fn sample(ledger: &Ledger) -> Roster<Element<'_>> {
    let mut roster = Roster::new();
    roster.extend(std::iter::repeat_with(|| ledger.element()).take(300));
    roster.retain(|handle, _| is_of_sample(handle.index()));
    roster
}

fn is_of_sample(slot: usize) -> bool {
    slot % 3 == 0 && slot % 5 != 0
}

fn slots_of_sample() -> impl Iterator<Item = usize> {
    (0..300).filter(|&slot| is_of_sample(slot))
}

/// How many elements that has.
const COUNT: usize = 80;

/// Runs `operation` on a sample whose first call to the user panics, on another whose second does,
/// and so on, until none does. Returns the number of calls. After each run, `check` learns how many
/// calls there were before the panic, if there was one.
fn with_each_call_panicking(
    operation: impl for<'a> Fn(&mut Roster<Element<'a>>, &'a Ledger),
    check: impl Fn(&Roster<Element<'_>>, Option<usize>),
) -> usize {
    // An odd step: the indices are kept in every second run.
    for calls in (0..).step_by(if cfg!(miri) { 29 } else { 1 }) {
        let before = BYTES.get();
        let ledger = Ledger::default();
        let mut roster = sample(&ledger);
        assert_eq!(roster.len(), COUNT);
        if calls % 2 == 0 {
            // The indices are kept from here on.
            roster.order();
        }
        let issued: Vec<Handle<_>> = roster.handles().collect();

        ledger.fuse.set(Some(calls));
        let result = catch_unwind(AssertUnwindSafe(|| operation(&mut roster, &ledger)));
        let unused = ledger.fuse.take();
        let is_through = unused.is_some();
        assert_eq!(result.is_ok(), is_through);
        drop(result);

        assert!(roster.values().all(|element| ledger.is_live(element)));
        assert_eq!(ledger.live(), roster.len(), "elements are lost");
        check(&roster, (!is_through).then_some(calls));
        check_in_use(&mut roster, &ledger, &issued);
        drop(roster);
        assert!(ledger.drops.borrow().iter().all(|&drops| drops == 1));
        drop(issued);
        drop(ledger);
        assert_eq!(BYTES.get(), before, "memory is lost");
        if let Some(unused) = unused {
            return calls - unused;
        }
    }
    unreachable!()
}

/// Whether the roster still works after all that.
fn check_in_use<'a>(
    roster: &mut Roster<Element<'a>>,
    ledger: &'a Ledger,
    issued: &[Handle<Element<'a>>],
) {
    let live: BTreeSet<_> = roster.handles().collect();
    assert_eq!((live.len(), roster.values().count()), (roster.len(), roster.len()));
    assert!(issued.iter().all(|&handle| roster.contains(handle) == live.contains(&handle)));

    let occupied: BTreeSet<_> = live.iter().map(|handle| handle.index()).collect();
    let vacant = (0..).filter(|index| !occupied.contains(index));
    let lowest: Vec<usize> = vacant.take(100).collect();
    let added: Vec<_> = lowest.iter().map(|_| roster.insert(ledger.element())).collect();
    assert!(added.iter().map(|handle| handle.index()).eq(lowest));
    assert!(added.iter().all(|handle| !live.contains(handle) && !issued.contains(handle)));
    let order = roster.order();
    let listed: BTreeSet<_> = order.iter().map(|(handle, _)| handle).collect();
    assert!((0..order.len()).all(|at| order.index_of(order.handle_at(at).unwrap()) == Some(at)));
    assert!(listed.into_iter().eq(roster.handles()));
    for handle in added {
        assert!(ledger.is_live(&roster[handle]));
        drop(roster.remove(handle));
    }
    assert!(roster.handles().eq(live));
}

#[test]
fn clear_leaves_the_elements_after_the_one_that_panics() {
    let calls = with_each_call_panicking(
        |roster, _| roster.clear(),
        |roster, calls| assert_eq!(roster.len(), calls.map_or(0, |calls| COUNT - calls - 1)),
    );
    assert_eq!(calls, COUNT);
}

#[test]
fn retain_survives_its_predicate_and_destructors() {
    let calls = with_each_call_panicking(
        |roster, ledger| {
            roster.retain(|handle, element| {
                ledger.call();
                assert!(ledger.is_live(element));
                handle.index() % 2 == 0
            });
        },
        |roster, calls| {
            // The calls of predicate and destructor, up to the panic.
            let mut calls = calls.unwrap_or(usize::MAX);
            let mut removed = BTreeSet::new();
            for index in slots_of_sample() {
                let is_odd = index % 2 == 1;
                if calls > 0 && is_odd {
                    removed.insert(index);
                }
                calls = calls.saturating_sub(1 + usize::from(is_odd));
            }
            let left = slots_of_sample().filter(|index| !removed.contains(index));
            assert!(roster.handles().map(|handle| handle.index()).eq(left));
        },
    );
    assert_eq!(calls, COUNT + COUNT / 2);
}

#[test]
fn drain_survives_destructors_of_what_it_gives_and_of_what_it_drops() {
    let calls = with_each_call_panicking(
        |roster, _| roster.drain().for_each(drop),
        |roster, _| assert_eq!(roster.len(), 0, "the rest was dropped in unwinding"),
    );
    assert_eq!(calls, COUNT);
    let calls = with_each_call_panicking(
        |roster, _| drop(roster.drain()),
        |roster, calls| assert_eq!(roster.len(), calls.map_or(0, |calls| COUNT - calls - 1)),
    );
    assert_eq!(calls, COUNT);
    let calls = with_each_call_panicking(
        |roster, _| {
            let mut drain = roster.drain();
            let taken: Vec<_> = drain.by_ref().take(20).collect();
            drop(drain);
            drop(taken);
        },
        |roster, calls| {
            let left = calls.map_or(0, |calls| (COUNT - 20).saturating_sub(calls + 1));
            assert_eq!(roster.len(), left);
        },
    );
    assert_eq!(calls, COUNT);
}

#[test]
fn extract_if_survives_its_closure_and_destructors() {
    let is_even = |slot: usize| slot % 2 == 0;
    let even = slots_of_sample().filter(|&slot| is_even(slot)).count();
    let calls = with_each_call_panicking(
        |roster, ledger| {
            let is_to_go = |handle: Handle<_>, _: &mut Element<'_>| {
                ledger.call();
                is_even(handle.index())
            };
            roster.extract_if(is_to_go).for_each(drop);
        },
        |roster, calls| match calls {
            None => assert!(roster.handles().all(|handle| !is_even(handle.index()))),
            Some(_) => assert!(roster.len() >= COUNT - even, "what was not visited stays"),
        },
    );
    assert_eq!(calls, COUNT + even);
    // It goes on behind the element at which its closure has panicked.
    let mut roster: Roster<u32> = (0..4).collect();
    let mut taken = roster.extract_if(|_, n| {
        assert_ne!(*n, 1, "once");
        true
    });
    assert_eq!(taken.next().map(|(_, n)| n), Some(0));
    assert!(catch_unwind(AssertUnwindSafe(|| taken.next())).is_err());
    assert_eq!(taken.map(|(_, n)| n).collect::<Vec<_>>(), [2, 3]);
    assert!(roster.values().eq(&[1]));
}

#[test]
fn a_roster_is_dropped_to_the_end() {
    let calls = with_each_call_panicking(
        |roster, _| drop(mem::take(roster)),
        |roster, _| assert!(roster.is_empty()),
    );
    assert_eq!(calls, COUNT);
    let calls = with_each_call_panicking(
        |roster, _| {
            let mut iter = mem::take(roster).into_iter();
            iter.nth(9);
        },
        |roster, _| assert!(roster.is_empty()),
    );
    assert_eq!(calls, COUNT);
}

#[test]
fn a_clone_that_fails_leaves_nothing_behind() {
    let calls = with_each_call_panicking(
        |roster, _| {
            let clone = roster.clone();
            assert!(clone.handles().eq(roster.handles()));
        },
        |roster, _| assert_eq!(roster.len(), COUNT),
    );
    assert_eq!(calls, 2 * COUNT);
}

#[test]
fn a_clone_into_a_roster_that_fails_leaves_both_in_order() {
    with_each_call_panicking(
        |roster, ledger| {
            let mut other: Roster<_> = (0..3).map(|_| ledger.element()).collect();
            let attempt = catch_unwind(AssertUnwindSafe(|| other.clone_from(roster)));
            assert_eq!(other.iter().count(), other.len());
            let handle = other.insert(ledger.element());
            assert!(other.remove(handle).is_some());
            attempt.unwrap_or_else(|panic| resume_unwind(panic));
        },
        |roster, _| assert_eq!(roster.len(), COUNT),
    );
}

#[test]
fn a_slot_goes_back_when_its_element_is_not_made() {
    let calls = with_each_call_panicking(
        |roster, ledger| {
            let seen = Cell::new(None);
            let attempt = catch_unwind(AssertUnwindSafe(|| {
                roster.insert_with(|handle| {
                    seen.set(Some(handle));
                    let part = ledger.element();
                    ledger.call();
                    part
                })
            }));
            if let Err(panic) = attempt {
                let stale = seen.take().unwrap();
                assert!(!roster.contains(stale));
                assert_eq!(
                    (roster.order().index_of(stale), roster.remove(stale).is_some()),
                    (None, false)
                );
                let refused = roster.try_reattach(stale, ledger.element());
                assert!(refused.is_err_and(|element| ledger.is_live(&element)));
                resume_unwind(panic);
            }
        },
        |roster, calls| assert_eq!(roster.len(), COUNT + usize::from(calls.is_none())),
    );
    assert_eq!(calls, 1);
}

#[test]
fn iteration_and_extension_end_where_the_user_panics() {
    let calls = with_each_call_panicking(
        |roster, ledger| {
            roster.values_mut().for_each(|_| ledger.call());
            roster.iter().for_each(|_| ledger.call());
            let more = std::iter::repeat_with(|| {
                ledger.call();
                ledger.element()
            });
            roster.extend(more.take(300));
        },
        |roster, calls| {
            let added = calls.map_or(300, |calls| calls.saturating_sub(2 * COUNT));
            assert_eq!(roster.len(), COUNT + added);
        },
    );
    assert_eq!(calls, 2 * COUNT + 300);
}

/// Lets a roster of such elements grow to several chunks and shrink, and checks that its memory goes back.
fn memory_comes_back<T: Clone>(element: T) {
    let before = BYTES.get();
    let mut roster = Roster::new();
    roster.extend(std::iter::repeat_n(element.clone(), 5000));
    roster.order();
    // Except for the list of chunks.
    let is_held = |bytes: usize| (0..1024).contains(&(BYTES.get() - before - bytes as isize));
    assert!(is_held(roster.stats().bytes), "{}", roster.stats());
    let clone = roster.clone();
    roster.retain(|handle, _| handle.index() % 40 == 0 && handle.index() < 1000);
    roster.shrink_to_fit();
    drop(clone);
    assert!(is_held(roster.stats().bytes), "{}", roster.stats());
    roster.reserve(20_000);
    mem::forget(roster.drain());
    let mut rest = roster.into_iter();
    assert!(rest.next().is_some());
    drop(rest);
    let mut bounded = Roster::bounded(100);
    bounded.extend(std::iter::repeat_n(element, 100));
    drop(bounded);
    assert_eq!(BYTES.get(), before, "{}", std::any::type_name::<T>());
}

#[test]
fn all_memory_goes_back() {
    #[derive(Clone)]
    #[repr(align(128))]
    struct Wide(#[allow(dead_code)] u8);

    memory_comes_back(0_u8);
    memory_comes_back(());
    memory_comes_back([0_u64; 3]);
    memory_comes_back(Wide(0));
}
