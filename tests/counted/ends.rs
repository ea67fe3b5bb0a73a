//! The end of a thread: pointers that outlive it, and those that its thread-locals hold.
