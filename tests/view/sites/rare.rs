//! Panics, threads that end, and what is told of leaks.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread;

use typed_pool::pools::Watch;
use typed_pool::{PoolBox, Pooled, Rewind, Roster, init};

use super::{by_line, made_in};
use crate::LISTENER;

#[test]
fn what_was_never_made_has_no_site() {
    fn check<T: Pooled>() {
        let interrupted = |f: &dyn Fn()| assert!(catch_unwind(AssertUnwindSafe(f)).is_err());
        interrupted(&|| drop(T::pool_alloc_with(|| resume_unwind(Box::new(1)))));
        interrupted(&|| {
            drop(T::pool_init(init::with(|| -> T { resume_unwind(Box::new(1)) })));
        });
        let failed = T::pool_init(init::try_with(|| -> Result<T, u8> { Err(1) }));
        assert!(failed.is_err());
        drop(T::pool_vacant());
        assert!(T::pool_sites().is_empty());
        assert_eq!(T::pool_stats().live, 0);
        // While it is made, it is counted as live, and has a site.
        T::pool_try_alloc_with(|| {
            assert_eq!(made_in(file!(), &T::pool_sites()), 1);
            resume_unwind(Box::new(1))
        })
        .map_or_else(|_| (), drop);
    }

    #[derive(Pooled)]
    struct Local(u64);

    #[derive(Pooled)]
    #[pool(static)]
    struct Shared(u64);

    #[derive(Pooled)]
    #[pool(static, capacity = 4)]
    struct Fixed(u64);

    assert!(catch_unwind(check::<Local>).is_err() && Local::pool_sites().is_empty());
    assert!(catch_unwind(check::<Shared>).is_err() && Shared::pool_sites().is_empty());
    assert!(catch_unwind(check::<Fixed>).is_err() && Fixed::pool_sites().is_empty());
}

#[test]
fn a_destructor_that_panics_takes_its_site_along() {
    #[derive(Pooled)]
    struct Bad(u64);

    impl Drop for Bad {
        fn drop(&mut self) {
            assert_eq!(Bad::pool_sites().len(), 1, "it is still there");
            resume_unwind(Box::new(1));
        }
    }

    let bad = PoolBox::new(Bad(1));
    assert!(catch_unwind(AssertUnwindSafe(|| drop(bad))).is_err());
    assert!(Bad::pool_sites().is_empty());
}

#[test]
fn a_roster_that_shrinks_and_grows() {
    let mut roster: Roster<u64> = Roster::new();
    let handles: Vec<_> = (0..10_000).map(|n| roster.insert(n)).collect();
    let line = line!() - 1;
    let bytes = roster.stats().bytes;
    for handle in &handles[10..] {
        roster.remove(*handle);
    }
    roster.shrink_to_fit();
    assert!(roster.stats().bytes < bytes / 2);
    assert_eq!(by_line(&roster.sites()), [(line, 10)]);
    for n in 0..10_000 {
        roster.insert(n);
    }
    assert_eq!(by_line(&roster.sites()), [(line, 10), (line!() - 2, 10_000)]);
}

#[test]
fn elements_without_a_size_have_lines() {
    let (mut all, mut others) = (Roster::new(), Roster::new());
    let handles: Vec<_> = (0..100).map(|_| all.insert(())).collect();
    let line = line!() - 1;
    others.extend([()]);
    handles[..90].iter().for_each(|&handle| _ = all.remove(handle));
    all.insert(());
    assert_eq!(by_line(&all.sites()), [(line, 10), (line!() - 1, 1)]);
    assert_eq!(by_line(&others.sites()), [(line + 2, 1)]);
    assert_eq!(all.sites()[0].bytes, 0);
}

#[test]
fn what_is_detached_for_a_while_keeps_its_line() {
    let mut roster = Roster::new();
    let handle = roster.insert(1);
    let line = line!() - 1;
    roster.with_detached(handle, |_, others| assert!(others.sites().is_empty()));
    assert_eq!(by_line(&roster.sites()), [(line, 1)]);
}

#[test]
fn what_comes_back_is_of_the_line_that_has_gone_back() {
    let mut world = Rewind::new();
    let handles = [1, 2].map(|n| world.insert(n));
    let line = line!() - 1;
    let mark = world.mark();
    world.remove(handles[0]);
    world.insert(3);
    world.rewind(mark).unwrap();
    assert_eq!(by_line(&world.sites()), [(line, 1), (line!() - 1, 1)]);
}

#[test]
fn each_thread_has_its_own_and_a_static_pool_all() {
    #[derive(Pooled)]
    struct Local(u64);

    #[derive(Pooled)]
    #[pool(static)]
    struct Shared(u64);

    let kept = (PoolBox::new(Local(1)), PoolBox::new(Shared(1)));
    let line = line!() - 1;
    let theirs = thread::spawn(move || {
        assert!(Local::pool_sites().is_empty());
        let theirs = PoolBox::new(Shared(2));
        assert_eq!(by_line(&Shared::pool_sites()), [(line, 1), (line!() - 1, 1)]);
        theirs
    });
    let theirs = theirs.join().unwrap();
    assert_eq!(by_line(&Local::pool_sites()), [(line, 1)]);
    assert_eq!(Shared::pool_sites().len(), 2);
    // Freed in another thread than the one that made it.
    drop(theirs);
    assert_eq!(by_line(&Shared::pool_sites()), [(line, 1)]);
    drop(kept);
}

