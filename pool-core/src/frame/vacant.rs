//! Places of a frame stack that are reserved first and filled later.

use core::alloc::Layout;
use core::fmt;
use core::mem::{self, ManuallyDrop};
use core::ptr::{self, NonNull};

use crate::base::exhausted::Exhausted;
use crate::frame::{FrameBox, Frames, Sharing};
use crate::init::array::{Built, build_elements};
use crate::init::{Init, try_with, with};

/// Moves `value` to `place`.
///
/// # Safety
///
/// The place is the caller's, fits a `T`, and stays valid for the whole of `'a`.
#[inline(always)]
pub(super) unsafe fn fill<'a, T>(place: NonNull<T>, value: T) -> FrameBox<'a, T> {
    // SAFETY: the place is the caller's, and fits a `T`.
    unsafe { place.write(value) };
    // SAFETY: there is a `T`, in memory that nobody else has.
    unsafe { FrameBox::from_raw(place.as_ptr()) }
}

/// A place in a frame stack, reserved for a value or for the elements of a slice: filled later, or given back when
/// dropped if it is the last block.
///
/// For when it must be certain that there is room before the value is made. From [`Frames::vacant`] and
/// [`Frames::vacant_slice`]. What [`Vacant`](crate::Vacant) is for pools.
///
/// # Examples
///
/// ```
/// use typed_pool::{FrameBox, LocalFrameStack};
///
/// let frame = LocalFrameStack::bounded(24);
/// let throne = frame.vacant::<u64>();
/// let guards = frame.vacant_slice::<u64>(2);
/// assert!(frame.try_vacant::<u64>().is_err());
///
/// let king: FrameBox<'_, u64> = throne.fill(100);
/// let guards: FrameBox<'_, [u64]> = guards.fill_from_fn(|i| 50 + i as u64);
/// assert_eq!((*king, &*guards), (100, &[50, 51][..]));
/// ```
#[must_use = "the place goes back at once"]
pub struct FrameVacant<'f, T: ?Sized, S: Sharing> {
    place: NonNull<T>,
    layout: Layout,
    stack: &'f Frames<S>,
}

impl<S: Sharing> Frames<S> {
    /// A place for a `T`, to be filled later. O(1), except when the stack changes to another chunk.
    ///
    /// # Panics
    ///
    /// As [`Frames::alloc`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let place = frame.vacant();
    /// assert_eq!(frame.used(), 8);
    /// assert_eq!(*place.fill(7_u64), 7);
    ///
    /// drop(frame.vacant::<[u8; 100]>());
    /// assert_eq!(frame.used(), 8, "given back");
    /// ```
    #[inline(always)]
    #[track_caller]
    #[doc(alias = "alloc_uninit")]
    pub fn vacant<T>(&self) -> FrameVacant<'_, T, S> {
        let layout = Layout::new::<T>();
        match self.place() {
            Some(place) => FrameVacant { place, layout, stack: self },
            None => self.fail(layout, 1),
        }
    }

    /// [`Frames::vacant`] that does not panic.
    ///
    /// # Errors
    ///
    /// As [`Frames::alloc_raw`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::bounded(100);
    /// assert!(frame.try_vacant::<[u8; 101]>().is_err());
    /// let place = frame.try_vacant().unwrap();
    /// assert_eq!(*place.fill([7_u8; 100]), [7; 100]);
    /// ```
    #[inline(always)]
    #[doc(alias = "try_alloc_uninit")]
    pub fn try_vacant<T>(&self) -> Result<FrameVacant<'_, T, S>, Exhausted> {
        let layout = Layout::new::<T>();
        let place = self.place().ok_or_else(|| self.exhausted(layout, 1))?;
        Ok(FrameVacant { place, layout, stack: self })
    }

    /// A place for a slice of `len` elements, to be filled later. O(1), except when the stack changes to another
    /// chunk.
    ///
    /// # Panics
    ///
    /// As [`Frames::alloc`], and if the elements exceed `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let place = frame.vacant_slice(3);
    /// // What is allocated before it is filled lies behind it.
    /// let name = frame.alloc_str("squares");
    /// let squares = place.fill_from_fn(|i| i * i);
    /// assert_eq!((&*name, &*squares), ("squares", &[0, 1, 4][..]));
    /// ```
    #[inline(always)]
    #[track_caller]
    #[doc(alias = "alloc_uninit_slice")]
    pub fn vacant_slice<T>(&self, len: usize) -> FrameVacant<'_, [T], S> {
        match FrameVacant::slice(self, len) {
            Some(vacant) => vacant,
            None => self.fail(Layout::new::<T>(), len),
        }
    }

    /// [`Frames::vacant_slice`] that does not panic.
    ///
    /// # Errors
    ///
    /// As [`Frames::alloc_raw`]. Elements of more than `isize::MAX` bytes never fit.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::bounded(100);
    /// assert!(frame.try_vacant_slice::<u8>(101).is_err());
    /// assert!(frame.try_vacant_slice::<u64>(usize::MAX).is_err());
    /// let place = frame.try_vacant_slice(100).unwrap();
    /// assert_eq!(*place.fill_from_fn(|_| 7_u8), [7; 100]);
    /// ```
    #[inline(always)]
    #[doc(alias = "try_alloc_uninit_slice")]
    pub fn try_vacant_slice<T>(&self, len: usize) -> Result<FrameVacant<'_, [T], S>, Exhausted> {
        FrameVacant::slice(self, len).ok_or_else(|| self.exhausted(Layout::new::<T>(), len))
    }
}

