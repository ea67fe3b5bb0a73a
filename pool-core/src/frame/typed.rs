//! Values in a frame stack, one by one, slices and text.

use core::alloc::Layout;
use core::fmt;
use core::ptr::NonNull;
use core::str::from_utf8_unchecked_mut;

use crate::base::exhausted::{Exhausted, raised};
use crate::frame::boxed::Growing;
use crate::frame::{FrameBox, Frames, Sharing};
use crate::init::{Init, TryInitError};

impl<S: Sharing> Frames<S> {
    /// Moves `value` into the stack; the box runs its destructor. O(1), except when the stack changes to another
    /// chunk.
    ///
    /// # Panics
    ///
    /// If the stack is bounded and the value does not fit, or if the stack's capacity is more than a chunk can have
    /// ([`Frames::try_alloc`] does not). If the heap has no room for a chunk, the program ends as it does for `Box`.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let mut path = frame.alloc(vec![1, 2]);
    /// path.push(3);
    /// assert_eq!(path.len(), 3);
    /// ```
    #[inline]
    #[track_caller]
    #[must_use]
    pub fn alloc<T>(&self, value: T) -> FrameBox<'_, T> {
        raised(self.try_alloc(value))
    }

    /// Like [`Frames::alloc`], but returns an error.
    ///
    /// # Errors
    ///
    /// [`Exhausted`], with the value, if it does not fit and the stack is bounded or the heap has no room
    /// for a chunk.
    #[inline]
    pub fn try_alloc<T>(&self, value: T) -> Result<FrameBox<'_, T>, Exhausted<T>> {
        match self.try_vacant() {
            Ok(vacant) => Ok(vacant.fill(value)),
            Err(exhausted) => Err(exhausted.with_value(value)),
        }
    }

    /// Puts the result of `f` into memory that is reserved before `f` runs. The optimiser may then build the value there;
    /// [`Frames::init`] guarantees it.
    ///
    /// # Panics
    ///
    /// As [`Frames::alloc`], and if `f` panics. Then the memory is given back, unless `f` has left
    /// something above it.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let grid = frame.alloc_with(|| [[0_u16; 100]; 100]);
    /// assert_eq!(grid[99][99], 0);
    /// ```
    #[inline]
    #[track_caller]
    #[must_use]
    pub fn alloc_with<T>(&self, f: impl FnOnce() -> T) -> FrameBox<'_, T> {
        let vacant = raised(self.try_vacant());
        vacant.fill(f())
    }

    /// Like [`Frames::alloc_with`], but returns an error if there is no room; `f` is not called then.
    ///
    /// # Errors
    ///
    /// As [`Frames::alloc_raw`].
    ///
    /// # Panics
    ///
    /// If `f` panics: see [`Frames::alloc_with`].
    #[inline]
    pub fn try_alloc_with<T>(&self, f: impl FnOnce() -> T) -> Result<FrameBox<'_, T>, Exhausted> {
        let vacant = self.try_vacant()?;
        Ok(vacant.fill(f()))
    }

    /// Builds a value in the stack: see [`init`](mod@crate::init).
    ///
    /// # Errors
    ///
    /// The initialiser's error. The memory is then given back, unless the initialiser has left something above it.
    ///
    /// # Panics
    ///
    /// As [`Frames::alloc`], and if the initialiser panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FrameStack, init};
    ///
    /// struct Map { level: u32, cells: [u8; 65_536] }
    ///
    /// let frame = FrameStack::new();
    /// let Ok(map) = frame.init(init!(Map { level: 1, cells <- init::zeroed() }));
    /// assert_eq!((map.level, map.cells[65_535]), (1, 0));
    /// ```
    #[inline]
    #[track_caller]
    #[doc(alias = "alloc_try_with")]
    pub fn init<T, E>(&self, init: impl Init<T, E>) -> Result<FrameBox<'_, T>, E> {
        raised(self.try_vacant()).init(init)
    }

    /// Like [`Frames::init`], but returns an error if there is no room; the initialiser does not run then.
    ///
    /// # Errors
    ///
    /// [`TryInitError::Exhausted`] as [`Frames::alloc_raw`]; [`TryInitError::Init`] as
    /// [`Frames::init`].
    ///
    /// # Panics
    ///
    /// If the initialiser panics.
    #[inline]
    #[doc(alias = "try_alloc_try_with")]
    pub fn try_init<T, E>(
        &self,
        init: impl Init<T, E>,
    ) -> Result<FrameBox<'_, T>, TryInitError<E>> {
        let place = self.try_vacant().map_err(TryInitError::Exhausted)?;
        place.init(init).map_err(TryInitError::Init)
    }

    /// Drops a box and gives its memory back if it is the last; `true` if it was. O(1), apart from the destructor.
    ///
    /// A box that is not the last, or is from another stack, is dropped all the same.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let (kept, name) = (frame.alloc(1), frame.alloc(String::from("Grendel")));
    /// assert!(frame.free(name));
    /// assert!(frame.free(kept));
    /// assert_eq!(frame.used(), 0);
    /// ```
    #[inline]
    pub fn free<T: ?Sized>(&self, mut b: FrameBox<'_, T>) -> bool {
        let layout = Layout::for_value::<T>(&b);
        let value = NonNull::from(&mut *b);
        drop(b);
        // SAFETY: 1. if the block is in one of this stack's chunks, it is from this stack, since no two
        // stacks share memory (`alloc_raw`); and it had this layout, as long as the box was alive; 2. the box is gone.
        unsafe { self.free_if_last(value.cast(), layout) }
    }

    /// Copies a string into the stack. O(length).
    ///
    /// Returns a reference, and no [`FrameBox`], since text has no destructor.
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
    /// let name = frame.alloc_str("grendel");
    /// name[..1].make_ascii_uppercase();
    /// assert_eq!(name, "Grendel");
    /// ```
    #[inline]
    #[track_caller]
    #[allow(clippy::mut_from_ref, reason = "each call returns memory of its own")]
    #[must_use]
    pub fn alloc_str(&self, text: &str) -> &mut str {
        raised(self.try_alloc_str(text))
    }

    /// Like [`Frames::alloc_str`], but returns an error.
    ///
    /// # Errors
    ///
    /// As [`Frames::alloc_raw`].
    #[inline]
    #[allow(clippy::mut_from_ref, reason = "each call returns memory of its own")]
    pub fn try_alloc_str(&self, text: &str) -> Result<&mut str, Exhausted> {
        let bytes = self.try_alloc_slice(text.as_bytes())?;
        // SAFETY: they are the bytes of a `str`.
        Ok(unsafe { from_utf8_unchecked_mut(bytes) })
    }

    /// Formats into the stack: `frame.alloc_fmt(format_args!("{name} {n}"))`. O(length), apart from the code that formats. Returns
    /// a reference, as [`Frames::alloc_str`] does.
    ///
    /// The text grows where it lies, and needs no more room than it has in the end. (If something else is allocated from the stack
    /// during the formatting, the text moves, and leaves bytes behind.)
    ///
    /// # Panics
    ///
    /// As [`Frames::alloc`], and as `format!`: if formatting panics, or fails although there was room. The bytes are then
    /// given back, unless something was left above them.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let (name, health) = ("Grendel", 100);
    /// let label = frame.alloc_fmt(format_args!("{name}: {health:>5}"));
    /// assert_eq!((&*label, frame.used()), ("Grendel:   100", 16));
    /// ```
    #[inline]
    #[track_caller]
    #[doc(alias = "format")]
    #[allow(clippy::mut_from_ref, reason = "each call returns memory of its own")]
    #[must_use]
    pub fn alloc_fmt(&self, arguments: fmt::Arguments<'_>) -> &mut str {
        raised(self.try_alloc_fmt(arguments))
    }

    /// Like [`Frames::alloc_fmt`], but returns an error if there is no room.
    ///
    /// # Errors
    ///
    /// As [`Frames::alloc_raw`], for the bytes of the text so far. They are given back, unless something was left above them.
    ///
    /// # Panics
    ///
    /// If formatting panics, or fails although there was room: see [`Frames::alloc_fmt`].
    #[inline]
    #[track_caller]
    #[allow(clippy::mut_from_ref, reason = "each call returns memory of its own")]
    pub fn try_alloc_fmt(&self, arguments: fmt::Arguments<'_>) -> Result<&mut str, Exhausted> {
        let bytes = Growing::with_capacity(self, arguments.as_str().map_or(0, str::len))?;
        let mut text = Text { bytes, refused: None };
        let formatted = fmt::write(&mut text, arguments);
        if let Some(refused) = text.refused {
            return Err(refused);
        }
        // As `format!` does.
        formatted
            .expect("a formatting trait implementation returned an error although there was room");
        let bytes = FrameBox::leak(text.bytes.finish());
        // SAFETY: each piece was a `str`.
        Ok(unsafe { from_utf8_unchecked_mut(bytes) })
    }

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
    #[must_use]
    pub fn alloc_slice<T: Copy>(&self, values: &[T]) -> &mut [T] {
        raised(self.try_alloc_slice(values))
    }

    /// Like [`Frames::alloc_slice`], but returns an error.
    ///
    /// # Errors
    ///
    /// As [`Frames::alloc_raw`].
    #[inline]
    #[doc(alias = "try_alloc_slice_copy")]
    #[allow(clippy::mut_from_ref, reason = "each call returns memory of its own")]
    pub fn try_alloc_slice<T: Copy>(&self, values: &[T]) -> Result<&mut [T], Exhausted> {
        let mut slice = Growing::with_capacity(self, values.len())?;
        slice.extend(values)?;
        Ok(FrameBox::leak(slice.finish()))
    }

    /// A slice of the items of an iterator, of known or unknown length. O(length).
    ///
    /// Memory is reserved for the least number of items that the iterator promises, and doubled when there are more. It grows where
    /// it lies if nothing was allocated above it; otherwise the items move, and leave the old block behind. At the end, the excess
    /// is given back. So an iterator whose length is known, or that does not use the stack, takes no more room than a block of its items; one
    /// that allocates from the stack itself may cost twice as much again.
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
    ///
    /// Elements that may fail: the error is set aside, and ends the iterator. The box then has the elements before it.
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let parse = |text: &str| {
    ///     let mut outcome = Ok(());
    ///     let numbers = text.split(' ').map(str::parse::<u32>);
    ///     let good = numbers.map_while(|number| number.map_err(|error| outcome = Err(error)).ok());
    ///     let numbers = frame.alloc_iter(good);
    ///     outcome.map(|()| numbers.len())
    /// };
    /// assert_eq!(parse("1 2"), Ok(2));
    /// assert!(parse("1 two").is_err());
    /// ```
    #[inline]
    #[track_caller]
    #[doc(alias = "alloc_slice_clone")]
    #[doc(alias = "alloc_slice_fill_iter")]
    #[doc(alias = "alloc_slice_fill_with")]
    #[doc(alias = "alloc_slice_try_fill_iter")]
    #[doc(alias = "alloc_slice_try_fill_with")]
    #[doc(alias = "collect")]
    #[doc(alias = "from_iter")]
    #[must_use]
    pub fn alloc_iter<T>(&self, items: impl IntoIterator<Item = T>) -> FrameBox<'_, [T]> {
        raised(self.try_alloc_iter(items))
    }

    /// Like [`Frames::alloc_iter`], but returns an error if there is no room.
    ///
    /// # Errors
    ///
    /// As [`Frames::alloc_raw`]. The items are dropped, the last one first; if they had to move, the blocks that they left wait for
    /// the reset.
    ///
    /// # Panics
    ///
    /// If the iterator panics: see [`Frames::alloc_iter`].
    #[inline]
    #[doc(alias = "try_alloc_slice_fill_iter")]
    pub fn try_alloc_iter<T>(
        &self,
        items: impl IntoIterator<Item = T>,
    ) -> Result<FrameBox<'_, [T]>, Exhausted> {
        let items = items.into_iter();
        // The promise is no more than a hint: an iterator that is wrong about it is refused, or its slice moves once more.
        let mut slice = Growing::with_capacity(self, items.size_hint().0)?;
        for item in items {
            slice.push(item)?;
        }
        Ok(slice.finish())
    }
}

/// Takes what is formatted, until there is no room.
struct Text<'f, S: Sharing> {
    bytes: Growing<'f, u8, S>,
    refused: Option<Exhausted>,
}

impl<S: Sharing> fmt::Write for Text<'_, S> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.refused.is_none() {
            self.refused = self.bytes.extend(text.as_bytes()).err();
        }
        if self.refused.is_some() { Err(fmt::Error) } else { Ok(()) }
    }
}
