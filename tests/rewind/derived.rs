//! Rewinds of types.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use typed_pool::pools::{PoolInfo, Storage, Watch};
use typed_pool::{Forgotten, Handle, Pooled, Rewind, pools};

#[derive(Pooled, Clone, Debug, PartialEq)]
#[pool(strategy = roster, rewind)]
struct Monster {
    health: i32,
    target: Option<Handle<Monster>>,
}

#[test]
fn a_type_goes_back() {
    let orc = Monster::pool_insert(Monster { health: 40, target: None });
    let goblin = Monster::pool_insert_with(|itself| Monster { health: 5, target: Some(itself) });
    let mark = Monster::pool_mark();
    assert!(Monster::pool_remove(orc));
    assert!(!Monster::pool_remove(orc) && !Monster::pool_contains(orc));
    Monster::pool_get_mut(goblin, |goblin| goblin.health -= 5);
    let elf = Monster::pool_insert(Monster { health: 20, target: Some(goblin) });
    Monster::pool_with(|monsters: &mut Rewind<Monster>| {
        monsters.values_mut().for_each(|mut monster| monster.health += 1);
        assert_eq!(monsters.changes(mark).count(), 3);
    });
    assert!(Monster::pool_stats().log_bytes > 0);

    Monster::pool_rewind(mark).unwrap();
    assert_eq!(Monster::pool_get(orc, |orc| orc.health), Some(40));
    assert_eq!(Monster::pool_read(|monsters| monsters[goblin].health), 5);
    Monster::pool_remove(orc);
    assert_eq!(Monster::pool_insert(Monster { health: 20, target: None }), elf);

    let later = Monster::pool_mark();
    Monster::pool_confirm(later);
    assert_eq!(Monster::pool_rewind(mark), Err(Forgotten));
    Monster::pool_clear();
    assert_eq!(Monster::pool_stats().live, 0);
    Monster::pool_rewind(later).unwrap();
    assert_eq!(Monster::pool_stats().live, 2);
    // Another thread has its own.
    std::thread::spawn(move || assert!(!Monster::pool_contains(goblin))).join().unwrap();
    let in_use = catch_unwind(|| Monster::pool_with(|_| Monster::pool_mark()));
    assert!(in_use.is_err());
}

#[test]
fn it_is_a_pool_of_its_thread() {
    #[derive(Pooled, Clone)]
    #[pool(strategy = roster, rewind, name = "listed")]
    struct Listed(#[expect(unused, reason = "it is there")] u64);

    let watch = Watch::new();
    let kept = Listed::pool_insert(Listed(1));
    let is_here = |info: PoolInfo| {
        info.storage == Storage::ThreadLocal && info.thread.is_some_and(|thread| thread.is_current)
    };
    assert!(pools().find(|info| info.name == Some("listed")).is_some_and(is_here));
    assert!(catch_unwind(AssertUnwindSafe(|| watch.assert_none_leaked())).is_err());
    Listed::pool_remove(kept);
    watch.assert_none_leaked();
}

thread_local! {
    static DROPPED: Cell<usize> = const { Cell::new(0) };
}

/// Its destructor uses the pool.
#[derive(Pooled, Clone)]
#[pool(strategy = roster, rewind, capacity = 8, name = "nested")]
struct Nested {
    child: Option<Handle<Nested>>,
}

impl Drop for Nested {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
        if let Some(child) = self.child {
            Nested::pool_remove(child);
        }
    }
}

