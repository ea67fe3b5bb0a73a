//! A macro where the struct is named
//!
//! Fix: write the path of the struct; a value that a macro makes is `init::value(make!())`.

#![forbid(unsafe_code)]

use typed_pool::{init, try_init};

struct W {
    a: String,
}

macro_rules! conjure {
    () => {
        todo::<W>()
    };
    ($($tokens:tt)*) => {
        W { a: String::new() }
    };
}

fn todo<T>() -> T {
    todo!()
}

fn main() {
    let _ = init!(conjure! {});
    let _ = init!(conjure! { a: String::new() });
    let _ = init!(crate::conjure! {});
    let _ = try_init!(conjure! {} ? ());
    let _ = W { a: todo() };
}
