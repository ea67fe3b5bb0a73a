//! Coerced to what the pool of a supertype has

#![allow(coherence_leak_check)]

// A box used as a box of a supertype.
mod box_coerced_to_another_pool {
    use typed_pool::{PoolBox, Pooled};

    #[derive(Pooled)]
    #[pool(instances(Callback<for<'a> fn(&'a u8)>, Callback<fn(&'static u8)>))]
    struct Callback<F> {
        call: F,
    }

    // One is a subtype of the other, but each has a pool of its own.
    fn coerced(of_any: PoolBox<Callback<for<'a> fn(&'a u8)>>) -> PoolBox<Callback<fn(&'static u8)>> {
        of_any
    }
}

// Pointers that share an element, and weak ones.
mod rc_coerced_to_another_pool {
    use typed_pool::{PoolRc, PoolRcWeak, Pooled};

    #[derive(Pooled)]
    #[pool(rc, instances(Callback<for<'a> fn(&'a u8)>, Callback<fn(&'static u8)>))]
    struct Callback<F> {
        call: F,
    }

    type OfAny = Callback<for<'a> fn(&'a u8)>;
    type OfStatic = Callback<fn(&'static u8)>;

    fn owners(of_any: PoolRc<OfAny>) -> PoolRc<OfStatic> {
        of_any
    }

    fn weak(of_any: PoolRcWeak<OfAny>) -> PoolRcWeak<OfStatic> {
        of_any
    }
}

// A reserved slot.
mod vacant_coerced_to_another_pool {
    use typed_pool::{Pooled, Vacant};

    #[derive(Pooled)]
    #[pool(instances(Callback<for<'a> fn(&'a u8)>, Callback<fn(&'static u8)>))]
    struct Callback<F> {
        call: F,
    }

    // One is a subtype of the other, but each has a pool of its own.
    fn coerced(of_any: Vacant<Callback<for<'a> fn(&'a u8)>>) -> Vacant<Callback<fn(&'static u8)>> {
        of_any
    }
}

// A handle of a supertype.
mod handle_of_a_subtype {
    use typed_pool::Handle;

    fn coerced(of_any: Handle<for<'a> fn(&'a u8)>) -> Handle<fn(&'static u8)> {
        of_any
    }
}

fn main() {}
