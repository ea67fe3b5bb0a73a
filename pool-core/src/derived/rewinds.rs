//! Rewinds of types: one in each thread.
//!
//! A type with `#[pool(strategy = roster, rewind)]` has the functions of a pool as its own. They are not those of `Pooled`, which
//! would change the roster without a log.

use core::any::type_name;
use core::cell::RefCell;
use core::mem::{self, ManuallyDrop};
use std::process;
use std::thread::{AccessError, LocalKey};

use crate::base::config::Config;
use crate::base::handle::Handle;
use crate::base::ledger::{Facts, Strategy};
use crate::derived::thread_exit::this_thread;
use crate::rewind::{Forgotten, Mark, Rewind};
use crate::roster::Roster;

/// The functions of a type whose rewind is in a thread-local.
#[doc(hidden)]
#[macro_export]
macro_rules! __rewind_pool {
    ($ty:ty, $config:expr) => {
        const _: () = {
            type __Pool = $crate::__private::LocalRewind<$ty>;
            $crate::__private::std_thread_local! {
                static POOL: __Pool = const { __Pool::new($config) };
            }

            #[automatically_derived]
            #[allow(dead_code)]
            impl $ty {
                /// Puts `value` into the lowest vacant slot: `Rewind::insert`.
                #[track_caller]
                pub fn pool_insert(value: Self) -> $crate::Handle<Self> {
                    __Pool::lend_mut(&POOL, |rewind| rewind.insert(value))
                }

                /// `pool_insert` that gives the value back if no slot is vacant.
                #[track_caller]
                pub fn pool_try_insert(
                    value: Self,
                ) -> $crate::__private::Result<$crate::Handle<Self>, $crate::Exhausted<Self>>
                {
                    __Pool::lend_mut(&POOL, |rewind| rewind.try_insert(value))
                }

                /// Puts into a slot what `f` makes from the handle: `Rewind::insert_with`. The pool is in use meanwhile.
                #[track_caller]
                pub fn pool_insert_with(
                    f: impl ::core::ops::FnOnce($crate::Handle<Self>) -> Self,
                ) -> $crate::Handle<Self> {
                    __Pool::lend_mut(&POOL, |rewind| rewind.insert_with(f))
                }

                /// Removes the element; `false` if the handle is stale: `Rewind::remove`.
                #[track_caller]
                pub fn pool_remove(handle: $crate::Handle<Self>) -> ::core::primitive::bool {
                    __Pool::remove(&POOL, handle)
                }

                /// Whether the element is live.
                #[track_caller]
                pub fn pool_contains(handle: $crate::Handle<Self>) -> ::core::primitive::bool {
                    __Pool::contains(&POOL, handle)
                }

                /// Shows the element to `f`.
                #[track_caller]
                pub fn pool_get<R>(
                    handle: $crate::Handle<Self>,
                    f: impl ::core::ops::FnOnce(&Self) -> R,
                ) -> ::core::option::Option<R> {
                    __Pool::lend(&POOL, |rewind| rewind.get(handle).map(f))
                }

                /// Lends the element to `f`, once it is remembered: `Rewind::get_mut`.
                #[track_caller]
                pub fn pool_get_mut<R>(
                    handle: $crate::Handle<Self>,
                    f: impl ::core::ops::FnOnce(&mut Self) -> R,
                ) -> ::core::option::Option<R> {
                    __Pool::lend_mut(&POOL, |rewind| $crate::Rewind::get_mut(rewind, handle).map(f))
                }

                /// Lends the type's `Rewind` to `f`.
                #[track_caller]
                pub fn pool_with<R>(
                    f: impl ::core::ops::FnOnce(&mut $crate::Rewind<Self>) -> R,
                ) -> R {
                    __Pool::with(&POOL, f)
                }

                /// Lends the type's `Rewind` to `f`, to read.
                #[track_caller]
                pub fn pool_read<R>(f: impl ::core::ops::FnOnce(&$crate::Rewind<Self>) -> R) -> R {
                    __Pool::lend(&POOL, f)
                }

                #[doc(hidden)]
                pub fn pool_borrow() -> &'static $crate::Rewind<Self>
                where
                    for<'a> Self: $crate::checks::LentByGuard<'a>,
                {
                    ::core::unreachable!()
                }

                #[doc(hidden)]
                pub fn pool_borrow_mut() -> &'static mut $crate::Rewind<Self>
                where
                    for<'a> Self: $crate::checks::LentByGuard<'a>,
                {
                    ::core::unreachable!()
                }

                /// Gives the present state a name: `Rewind::mark`.
                #[track_caller]
                pub fn pool_mark() -> $crate::Mark {
                    __Pool::lend_mut(&POOL, $crate::Rewind::mark)
                }

                /// Makes everything as it was at the mark: `Rewind::rewind`. Destructors may use the pool.
                #[track_caller]
                pub fn pool_rewind(
                    mark: $crate::Mark,
                ) -> $crate::__private::Result<(), $crate::Forgotten> {
                    __Pool::rewind(&POOL, mark)
                }

                /// Forgets what came before the mark: `Rewind::confirm`. Destructors may use the pool.
                #[track_caller]
                pub fn pool_confirm(mark: $crate::Mark) {
                    __Pool::confirm(&POOL, mark);
                }

                /// Removes every element. Destructors, where they do not wait, may use the pool.
                #[track_caller]
                pub fn pool_clear() {
                    __Pool::clear(&POOL);
                }

                /// The pool's figures: `Rewind::stats`.
                #[track_caller]
                pub fn pool_stats() -> $crate::PoolStats {
                    __Pool::lend(&POOL, $crate::Rewind::stats)
                }

                /// Makes room for `additional` more elements: `Rewind::reserve`.
                #[track_caller]
                pub fn pool_reserve(additional: ::core::primitive::usize) {
                    __Pool::lend_mut(&POOL, |rewind| rewind.reserve(additional));
                }

                /// Makes room for `additional` more elements, if there is room: `Rewind::try_reserve`.
                #[track_caller]
                pub fn pool_try_reserve(
                    additional: ::core::primitive::usize,
                ) -> ::core::result::Result<(), $crate::ReserveError> {
                    __Pool::lend_mut(&POOL, |rewind| rewind.try_reserve(additional))
                }

                /// Gives unneeded memory back: `Rewind::shrink_to_fit`. Returns how many bytes.
                #[track_caller]
                pub fn pool_trim() -> ::core::primitive::usize {
                    __Pool::trim(&POOL)
                }
            }
        };
    };
}