#[test]
fn destructors_use_the_pool() {
    let child = Nested::pool_insert(Nested { child: None });
    let parent = Nested::pool_insert(Nested { child: Some(child) });
    assert!(Nested::pool_remove(parent));
    assert_eq!((DROPPED.get(), Nested::pool_stats().live), (2, 0), "without a mark, at once");

    let child = Nested::pool_insert(Nested { child: None });
    let parent = Nested::pool_insert(Nested { child: Some(child) });
    Nested::pool_mark();
    Nested::pool_remove(parent);
    let mark = Nested::pool_mark();
    assert_eq!(DROPPED.get(), 2);
    Nested::pool_confirm(mark);
    assert_eq!((DROPPED.get(), Nested::pool_stats().live), (3, 0), "the parent; its child waits");
    Nested::pool_rewind(mark).unwrap();
    assert!(Nested::pool_contains(child));

    let stats = Nested::pool_stats();
    assert_eq!((stats.name, stats.capacity), ("nested", 8));
    (1..8).for_each(|_| assert!(Nested::pool_try_insert(Nested { child: None }).is_ok()));
    assert!(Nested::pool_try_insert(Nested { child: None }).is_err());
    #[cfg(feature = "view")]
    assert!(pools().any(|pool| pool.name == Some("nested")));
    Nested::pool_clear();
}

#[derive(Pooled, Clone)]
#[pool(strategy = roster, rewind, instances(Item<u8>, Item<String>))]
struct Item<T>(T);

#[test]
fn instances_have_rewinds_of_their_own() {
    let byte = Item::<u8>::pool_insert(Item(1));
    let mark = Item::<u8>::pool_mark();
    Item::<String>::pool_insert(Item("text".into()));
    Item::<u8>::pool_get_mut(byte, |item| item.0 = 2);
    Item::<u8>::pool_rewind(mark).unwrap();
    assert_eq!(Item::<u8>::pool_get(byte, |item| item.0), Some(1));
    assert_eq!(Item::<String>::pool_read(|items| items.values().next().unwrap().0.clone()), "text");
}

/// Its destructor gives memory back.
#[derive(Pooled, Clone)]
#[pool(strategy = roster, rewind)]
struct Tidy(#[allow(dead_code, reason = "what is dropped")] u8);

impl Drop for Tidy {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            Tidy::pool_trim();
        }
    }
}

#[test]
fn destructors_trim_the_pool() {
    let mark = Tidy::pool_mark();
    (0..100).for_each(|number| _ = Tidy::pool_insert(Tidy(number)));
    Tidy::pool_rewind(mark).unwrap();
    assert_eq!(Tidy::pool_stats().live, 0);
    (0..100).for_each(|number| _ = Tidy::pool_insert(Tidy(number)));
    Tidy::pool_mark();
    Tidy::pool_clear();
    Tidy::pool_confirm(Tidy::pool_mark());
    assert_eq!(Tidy::pool_stats().live, 0);
}

#[derive(Pooled, Clone)]
#[pool(strategy = roster, rewind, capacity = 4, tag = 7, name = "replaced")]
struct Replaced(#[allow(dead_code, reason = "what is inserted")] u8);

#[test]
fn another_rewind_in_the_place_is_limited_as_the_first() {
    let first = Replaced::pool_insert(Replaced(0));
    for replace in [
        |rewind: &mut Rewind<_>| *rewind = Rewind::new(),
        |rewind: &mut Rewind<_>| drop(std::mem::take(rewind)),
        |rewind: &mut Rewind<_>| *rewind = Rewind::bounded(100),
    ] {
        Replaced::pool_mark();
        Replaced::pool_with(replace);
        let stats = Replaced::pool_stats();
        assert_eq!((stats.name, stats.limit, stats.live), ("replaced", Some(4), 0));
    }
    Replaced::pool_with(|rewind| *rewind = Rewind::new());
    assert_eq!(Replaced::pool_insert(Replaced(0)), first);
    assert_eq!(Replaced::pool_read(|rewind| rewind.tag()), Some(7));
    (1..4).for_each(|number| assert!(Replaced::pool_try_insert(Replaced(number)).is_ok()));
    assert!(Replaced::pool_try_insert(Replaced(4)).is_err());
    #[cfg(feature = "view")]
    assert_eq!(pools().filter(|pool| pool.name == Some("replaced")).count(), 1);
}