/// Threads make and free, and another looks: what it sees is of lines that there are, and not more than could be.
#[test]
fn other_threads_work_meanwhile() {
    fn check<T: Pooled + From<u64> + Send>()
    where
        PoolBox<T>: Send,
    {
        let rounds = if cfg!(miri) { 20 } else { 2000 };
        let passed = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for n in 0..rounds {
                        let made = PoolBox::new(T::from(n));
                        let before = passed.lock().unwrap().pop();
                        drop(before);
                        passed.lock().unwrap().push(made);
                    }
                });
            }
            scope.spawn(|| {
                for _ in 0..rounds / 20 {
                    assert!(made_in(file!(), &T::pool_sites()) <= 10);
                }
            });
        });
        let left = passed.into_inner().unwrap();
        assert_eq!(made_in(file!(), &T::pool_sites()), left.len());
    }

    macro_rules! check {
        ($($type:ident $attribute:meta,)*) => {$({
            #[derive(Pooled)]
            #[$attribute]
            struct $type(u64);

            impl From<u64> for $type {
                fn from(value: u64) -> Self {
                    Self(value)
                }
            }

            check::<$type>();
        })*};
    }

    check! {
        Shared pool(static),
        Stack pool(static, strategy = pointer_stack),
        Limited pool(static, max = 20),
        Fixed pool(static, capacity = 20),
    }
}

#[test]
fn whoever_is_told_of_a_leak_knows_its_lines() {
    #[derive(Pooled)]
    struct Texture([u64; 4]);

    #[derive(Pooled)]
    #[pool(strategy = pointer_stack)]
    struct Mesh([u64; 4]);

    static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());

    let _alone = LISTENER.lock().unwrap_or_else(PoisonError::into_inner);
    typed_pool::on_leak(|leak| {
        if leak.type_name.contains("::whoever_is_told") {
            TOLD.lock().unwrap().push(leak.to_string());
        }
    });
    let line = line!() + 2;
    thread::spawn(|| {
        let kept: Vec<_> = (0..9).map(|_| PoolBox::new(Texture([1; 4]))).collect();
        (0..2).for_each(|_| mem::forget(PoolBox::new(Mesh([2; 4]))));
        kept.into_iter().take(5).for_each(mem::forget);
        mem::forget(PoolBox::new(Texture([3; 4])));
    })
    .join()
    .unwrap();
    let mut told = TOLD.lock().unwrap();
    told.sort();
    let [meshes, textures] = &told[..] else { panic!("{told:?}") };
    assert!(meshes.starts_with("2 elements of `") && textures.starts_with("6 elements of `"));
    let (_, sites) = meshes.split_once(", made at ").unwrap();
    assert!(sites.starts_with(&format!("{}:{}:", file!(), line + 1)), "{sites}");
    assert!(sites.ends_with(" (2)"), "{sites}");
    let (_, sites) = textures.split_once(", made at ").unwrap();
    let (first, second) = sites.split_once(", ").unwrap();
    assert!(
        first.starts_with(&format!("{}:{line}:", file!())) && first.ends_with(" (5)"),
        "{sites}"
    );
    assert!(second.starts_with(&format!("{}:{}:", file!(), line + 3)), "{sites}");
    assert!(second.ends_with(" (1)"), "{sites}");
}

#[test]
fn a_watch_says_where_it_was_made() {
    #[derive(Pooled)]
    struct Voice([u64; 4]);

    let make = |count: usize| (0..count).map(|_| PoolBox::new(Voice([0; 4]))).collect::<Vec<_>>();
    let before = make(2);
    let watch = Watch::new();
    watch.assert_none_leaked();
    let (one, line) = (PoolBox::new(Voice([0; 4])), line!());
    let kept = make(3);
    let caught = catch_unwind(AssertUnwindSafe(|| watch.assert_none_leaked())).unwrap_err();
    let message = caught.downcast_ref::<String>().unwrap();
    assert!(message.starts_with("leaked: 4 elements of `"), "{message}");
    // What the same line made before is not counted.
    let (_, sites) = message.split_once("::Voice`, made at ").unwrap();
    let (first, second) = sites.split_once(", ").unwrap();
    assert!(first.starts_with(file!()) && first.ends_with(" (3)"), "{sites}");
    assert!(second.starts_with(&format!("{}:{line}:", file!())), "{sites}");
    assert!(second.ends_with(" (1)"), "{sites}");
    drop((one, kept, before));
}

#[test]
fn a_report_shows_the_biggest_and_says_how_many_more_there_are() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Monster(u64);

    let first = line!() + 1;
    Monster::pool_with(|all| all.extend((0..5).map(Monster)));
    Monster::pool_with(|all| all.extend((0..9).map(Monster)));
    Monster::pool_insert(Monster(1));
    Monster::pool_insert(Monster(1));
    Monster::pool_insert(Monster(1));
    let text = typed_pool::report().to_string();
    let lines: Vec<_> = text.lines().skip_while(|line| !line.contains("Monster")).collect();
    for (shown, (live, line)) in lines[1..].iter().zip([(9, first + 1), (5, first), (1, first + 2)])
    {
        assert!(shown.contains(&format!("{live} live")), "{shown}");
        assert!(shown.contains(&format!("{}:{line}:", file!())), "{shown}");
    }
    assert_eq!(lines[4].trim(), ".. 2 more lines");
}
