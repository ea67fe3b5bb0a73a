//! Types smaller than a pointer, wherever they are declared

use typed_pool::Pooled;

// Declared by a macro.
macro_rules! pooled {
    ($name:ident($ty:ty)) => {
        #[derive(Pooled)]
        struct $name($ty);
    };
}

pooled!(ByAMacro(u16));

// An enum.
#[derive(Pooled)]
enum AnEnum {
    Red,
    Green,
}

// In a function.
fn function() {
    #[derive(Pooled)]
    struct InAFunction(u8);
}

// In a module that imports nothing.
mod effects {
    #[derive(typed_pool::Pooled)]
    pub struct InAModule(pub u8);
}

fn main() {
    // Used, and still one error.
    drop(AnEnum::pool_alloc_with(|| AnEnum::Red));
}
