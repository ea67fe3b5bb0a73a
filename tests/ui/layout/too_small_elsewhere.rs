//! Types smaller than a pointer, wherever they are declared

// Declared by a macro.
mod too_small_by_macro {
    use typed_pool::Pooled;

    macro_rules! pooled {
        ($name:ident($ty:ty)) => {
            #[derive(Pooled)]
            struct $name($ty);
        };
    }

    pooled!(Spark(u16));
}

// An enum.
mod too_small_enum {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    enum Light {
        Red,
        Green,
    }
}

// In a function.
mod too_small_in_function {
    use typed_pool::Pooled;

    pub fn main() {
        #[derive(Pooled)]
        struct Spark(u8);
    }
}

// In a module that imports nothing.
mod too_small_in_module {
    mod effects {
        #[derive(typed_pool::Pooled)]
        pub struct Spark(pub u8);
    }
}

fn main() {}
