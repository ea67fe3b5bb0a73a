//! As `handles_of_a_free_list`: in generic code.

use typed_pool::Pooled;

fn kill_all<T: Pooled>() {
    T::pool_clear();
}

fn main() {}
