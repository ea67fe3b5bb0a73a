//! The pool of `Twice` is used while it is in use: the panic names the user's line.
//!
//! For rosters of a thread, and for static ones.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};

use typed_pool::{Handle, Pooled};

use super::Twice;

#[test]
fn a_panic_names_the_line_that_used_the_pool_again() {
    thread_local! {
        static PANICKED_AT: Cell<Option<(String, u32)>> = const { Cell::new(None) };
    }

    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let at = info.location().map(|at| (at.file().to_owned(), at.line()));
        PANICKED_AT.set(at);
        before(info);
    }));

    /// Uses the pool, and the line of that use.
    macro_rules! at {
        ($handle:pat => $use:expr) => {
            (|$handle| _ = $use, line!())
        };
    }
    type Use = (fn(Handle<Twice>), u32);
    let writes: [Use; 10] = [
        at!(_ => Twice::pool_insert(Twice)),
        at!(_ => Twice::pool_try_insert(Twice)),
        at!(_ => Twice::pool_insert_with(|_| Twice)),
        at!(_ => Twice::pool_try_insert_with(|_| Twice)),
        at!(handle => Twice::pool_remove(handle)),
        at!(handle => Twice::pool_get_mut(handle, |_| ())),
        at!(_ => Twice::pool_with(|_| ())),
        at!(_ => Twice::pool_borrow_mut()),
        at!(_ => Twice::pool_clear()),
        at!(_ => Twice::pool_reserve(1)),
    ];
    let reads: [Use; 4] = [
        at!(handle => Twice::pool_contains(handle)),
        at!(handle => Twice::pool_get(handle, |_| ())),
        at!(_ => Twice::pool_read(|_| ())),
        at!(_ => Twice::pool_borrow()),
    ];
    let others: [Use; 1] = [at!(_ => (Twice::pool_stats(), Twice::pool_trim()))];
    let check = |again: &dyn Fn(), line| {
        let panic = catch_unwind(AssertUnwindSafe(again)).unwrap_err();
        let text = panic.downcast::<String>().unwrap();
        assert!(text.contains("Twice` is in use"), "{text}");
        assert_eq!(PANICKED_AT.take(), Some((file!().to_owned(), line)));
    };
    let handle = Twice::pool_insert(Twice);
    for (again, line) in writes.into_iter().chain(reads).chain(others) {
        check(&|| Twice::pool_with(|_| again(handle)), line);
        assert_eq!(Twice::pool_stats().live, 1, "nothing was changed");
    }
    for (again, line) in writes.into_iter().chain(others) {
        check(&|| Twice::pool_read(|_| again(handle)), line);
    }
    // Though there is nothing to clear.
    Twice::pool_remove(handle);
    Twice::pool_trim();
    check(&|| Twice::pool_read(|_| Twice::pool_clear()), line!());

    #[derive(Pooled)]
    #[pool(strategy = roster, max = 2)]
    struct Few;

    #[derive(Pooled)]
    #[pool(static, strategy = roster, max = 2)]
    struct FewOfAll;

    let refused: [Use; 2] = [at!(_ => Few::pool_reserve(3)), at!(_ => FewOfAll::pool_reserve(3))];
    for (reserve, line) in refused {
        assert!(catch_unwind(|| reserve(handle)).is_err());
        assert_eq!(PANICKED_AT.take(), Some((file!().to_owned(), line)));
    }
}
