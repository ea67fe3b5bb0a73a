//! Pointers that threads share.
