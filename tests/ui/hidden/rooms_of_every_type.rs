//! As `key_of_every_type`: room for counts.

#![forbid(unsafe_code)]

use typed_pool::__private::{__static_rooms, Rooms};

const fn rooms<T>() -> Rooms<T> {
    __static_rooms!(T, 4)
}

fn main() {}
