//! Values in a frame stack.

use core::alloc::Layout;
use core::fmt;
use core::ptr::NonNull;
use core::str::from_utf8_unchecked_mut;

use crate::base::exhausted::Exhausted;
use crate::frame::growing::{Growing, NoRoomFor};
use crate::frame::vacant::fill;
use crate::frame::{FrameBox, Frames, Sharing};
use crate::init::{Init, TryInitError};

impl<S: Sharing> Frames<S> {
    /// Moves `value` into the stack; the box runs its destructor. O(1), except when the stack changes to another
    /// chunk.
    ///
    /// # Panics
    ///
    /// If the stack is bounded and the value does not fit, or if its capacity is more than a chunk can have
    /// ([`Frames::try_alloc`] does not). If the heap has no room for a chunk, the program ends as it does for
    /// `Box`.
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
    pub fn alloc<T>(&self, value: T) -> FrameBox<'_, T> {
        match self.place() {
            // SAFETY: the place has just been taken for a `T`, and the stack is borrowed.
            Some(place) => unsafe { fill(place, value) },
            None => self.fail_with(value),
        }
    }

    /// [`Frames::alloc`] that does not panic.
    ///
    /// # Errors
    ///
    /// [`Exhausted`], with the value, if it does not fit and the stack is bounded or the heap has no room
    /// for a chunk.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::bounded(8);
    /// let error = frame.try_alloc([7_u64; 2]).unwrap_err();
    /// assert_eq!(error.frame_bytes(), Some(8));
    /// assert_eq!(error.into_inner(), [7; 2]);
    /// assert!(frame.try_alloc(7_u64).is_ok(), "nothing was lost");
    /// ```
    #[inline]
    pub fn try_alloc<T>(&self, value: T) -> Result<FrameBox<'_, T>, Exhausted<T>> {
        match self.place() {
            // SAFETY: as in `alloc`.
            Some(place) => Ok(unsafe { fill(place, value) }),
            None => Err(self.exhausted(Layout::new::<T>(), 1).with_value(value)),
        }
    }

    /// Puts what `f` returns into memory that is reserved before `f` runs. The optimiser may then build the
    /// value there; [`Frames::init`] guarantees it.
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
    pub fn alloc_with<T>(&self, f: impl FnOnce() -> T) -> FrameBox<'_, T> {
        self.vacant().fill_with(f)
    }

    /// [`Frames::alloc_with`] that does not panic if there is no room; `f` is not called then.
    ///
    /// # Errors
    ///
    /// As [`Frames::alloc_raw`].
    ///
    /// # Panics
    ///
    /// If `f` panics: see [`Frames::alloc_with`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::bounded(100);
    /// assert!(frame.try_alloc_with(|| [0_u8; 101]).is_err());
    /// assert!(frame.try_alloc_with(|| [0_u8; 100]).is_ok());
    /// ```
    #[inline]
    pub fn try_alloc_with<T>(&self, f: impl FnOnce() -> T) -> Result<FrameBox<'_, T>, Exhausted> {
        Ok(self.try_vacant()?.fill_with(f))
    }

    /// Builds a value in the stack: see [`init`](mod@crate::init).
    ///
    /// # Errors
    ///
    /// The initialiser's. The memory is then given back, unless the initialiser has left something above it.
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
        self.vacant().init(init)
    }

    /// [`Frames::init`] that does not panic if there is no room; the initialiser does not run then.
    ///
    /// # Errors
    ///
    /// [`TryInitError::Exhausted`] as [`Frames::alloc_raw`]; [`TryInitError::Init`] as
    /// [`Frames::init`].
    ///
    /// # Panics
    ///
    /// If the initialiser panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FrameStack, init, init::TryInitError};
    ///
    /// let frame = FrameStack::bounded(4);
    /// let six = frame.try_init::<u32, _>(init::try_with(|| "six".parse()));
    /// assert!(matches!(six, Err(TryInitError::Init(_))));
    /// assert_eq!(frame.used(), 0);
    /// ```
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
        // stacks share memory; and it had this layout, as long as the box was alive; 2. the box is gone.
        unsafe { self.free_if_last(value.cast(), layout) }
    }

    #[inline(always)]
    pub(super) fn place<T>(&self) -> Option<NonNull<T>> {
        self.alloc_block(Layout::new::<T>()).map(NonNull::cast)
    }

    /// There is no room for `value`: it is dropped, and the panic says why.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn fail_with<T>(&self, value: T) -> ! {
        drop(value);
        self.fail(Layout::new::<T>(), 1)
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(super) fn fail(&self, element: Layout, len: usize) -> ! {
        self.exhausted(element, len).raise()
    }
}

