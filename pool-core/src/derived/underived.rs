//! What the compiler says of a type that has no pool of boxes.
//!
//! `Pooled` is implemented here for every type for which a chain of conditions holds, and for none do all hold. So where a pool
//! is missing, the compiler goes through the chain for the reason, and shows the message of the condition that fails. Each
//! condition is asked of what the one before it answers: where one fails there is no answer, so the others are silent. And
//! what is asked goes through a trait that has no answer either ([`Nothing`]), so the compiler asks once, and has one error.
//!
//! The parameter `Hidden` keeps the compiler from proposing such a condition as a bound: it proposes no type that has `dyn Send`
//! in it.
//!
//! No type gets a pool here: the last condition cannot be met ([`HandsOutBoxes`]), and nobody else can name it.

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use alloc::sync::Arc;
#[cfg(feature = "alloc")]
use alloc::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    rc::Rc,
    string::String,
    vec::Vec,
};
use core::cell::{Cell, RefCell};
use core::marker::PhantomData;
#[cfg(feature = "std")]
use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, RwLock},
};

#[cfg(feature = "std")]
use crate::derived::in_thread::InThread;
use crate::derived::key::InStatic;
use crate::derived::kind::RosterHandles;
use crate::derived::pooled::Pooled;
use crate::derived::storage::Storage;

/// All of the chain. (A call, `Bullet::pool_alloc()`, has the message of this one.)
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no pool: add `#[derive(Pooled)]`",
    label = "no pool of its own",
    note = "a generic type lists the instances that have one: `#[pool(instances({Self}))]`",
    note = "in generic code, where `{Self}` is a parameter, or has one, write `where {Self}: Pooled`",
    note = "a type of another crate: take `any::Box<{Self}>`, or an owned `FreeList<{Self}>`"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait HasPool<Hidden: ?Sized = dyn Send>: Sized {
    /// No answer.
    type Place: Storage<Self>;
}

impl<T: OneSize<Itself: Derived<Storage: HasRest<T>>>> HasPool for T {
    type Place = <<T::Itself as Derived>::Storage as HasRest<T>>::Place;
}

/// The rest of the chain, apart: so what has a pool is only asked for its beginning.
#[allow(unnameable_types, reason = "for this crate alone")]
pub trait HasRest<T, Hidden: ?Sized = dyn Send> {
    /// No answer.
    type Place: Storage<T>;
}

impl<T, S> HasRest<T> for S
where
    S: Listed<T, Storage: Yours<T, Storage: HandsOutBoxes<T, Boxes: Storage<T>>>>,
{
    type Place = <<S::Storage as Yours<T>>::Storage as HandsOutBoxes<T>>::Boxes;
}

#[doc(hidden)]
impl<T: HasPool + 'static> Pooled for T {
    type __Storage = T::Place;
}

/// A type, not what only stands behind a pointer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no pool of its own: take `any::Box<{Self}>`, or, for a trait of yours, make `PoolObject` its supertrait",
    label = "without a size",
    note = "for a trait of yours: `trait Shape: PoolObject`, then `unsize!(PoolBox::new(value) => dyn Shape)`",
    note = "for other traits, closures, slices and text: `any::Box<{Self}>`"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait OneSize<Hidden: ?Sized = dyn Send>: Sized {
    /// Asked of it further.
    type Itself;
}

impl<T> OneSize for T {
    type Itself = T;
}

// Never: but what has two ways to be, and is neither, is not asked why.
impl<T> OneSize for T
where
    for<'a> (): Nobody<'a>,
    (): NobodysFor<T>,
    T: OneSize<Itself = T>,
{
    type Itself = T;
}

/// Implemented for nothing, as this crate knows.
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait Nobody<'a> {}

/// Implemented for nothing, as other crates know of their types.
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait NobodysFor<T> {}

/// Implemented for nothing, as every crate knows of its types; so it answers nothing.
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait Nothing<T> {
    /// No answer.
    type Answer;
}

/// A type with a pool, if only of handles.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no pool: add `#[derive(Pooled)]`",
    label = "no pool of its own",
    note = "a generic type lists the instances that have one: `#[pool(instances({Self}))]`",
    note = "in generic code, where `{Self}` is a parameter, or has one, write `where {Self}: Pooled`",
    note = "a type of another crate: take `any::Box<{Self}>`, or an owned `FreeList<{Self}>`"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait Derived<Hidden: ?Sized = dyn Send> {
    /// Where its pool lies.
    type Storage;
}

#[diagnostic::do_not_recommend]
impl<T: Pooled<RosterHandles>> Derived for T {
    type Storage = T::__Storage;
}