/// Never holds: the word for the guards that a thread-local of std does not have. (With a lifetime, it is asked where it is called.)
#[diagnostic::on_unimplemented(
    message = "the rewind of `{Self}` is lent to closures, not by a guard: `{Self}::pool_with(|rewind| ..)`",
    label = "no guards of a type with `rewind`"
)]
pub trait LentByGuard<'a> {}

/// One thread's rewind of one type. When the thread ends, its elements are dropped; from then on there is none.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct LocalRewind<T>(RefCell<ManuallyDrop<Rewind<T>>>);

impl<T> Drop for LocalRewind<T> {
    /// A closure may be suspended that has the rewind. It then stays as it is, as long as the thread.
    fn drop(&mut self) {
        if let Ok(mut rewind) = self.0.try_borrow_mut() {
            drop(ManuallyDrop::into_inner(mem::take(&mut *rewind)));
        } else if cfg!(not(pool_native_tls)) {
            // It is about to be freed.
            process::abort();
        }
    }
}

impl<T> LocalRewind<T> {
    /// An empty one, which grows as `config` says.
    pub const fn new(config: Config) -> Self {
        Self(RefCell::new(ManuallyDrop::new(Rewind::of(Roster::with_config(config)))))
    }

    #[track_caller]
    fn expect<R>(lent: Result<Option<R>, AccessError>) -> R {
        let why = match lent {
            Ok(Some(result)) => return result,
            Ok(None) => "is in use: within a closure of `pool_with`, use its argument",
            Err(_) => "has ended with its thread",
        };
        panic!("the pool of `{}` {why}", type_name::<T>())
    }

