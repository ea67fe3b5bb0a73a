//! One line gives a type its own memory pool.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use pool_core::*;

#[doc(hidden)]
pub use pool_core::__private;