/// Stands for the storage of types that nobody can derive anything for.
#[derive(Debug)]
#[allow(unnameable_types, reason = "for this crate alone")]
pub struct NotYours(PhantomData<()>);

/// Types that are not of the user's crate, whichever that is.
macro_rules! not_yours {
    ($($(#[$feature:meta])* [$($parameter:tt)*] $ty:ty,)*) => {$(
        $(#[$feature])*
        #[diagnostic::do_not_recommend]
        impl<$($parameter)*> Derived for $ty {
            type Storage = NotYours;
        }
    )*};
}

not_yours! {
    [] bool, [] char, [] u8, [] u16, [] u32, [] u64, [] u128, [] usize, [] i8, [] i16, [] i32, [] i64, [] i128, [] isize, [] f32, [] f64,
    [] (), [A] (A,), [A, B] (A, B), [A, B, C] (A, B, C), [A, B, C, D] (A, B, C, D),
    [T, const N: usize] [T; N], [T] Option<T>, [T, E] Result<T, E>, [T] Cell<T>, [T] RefCell<T>,
    #[cfg(feature = "alloc")] [] String,
    #[cfg(feature = "alloc")] [T] Vec<T>,
    #[cfg(feature = "alloc")] [T] VecDeque<T>,
    #[cfg(feature = "alloc")] [T: ?Sized] Rc<T>,
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))] [T: ?Sized] Arc<T>,
    #[cfg(feature = "alloc")] [K, V] BTreeMap<K, V>,
    #[cfg(feature = "alloc")] [T] BTreeSet<T>,
    #[cfg(feature = "std")] [K, V, S] HashMap<K, V, S>,
    #[cfg(feature = "std")] [T, S] HashSet<T, S>,
    #[cfg(feature = "std")] [T] Mutex<T>,
    #[cfg(feature = "std")] [T] RwLock<T>,
}

/// Stands for the storage of an instance that its generic type may not list.
#[doc(hidden)]
#[derive(Debug)]
pub struct NotListed(PhantomData<()>);

/// The type is not such an instance: asked of what the derive says of all instances.
#[diagnostic::on_unimplemented(
    message = "`{T}` has no pool, since it is not listed: add it to `#[pool(instances(..))]`",
    label = "an instance that is not listed",
    note = "in generic code, where `{T}` has a parameter, write `where {T}: Pooled`",
    note = "or take `any::Box<{T}>`, which is for all types"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait Listed<T, Hidden: ?Sized = dyn Send> {
    /// The same.
    type Storage;
}

#[diagnostic::do_not_recommend]
impl<T, S: Known<T>> Listed<T> for S {
    type Storage = S::Itself;
}

/// All but [`NotListed`]. One by one, and not by way of `Storage`: to find that out, the compiler would have to know the pools of the
/// type that it asks for.
#[allow(unnameable_types, reason = "for this crate alone")]
pub trait Known<T> {
    /// The same.
    type Itself;
}

#[cfg(feature = "std")]
impl<T, P: 'static> Known<T> for InThread<P> {
    type Itself = Self;
}

impl<T, P: 'static> Known<T> for InStatic<P> {
    type Itself = Self;
}

impl<T> Known<T> for NotYours {
    type Itself = Self;
}

/// The type is not one of these.
#[diagnostic::on_unimplemented(
    message = "`{T}` is not a type of your own, so it has no pool: take `any::Box<{T}>` or `any::Rc<{T}>`",
    label = "of another crate",
    note = "or write `#[derive(Pooled)]` on a struct of yours that holds it",
    note = "or allocate from a pool that you own, `FreeList<{T}>`"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait Yours<T, Hidden: ?Sized = dyn Send> {
    /// The same.
    type Storage;
}

#[diagnostic::do_not_recommend]
impl<T, S: Storage<T>> Yours<T> for S {
    type Storage = S::Roster;
}

/// The pool is one of boxes: asked of what has only handles, so for no type.
#[diagnostic::on_unimplemented(
    message = "`{T}` has no boxes: its pool has `strategy = roster`, and hands out handles",
    label = "has handles",
    note = "keep a `Handle<{T}>`, from `{T}::pool_insert(value)`",
    note = "or remove `strategy = roster` from the `#[pool(..)]` on `{T}`, and it has boxes"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait HandsOutBoxes<T, Hidden: ?Sized = dyn Send> {
    /// No answer.
    type Boxes;
}

#[diagnostic::do_not_recommend]
impl<T, S: Nothing<T>> HandsOutBoxes<T> for S {
    type Boxes = S::Answer;
}