impl<'f, T, S: Sharing> FrameVacant<'f, T, S> {
    /// Moves `value` to the place. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// assert_eq!(*frame.vacant().fill(7_u64), 7);
    /// ```
    #[inline(always)]
    pub fn fill(self, value: T) -> FrameBox<'f, T> {
        // SAFETY: the place is ours, fits a `T`, and the stack is borrowed.
        unsafe { fill(ManuallyDrop::new(self).place, value) }
    }

    /// Fills the place with what `f` returns. The optimiser may build the value there; [`FrameVacant::init`]
    /// guarantees it.
    ///
    /// `f` may use the stack. If it panics, the place is given back, unless `f` has left something above it.
    ///
    /// # Panics
    ///
    /// If `f` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let map = frame.vacant().fill_with(|| [0_u8; 4096]);
    /// assert_eq!(map.len(), 4096);
    /// ```
    #[inline(always)]
    pub fn fill_with(self, f: impl FnOnce() -> T) -> FrameBox<'f, T> {
        let Ok(filled) = self.init(with(f));
        filled
    }

    /// Builds the value in its place: see [`init`](mod@crate::init).
    ///
    /// # Errors
    ///
    /// The initialiser's. The place is then given back, unless the initialiser has left something above it.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FrameStack, init};
    ///
    /// let frame = FrameStack::new();
    /// let Ok(map) = frame.vacant::<[u8; 4096]>().init(init::zeroed());
    /// assert_eq!(map[4095], 0);
    /// ```
    #[inline(always)]
    pub fn init<E>(self, init: impl Init<T, E>) -> Result<FrameBox<'f, T>, E> {
        // SAFETY: 1. the place is aligned and large enough for a `T`; 2. nobody else has it.
        unsafe { init.init(self.place.as_ptr()) }?;
        // SAFETY: there is a `T` now (`Init` 1), in memory that nobody else has.
        Ok(unsafe { FrameBox::from_raw(ManuallyDrop::new(self).place.as_ptr()) })
    }
}

impl<'f, T, S: Sharing> FrameVacant<'f, [T], S> {
    /// Room for `len` elements, if there is any.
    #[inline(always)]
    pub(super) fn slice(stack: &'f Frames<S>, len: usize) -> Option<Self> {
        let layout = Layout::array::<T>(len).ok()?;
        let first = stack.alloc_block(layout)?.cast();
        Some(Self { place: NonNull::slice_from_raw_parts(first, len), layout, stack })
    }

    /// How many elements the slice will have.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// assert_eq!(frame.vacant_slice::<u32>(3).len(), 3);
    /// ```
    #[inline]
    pub fn len(&self) -> usize {
        self.place.len()
    }

