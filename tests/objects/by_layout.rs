//! Objects of any trait and slices, in pools by layout.

use std::any::Any;
use std::cell::Cell;
use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::future::Future;
use std::num::ParseIntError;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::thread;

use typed_pool::{ByLayout, any, unsize};

use crate::alone;

fn live() -> usize {
    ByLayout::stats().map(|pool| pool.live).sum()
}

#[test]
fn closures_are_called_as_they_are() {
    let text = String::from("borrowed");
    let length: any::Box<dyn Fn(usize) -> usize> =
        unsize!(any::Box::new(|by| text.len() * by) => dyn Fn(usize) -> usize);
    assert_eq!((length(2), length(3)), (16, 24));
    let mut count = 0;
    {
        let mut next: any::Box<dyn FnMut() -> u32 + '_> = unsize!(
            any::Box::new(|| {
                count += 1;
                count
            }) => dyn FnMut() -> u32 + '_
        );
        assert_eq!([next(), next()], [1, 2]);
    }
    assert_eq!(count, 2);
}

#[test]
fn of_every_size() {
    /// Notes that it is dropped, wherever it lies.
    struct Noted<'a, T>(T, &'a Cell<usize>);

    impl<T> Drop for Noted<'_, T> {
        fn drop(&mut self) {
            self.1.set(self.1.get() + 1);
            // Its slot is still its own.
            let other = any::Box::new([0_u8; size_of::<usize>()]);
            assert_ne!(any::Box::as_ptr(&other).addr(), (&raw const *self).addr());
        }
    }

    trait Thing {
        fn address(&self) -> usize;
    }

    impl<T> Thing for T {
        fn address(&self) -> usize {
            (&raw const *self).addr()
        }
    }

    #[repr(align(64))]
    struct Line(#[allow(dead_code, reason = "for its size")] u8);
    #[repr(align(4096))]
    struct Page(#[allow(dead_code, reason = "for its size")] u8);

    let before = live();
    let dropped = Cell::new(0);
    let mut things: Vec<any::Box<dyn Thing + '_>> = Vec::new();
    macro_rules! push {
        ($($thing:expr),*) => {$(
            let thing = any::Box::new(Noted($thing, &dropped));
            let address = any::Box::as_ptr(&thing).addr();
            assert_eq!(address % align_of_val(&*thing), 0);
            things.push(unsize!(thing => dyn Thing + '_));
            assert_eq!((**things.last().unwrap()).address(), address);
        )*};
    }
    push!(
        0_u8,
        [0_u64; 3],
        [0_u8; 100],
        [0_u8; 2040],
        [0_u8; 10_000],
        Line(0),
        Page(0),
        String::from("text")
    );
    things.push(unsize!(any::Box::new(()) => dyn Thing));
    things.push(unsize!(any::Box::new([Line(0); 0]) => dyn Thing));
    assert_eq!((*things[9]).address() % 64, 0);
    let count = things.len() - 2;
    drop(things.swap_remove(3));
    assert_eq!(dropped.get(), 1);
    drop(things);
    assert_eq!((dropped.get(), live()), (count, before));
}

#[test]
fn slices() {
    let before = live();
    let words: any::Box<[String]> =
        unsize!(any::Box::new(["a", "b", "c"].map(String::from)) => [String]);
    assert_eq!((words.len(), &*words[2]), (3, "c"));
    assert_eq!(size_of_val(&words), 2 * size_of::<usize>());
    let nested: any::Box<[any::Box<[u8]>]> = unsize!(
        any::Box::new([unsize!(any::Box::new([1, 2]) => [u8]), unsize!(any::Box::new([3]) => [u8])]) => [any::Box<[u8]>]
    );
    let bytes: Vec<u8> = nested.iter().flat_map(|bytes| bytes.iter().copied()).collect();
    assert_eq!(bytes, [1, 2, 3]);
    drop((words, nested));
    let empty: any::Box<[u64]> = unsize!(any::Box::new([]) => [u64]);
    assert!(empty.is_empty());
    drop(empty);
    assert_eq!(live(), before);
}

#[test]
fn a_struct_whose_tail_loses_its_size() {
    struct Message<T: ?Sized> {
        id: u16,
        body: T,
    }

    let before = live();
    let message: any::Box<Message<[u32]>> =
        unsize!(any::Box::new(Message { id: 7, body: [1, 2, 3] }) => Message<[u32]>);
    assert_eq!((message.id, &message.body), (7, &[1, 2, 3][..]));
    let shared: any::Rc<Message<dyn Debug>> =
        unsize!(any::Rc::new(Message { id: 8, body: 1_u128 }) => Message<dyn Debug>);
    assert_eq!((shared.id, format!("{:?}", &shared.body)), (8, "1".to_owned()));
    drop((message, shared));
    assert_eq!(live(), before);
}

#[test]
fn pinned_futures_are_polled() {
    let text = String::from("text");
    let future = any::Box::pin(async { text.len() });
    let mut future: Pin<any::Box<dyn Future<Output = usize> + '_>> =
        unsize!(future => dyn Future<Output = usize> + '_);
    let mut context = Context::from_waker(Waker::noop());
    assert_eq!(future.as_mut().poll(&mut context), Poll::Ready(4));
}

#[derive(Debug)]
struct Borrowing<'a>(&'a str);

impl Display for Borrowing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Borrowing<'_> {}

#[test]
fn an_error_is_a_type_again() {
    let _alone = alone();
    let before = live();
    let error = "six".parse::<i32>().unwrap_err();
    let said = error.to_string();
    let object = unsize!(any::Box::new(error.clone()) => dyn Error);
    let object = object.downcast::<fmt::Error>().unwrap_err();
    assert_eq!(object.downcast::<ParseIntError>().unwrap().to_string(), said);
    let text = String::from("borrowed");
    let borrowed = unsize!(any::Box::new(Borrowing(&text)) => dyn Error + '_);
    assert_eq!(borrowed.to_string(), "borrowed");
    // Unlike std's, a box of an object is an error itself.
    let nested: Box<dyn Error + '_> = Box::new(borrowed);
    assert_eq!(nested.to_string(), "borrowed");
    let sent = unsize!(any::SendBox::new(error) => dyn Error + Send + Sync);
    assert_eq!(thread::spawn(move || sent.to_string()).join().unwrap(), said);
    drop(nested);
    assert_eq!(live(), before);
}

/// Of each object that has a `downcast`, whichever pointer holds it.
#[test]
fn each_object_is_a_type_again() {
    macro_rules! again {
        ($($Box:ident<$Object:ty>: $T:ty = $value:expr;)*) => {$(
            let object = unsize!(any::$Box::new($value) => $Object);
            let object = object.downcast::<fmt::Error>().unwrap_err();
            assert_eq!(*object.downcast::<$T>().unwrap(), $value);
        )*};
    }

    let _alone = alone();
    let error = || "six".parse::<i32>().unwrap_err();
    again! {
        Box<dyn Any>: i32 = 7;
        Box<dyn Any + Send>: i32 = 7;
        Box<dyn Any + Send + Sync>: i32 = 7;
        SendBox<dyn Any>: i32 = 7;
        SendBox<dyn Any + Send>: i32 = 7;
        SendBox<dyn Any + Send + Sync>: i32 = 7;
        Rc<dyn Any>: i32 = 7;
        Arc<dyn Any + Send + Sync>: i32 = 7;
        Box<dyn Error>: ParseIntError = error();
        Box<dyn Error + Send>: ParseIntError = error();
        Box<dyn Error + Send + Sync>: ParseIntError = error();
        SendBox<dyn Error + Send + Sync>: ParseIntError = error();
    }
}

#[test]
fn any_is_a_type_again() {
    let before = live();
    let objects: Vec<any::Box<dyn Any>> = vec![
        unsize!(any::Box::new(7_u8) => dyn Any),
        unsize!(any::Box::new(String::from("text")) => dyn Any),
        unsize!(any::Box::new(()) => dyn Any),
    ];
    let mut found = Vec::new();
    for object in objects {
        match object.downcast::<String>() {
            Ok(text) => found.push(any::Box::into_inner(text)),
            Err(object) => found.push(format!("{}", object.is::<u8>())),
        }
    }
    assert_eq!(found, ["true", "text", "false"]);
    assert_eq!(live(), before);

    let _alone = alone();
    let message = unsize!(any::SendBox::new([1_u64; 9]) => dyn Any + Send);
    let sum = thread::spawn(move || message.downcast::<[u64; 9]>().unwrap().iter().sum::<u64>());
    assert_eq!(sum.join().unwrap(), 9);
    let shared = unsize!(any::Arc::new(5_u64) => dyn Any + Send + Sync);
    let other = shared.clone();
    assert_eq!(thread::spawn(move || *other.downcast::<u64>().unwrap()).join().unwrap(), 5);
    assert_eq!(*shared.downcast::<u8>().unwrap_err().downcast::<u64>().unwrap(), 5);
    let shared: any::Rc<dyn Any> = unsize!(any::Rc::new(5_u64) => dyn Any);
    assert_eq!(*shared.downcast::<u8>().unwrap_err().downcast::<u64>().unwrap(), 5);
}

#[test]
fn a_supertrait_adds_nothing() {
    // `Send` goes away by a coercion, and does not come back.
    let object = unsize!(any::Box::new(7) => dyn Debug + Send + Sync);
    let object = unsize!(object => dyn Debug + Send);
    let object = unsize!(object => dyn Debug);
    assert_eq!(format!("{object:?}"), "7");
}
