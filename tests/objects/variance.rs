//! A pointer follows its element's subtypes, as `Box`, `Rc` and `Arc` do, unless its type names the pool.

use typed_pool::{FrameBox, FrameStack, FreeList, PoolBoxIn, Rewind, Roster, any};

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
            let _alone = crate::alone();
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

#[test]
fn boxes_of_pools_that_are_values_and_of_frames() {
    fn of_list<'p, 'a>(
        long: PoolBoxIn<&'static str, &'p FreeList<&'static str>>,
        _: &'a str,
    ) -> PoolBoxIn<&'a str, &'p FreeList<&'a str>> {
        long
    }
    fn framed<'f, 'a>(long: FrameBox<'f, &'static str>, _: &'a str) -> FrameBox<'f, &'a str> {
        long
    }
    fn sooner<'f: 'a, 'a>(long: FrameBox<'f, u64>, _: &'a str) -> FrameBox<'a, u64> {
        long
    }
    let (list, frame) = (FreeList::new(), FrameStack::new());
    let local = String::from("local");
    assert_eq!(*of_list(list.alloc("static"), &local), "static");
    assert_eq!(*framed(frame.alloc("static"), &local), "static");
    assert_eq!(*sooner(frame.alloc(7), &local), 7);
}

#[test]
fn rosters_and_rewinds() {
    fn roster<'a>(long: Roster<&'static str>, _: &'a str) -> Roster<&'a str> {
        long
    }
    fn rewind<'a>(long: Rewind<&'static str>, _: &'a str) -> Rewind<&'a str> {
        long
    }
    let local = String::from("local");
    assert!(roster(["static"].into_iter().collect(), &local).values().eq(&["static"]));
    assert!(rewind(["static"].into_iter().collect(), &local).values().eq(&["static"]));
}
