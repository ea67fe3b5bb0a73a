//! Slices in a frame stack.

use core::alloc::Layout;
use core::convert::Infallible;
use core::ptr::{self, NonNull};

use crate::base::exhausted::Exhausted;
use crate::frame::growing::{Growing, NoRoomFor};
use crate::frame::{FrameBox, Frames, Sharing};
use crate::init::TryInitError;

/// Why there is no slice of an iterator's items.
enum Ended<E> {
    NoRoomFor(usize),
    Item(E),
}

impl<E> From<NoRoomFor> for Ended<E> {
    fn from(NoRoomFor(len): NoRoomFor) -> Self {
        Self::NoRoomFor(len)
    }
}

impl<S: Sharing> Frames<S> {
    /// Copies a slice into the stack. O(length).
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
    /// let order = frame.alloc_slice(&[3, 1, 2]);
    /// order.sort();
    /// assert_eq!(order, [1, 2, 3]);
    /// ```
    #[inline]
    #[track_caller]
    #[doc(alias = "alloc_slice_copy")]
    #[allow(clippy::mut_from_ref, reason = "each call returns memory of its own")]
    pub fn alloc_slice<T: Copy>(&self, values: &[T]) -> &mut [T] {
        match self.alloc_block(Layout::for_value(values)) {
            // SAFETY: the block has just been taken for this layout.
            Some(block) => unsafe { copied(block, values) },
            None => self.fail(Layout::for_value(values), 1),
        }
    }

    /// [`Frames::alloc_slice`] that does not panic.
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
    /// assert!(frame.try_alloc_slice(&[0_u8; 101]).is_err());
    /// assert_eq!(frame.try_alloc_slice(&[7_u8; 100]).unwrap(), [7; 100]);
    /// ```
    #[inline]
    #[doc(alias = "try_alloc_slice_copy")]
    #[allow(clippy::mut_from_ref, reason = "each call returns memory of its own")]
    pub fn try_alloc_slice<T: Copy>(&self, values: &[T]) -> Result<&mut [T], Exhausted> {
        let block = self.alloc_raw(Layout::for_value(values))?;
        // SAFETY: the block has just been taken for this layout.
        Ok(unsafe { copied(block.cast(), values) })
    }

