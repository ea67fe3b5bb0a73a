//! Memory that dies together, and counted memory, as lanes.

use core::cell::{Cell, UnsafeCell};
use core::hint::black_box;
use core::ptr::NonNull;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::thread;

use bumpalo::Bump;
use typed_pool::{FrameBox, FrameStack, LocalFrameStack, Tracked};

use crate::objects::{Obj16, Obj64, Payload};
use crate::race::{Lane, Turn};

/// Objects in a frame, half of them of 16 bytes and half of 64.
const OBJECTS: u64 = 10_000;

/// Operations in a turn of the others.
const OPERATIONS: u64 = 100_000;

/// Memory that is taken back at the end of the frame.
trait Arena: Default + 'static {
    /// Moves the value in. It is not dropped.
    fn put<T>(&self, value: T) -> NonNull<T>;

    fn reset(&mut self);
}

macro_rules! arenas {
    ($($Arena:ty, |$arena:ident, $value:ident| $put:expr;)*) => {$(
        impl Arena for $Arena {
            #[inline(always)]
            fn put<T>(&self, $value: T) -> NonNull<T> {
                let $arena = self;
                NonNull::from($put)
            }

            fn reset(&mut self) {
                self.reset();
            }
        }
    )*};
}

arenas! {
    LocalFrameStack, |frame, value| FrameBox::leak(frame.alloc(value));
    FrameStack, |frame, value| FrameBox::leak(frame.alloc(value));
    Bump, |bump, value| bump.alloc(value);
}

/// A megabyte and an offset, for one thread: what is left to reach.
struct ByHand {
    bytes: UnsafeCell<Vec<u8>>,
    used: Cell<usize>,
}

impl Default for ByHand {
    fn default() -> Self {
        Self { bytes: vec![0; 1 << 20].into(), used: 0.into() }
    }
}

impl Arena for ByHand {
    #[inline(always)]
    fn put<T>(&self, value: T) -> NonNull<T> {
        // SAFETY: one thread, and nothing else refers to the vector itself.
        let bytes = unsafe { &mut *self.bytes.get() };
        let end = bytes.as_mut_ptr().wrapping_add(self.used.get());
        let padding = end.addr().wrapping_neg() & (align_of::<T>() - 1);
        let used = self.used.get() + padding + size_of::<T>();
        assert!(used <= bytes.len(), "the frame is larger than the vector");
        self.used.set(used);
        let place: *mut T = end.wrapping_add(padding).cast();
        // SAFETY: within the vector, aligned, and behind all that was put there.
        unsafe { place.write(value) };
        // SAFETY: as above.
        unsafe { NonNull::new_unchecked(place) }
    }

    fn reset(&mut self) {
        self.used.set(0);
    }
}

/// bumpalo behind a lock, as threads would have to share it.
#[derive(Default)]
struct Locked(Mutex<Bump>);

impl Arena for Locked {
    #[inline(always)]
    fn put<T>(&self, value: T) -> NonNull<T> {
        NonNull::from(self.0.lock().expect("no panic").alloc(value))
    }

    fn reset(&mut self) {
        self.0.get_mut().expect("no panic").reset();
    }
}

/// Half of the objects of each size.
#[inline(always)]
fn fill(arena: &impl Arena, objects: u64) {
    for seed in 0..objects / 2 {
        black_box(arena.put(Obj16::written(seed)));
        black_box(arena.put(Obj64::written(seed)));
    }
}

fn lane(name: &'static str, operations: u64, mut work: impl FnMut() + 'static) -> Lane {
    Lane::new(name, move |_| Turn { cost: Turn::timed(operations, &mut work), checksum: 0 })
}

/// A frame's objects, and a reset.
pub(in crate::race) fn frames() -> Vec<Lane> {
    fn of<A: Arena>(name: &'static str) -> Lane {
        let mut arena = A::default();
        lane(name, 10 * OBJECTS, move || {
            for _ in 0..10 {
                fill(&arena, OBJECTS);
                arena.reset();
            }
        })
    }
    let (mut small, mut large) = (Vec::new(), Vec::new());
    let boxes = lane("Box (system)", OBJECTS, move || {
        for seed in 0..OBJECTS / 2 {
            small.push(Box::new(Obj16::written(seed)));
            large.push(Box::new(Obj64::written(seed)));
        }
        small.clear();
        large.clear();
    });
    vec![
        of::<LocalFrameStack>("LocalFrameStack"),
        of::<FrameStack>("FrameStack"),
        of::<Bump>("bumpalo"),
        of::<ByHand>("limit: Vec<u8>"),
        boxes,
    ]
}

/// Objects of two threads in one arena, and a reset.
pub(in crate::race) fn shared_frames() -> Vec<Lane> {
    fn of<A: Arena + Sync>(name: &'static str) -> Lane {
        let mut arena = A::default();
        lane(name, 10 * OBJECTS, move || {
            thread::scope(|threads| {
                threads.spawn(|| fill(&arena, 10 * OBJECTS));
                fill(&arena, 10 * OBJECTS);
            });
            arena.reset();
        })
    }
    vec![of::<FrameStack>("FrameStack"), of::<Locked>("bumpalo in a Mutex")]
}

fn repeated(name: &'static str, mut work: impl FnMut() + 'static) -> Lane {
    lane(name, OPERATIONS, move || (0..OPERATIONS).for_each(|_| work()))
}

/// A block that is freed from the top.
pub(in crate::race) fn from_the_top() -> Vec<Lane> {
    let (local, shared) = (LocalFrameStack::new(), FrameStack::new());
    vec![
        repeated("LocalFrameStack", move || {
            _ = local.free(black_box(local.alloc(Obj64::written(1))));
        }),
        repeated("FrameStack", move || _ = shared.free(black_box(shared.alloc(Obj64::written(1))))),
        repeated("Box (system)", || drop(black_box(Box::new(Obj64::written(1))))),
    ]
}

/// An object and a reset, where the frame had one chunk before and where it had eight.
pub(in crate::race) fn resets() -> Vec<Lane> {
    [("1 chunk", 1), ("8 chunks", 8)]
        .map(|(name, chunks)| {
            let mut stack = FrameStack::with_capacity(1024);
            for _ in 0..chunks {
                // One more than there is room for.
                let _ = stack.alloc_slice_fill_with(stack.capacity() - stack.used() + 1, |_| 0_u8);
            }
            repeated(name, move || {
                black_box(stack.alloc(1_u8));
                stack.reset();
            })
        })
        .into()
}

/// A pair from a heap whose bytes are counted.
pub(in crate::race) fn tracked() -> Vec<Lane> {
    fn pair(heap: &impl GlobalAlloc) {
        let layout = Layout::new::<Obj64>();
        // SAFETY: the layout is not zero in size.
        let block = black_box(unsafe { heap.alloc(layout) });
        // SAFETY: the block is from this heap and of this layout.
        unsafe { heap.dealloc(block, layout) };
    }
    static HEAP: Tracked<System> = Tracked::new(System);
    let beside = lane("Tracked<System>, beside another thread", OPERATIONS, || {
        thread::scope(|threads| {
            threads.spawn(|| (0..OPERATIONS).for_each(|_| pair(&HEAP)));
            (0..OPERATIONS).for_each(|_| pair(&HEAP));
        });
    });
    vec![repeated("System", || pair(&System)), repeated("Tracked<System>", || pair(&HEAP)), beside]
}
