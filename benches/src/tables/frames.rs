//! Frame stacks: memory that dies together.

use core::cell::{Cell, UnsafeCell};
use core::hint::black_box;
use core::ptr::NonNull;

use bump_scope::BumpBox;
use bumpalo::Bump;
use multitude::Alloc;
use typed_pool::{FrameBox, FrameStack, LocalFrameStack};

use super::Table;
use crate::objects::{Obj16, Obj64, Payload};
use crate::race::{Lane, Turn};

/// Objects in a frame, half of them of 16 bytes and half of 64; and frames in a turn.
const OBJECTS: u64 = 10_000;
const FRAMES: u64 = 10;

/// Memory that is taken back at the end of the frame.
trait Arena: 'static {
    const NAME: &'static str;

    fn new() -> Self;

    /// Moves the value in. It is not dropped.
    fn put<T>(&self, value: T) -> NonNull<T>;

    fn reset(&mut self);
}

macro_rules! arenas {
    ($($Arena:ty = $name:literal, |$arena:ident, $value:ident| $put:expr;)*) => {$(
        impl Arena for $Arena {
            const NAME: &'static str = $name;

            fn new() -> Self {
                Self::new()
            }

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
    LocalFrameStack = "typed-pool, LocalFrameStack", |frame, value| FrameBox::leak(frame.alloc(value));
    FrameStack = "typed-pool, FrameStack", |frame, value| FrameBox::leak(frame.alloc(value));
    Bump = "bumpalo", |bump, value| bump.alloc(value);
    bump_scope::Bump = "bump-scope", |bump, value| BumpBox::leak(bump.alloc(value));
    multitude::Arena = "multitude", |arena, value| Alloc::leak(arena.alloc(value));
    ByHand = "limit: Vec<u8>", |bytes, value| bytes.put(value);
}

/// A megabyte and an offset, for one thread: what is left to reach.
struct ByHand {
    bytes: UnsafeCell<Vec<u8>>,
    used: Cell<usize>,
}

impl ByHand {
    fn new() -> Self {
        Self { bytes: vec![0; 1 << 20].into(), used: 0.into() }
    }

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

fn fill(arena: &impl Arena, objects: u64) {
    for seed in 0..objects / 2 {
        black_box(arena.put(Obj16::written(seed)));
        black_box(arena.put(Obj64::written(seed)));
    }
}

fn lane(name: &'static str, operations: u64, mut work: impl FnMut() + 'static) -> Lane {
    Lane::new(name, move |_| Turn { cost: Turn::timed(operations, &mut work), checksum: 0 })
}

fn frame<A: Arena>() -> Lane {
    let mut arena = A::new();
    lane(A::NAME, FRAMES * OBJECTS, move || {
        for _ in 0..FRAMES {
            fill(&arena, OBJECTS);
            arena.reset();
        }
    })
}

fn boxes() -> Lane {
    let (mut small, mut large) = (Vec::new(), Vec::new());
    lane("Box (system)", OBJECTS, move || {
        for seed in 0..OBJECTS / 2 {
            small.push(Box::new(Obj16::written(seed)));
            large.push(Box::new(Obj64::written(seed)));
        }
        small.clear();
        large.clear();
    })
}

pub(super) fn tables() -> Vec<Table> {
    let what = "10,000 objects of 16 and 64 bytes in a frame, and a reset, each";
    vec![Table::new("frames/reset-all", what, || {
        let mut lanes = lanes!(
            frame[] (): LocalFrameStack, FrameStack, Bump, bump_scope::Bump, multitude::Arena, ByHand,
        );
        lanes.push(boxes());
        lanes
    })]
}
