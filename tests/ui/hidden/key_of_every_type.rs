//! One key for every type

#![forbid(unsafe_code)]

use typed_pool::Pooled;
use typed_pool::__private::{__static_slots, Fixed, InStatic};

struct Node<T>(T);

impl<T: 'static> Pooled for Node<T> {
    type __Storage = InStatic<Fixed<Self, 4>>;
    const __POOL: Self::__Storage = __static_slots!(Fixed<Node<T>, 4>);
}

fn main() {}
