//! A pool declaration, once it is read.

use proc_macro2::{Ident, TokenStream};

use crate::crate_path::CratePath;

/// The pools that one derive declares.
pub(crate) struct Pool {
    /// The types, each with a pool of its own: the derived type, or the instances of a generic one.
    pub(crate) types: Vec<TokenStream>,
    pub(crate) strategy: Strategy,
    pub(crate) storage: Storage,
    pub(crate) growth: Growth,
    pub(crate) name: Option<TokenStream>,
    /// The tag of a roster's handles.
    pub(crate) tag: Option<TokenStream>,
    /// Whether slots may be larger than elements. Then nothing is asked of the elements' size.
    pub(crate) is_padded: bool,
    /// Whether slots have room for reference counts.
    pub(crate) is_rc: bool,
    pub(crate) crate_path: CratePath,
}

/// The home of a pool.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Storage {
    /// A pool for each thread.
    ThreadLocal,
    /// One for the process.
    Static,
}

/// How vacant slots are remembered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strategy {
    FreeList,
    PointerStack,
    Roster,
}

impl Strategy {
    /// The first is the default of a thread-local pool.
    pub(crate) const ALL: [Self; 3] = [Self::FreeList, Self::PointerStack, Self::Roster];

    /// The strategy with this word in `#[pool(..)]`.
    pub(crate) fn find(word: &Ident) -> Option<Self> {
        Self::ALL.into_iter().find(|known| word == known.word())
    }

    /// Its word in `#[pool(..)]`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::FreeList => "free_list",
            Self::PointerStack => "pointer_stack",
            Self::Roster => "roster",
        }
    }
}

/// In slots.
pub(crate) enum Growth {
    /// One chunk that never grows.
    Fixed { capacity: Count },
    /// Chunk after chunk.
    Chunks { chunk: Option<Count>, max: Option<Count> },
}

/// A number of slots.
pub(crate) struct Count {
    /// The word by which it was given.
    pub(crate) key: Ident,
    /// A constant expression.
    pub(crate) value: TokenStream,
    /// Its value, if the expression is a literal.
    pub(crate) literal: Option<u128>,
}
