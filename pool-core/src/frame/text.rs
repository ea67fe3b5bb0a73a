//! Text in a frame stack.

use core::fmt;
use core::str::from_utf8_unchecked_mut;

use crate::base::exhausted::Exhausted;
use crate::frame::growing::{Growing, NoRoomFor};
use crate::frame::{FrameBox, Frames, Sharing};

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
    /// format.
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
            Err(NoRoomFor(len)) => self.fail_slice::<u8>(len),
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
        self.format(arguments).map_err(|NoRoomFor(len)| self.exhausted_slice::<u8>(len))
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
