//! Guards of derived rosters, a thread's and static ones.

use std::mem;
use std::panic::catch_unwind;
use std::ptr;
use std::sync::Mutex;
use std::thread;

use typed_pool::{Handle, Pooled, Roster, RosterRef, RosterRefMut};

#[track_caller]
fn assert_in_use(f: impl FnOnce()) {
    let text = crate::panic_of(f);
    assert!(text.contains("is in use") && text.contains("pool_borrow"), "{text}");
}

fn in_thread<R: Send + 'static>(f: impl FnOnce() -> R + Send + 'static) -> R {
    thread::spawn(f).join().expect("no panic")
}

/// Keeps the address of a leak, so that no tool reports it.
fn keep<T>(leaked: &T) {
    static KEPT: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    KEPT.lock().expect("no panic").push(ptr::from_ref(leaked).addr());
}

/// Both kinds of guards can be shared, and go nowhere.
const _: () = {
    const fn is_sync<T: Sync>() {}

    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Local;

    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Shared;

    is_sync::<(RosterRef<Local>, RosterRefMut<Local>, RosterRef<Shared>, RosterRefMut<Shared>)>();
};

/// A type with a pool.
macro_rules! pooled {
    ($Type:ident, $($attribute:tt)*) => {
        #[derive(Pooled, Debug, Clone, PartialEq)]
        #[pool($($attribute)*)]
        struct $Type(String);

        #[allow(dead_code, reason = "not in every test")]
        impl $Type {
            fn named(name: &str) -> Self {
                Self(name.to_owned())
            }

            fn insert(name: &str) -> Handle<Self> {
                Self::pool_insert(Self::named(name))
            }
        }
    };
}