/// Takes what is formatted, until there is no room.
struct Text<'f, S: Sharing> {
    bytes: Growing<'f, u8, S>,
    refused: Option<NoRoomFor>,
}

impl<S: Sharing> fmt::Write for Text<'_, S> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.refused.is_none() {
            self.refused = self.bytes.extend(text.as_bytes()).err();
        }
        if self.refused.is_some() { Err(fmt::Error) } else { Ok(()) }
    }
}

impl<S: Sharing> Frames<S> {
    /// Copies a string into the stack. O(length).
    ///
    /// A reference, and no [`FrameBox`], since text has no destructor.
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
    pub fn alloc_str(&self, text: &str) -> &mut str {
        let bytes = self.alloc_slice(text.as_bytes());
        // SAFETY: they are the bytes of a `str`.
        unsafe { from_utf8_unchecked_mut(bytes) }
    }

    /// [`Frames::alloc_str`] that does not panic.
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
    /// let frame = FrameStack::bounded(4);
    /// assert!(frame.try_alloc_str("Grendel").is_err());
    /// assert_eq!(frame.try_alloc_str("Odin").unwrap(), "Odin");
    /// ```
    #[inline]
    #[allow(clippy::mut_from_ref, reason = "each call returns memory of its own")]
    pub fn try_alloc_str(&self, text: &str) -> Result<&mut str, Exhausted> {
        let bytes = self.try_alloc_slice(text.as_bytes())?;
        // SAFETY: they are the bytes of a `str`.
        Ok(unsafe { from_utf8_unchecked_mut(bytes) })
    }

    /// Formats into the stack: `frame.alloc_fmt(format_args!("{name} {n}"))`. O(length), apart from what is called to
    /// format. A reference, as [`Frames::alloc_str`] returns.
    ///
    /// The text grows where it lies, and needs no more bytes than it has in the end. (If something is allocated from the
    /// same stack while it is formatted, it moves, and leaves bytes behind.)
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
    /// assert_eq!((&*label, frame.used()), ("Grendel:   100", 14));
    /// ```
    #[inline]
    #[track_caller]
    #[doc(alias = "format")]
    #[allow(clippy::mut_from_ref, reason = "each call returns memory of its own")]
    pub fn alloc_fmt(&self, arguments: fmt::Arguments<'_>) -> &mut str {
        match self.format(arguments) {
            Ok(text) => text,
            Err(NoRoomFor(len)) => self.fail(Layout::new::<u8>(), len),
        }
    }

    /// [`Frames::alloc_fmt`] that does not panic if there is no room.
    ///
    /// # Errors
    ///
    /// As [`Frames::alloc_raw`], for as many bytes as there were until then. They are given back, unless something was
    /// left above them.
    ///
    /// # Panics
    ///
    /// If formatting panics, or fails although there was room: see [`Frames::alloc_fmt`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::bounded(10);
    /// assert!(frame.try_alloc_fmt(format_args!("{:>11}", 7)).is_err());
    /// assert_eq!(frame.try_alloc_fmt(format_args!("{:>10}", 7)).unwrap(), "         7");
    /// ```
    #[inline]
    #[allow(clippy::mut_from_ref, reason = "each call returns memory of its own")]
    pub fn try_alloc_fmt(&self, arguments: fmt::Arguments<'_>) -> Result<&mut str, Exhausted> {
        self.format(arguments).map_err(|NoRoomFor(len)| self.exhausted(Layout::new::<u8>(), len))
    }

    #[track_caller]
    #[allow(clippy::mut_from_ref, reason = "each call returns memory of its own")]
    fn format(&self, arguments: fmt::Arguments<'_>) -> Result<&mut str, NoRoomFor> {
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
}
