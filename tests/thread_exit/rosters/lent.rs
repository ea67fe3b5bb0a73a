//! A roster that is lent when its thread ends, or the process: it stays as it is, and that is no panic.

use std::process::{self, Command};
use std::{env, thread};

use typed_pool::{Handle, Pooled};

/// Names the way in which the process is to end.
const WAY: &str = "POOL_ROSTER_LENT";

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Element {
    exits: bool,
}

impl Drop for Element {
    fn drop(&mut self) {
        if self.exits {
            self.exits = false;
            process::exit(0);
        }
    }
}

fn inserted() -> Handle<Element> {
    Element::pool_insert(Element { exits: false });
    Element::pool_insert(Element { exits: false })
}

/// Elements. The destructor of the first one ends the process.
fn exiting() {
    inserted();
    Element::pool_with(|all| all.values_mut().take(1).for_each(|element| element.exits = true));
}

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Endless(u32);

impl Drop for Endless {
    fn drop(&mut self) {
        Endless::pool_insert(Endless(self.0 + 1));
    }
}

fn in_thread(f: fn()) {
    thread::spawn(f).join().expect("no panic");
}

const WAYS: &[(&str, fn())] = &[
    ("with", || {
        inserted();
        Element::pool_with(|_| process::exit(0));
    }),
    ("read", || {
        inserted();
        Element::pool_read(|_| process::exit(0));
    }),
    ("borrow_mut", || {
        inserted();
        let _all = Element::pool_borrow_mut();
        process::exit(0);
    }),
    ("leaked", || {
        in_thread(|| {
            inserted();
            std::mem::forget(Element::pool_borrow());
        });
        in_thread(|| {
            inserted();
            std::mem::forget(Element::pool_borrow_mut());
        });
    }),
    ("insert_with", || _ = Element::pool_insert_with(|_| process::exit(0))),
    ("clear", || {
        exiting();
        Element::pool_clear();
    }),
    ("remove", || {
        exiting();
        let first = Element::pool_with(|all| all.handles().next()).expect("the first");
        drop(Element::pool_remove(first));
    }),
    ("two", || {
        Endless::pool_read(|_| Element::pool_with(|_| process::exit(0)));
    }),
    #[cfg(not(any(target_arch = "s390x", target_arch = "arm", target_family = "wasm")))]
    ("suspended", || {
        in_thread(|| {
            inserted();
            suspended::leak(|yielder| Element::pool_with(|_| yielder.suspend(())));
        });
        in_thread(|| {
            inserted();
            suspended::leak(|yielder| Element::pool_read(|_| yielder.suspend(())));
        });
        in_thread(|| {
            inserted();
            suspended::leak(|yielder| {
                Element::pool_insert_with(|_| {
                    yielder.suspend(());
                    Element { exits: false }
                });
            });
        });
    }),
    // It comes to an end, and says so.
    ("endless", || in_thread(|| _ = Endless::pool_insert(Endless(0)))),
];

#[test]
#[cfg_attr(miri, ignore = "it starts processes")]
fn an_end_is_no_panic() {
    if let Ok(way) = env::var(WAY) {
        let (_, end) = WAYS.iter().find(|known| known.0 == way).expect("a way");
        end();
        process::exit(0);
    }
    for &(way, _) in WAYS {
        let mut child = Command::new(env::current_exe().expect("this program"));
        child.args(["--exact", "rosters::lent::an_end_is_no_panic", "--nocapture"]);
        // What was left in place is lost with its thread.
        let output = child.env(WAY, way).env("ASAN_OPTIONS", "detect_leaks=0").output();
        let output = output.expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{way}: {said}");
        let notices = said.lines().filter(|line| line.starts_with("typed-pool:")).count();
        assert_eq!(notices, usize::from(way == "endless"), "{way}: {said}");
        assert!(!said.contains("panicked"), "{way}: {said}");
        assert!(way != "endless" || said.contains("rosters::lent::Endless`"), "{said}");
    }
}

/// As in any thread-local: there is nowhere for the panic to go.
#[test]
#[cfg_attr(miri, ignore = "it starts processes")]
fn a_destructor_that_panics_at_the_end_aborts() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Fragile;

    impl Drop for Fragile {
        fn drop(&mut self) {
            panic!("fragile");
        }
    }

    if env::var_os(WAY).is_some() {
        in_thread(|| _ = Fragile::pool_insert(Fragile));
        process::exit(0);
    }
    let mut child = Command::new(env::current_exe().expect("this program"));
    child.args([
        "--exact",
        "rosters::lent::a_destructor_that_panics_at_the_end_aborts",
        "--nocapture",
    ]);
    let output = child.env(WAY, "panic").output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("fragile"), "{said}");
}

#[cfg(not(any(target_arch = "s390x", target_arch = "arm", target_family = "wasm")))]
mod suspended {
    use corosensei::{Coroutine, CoroutineResult, Yielder};
    use typed_pool::Pooled;

    use crate::rosters::{EARLIER, LATER, Monster, in_thread, monster};

    fn suspended(f: impl FnOnce(&Yielder<(), ()>) + 'static) -> Coroutine<(), (), ()> {
        let mut coroutine = Coroutine::new(|yielder, ()| f(yielder));
        assert!(matches!(coroutine.resume(()), CoroutineResult::Yield(())));
        coroutine
    }

    pub(super) fn leak(f: impl FnOnce(&Yielder<(), ()>) + 'static) {
        std::mem::forget(suspended(f));
    }

    /// The closure ends when the thread does: before the roster is closed, or after it was found in use.
    #[test]
    #[cfg_attr(miri, ignore = "a coroutine maps its stack itself")]
    fn a_closure_that_ends_with_its_thread_gives_the_roster_back() {
        fn lend() -> Box<dyn FnOnce()> {
            Monster::pool_insert(monster(2));
            let coroutine = suspended(|yielder| {
                Monster::pool_with(|all| {
                    all.insert(monster(0));
                    yielder.suspend(());
                });
            });
            Box::new(move || drop(coroutine))
        }

        let earlier = in_thread(|| {
            EARLIER.with_borrow_mut(|_| {});
            let end = lend();
            EARLIER.with_borrow_mut(|at_exit| at_exit.0 = Some(end));
        });
        let later = in_thread(|| {
            let end = lend();
            LATER.with_borrow_mut(|at_exit| at_exit.0 = Some(end));
        });
        assert_eq!([earlier, later], [(3 + 1, 0); 2]);
    }
}
