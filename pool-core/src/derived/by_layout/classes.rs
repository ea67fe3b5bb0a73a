//! The sizes of slots, and the size that a layout takes.
//!
//! Steps of 8 bytes up to 128, and four to each power of two above that, so that at most a fifth of a slot is vacant (and 7
//! bytes of a small one). Chunks begin on a cache line, so a slot is aligned to the largest power of two that divides its
//! size, up to 64: a size that is a multiple of its alignment finds a slot with that alignment.

use core::alloc::Layout;

/// How many classes there are.
pub(crate) const CLASSES: usize = 32;

/// The largest slot.
pub(crate) const MOST_BYTES: usize = 2048;

/// The largest alignment of a slot.
pub(crate) const MOST_ALIGN: usize = 64;

/// All slots are a multiple of this.
const STEP: usize = 8;

/// Calls a macro with the bytes of the slots of each class, and with what comes before them.
macro_rules! of_each_class {
    ($macro:ident $($first:tt)*) => {
        $macro! {
            $($first)*
            8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128
            160 192 224 256 320 384 448 512 640 768 896 1024 1280 1536 1792 2048
        }
    };
}
pub(crate) use of_each_class;

/// An array of what a function makes of the bytes of each class.
macro_rules! array {
    ($make:path; $($bytes:literal)*) => { [$($make($bytes)),*] };
}
pub(crate) use array;

/// The layout of the slots of each class.
static LAYOUTS: [Layout; CLASSES] = of_each_class!(array layout_of;);

const fn layout_of(bytes: usize) -> Layout {
    match Layout::from_size_align(bytes, STEP) {
        Ok(layout) => layout,
        Err(_) => unreachable!(),
    }
}

/// A size of slots.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Class(u8);

/// The class of each size, in steps.
static OF_STEPS: [Class; MOST_BYTES / STEP + 1] = {
    let mut of = [Class(0); MOST_BYTES / STEP + 1];
    let (mut steps, mut class) = (0, 0);
    while class < CLASSES {
        let largest = LAYOUTS[class].size() / STEP;
        while steps <= largest {
            of[steps] = Class(class as u8);
            steps += 1;
        }
        class += 1;
    }
    of
};

impl Class {
    /// The class of a layout; `None` if the layout is too large, aligned to too much, or of no size.
    #[inline(always)]
    pub(crate) const fn of(layout: Layout) -> Option<Self> {
        let (size, align) = (layout.size(), layout.align());
        if size == 0 || size > MOST_BYTES || align > MOST_ALIGN {
            return None;
        }
        // A layout need not be a multiple of its alignment.
        let align = if align < STEP { STEP } else { align };
        let size = (size + align - 1) & !(align - 1);
        Some(OF_STEPS[size / STEP])
    }

    /// The class of slots of this size.
    pub(crate) const fn with_bytes(bytes: usize) -> Self {
        OF_STEPS[bytes / STEP]
    }

    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the class's entry in an array of all.
    #[inline(always)]
    pub(crate) fn of_all<T>(self, all: &[T; CLASSES]) -> &T {
        // The remainder is the index, which the compiler does not know: it spares a check.
        &all[self.index() % CLASSES]
    }

    /// The layout of a slot.
    #[inline(always)]
    pub(crate) const fn layout(self) -> Layout {
        LAYOUTS[self.index()]
    }
}

#[cfg(test)]
mod tests;
