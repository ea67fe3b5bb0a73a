//! By layout a pointer follows its element's subtypes, as `Box`, `Rc` and `Arc` do.

use typed_pool::any;

/// Compiles for what is covariant.
macro_rules! shortened {
    ($($name:ident: $Pointer:ident)*) => {$(
        #[test]
        fn $name() {
            fn shortened<'a>(long: any::$Pointer<&'static str>, _: &'a str) -> any::$Pointer<&'a str> {
                long
            }
            fn of_one<'a>(every: any::$Pointer<for<'b> fn(&'b str)>) -> any::$Pointer<fn(&'a str)> {
                every
            }
            let local = String::from("local");
            assert_eq!(*shortened(any::$Pointer::new("static"), &local), "static");
            let _ = of_one(any::$Pointer::new(|_| ()));
        }
    )*};
}

shortened! { boxes: Box  boxes_that_leave: SendBox  rcs: Rc  arcs: Arc }

#[test]
fn weak_pointers() {
    fn weak<'a>(long: any::RcWeak<&'static str>, _: &'a str) -> any::RcWeak<&'a str> {
        long
    }
    fn arc_weak<'a>(long: any::ArcWeak<&'static str>, _: &'a str) -> any::ArcWeak<&'a str> {
        long
    }
    let local = String::from("local");
    let _ = weak(any::RcWeak::new(), &local);
    let _ = arc_weak(any::ArcWeak::new(), &local);
}
