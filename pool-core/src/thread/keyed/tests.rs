use core::cell::Cell;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::Table;
use crate::base::opaque::Resident;
use crate::thread::thread_local;

struct Value(Cell<usize>);

static LOOKS: AtomicUsize = AtomicUsize::new(0);

impl Resident for Value {
    fn is_reclaimable(&self) -> bool {
        LOOKS.fetch_add(1, Ordering::Relaxed);
        self.0.get() == 0
    }
}

thread_local! {
    static VALUE: Value = const { Value(Cell::new(0)) };
}

fn replace(new: usize) -> usize {
    VALUE.try_with(|value| value.0.replace(new)).expect("there is memory")
}

#[test]
fn a_table_goes_when_all_in_it_is_spent() {
    // In a thread of its own: it has pools of no other test.
    let ended = thread::spawn(|| {
        assert_eq!((replace(7), replace(8)), (0, 7));
        Table::end();
        assert_eq!(replace(0), 8, "it was not spent");
        let in_use = VALUE.try_with(|_| {
            Table::end();
            Table::here().is_some()
        });
        assert_eq!(in_use.ok(), Some(true));
        Table::end();
        assert!(Table::here().is_none());
        assert_eq!(replace(9), 0, "another");
        let before = LOOKS.load(Ordering::Relaxed);
        let _ = replace(0);
        before
    });
    assert!(ended.join().unwrap() < LOOKS.load(Ordering::Relaxed), "the end of a thread looks");
}

#[test]
fn a_table_has_room_for_all() {
    macro_rules! many {
        ($($name:ident)*) => {{
            $(thread_local! {
                static $name: Value = const { Value(Cell::new(0)) };
            })*
            [$(&$name),*]
        }};
    }
    thread::spawn(|| {
        let all = many!(A B C D E F G H I J K L M N O P Q R S T);
        for round in 0..3 {
            for (number, one) in all.iter().enumerate() {
                let before = one.try_with(|value| value.0.replace(round * 100 + number));
                let expected = if round == 0 { 0 } else { (round - 1) * 100 + number };
                assert_eq!(before.expect("there is memory"), expected);
            }
        }
        assert!(Table::here().and_then(Table::next).and_then(Table::next).is_some());
        all.iter().for_each(|one| one.try_with(|value| value.0.set(0)).expect("it is there"));
    })
    .join()
    .unwrap();
}
