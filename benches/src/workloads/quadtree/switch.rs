//! One copy of the tree for all contestants.
//!
//! The place where the linker puts a tree's code moves its frame by more than the allocators
//! differ. So the frames that are judged run the same instructions for all: nodes are made
//! and freed by way of two function pointers, which are set before a contestant's turn. The
//! two indirect calls cost all of them the same.

use core::cell::Cell;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr::{self, NonNull};

use super::{Area, Node, Nursery};
use crate::contestant::{Contestant, Owning};

type Made = NonNull<Node<Switch>>;

/// How to reach the current contestant.
#[derive(Clone, Copy)]
struct Line {
    contestant: *const (),
    make: unsafe fn(*const (), Area) -> Made,
    free: unsafe fn(Made),
    clear: unsafe fn(*const ()),
}

thread_local! {
    static LINE: Cell<Line> = const {
        Cell::new(Line {
            contestant: ptr::null(),
            make: |_, _| nobody(),
            free: |_| nobody(),
            clear: |_| nobody(),
        })
    };
}

#[cold]
fn nobody() -> ! {
    panic!("no contestant was connected")
}

/// The nursery of the contestant that was connected last on this thread.
#[derive(Clone, Copy)]
pub struct Switch(PhantomData<*const ()>);

/// A contestant with boxes that can be rebuilt from their addresses, so that one kind of child will do.
pub trait Switchable: Contestant<Node<Switch>, Object: Owning<Target = Node<Switch>>> {}

impl<C> Switchable for C where C: Contestant<Node<Switch>, Object: Owning<Target = Node<Switch>>> {}

impl Switch {
    /// Lets the trees of this thread come from `contestant` until the next call.
    ///
    /// # Safety
    ///
    /// No tree of this thread is alive that came from another contestant.
    pub unsafe fn connect<C: Switchable>(contestant: &'static C) -> Self {
        LINE.set(Line {
            contestant: ptr::from_ref(contestant).cast(),
            make: make::<C>,
            free: free::<C>,
            clear: clear::<C>,
        });
        Self(PhantomData)
    }
}

impl Nursery for Switch {
    type Child = Child;

    #[inline(always)]
    fn node(self, area: Area) -> Child {
        let line = LINE.get();
        // SAFETY: `connect` stored both, and they belong together.
        Child(unsafe { (line.make)(line.contestant, area) })
    }

    #[inline(always)]
    unsafe fn clear(self) {
        let line = LINE.get();
        // SAFETY: they belong together, and the caller promises that no node is used again.
        unsafe { (line.clear)(line.contestant) };
    }
}

/// A box of the connected contestant.
pub struct Child(Made);

impl Deref for Child {
    type Target = Node<Switch>;

    #[inline(always)]
    fn deref(&self) -> &Node<Switch> {
        // SAFETY: a box and its value, which the child owns, have one address.
        unsafe { self.0.as_ref() }
    }
}

impl DerefMut for Child {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Node<Switch> {
        // SAFETY: as above, and there is one child to a value.
        unsafe { self.0.as_mut() }
    }
}

impl Drop for Child {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the contestant that made it is still connected, as `connect` asks.
        unsafe { (LINE.get().free)(self.0) };
    }
}

/// # Safety
///
/// `contestant` points to a `C`.
unsafe fn make<C: Switchable>(contestant: *const (), area: Area) -> Made {
    // SAFETY: as promised.
    let contestant = unsafe { contestant.cast::<C>().read() };
    contestant.alloc(|| Node::new(area)).into_raw()
}

/// # Safety
///
/// `made` came from `make::<C>`, once.
unsafe fn free<C: Switchable>(made: Made) {
    // SAFETY: as promised.
    drop(unsafe { C::Object::from_raw(made) });
}

/// # Safety
///
/// `contestant` points to a `C`, and none of its nodes is used again.
unsafe fn clear<C: Switchable>(contestant: *const ()) {
    // SAFETY: as promised.
    let contestant = unsafe { contestant.cast::<C>().read() };
    // SAFETY: as promised.
    unsafe { contestant.reset() };
}