macro_rules! guards {
    ($($name:ident: ($($attribute:tt)*);)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn the_roster_is_lent_until_the_guard_is_dropped() {
                pooled!(Monster, $($attribute)*);

                fn longer(of: Handle<Monster>) -> Option<usize> {
                    let mut monsters = Monster::pool_borrow_mut();
                    monsters.get_mut(of)?.0.push('!');
                    Some(monsters.get(of)?.0.len())
                }

                let orc = Monster::insert("orc");
                assert_eq!(longer(orc), Some(4));
                drop(Monster::pool_remove(orc));
                assert_eq!(longer(orc), None, "it returned early");

                let mut all = Monster::pool_borrow_mut();
                let handle = all.insert(Monster::named("e"));
                assert_eq!(format!("{all:?}"), format!("{:?}", *all));
                drop(all);
                let all = Monster::pool_borrow();
                assert_eq!((all.len(), all[handle].0.as_str()), (1, "e"));
                assert_eq!(format!("{all:?}"), format!("{:?}", *all));
                drop(all);
                Monster::pool_clear();
            }

            #[test]
            fn one_that_writes_is_alone() {
                pooled!(Monster, $($attribute)*);

                let orc = Monster::insert("orc");
                let mut all = Monster::pool_borrow_mut();
                assert_in_use(|| _ = Monster::pool_borrow());
                assert_in_use(|| _ = Monster::pool_borrow_mut());
                assert_in_use(|| Monster::pool_read(|_| ()));
                assert_in_use(|| Monster::pool_with(|_| ()));
                assert_in_use(|| _ = Monster::pool_stats());
                assert_in_use(|| _ = Monster::insert("elf"));
                assert_in_use(|| Monster::pool_clear());
                let elf = all.insert(Monster::named("elf"));
                drop(all);
                Monster::pool_with(|all| assert!(all.contains(orc) && all.contains(elf)));
                // Within a closure, and a constructor.
                Monster::pool_with(|_| assert_in_use(|| _ = Monster::pool_borrow()));
                Monster::pool_read(|_| assert_in_use(|| _ = Monster::pool_borrow_mut()));
                let made = Monster::pool_insert_with(|itself| {
                    assert!(!Monster::pool_borrow_mut().contains(itself));
                    Monster::named("made")
                });
                assert_eq!(Monster::pool_borrow()[made].0, "made");
                Monster::pool_clear();
            }

            #[test]
            fn those_that_read_end_in_any_order() {
                pooled!(Monster, $($attribute)*);

                let orc = Monster::insert("orc");
                for is_first_the_first in [true, false] {
                    let mut guards = [Monster::pool_borrow(), Monster::pool_borrow()];
                    if !is_first_the_first {
                        guards.reverse();
                    }
                    let [first, last] = guards;
                    Monster::pool_read(|all| assert_eq!(first[orc], all[orc]));
                    drop(first);
                    assert_eq!(Monster::pool_get(orc, |it| *it == last[orc]), Some(true));
                    assert_in_use(|| _ = Monster::pool_borrow_mut());
                    assert_in_use(|| _ = Monster::pool_remove(orc));
                    let third = Monster::pool_read(|_| Monster::pool_borrow());
                    drop(last);
                    assert_in_use(|| Monster::pool_with(|_| ()));
                    assert_eq!(third[orc].0, "orc");
                    drop(third);
                    assert_eq!(Monster::pool_with(|all| all.order().index_of(orc)), Some(0));
                }
                Monster::pool_clear();
            }

            #[test]
            fn a_panic_gives_the_roster_back() {
                pooled!(Monster, $($attribute)*);

                let panicked = catch_unwind(|| {
                    let mut all = Monster::pool_borrow_mut();
                    all.insert(Monster::named("orc"));
                    panic!("on purpose");
                });
                assert!(panicked.is_err());
                let panicked = catch_unwind(|| {
                    let _all = Monster::pool_borrow();
                    panic!("on purpose");
                });
                assert!(panicked.is_err());
                assert_eq!(Monster::pool_borrow_mut().drain().count(), 1);
            }

            #[test]
            fn another_roster_brings_its_configuration() {
                #[derive(Pooled)]
                #[pool($($attribute)*, max = 3, name = "the few")]
                struct Few(u8);

                *Few::pool_borrow_mut() = (0..5).map(Few).collect();
                let stats = Few::pool_stats();
                assert_eq!((stats.live, stats.limit), (5, None));
                Few::pool_insert(Few(5));
                let mut few = Few::pool_borrow_mut();
                let mut other = Roster::bounded(3);
                other.insert(Few(7));
                mem::swap(&mut *few, &mut other);
                drop(few);
                assert_eq!(other.into_values().map(|few| few.0).sum::<u8>(), 15);
                Few::pool_insert(Few(8));
                Few::pool_insert(Few(9));
                assert!(Few::pool_try_insert(Few(10)).is_err());
                assert!(Few::pool_borrow().values().map(|few| few.0).eq([7, 8, 9]));
                Few::pool_clear();
            }

            #[test]
            fn other_threads_use_references() {
                pooled!(Monster, $($attribute)*);

                let orc = Monster::insert("orc");
                let (mut all, is_there) = (Monster::pool_borrow_mut(), |all: &Roster<_>| all.contains(orc));
                all.insert(Monster::named("elf"));
                let found = thread::scope(|scope| {
                    let all = &all;
                    scope.spawn(move || is_there(all)).join().unwrap()
                });
                assert!(found);
                drop(all);
                let all = Monster::pool_borrow();
                assert!(thread::scope(|scope| scope.spawn(|| is_there(&all)).join().unwrap()));
                drop(all);
                Monster::pool_clear();
            }

            /// The thread that has leaked the guard ends, and the reference lives on.
            #[test]
            fn a_leaked_guard_leaves_the_roster_lent() {
                pooled!(Read, $($attribute)*);
                pooled!(Written, $($attribute)*);

                let (all, first) = in_thread(|| {
                    let handles = ["a", "b"].map(Read::insert);
                    let all: &'static RosterRef<Read> = Box::leak(Box::new(Read::pool_borrow()));
                    keep(all);
                    let all: &'static Roster<Read> = all;
                    keep(Box::leak(Box::new(Read::pool_borrow())));
                    assert_in_use(|| Read::pool_with(|_| ()));
                    assert_in_use(|| _ = Read::pool_trim());
                    assert_eq!(Read::pool_borrow()[handles[0]], all[handles[0]]);
                    assert_eq!(Read::pool_get(handles[1], |b| b.0.clone()).as_deref(), Some("b"));
                    (all, handles[0])
                });
                assert_eq!((all.len(), all[first].0.as_str()), (2, "a"));

                let all = in_thread(|| {
                    Written::insert("a");
                    let all: &'static mut RosterRefMut<Written> =
                        Box::leak(Box::new(Written::pool_borrow_mut()));
                    keep(all);
                    let all: &'static mut Roster<Written> = all;
                    assert_in_use(|| _ = Written::pool_borrow());
                    assert_in_use(|| _ = Written::insert("b"));
                    all
                });
                // More than one chunk.
                let handles: Vec<_> = (0..2000).map(|n| all.insert(Written(n.to_string()))).collect();
                assert_eq!(all[handles[1999]].0, "1999");
                assert_eq!((all.len(), all.values().next_back().unwrap().0.as_str()), (2001, "1999"));
                all.clear();

            }
        }
    )*};
}

guards! {
    of_a_thread: (strategy = roster);
    of_all_threads: (static, strategy = roster);
}