    /// A slice of what `f` returns for each index, whose destructors run with the box. O(length).
    ///
    /// # Panics
    ///
    /// As [`Frames::alloc`]; if `len` elements exceed `isize::MAX` bytes; and if `f` panics. Then those
    /// that were made are dropped, the last one first, and the memory is given back, unless `f` has left
    /// something above it.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let names = frame.alloc_slice_with(3, |i| format!("monster {i}"));
    /// assert_eq!(names[2], "monster 2");
    /// ```
    #[inline]
    #[track_caller]
    #[doc(alias = "alloc_slice_clone")]
    #[doc(alias = "alloc_slice_fill_clone")]
    #[doc(alias = "alloc_slice_fill_copy")]
    #[doc(alias = "alloc_slice_fill_default")]
    #[doc(alias = "alloc_slice_fill_with")]
    pub fn alloc_slice_with<T>(&self, len: usize, f: impl FnMut(usize) -> T) -> FrameBox<'_, [T]> {
        self.vacant_slice(len).fill_from_fn(f)
    }

    /// [`Frames::alloc_slice_with`] that does not panic if there is no room; `f` is not called then.
    ///
    /// # Errors
    ///
    /// As [`Frames::alloc_raw`]. Elements of more than `isize::MAX` bytes never fit.
    ///
    /// # Panics
    ///
    /// If `f` panics: see [`Frames::alloc_slice_with`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::bounded(100);
    /// assert!(frame.try_alloc_slice_with(101, |i| i as u8).is_err());
    /// let numbers = frame.try_alloc_slice_with(100, |i| i as u8).unwrap();
    /// assert_eq!(numbers[99], 99);
    /// ```
    #[inline]
    #[doc(alias = "try_alloc_slice_clone")]
    #[doc(alias = "try_alloc_slice_fill_clone")]
    #[doc(alias = "try_alloc_slice_fill_copy")]
    #[doc(alias = "try_alloc_slice_fill_default")]
    #[doc(alias = "try_alloc_slice_fill_with")]
    pub fn try_alloc_slice_with<T>(
        &self,
        len: usize,
        f: impl FnMut(usize) -> T,
    ) -> Result<FrameBox<'_, [T]>, Exhausted> {
        Ok(self.try_vacant_slice(len)?.fill_from_fn(f))
    }

    /// A slice of what `f` returns for each index, unless it fails. O(length).
    ///
    /// # Errors
    ///
    /// The error of `f`. Then the elements before are dropped, the last one first, and the memory is given back, unless
    /// `f` has left something above it.
    ///
    /// # Panics
    ///
    /// As [`Frames::alloc_slice_with`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let parse = |words: [&str; 2]| {
    ///     frame.alloc_slice_try_with(2, |i| words[i].parse::<u32>()).map(|numbers| numbers[1])
    /// };
    /// assert_eq!(parse(["1", "2"]), Ok(2));
    /// assert!(parse(["one", "two"]).is_err());
    /// ```
    #[inline]
    #[track_caller]
    #[doc(alias = "alloc_slice_try_fill_with")]
    pub fn alloc_slice_try_with<T, E>(
        &self,
        len: usize,
        f: impl FnMut(usize) -> Result<T, E>,
    ) -> Result<FrameBox<'_, [T]>, E> {
        self.vacant_slice(len).try_fill_from_fn(f)
    }

    /// [`Frames::alloc_slice_try_with`] that does not panic if there is no room; `f` is not called then.
    ///
    /// # Errors
    ///
    /// [`TryInitError::Exhausted`] as [`Frames::try_alloc_slice_with`]; [`TryInitError::Init`] as
    /// [`Frames::alloc_slice_try_with`].
    ///
    /// # Panics
    ///
    /// If `f` panics: see [`Frames::alloc_slice_with`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FrameStack, init::TryInitError};
    ///
    /// let frame = FrameStack::bounded(8);
    /// let parse = |words: &[&str]| {
    ///     frame.try_alloc_slice_try_with(words.len(), |i| words[i].parse::<u32>()).map(|_| ())
    /// };
    /// assert!(matches!(parse(&["1", "2", "3"]), Err(TryInitError::Exhausted(_))));
    /// assert!(matches!(parse(&["1", "two"]), Err(TryInitError::Init(_))));
    /// assert!(parse(&["1", "2"]).is_ok());
    /// ```
    #[inline]
    pub fn try_alloc_slice_try_with<T, E>(
        &self,
        len: usize,
        f: impl FnMut(usize) -> Result<T, E>,
    ) -> Result<FrameBox<'_, [T]>, TryInitError<E>> {
        let place = self.try_vacant_slice(len).map_err(TryInitError::Exhausted)?;
        place.try_fill_from_fn(f).map_err(TryInitError::Init)
    }

    /// A slice of the items of an iterator, of known or unknown length. O(length).
    ///
    /// The memory is reserved for as many items as the iterator promises at least, and doubled when there are more: where
    /// it lies, if nothing was allocated above it, and else by a move, which leaves the old block behind. At the end what
    /// is too much goes back. So an iterator whose length is known, or that leaves the stack alone, costs no byte more
    /// than its items; one that allocates from the stack itself may cost twice as much again.
    ///
    /// For `&mut [T]`, as bumpalo has it, without destructors: [`FrameBox::leak`].
    ///
    /// # Panics
    ///
    /// As [`Frames::alloc`]; if the items exceed `isize::MAX` bytes; and if the iterator panics. Then the items
    /// before are dropped, the last one first, and the memory is given back, unless the iterator has left something above
    /// it.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let mut words = frame.alloc_iter("to be or not to be".split(' '));
    /// words.sort();
    /// assert_eq!(*words, ["be", "be", "not", "or", "to", "to"]);
    /// assert_eq!(frame.used(), size_of_val(&*words));
    /// ```
    #[inline]
    #[track_caller]
    #[doc(alias = "alloc_slice_fill_iter")]
    #[doc(alias = "collect")]
    #[doc(alias = "from_iter")]
    pub fn alloc_iter<T>(&self, items: impl IntoIterator<Item = T>) -> FrameBox<'_, [T]> {
        let items = items.into_iter();
        match self.collect(items.size_hint().0, items.map(Ok::<T, Infallible>)) {
            Ok(slice) => slice,
            Err(Ended::NoRoomFor(len)) => self.fail(Layout::new::<T>(), len),
        }
    }

    /// [`Frames::alloc_iter`] that does not panic if there is no room.
    ///
    /// # Errors
    ///
    /// As [`Frames::alloc_raw`], but what was too little room for the items waits for the reset, if they had to move. They
    /// are dropped, the last one first.
    ///
    /// # Panics
    ///
    /// If the iterator panics: see [`Frames::alloc_iter`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::bounded(100);
    /// assert_eq!(frame.try_alloc_iter((0_u8..).take_while(|n| *n < 100)).unwrap().len(), 100);
    /// assert!(frame.try_alloc_iter([1_u8].iter().copied()).is_err());
    /// ```
    #[inline]
    #[doc(alias = "try_alloc_slice_fill_iter")]
    pub fn try_alloc_iter<T>(
        &self,
        items: impl IntoIterator<Item = T>,
    ) -> Result<FrameBox<'_, [T]>, Exhausted> {
        let items = items.into_iter();
        let slice = self.collect(items.size_hint().0, items.map(Ok::<T, Infallible>));
        slice.map_err(|Ended::NoRoomFor(len)| self.exhausted(Layout::new::<T>(), len))
    }

    /// [`Frames::alloc_iter`] of items that may be errors.
    ///
    /// # Errors
    ///
    /// The first error. Then the items before are dropped, the last one first, and the memory is given back, unless the
    /// iterator has left something above it. (Where the iterator knows its length, room for all items comes first, even if
    /// one of the first is an error.)
    ///
    /// # Panics
    ///
    /// As [`Frames::alloc_iter`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let numbers = frame.alloc_try_iter("1,2,3".split(',').map(str::parse::<u32>)).unwrap();
    /// assert_eq!(*numbers, [1, 2, 3]);
    /// let numbers = frame.alloc_try_iter("1,two,3".split(',').map(str::parse::<u32>));
    /// assert!(numbers.is_err());
    /// ```
    #[inline]
    #[track_caller]
    #[doc(alias = "alloc_slice_try_fill_iter")]
    #[doc(alias = "try_collect")]
    pub fn alloc_try_iter<T, E>(
        &self,
        items: impl IntoIterator<Item = Result<T, E>>,
    ) -> Result<FrameBox<'_, [T]>, E> {
        let items = items.into_iter();
        match self.collect(exact_len(&items), items) {
            Ok(slice) => Ok(slice),
            Err(Ended::Item(error)) => Err(error),
            Err(Ended::NoRoomFor(len)) => self.fail(Layout::new::<T>(), len),
        }
    }

    /// [`Frames::alloc_try_iter`] that does not panic if there is no room.
    ///
    /// # Errors
    ///
    /// [`TryInitError::Exhausted`] as [`Frames::try_alloc_iter`]; [`TryInitError::Init`] as
    /// [`Frames::alloc_try_iter`].
    ///
    /// # Panics
    ///
    /// If the iterator panics: see [`Frames::alloc_iter`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FrameStack, init::TryInitError};
    ///
    /// let frame = FrameStack::bounded(8);
    /// let parse = |text: &str| {
    ///     frame.try_alloc_try_iter(text.split(',').map(str::parse::<u32>)).map(|_| ())
    /// };
    /// assert!(matches!(parse("1,2,3"), Err(TryInitError::Exhausted(_))));
    /// assert!(matches!(parse("1,two"), Err(TryInitError::Init(_))));
    /// assert!(parse("1,2").is_ok());
    /// ```
    #[inline]
    pub fn try_alloc_try_iter<T, E>(
        &self,
        items: impl IntoIterator<Item = Result<T, E>>,
    ) -> Result<FrameBox<'_, [T]>, TryInitError<E>> {
        let items = items.into_iter();
        self.collect(exact_len(&items), items).map_err(|ended| match ended {
            Ended::Item(error) => TryInitError::Init(error),
            Ended::NoRoomFor(len) => {
                TryInitError::Exhausted(self.exhausted(Layout::new::<T>(), len))
            }
        })
    }

    /// Reserves room for `reserved` items first.
    #[inline]
    fn collect<T, E>(
        &self,
        reserved: usize,
        items: impl Iterator<Item = Result<T, E>>,
    ) -> Result<FrameBox<'_, [T]>, Ended<E>> {
        // No more than a hint: an iterator that is wrong about it is refused, or its slice moves once more.
        let mut slice = Growing::with_capacity(self, reserved)?;
        for item in items {
            slice.push(item.map_err(Ended::Item)?)?;
        }
        Ok(slice.finish())
    }
}

/// How many items there are, if the iterator knows, and else none: those that go on until one fails promise any number.
fn exact_len(items: &impl Iterator) -> usize {
    match items.size_hint() {
        (least, Some(most)) if least == most => least,
        _ => 0,
    }
}

/// A copy of `values` in `block`.
///
/// # Safety
///
/// The block is the caller's, for the whole of `'a`, and has the layout of `values`.
#[inline(always)]
unsafe fn copied<'a, T: Copy>(block: NonNull<u8>, values: &[T]) -> &'a mut [T] {
    let place = block.cast::<T>();
    // SAFETY: the two have the same length and do not overlap, since the block is the caller's alone.
    unsafe { ptr::copy_nonoverlapping(values.as_ptr(), place.as_ptr(), values.len()) };
    // SAFETY: the elements have just been written, and nobody else has them.
    unsafe { NonNull::slice_from_raw_parts(place, values.len()).as_mut() }
}
