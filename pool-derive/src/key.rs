//! The words that `#[pool(..)]` takes as keys.

use proc_macro2::Ident;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Strategy,
    ThreadLocal,
    Static,
    Capacity,
    Chunk,
    Max,
    Pad,
    Rc,
    Name,
    Tag,
    Instances,
    Crate,
}

impl Key {
    const ALL: [Self; 12] = [
        Self::Strategy,
        Self::ThreadLocal,
        Self::Static,
        Self::Capacity,
        Self::Chunk,
        Self::Max,
        Self::Pad,
        Self::Rc,
        Self::Name,
        Self::Tag,
        Self::Instances,
        Self::Crate,
    ];

    pub(crate) fn find(word: &Ident) -> Option<Self> {
        Self::ALL.into_iter().find(|key| word == key.word())
    }

    pub(crate) fn words() -> [&'static str; Self::ALL.len()] {
        Self::ALL.map(Self::word)
    }

    fn word(self) -> &'static str {
        match self {
            Self::Strategy => "strategy",
            Self::ThreadLocal => "thread_local",
            Self::Static => "static",
            Self::Capacity => "capacity",
            Self::Chunk => "chunk",
            Self::Max => "max",
            Self::Pad => "pad",
            Self::Rc => "rc",
            Self::Name => "name",
            Self::Tag => "tag",
            Self::Instances => "instances",
            Self::Crate => "crate",
        }
    }
}
