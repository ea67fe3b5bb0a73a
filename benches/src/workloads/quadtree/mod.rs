//! W5: a whole frame of a quad-tree over drifting, clustered bodies: build, query, drop.
//!
//! All contestants run one copy of the tree, since the place where the linker puts a tree's code moves its frame by more than the
//! allocators differ. Nodes are made and freed by way of function pointers, which are set before a contestant's turn. The indirect calls
//! cost all of them the same.

mod tree;

use core::cell::Cell;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr::{self, NonNull};

pub use tree::{Area, Node};

use crate::contestant::{Contestant, Owning};
use crate::points::Point;

/// The area of the bodies. One that drifts out counts towards the outermost quarter.
const WORLD: Area = Area { low: [-180.0, -90.0], high: [180.0, 90.0] };

/// One of this many bodies asks for its neighbours.
const ASKING: usize = 16;

/// How far near is, in degrees.
const REACH: f32 = 0.5;

/// Builds the tree, asks it, drops it. Returns how many neighbours were found.
#[inline(never)]
pub fn frame(nursery: Nursery, places: &[Point]) -> u64 {
    let mut root = nursery.node(WORLD);
    for body in 0..places.len() {
        root.insert(nursery, body as u32, places, 0);
    }
    let mut neighbours = 0;
    for &[x, y] in places.iter().step_by(ASKING) {
        let near = Area { low: [x - REACH, y - REACH], high: [x + REACH, y + REACH] };
        neighbours += root.count_in(&near, places);
    }
    drop(root);
    let line = LINE.get();
    // SAFETY: `connect` stored both, and they belong together; the whole tree is gone.
    unsafe { (line.clear)(line.contestant) };
    neighbours
}

/// How to reach the current contestant.
#[derive(Clone, Copy)]
struct Line {
    contestant: *const (),
    make: unsafe fn(*const (), Area) -> NonNull<Node>,
    free: unsafe fn(NonNull<Node>),
    clear: unsafe fn(*const ()),
}

thread_local! {
    static LINE: Cell<Line> = const {
        Cell::new(Line {
            contestant: ptr::null(),
            make: |_, _| unconnected(),
            free: |_| unconnected(),
            clear: |_| unconnected(),
        })
    };
}

#[cold]
fn unconnected() -> ! {
    panic!("no contestant was connected")
}

/// A contestant with boxes that can be rebuilt from their addresses, so that one kind of child will do.
pub trait Switchable: Contestant<Node, Object: Owning<Target = Node>> {}

impl<C> Switchable for C where C: Contestant<Node, Object: Owning<Target = Node>> {}

/// The nodes of the contestant that was connected last on this thread.
#[derive(Clone, Copy)]
pub struct Nursery(PhantomData<*const ()>);

impl Nursery {
    /// Lets the trees of this thread come from `contestant` until the next call.
    ///
    /// # Safety
    ///
    /// No tree of this thread is alive that came from another contestant, and none goes to another thread.
    pub unsafe fn connect<C: Switchable>(contestant: &'static C) -> Self {
        LINE.set(Line {
            contestant: ptr::from_ref(contestant).cast(),
            make: make::<C>,
            free: free::<C>,
            clear: clear::<C>,
        });
        Self(PhantomData)
    }

    #[inline(always)]
    fn node(self, area: Area) -> Child {
        let line = LINE.get();
        // SAFETY: `connect` stored both, and they belong together.
        Child(unsafe { (line.make)(line.contestant, area) })
    }
}

/// A box of the connected contestant.
pub struct Child(NonNull<Node>);

// SAFETY: static pools ask for it. No tree goes to another thread, as `connect` asks.
unsafe impl Send for Child {}

impl Deref for Child {
    type Target = Node;

    #[inline(always)]
    fn deref(&self) -> &Node {
        // SAFETY: a box and its value, which the child owns, have one address.
        unsafe { self.0.as_ref() }
    }
}

impl DerefMut for Child {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Node {
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
unsafe fn make<C: Switchable>(contestant: *const (), area: Area) -> NonNull<Node> {
    // SAFETY: as promised.
    let contestant = unsafe { contestant.cast::<C>().read() };
    contestant.alloc(|| Node::new(area)).into_raw()
}

/// # Safety
///
/// `made` came from `make::<C>`, once.
unsafe fn free<C: Switchable>(made: NonNull<Node>) {
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