    /// Whether there is room for no element at all.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// assert!(FrameStack::new().vacant_slice::<u32>(0).is_empty());
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills the place with what `f` returns for each index. O(length).
    ///
    /// # Panics
    ///
    /// If `f` panics. Then the elements that were made are dropped, the last one first, and the place is given back,
    /// unless `f` has left something above it.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let names = frame.vacant_slice(3).fill_from_fn(|i| format!("monster {i}"));
    /// assert_eq!(names[2], "monster 2");
    /// ```
    #[inline(always)]
    pub fn fill_from_fn(self, mut f: impl FnMut(usize) -> T) -> FrameBox<'f, [T]> {
        let Ok(filled) = self.init_each(|i| {
            with({
                let element = f(i);
                move || element
            })
        });
        filled
    }

    /// Fills the place with what `f` returns for each index, until it fails. O(length).
    ///
    /// # Errors
    ///
    /// The error of `f`. Then the elements before are dropped, the last one first, and the place is given back, unless
    /// `f` has left something above it.
    ///
    /// # Panics
    ///
    /// If `f` panics: see [`fill_from_fn`](Self::fill_from_fn).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let words = ["1", "2", "three"];
    /// let numbers = frame.vacant_slice(3).try_fill_from_fn(|i| words[i].parse::<u32>());
    /// assert!(numbers.is_err());
    /// assert_eq!(frame.used(), 0);
    /// ```
    #[inline(always)]
    pub fn try_fill_from_fn<E>(
        self,
        mut f: impl FnMut(usize) -> Result<T, E>,
    ) -> Result<FrameBox<'f, [T]>, E> {
        self.init_each(|i| {
            let element = f(i);
            try_with(move || element)
        })
    }

    /// Fills the place with the first items of `items`, as many as there is room for. O(length).
    ///
    /// If there are fewer, the slice is shorter, and the rest of the place is given back if nothing has been
    /// allocated above it. (An iterator that is passed by `&mut` keeps what does not fit.)
    ///
    /// # Panics
    ///
    /// If the iterator panics: see [`fill_from_fn`](Self::fill_from_fn).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let first = frame.vacant_slice(3).fill_from_iter(1..);
    /// assert_eq!(*first, [1, 2, 3]);
    ///
    /// let used = frame.used();
    /// let even = frame.vacant_slice(100).fill_from_iter((0_u8..10).filter(|n| n % 2 == 0));
    /// assert_eq!((&*even, frame.used() - used), (&[0, 2, 4, 6, 8][..], 5));
    /// ```
    #[inline]
    pub fn fill_from_iter(self, items: impl IntoIterator<Item = T>) -> FrameBox<'f, [T]> {
        let len = self.len();
        let mut built = Built { first: self.first(), count: 0 };
        for item in items.into_iter().take(len) {
            // SAFETY: at most as many as there is room for.
            unsafe { built.push(item) };
        }
        // SAFETY: they were built here.
        unsafe { self.finish(built) }
    }

    /// The elements, which may be fewer than there is room for. The rest of the place is given back, if nothing was
    /// allocated behind it.
    ///
    /// # Safety
    ///
    /// The elements are in this place, or there are none.
    #[inline]
    pub(super) unsafe fn finish(mut self, built: Built<T>) -> FrameBox<'f, [T]> {
        let Built { first, count } = built;
        mem::forget(built);
        if count > 0 {
            if count < self.len() {
                // SAFETY: there are no more elements.
                unsafe { self.resize(count) };
            }
            mem::forget(self);
        }
        // SAFETY: the elements are made, in memory that nobody else has; without any, none is needed.
        unsafe { FrameBox::from_raw(ptr::slice_from_raw_parts_mut(first, count)) }
    }

    /// Builds each element by the initialiser that `element` returns for its index. If one fails or unwinds, those before
    /// are dropped, the last one first.
    #[inline(always)]
    fn init_each<E, I: Init<T, E>>(
        self,
        element: impl FnMut(usize) -> I,
    ) -> Result<FrameBox<'f, [T]>, E> {
        let (first, len) = (self.first(), self.len());
        // SAFETY: 1. the place is aligned for a `T`, and has room for `len`; 2. nobody else has it.
        unsafe { build_elements(first, len, element) }?;
        mem::forget(self);
        // SAFETY: all elements are made, in memory that nobody else has.
        Ok(unsafe { FrameBox::from_raw(ptr::slice_from_raw_parts_mut(first, len)) })
    }

    /// Where the first element goes.
    #[inline(always)]
    pub(super) fn first(&self) -> *mut T {
        self.place.cast().as_ptr()
    }

    /// The stack that the place is in.
    #[inline(always)]
    pub(super) fn stack(&self) -> &'f Frames<S> {
        self.stack
    }

    /// Makes room for `len` elements, more or fewer, where the place begins; `false` if it is not the last block, or
    /// that does not fit.
    ///
    /// # Safety
    ///
    /// What lies behind `len` elements is not used any more.
    pub(super) unsafe fn resize(&mut self, len: usize) -> bool {
        let Ok(layout) = Layout::array::<T>(len) else { return false };
        let (block, old) = (self.place.cast(), self.layout.size());
        // SAFETY: the block is ours, of that size, and what is cut off is not used any more (caller).
        let is_resized = unsafe { self.stack.resize_last(block, old, layout.size()) };
        if is_resized {
            self.place = NonNull::slice_from_raw_parts(self.place.cast(), len);
            self.layout = layout;
        }
        is_resized
    }
}

impl<T: ?Sized, S: Sharing> Drop for FrameVacant<'_, T, S> {
    fn drop(&mut self) {
        // SAFETY: 1. the place was taken for this layout, or resized to it; 2. there is no `T` in it.
        unsafe { self.stack.free_last(self.place.cast(), self.layout) };
    }
}

impl<T: ?Sized, S: Sharing> fmt::Debug for FrameVacant<'_, T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameVacant")
            .field("place", &self.place.cast::<u8>())
            .field("layout", &self.layout)
            .finish()
    }
}
