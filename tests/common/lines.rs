//! The pool of `Twice` is used while it is in use: the panic names the user's line.
//!
//! For rosters of a thread, and for static ones.

use std::cell::Cell;
use std::panic::{self, catch_unwind};

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
    #[allow(clippy::type_complexity, reason = "each with its line")]
    let uses: [(fn(Handle<Twice>), u32); 15] = [
        at!(_ => Twice::pool_insert(Twice)),
        at!(_ => Twice::pool_try_insert(Twice)),
        at!(_ => Twice::pool_insert_with(|_| Twice)),
        at!(_ => Twice::pool_try_insert_with(|_| Twice)),
        at!(handle => Twice::pool_remove(handle)),
        at!(handle => Twice::pool_contains(handle)),
        at!(handle => Twice::pool_get(handle, |_| ())),
        at!(handle => Twice::pool_get_mut(handle, |_| ())),
        at!(_ => Twice::pool_with(|_| ())),
        at!(_ => Twice::pool_read(|_| ())),
        at!(_ => Twice::pool_borrow()),
        at!(_ => Twice::pool_borrow_mut()),
        at!(_ => Twice::pool_clear()),
        at!(_ => Twice::pool_reserve(1)),
        at!(_ => (Twice::pool_stats(), Twice::pool_trim())),
    ];
    let handle = Twice::pool_insert(Twice);
    for (again, line) in uses {
        let result = catch_unwind(|| Twice::pool_with(|_| again(handle)));
        assert!(result.is_err());
        assert_eq!(PANICKED_AT.take(), Some((file!().to_owned(), line)));
    }

    #[derive(Pooled)]
    #[pool(strategy = roster, max = 2)]
    struct Few;

    #[derive(Pooled)]
    #[pool(static, strategy = roster, max = 2)]
    struct FewOfAll;

    #[allow(clippy::type_complexity, reason = "each with its line")]
    let refused: [(fn(Handle<Twice>), u32); 2] =
        [at!(_ => Few::pool_reserve(3)), at!(_ => FewOfAll::pool_reserve(3))];
    for (reserve, line) in refused {
        assert!(catch_unwind(|| reserve(handle)).is_err());
        assert_eq!(PANICKED_AT.take(), Some((file!().to_owned(), line)));
    }

    let result = catch_unwind(|| Twice::pool_get(handle, |_| Twice::pool_trim()));
    assert!(result.is_err());
    assert_eq!(PANICKED_AT.take().map(|at| at.0), Some(file!().to_owned()));
}
