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
/// assert_eq!(Strategy::FREE_LIST.to_string(), "free_list");
/// assert!(Strategy::ROSTER == *"roster");
/// ```
// Constants, and no variants: beside a variant of the name `Roster` the compiler's messages would name the type by its path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strategy(&'static str);

impl Strategy {
    /// A list through the vacant slots.
    pub const FREE_LIST: Self = Self("free_list");
    /// Their addresses, beside them.
    pub const POINTER_STACK: Self = Self("pointer_stack");
    /// Handles lead to the slots.
    pub const ROSTER: Self = Self("roster");
    /// A stack of blocks of any size.
    pub const FRAME_STACK: Self = Self("frame_stack");

    /// The word for it.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::pools::Strategy;
    ///
    /// assert_eq!(Strategy::POINTER_STACK.as_str(), "pointer_stack");
    /// ```
    pub const fn as_str(self) -> &'static str {
        self.0
    }
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

impl Storage {
    /// The word for it.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::pools::Storage;
    ///
    /// assert_eq!(Storage::Owned.as_str(), "owned");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ThreadLocal => "thread_local",
            Self::Static => "static",
            Self::Owned => "owned",
        }
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

macro_rules! words {
    ($($type:ident)*) => {$(
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
    )*};
}

words!(Strategy Storage);

/// The name of a thread, as far as the system has kept it. It derefs to `str`.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Texture([u64; 4]);
///
/// let load = || {
///     let texture = PoolBox::new(Texture([0; 4]));
///     let infos = typed_pool::pools().filter_map(|info| info.thread);
///     let name = infos.filter(|thread| thread.is_current).find_map(|thread| thread.name);
///     # #[cfg(all(target_os = "linux", not(feature = "passthrough")))]
///     assert!(name.is_some_and(|name| name.starts_with("load")));
///     # drop(texture);
/// };
/// std::thread::Builder::new().name("loader".into()).spawn(load).unwrap().join().unwrap();
/// ```
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

/// The thread whose pool it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    /// The number of the thread; 0 for none.
    pub(crate) thread: u32,
    /// Whether its pools have been closed.
    pub(crate) has_ended: bool,
}

impl Owner {
    /// No thread's: of static pools, and of values.
    pub(crate) const NONE: Self = Self { thread: 0, has_ended: false };
}
