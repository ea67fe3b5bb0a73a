//! As `traits_by_hand`: a module of your own in place of the library.

#![forbid(unsafe_code)]

use typed_pool::Zeroable;

mod fake {
    pub mod __private {
        macro_rules! __zeroable {
            ($name:ident $($tokens:tt)*) => {
                unsafe impl ::typed_pool::Zeroable for $name {}
            };
        }
        pub(crate) use __zeroable;
    }
}

#[derive(Zeroable)]
#[zeroable(crate = fake)]
struct Evil(Box<u8>);

fn main() {
    let _ = Evil(Box::new(1)).0;
}
