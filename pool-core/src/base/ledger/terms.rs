//! What is said of a pool, and of the thread whose it is.

use core::fmt;
use core::ops::Deref;

/// How a pool remembers its vacant slots. It is displayed, and compares with text, as in `#[pool(strategy = ..)]`.
///
/// # Examples
///
/// ```
/// use typed_pool::pools::Strategy;
///
/// assert_eq!(Strategy::FreeList.to_string(), "free_list");
/// assert!(Strategy::Roster == *"roster");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// A list through the vacant slots.
    FreeList,
    /// Their addresses, beside them.
    PointerStack,
    /// Handles.
    Roster,
    /// A stack of blocks of any size.
    FrameStack,
}

/// Where a pool lives. It is displayed, and compares with text, as in `#[pool(..)]`; a value is `owned`.
///
/// # Examples
///
/// ```
/// use typed_pool::pools::Storage;
///
/// assert_eq!(Storage::ThreadLocal.to_string(), "thread_local");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Storage {
    /// Each thread has one.
    ThreadLocal,
    /// One for the whole process.
    Static,
    /// A value with a name, such as `FreeList::named("sparks")`.
    Owned,
}

macro_rules! words {
    ($type:ident: $($variant:ident = $word:literal,)*) => {
        impl $type {
            /// The word for it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl PartialEq<str> for $type {
            fn eq(&self, word: &str) -> bool {
                self.as_str() == word
            }
        }
    };
}

words! { Strategy:
    FreeList = "free_list",
    PointerStack = "pointer_stack",
    Roster = "roster",
    FrameStack = "frame_stack",
}
words! { Storage:
    ThreadLocal = "thread_local",
    Static = "static",
    Owned = "owned",
}

/// The name of a thread, as far as the system has kept it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ThreadName {
    pub(crate) bytes: [u8; Self::BYTES],
}

impl ThreadName {
    pub(crate) const BYTES: usize = 16;
}

impl Deref for ThreadName {
    type Target = str;

    fn deref(&self) -> &str {
        let end = self.bytes.iter().position(|byte| *byte == 0).unwrap_or(Self::BYTES);
        let bytes = &self.bytes[..end];
        match core::str::from_utf8(bytes) {
            Ok(name) => name,
            // Cut in the middle of a character.
            Err(error) => core::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or(""),
        }
    }
}

impl fmt::Debug for ThreadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for ThreadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}
