//! Shared elements of any type.

use crate::derived::by_layout::counted::Counted;
use crate::derived::by_layout::{ByLayout, SharedByLayout};
use crate::derived::rc::{Atomic, Plain, RefCounted, RefCountedWeak};

/// One of many owners of an element of any type, all in one thread: `std`'s `Rc`, with the element in the
/// thread's pool for its size.
///
/// One word for a sized element, whose counts lie before it. See [`RefCounted`] for what it can do. What
/// that says about derived pools, a `PoolRc` and `#[pool(rc)]` does not apply: `T` may be of any type.
///
/// An `Rc<[T]>` and an `Rc<str>` are made as in `std`, with the counts and all elements in one slot: `any::Rc::<str>::from("text")`,
/// or by collecting. As in [`AnyBox<[T]>`](crate::any::AnyBox), elements are collected in a vector first.
///
/// # Examples
///
/// ```
/// use std::cell::Cell;
/// use typed_pool::any;
///
/// let text = String::from("borrowed");
/// let shared = any::Rc::new((&*text, Cell::new(1)));
/// let other = any::Rc::clone(&shared);
/// other.1.set(2);
/// assert_eq!((shared.0, shared.1.get(), any::Rc::strong_count(&shared)), ("borrowed", 2, 2));
/// ```
pub type Rc<T> = RefCounted<T, Plain, Counted<ByLayout>>;

/// Does not own the element of an [`Rc`], and can tell whether it is still there: `std::rc::Weak`.
///
/// # Examples
///
/// ```
/// use typed_pool::any;
///
/// struct Node { parent: any::Weak<Node>, name: &'static str }
///
/// let root = any::Rc::new(Node { parent: any::Weak::new(), name: "root" });
/// let leaf = any::Rc::new(Node { parent: any::Rc::downgrade(&root), name: "leaf" });
/// assert_eq!(leaf.parent.upgrade().map(|parent| parent.name), Some("root"));
/// drop(root);
/// assert!(leaf.parent.upgrade().is_none());
/// # let _ = leaf.name;
/// ```
pub type RcWeak<T> = RefCountedWeak<T, Plain, Counted<ByLayout>>;

/// One of many owners of an element of any type, in any thread: `std`'s `Arc`, with the element in a pool.
///
/// Its slot is one of [`SharedByLayout`]. `Send` and `Sync` if the element is both.
///
/// # Examples
///
/// ```
/// use std::thread;
/// use typed_pool::any;
///
/// let numbers = any::Arc::new(vec![1, 2, 3]);
/// let there = any::Arc::clone(&numbers);
/// let sum = thread::spawn(move || there.iter().sum::<i32>()).join().unwrap();
/// assert_eq!((sum, any::Arc::strong_count(&numbers)), (6, 1));
/// ```
pub type Arc<T> = RefCounted<T, Atomic, Counted<SharedByLayout>>;

/// Does not own the element of an [`Arc`], and can tell whether it is still there: `std::sync::Weak`.
///
/// # Examples
///
/// ```
/// use typed_pool::any;
///
/// let cache = any::Arc::new([0_u8; 256]);
/// let weak: any::ArcWeak<_> = any::Arc::downgrade(&cache);
/// drop(cache);
/// assert!(weak.upgrade().is_none());
/// ```
pub type ArcWeak<T> = RefCountedWeak<T, Atomic, Counted<SharedByLayout>>;
