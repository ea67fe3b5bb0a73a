//! Objects become those of a supertrait (Rust 1.86), by every pointer, and stay where they are.

use std::any::Any;
use std::fmt::Debug;

use typed_pool::{PoolBox, PoolObject, PoolRc, Pooled, any, unsize};

trait Named: PoolObject {
    fn name(&self) -> String;
}

trait Enemy: Named + Debug {
    fn health(&self) -> u64;
}

#[derive(Pooled, Debug)]
#[pool(rc)]
struct Orc(u64);

impl Named for Orc {
    fn name(&self) -> String {
        "an orc".into()
    }
}

impl Enemy for Orc {
    fn health(&self) -> u64 {
        self.0
    }
}

trait Part: Any + Debug + Send {}

impl Part for String {}

fn main() {
    // Typed: the way back to the pool is that of the supertrait's vtable.
    let enemy: PoolBox<dyn Enemy> = unsize!(PoolBox::new(Orc(7)) => dyn Enemy);
    let at = PoolBox::as_ptr(&enemy).cast::<()>();
    assert_eq!(enemy.health(), 7);
    let named: PoolBox<dyn Named> = unsize!(enemy => dyn Named);
    assert_eq!((named.name(), PoolBox::as_ptr(&named).cast()), ("an orc".into(), at));
    assert_eq!(Orc::pool_stats().live, 1);
    drop(named);
    assert_eq!(Orc::pool_stats().live, 0);

    let enemy: PoolRc<dyn Enemy> = unsize!(PoolRc::new(Orc(7)) => dyn Enemy);
    let named: PoolRc<dyn Named> = unsize!(enemy.clone() => dyn Named);
    let weak = PoolRc::downgrade(&named);
    drop(enemy);
    assert_eq!(named.name(), "an orc");
    drop(named);
    assert!(weak.upgrade().is_none());
    drop(weak);
    assert_eq!(Orc::pool_stats().live, 0);

    // By layout: any trait.
    let live = || typed_pool::ByLayout::stats().map(|pool| pool.live).sum::<usize>();
    let part: any::Box<dyn Part> = unsize!(any::Box::new(String::from("text")) => dyn Part);
    let debug: any::Box<dyn Debug + Send> = unsize!(part => dyn Debug + Send);
    assert_eq!(format!("{debug:?}"), "\"text\"");
    drop(debug);
    let part = unsize!(any::Rc::new(String::from("text")) => dyn Part);
    let any: any::Rc<dyn Any> = unsize!(part.clone() => dyn Any);
    drop(part);
    assert_eq!(any.downcast_ref::<String>().map(String::as_str), Some("text"));
    drop(any);
    assert_eq!(live(), 0);
}