    /// Lends it, to read.
    #[track_caller]
    pub fn lend<R>(pool: &'static LocalKey<Self>, f: impl FnOnce(&Rewind<T>) -> R) -> R {
        Self::expect(pool.try_with(|pool| pool.0.try_borrow().ok().map(|rewind| f(&rewind))))
    }

    /// Lends it.
    #[track_caller]
    pub fn lend_mut<R>(pool: &'static LocalKey<Self>, f: impl FnOnce(&mut Rewind<T>) -> R) -> R {
        Self::expect(pool.try_with(|pool| {
            let mut rewind = pool.0.try_borrow_mut().ok()?;
            let roster = rewind.roster_mut();
            if !roster.account.get().is_open() {
                let facts = const { &Facts::owned(type_name::<T>, Strategy::ROSTER) };
                roster.open_account(facts, this_thread(false));
            }
            Some(f(&mut rewind))
        }))
    }

    /// Lends it to `f`, which may put another in its place: limit, tag and name stay.
    #[track_caller]
    pub fn with<R>(pool: &'static LocalKey<Self>, f: impl FnOnce(&mut Rewind<T>) -> R) -> R {
        Self::lend_mut(pool, |rewind| Roster::keep_config(rewind, Rewind::roster_mut, f))
    }

    /// Removes an element. A destructor runs while nothing is borrowed.
    #[track_caller]
    pub fn remove(pool: &'static LocalKey<Self>, handle: Handle<T>) -> bool {
        // For destructors: with its thread, all has gone.
        pool.try_with(|_| ()).is_ok()
            && Self::lend_mut(pool, |rewind| rewind.remove_into(handle)).is_some()
    }

    /// Whether an element is live.
    #[track_caller]
    pub fn contains(pool: &'static LocalKey<Self>, handle: Handle<T>) -> bool {
        pool.try_with(|_| ()).is_ok() && Self::lend(pool, |rewind| rewind.contains(handle))
    }

    /// Goes back to a mark.
    ///
    /// # Errors
    ///
    /// If it is forgotten.
    #[track_caller]
    pub fn rewind(pool: &'static LocalKey<Self>, mark: Mark) -> Result<(), Forgotten> {
        Self::lend_mut(pool, |rewind| rewind.rewind_state(mark))?;
        Self::drop_spent(pool);
        Ok(())
    }

    /// Confirms a mark.
    #[track_caller]
    pub fn confirm(pool: &'static LocalKey<Self>, mark: Mark) {
        Self::lend_mut(pool, |rewind| rewind.confirm_state(mark));
        Self::drop_spent(pool);
    }

    /// Drops what nobody can get back, one by one, with nothing borrowed.
    #[track_caller]
    fn drop_spent(pool: &'static LocalKey<Self>) {
        while let Some(element) = Self::lend_mut(pool, Rewind::pop_spent) {
            drop(element);
        }
    }

    /// Removes every element.
    #[track_caller]
    pub fn clear(pool: &'static LocalKey<Self>) {
        let mut first = 0;
        while let Some(element) = Self::lend_mut(pool, |rewind| rewind.clear_from(&mut first)) {
            drop(element);
        }
    }

    /// Gives memory back; returns how many bytes.
    #[track_caller]
    pub fn trim(pool: &'static LocalKey<Self>) -> usize {
        Self::lend_mut(pool, |rewind| {
            let before = rewind.stats().bytes;
            rewind.shrink_to_fit();
            before.saturating_sub(rewind.stats().bytes)
        })
    }
}
