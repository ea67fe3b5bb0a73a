//! The rosters that `#[pool(strategy = roster)]` gives to types, one for each thread.

use std::cell::{Cell, RefCell};
use std::panic::catch_unwind;
use std::rc::Rc;
use std::thread;

use typed_pool::{Handle, Pooled, Roster};

use crate::panic_of;

#[test]
fn an_empty_pool_begins_anew() {
    #[derive(Pooled)]
    #[pool(strategy = roster, tag = 7)]
    struct Mine(#[allow(dead_code, reason = "what is inserted")] u8);

    #[derive(Pooled)]
    #[pool(strategy = roster, static)]
    struct Ours(#[allow(dead_code, reason = "what is inserted")] u8);

    assert_eq!((Mine::pool_tag(), Ours::pool_tag()), (Some(7), None));
    let (mine, ours) = (Mine::pool_insert(Mine(1)), Ours::pool_insert(Ours(1)));
    assert!(!Mine::pool_renew() && !Ours::pool_renew());
    Mine::pool_remove(mine);
    Ours::pool_remove(ours);
    let before = Ours::pool_tag();
    assert!(Mine::pool_renew() && Ours::pool_renew());
    // The program has chosen one of the tags.
    assert_eq!(Mine::pool_insert(Mine(2)), mine);
    assert_eq!((Ours::pool_insert(Ours(2)).generation(), Ours::pool_contains(ours)), (1, false));
    assert_ne!(Ours::pool_tag(), before);
    for refused in [|| _ = Mine::pool_renew(), || _ = Mine::pool_tag()] {
        assert!(panic_of(|| Mine::pool_with(|_| refused())).contains("in use"));
    }
}

#[derive(Pooled)]
#[pool(strategy = roster, capacity = 2, name = "the throne room")]
struct Boss(u8);

#[test]
fn a_full_roster_says_so_and_gives_the_value_back() {
    let first = Boss::pool_insert(Boss(1));
    Boss::pool_insert(Boss(2));
    let refused = Boss::pool_try_insert(Boss(3)).unwrap_err();
    assert_eq!((refused.capacity(), refused.name()), (2, "the throne room"));
    assert_eq!(refused.into_inner().0, 3);
    let text = panic_of(|| _ = Boss::pool_insert(Boss(3)));
    assert!(text.contains("the throne room") && text.contains("all 2 slots"), "{text}");
    assert!(text.contains("raise `capacity`"), "{text}");
    let refused = Boss::pool_try_insert_with(|_| unreachable!()).unwrap_err();
    assert_eq!((refused.capacity(), refused.name()), (2, "the throne room"));
    let text = panic_of(|| _ = Boss::pool_insert_with(|_| unreachable!()));
    assert!(text.contains("all 2 slots"), "{text}");
    assert!(panic_of(|| Boss::pool_reserve(1)).contains("cannot reserve 1"));
    Boss::pool_remove(first);
    assert!(Boss::pool_try_insert(Boss(3)).is_ok());
}

#[derive(Pooled)]
#[pool(strategy = roster, chunk = 16, max = 40)]
struct Limited;

#[test]
fn a_type_without_size_has_a_roster_and_a_limit() {
    for _ in 0..40 {
        Limited::pool_insert(Limited);
    }
    assert_eq!(Limited::pool_stats().limit, Some(40));
    assert!(Limited::pool_try_insert(Limited).is_err());
}

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Family {
    children: Vec<Handle<Family>>,
    log: Rc<RefCell<Vec<u32>>>,
    id: u32,
}

impl Drop for Family {
    fn drop(&mut self) {
        self.log.borrow_mut().push(self.id);
        for child in self.children.drain(..) {
            // The pool is not in use while a destructor runs.
            drop(Family::pool_remove(child));
        }
    }
}

#[test]
fn destructors_may_use_the_pool() {
    let log = Rc::new(RefCell::new(Vec::new()));
    let family = |id, children| Family { children, log: log.clone(), id };
    let leaves = [1, 2].map(|id| Family::pool_insert(family(id, vec![])));
    let root = Family::pool_insert(family(3, leaves.to_vec()));
    Family::pool_insert(family(4, vec![]));
    drop(Family::pool_remove(root));
    assert_eq!(*log.borrow(), [3, 1, 2]);
    let lonely = Family::pool_insert(family(5, vec![]));
    Family::pool_insert(family(6, vec![lonely]));
    Family::pool_clear();
    log.borrow_mut().sort_unstable();
    assert_eq!(*log.borrow(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(Family::pool_stats().live, 0);
}

/// To look from the first slot on for each element would take time by the square of their number.
#[test]
fn a_clear_goes_through_the_slots_once_and_again_for_what_destructors_insert() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Phoenix(u32);

    thread_local! {
        static DROPPED: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    }

    impl Drop for Phoenix {
        fn drop(&mut self) {
            DROPPED.with_borrow_mut(|dropped| dropped.push(self.0));
            if self.0 == 150 {
                Phoenix::pool_insert(Phoenix(1000));
            }
        }
    }

    (0..200).for_each(|n| assert_eq!(Phoenix::pool_insert(Phoenix(n)).index(), n as usize));
    Phoenix::pool_clear();
    assert!(DROPPED.with_borrow(|dropped| (0..200).chain([1000]).eq(dropped.iter().copied())));
    assert_eq!(Phoenix::pool_stats().live, 0);
}

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Node {
    parent: Option<Handle<Node>>,
}

#[test]
fn a_constructor_may_use_the_pool_and_its_own_handle() {
    let mut child = None;
    let root = Node::pool_insert_with(|root| {
        assert_eq!(Node::pool_get(root, |_| ()), None, "not there yet");
        assert!(Node::pool_remove(root).is_none());
        Node::pool_insert(Node { parent: Some(root) });
        Node::pool_clear();
        child = Some(Node::pool_insert(Node { parent: Some(root) }));
        Node::pool_trim();
        Node { parent: None }
    });
    assert_eq!(Node::pool_get(root, |node| node.parent), Some(None));
    let parent = child.and_then(|child| Node::pool_get(child, |node| node.parent));
    assert_eq!(parent, Some(Some(root)));

    let mut seen = None;
    let text = panic_of(|| {
        Node::pool_insert_with(|handle| {
            seen = Some(handle);
            panic!("no child")
        });
    });
    assert_eq!(text, "no child");
    let seen = seen.expect("it was called");
    assert_eq!(Node::pool_stats().live, 2);
    let next = Node::pool_insert(Node { parent: None });
    assert_eq!(next.index(), seen.index(), "the slot came back");
    assert!(Node::pool_get(seen, |_| ()).is_none());
}

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Local(u32);

#[test]
fn the_handle_of_another_thread_finds_nothing() {
    let ours = Local::pool_insert(Local(1));
    let another = move || {
        let theirs = Local::pool_insert(Local(2));
        if theirs.tag() == ours.tag() {
            return None;
        }
        assert_eq!(ours.index(), theirs.index());
        assert!(Local::pool_get(ours, |_| ()).is_none());
        assert!(Local::pool_remove(ours).is_none());
        let text = panic_of(|| Local::pool_with(|locals| _ = locals[ours].0));
        assert!(text.contains("of another roster: this one has tag "), "{text}");
        assert!(text.contains("every thread has its own"), "{text}");
        Some(theirs)
    };
    // With another tag: the rosters of other tests take tags, too.
    let mut threads = (0..100).filter_map(|_| thread::spawn(another).join().expect("no panic"));
    let theirs = threads.next().expect("another tag");
    assert!(Local::pool_get(theirs, |_| ()).is_none());
    assert_eq!(Local::pool_get(ours, |local| local.0), Some(1));
}

#[derive(Pooled)]
#[pool(strategy = roster, instances(Cage<u8>, Cage<String>))]
struct Cage<T>(T);

#[test]
fn instances_have_rosters_of_their_own() {
    let wren = Cage::pool_insert(Cage(String::from("wren")));
    Cage::pool_insert(Cage(7_u8));
    assert_eq!(Cage::<u8>::pool_stats().live, 1);
    assert_eq!(Cage::pool_get(wren, |cage| cage.0.len()), Some(4));
}

thread_local! {
    static DROPPED: Cell<u32> = const { Cell::new(0) };
}

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Mortal;

impl Drop for Mortal {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
    }
}

#[test]
fn a_destructor_that_panics_leaves_the_rest() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Fragile(bool, #[allow(dead_code)] Mortal);

    impl Drop for Fragile {
        fn drop(&mut self) {
            assert!(!self.0, "fragile");
        }
    }

    for at in 0..5 {
        Fragile::pool_insert(Fragile(at == 1, Mortal));
    }
    assert_eq!(panic_of(Fragile::pool_clear), "fragile");
    assert_eq!((DROPPED.get(), Fragile::pool_stats().live), (2, 3));
    Fragile::pool_clear();
    assert_eq!((DROPPED.get(), Fragile::pool_stats().live), (5, 0));
}

#[test]
fn a_constructor_that_has_filled_its_own_slot_may_panic() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Page([u64; 1024]);

    let meddling: [fn(Handle<Page>); 3] = [
        |handle| Page::pool_with(|pages| pages.reattach(handle, Page([7; 1024]))),
        |_| Page::pool_with(|pages| *pages = Roster::from_iter([Page([7; 1024])])),
        |_| Page::pool_with(|pages| drop(std::mem::take(pages))),
    ];
    for (meddle, live) in meddling.into_iter().zip([1, 1, 0]) {
        let result = catch_unwind(|| {
            Page::pool_insert_with(|handle| {
                meddle(handle);
                std::panic::resume_unwind(Box::new("no"))
            })
        });
        assert!(result.is_err());
        Page::pool_with(|pages| {
            assert_eq!((pages.len(), pages.values().count()), (live, live));
            assert!(pages.drain().all(|(_, page)| page.0 == [7; 1024]));
            assert_eq!(pages.insert(Page([8; 1024])).index(), 0);
            pages.clear();
        });
    }
}

/// The element is dropped, by a destructor that may use the pool, and what the constructor did stays.
#[test]
fn a_constructor_whose_slot_is_taken_or_gone_is_a_panic() {
    thread_local! {
        static DROPPED: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    }

    macro_rules! check {
        ($($pool:tt)*) => {{
            #[derive(Pooled, Debug)]
            #[pool($($pool)*)]
            struct Page(u32);

            impl Drop for Page {
                fn drop(&mut self) {
                    // The pool is lent to `clear` then, and cannot be asked.
                    if self.0 != 3 {
                        let live = Page::pool_stats().live as u32;
                        DROPPED.with_borrow_mut(|dropped| dropped.push(10 * self.0 + live));
                    }
                }
            }

            let meddling: [(fn(Handle<Page>), Option<u32>); 6] = [
                (|handle| Page::pool_with(|pages| pages.reattach(handle, Page(1))), Some(1)),
                (
                    |handle| {
                        Page::pool_with(|pages| pages.reattach(handle, Page(3)));
                        std::mem::forget(Page::pool_remove(handle));
                        Page::pool_insert(Page(1));
                    },
                    Some(1),
                ),
                (|_| Page::pool_with(|pages| *pages = Roster::new()), None),
                (|_| drop(Page::pool_with(std::mem::take)), None),
                (
                    |_| {
                        Page::pool_with(|pages| *pages = Roster::from_iter([Page(1)]));
                        Page::pool_trim();
                    },
                    Some(1),
                ),
                (
                    |_| {
                        Page::pool_with(|pages| std::mem::swap(pages, &mut Roster::new()));
                        assert!(Page::pool_try_insert_with(|_| Page(1)).is_ok());
                    },
                    Some(1),
                ),
            ];
            for (meddle, left) in meddling {
                for insert in [
                    |f: &dyn Fn(Handle<Page>) -> Page| _ = Page::pool_insert_with(f),
                    |f: &dyn Fn(Handle<Page>) -> Page| _ = Page::pool_try_insert_with(f).unwrap(),
                ] {
                    let text = panic_of(|| {
                        insert(&|handle| {
                            meddle(handle);
                            Page(2)
                        });
                    });
                    let live = u32::from(left.is_some());
                    assert_eq!(DROPPED.take(), [20 + live]);
                    for part in ["::Page`", "(slot 0, generation ", "reattach"] {
                        assert!(text.contains(part), "{text}");
                    }
                    let pages = || Page::pool_with(|pages| pages.drain().collect::<Vec<_>>());
                    assert_eq!(pages().into_iter().map(|(_, page)| page.0).next(), left);
                    DROPPED.take();
                }
            }

            // These leave the slot alone, or give it back as it was.
            let harmless: [fn(Handle<Page>); 5] = [
                |_| Page::pool_with(Roster::clear),
                |_| Page::pool_with(|pages| drop(pages.drain())),
                |_| Page::pool_with(|pages| pages.retain(|_, _| false)),
                |_| {
                    Page::pool_clear();
                    Page::pool_trim();
                },
                |handle| {
                    Page::pool_with(|pages| {
                        pages.reattach(handle, Page(3));
                        assert_eq!(pages.detach(handle).map(|page| page.0), Some(3));
                    });
                },
            ];
            for leave in harmless {
                Page::pool_insert(Page(3));
                let made = Page::pool_insert_with(|handle| {
                    leave(handle);
                    Page(2)
                });
                assert_eq!(Page::pool_get(made, |page| page.0), Some(2));
                Page::pool_clear();
                assert_eq!(DROPPED.take(), [20]);
            }
        }};
    }

    check!(strategy = roster);
    check!(static, strategy = roster);
}

#[derive(Pooled, Clone)]
#[pool(strategy = roster, max = 5, name = "the few")]
struct Few(u64);

fn fill() -> usize {
    std::iter::from_fn(|| Few::pool_try_insert(Few(7)).ok()).take(1000).count()
}

/// Its own limit holds afterwards, to the slot, also when all of its memory has gone back; and its elements stay where they are.
#[test]
fn another_roster_in_its_place_brings_its_limit() {
    for mut other in
        [Roster::new(), Roster::with_capacity(100), Roster::bounded(10), Roster::bounded(500)]
    {
        let limit = other.stats().limit;
        other.extend((0..10).map(Few));
        let handles: Vec<_> = other.handles().collect();
        let _ = other.detach(handles[0]);
        other.remove(handles[1]);
        let address = std::ptr::from_ref(&other[handles[5]]);
        Few::pool_with(|roster| *roster = other);
        assert_eq!(Few::pool_stats().limit, limit);
        // A detached element holds its slot.
        assert_eq!(fill(), limit.map_or(1000, |limit| limit - 9), "{limit:?}");
        assert!(Few::pool_get(handles[1], |_| ()).is_none());
        Few::pool_with(|roster| {
            assert_eq!(
                (std::ptr::from_ref(&roster[handles[5]]), roster[handles[5]].0),
                (address, 5)
            );
            roster.reattach(handles[0], Few(0));
        });
        Few::pool_clear();
        Few::pool_trim();
        assert_eq!(fill(), limit.unwrap_or(1000), "{limit:?}");
        Few::pool_clear();
    }
}

#[test]
fn a_roster_that_is_taken_out_takes_its_limit_along() {
    let stats = Few::pool_stats();
    assert_eq!((stats.name, stats.limit), ("the few", Some(5)));
    let taken = Few::pool_with(std::mem::take);
    assert_eq!((taken.stats().name, taken.stats().limit, taken.len()), ("the few", Some(5), 0));
    assert_eq!((Few::pool_stats().limit, fill()), (None, 1000));
    Few::pool_with(|few| *few = taken);
    assert_eq!(fill(), 5);
    Few::pool_with(|few| *few = Roster::bounded(1).with_name("another"));
    assert_eq!(fill(), 1);
    let error = Few::pool_try_insert(Few(2)).unwrap_err();
    assert_eq!((error.name(), error.capacity()), ("the few", 1));
    let error = Few::pool_try_reserve(1).unwrap_err().to_string();
    assert!(error.contains("in the pool of `the few`: 1 of at most 1"), "{error}");
    Few::pool_clear();
}

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Twice;

#[path = "../common/lines.rs"]
mod lines;
