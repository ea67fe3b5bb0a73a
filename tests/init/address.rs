//! Initialisers that know the place: `&this in`, and closures.

use std::cell::Cell;
use std::marker::PhantomPinned;
use std::num::ParseIntError;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::ptr::NonNull;

use typed_pool::{FrameStack, FreeList, Init, PoolBox, Pooled, Zeroable, init, try_init};

use crate::on_heap::InPlace as _;

/// A link of a ring.
#[derive(Pooled)]
struct Link {
    value: u32,
    next: NonNull<Self>,
    prev: NonNull<Self>,
    _pinned: PhantomPinned,
}

impl Link {
    fn alone(value: u32) -> impl Init<Self> {
        init!(&this in Self { value, next: this, prev: this, _pinned: PhantomPinned })
    }

    fn is_alone(&self) -> bool {
        let here = NonNull::from(self);
        (self.next, self.prev) == (here, here)
    }
}

#[test]
fn the_address_is_that_of_the_place() {
    let Ok(derived) = Link::pool_pin_init(Link::alone(1));
    let Ok(vacant) = Link::pool_vacant().init(Link::alone(2)).map(PoolBox::into_pin);
    let Ok(boxed) = Box::pin_init(Link::alone(3));
    let list = FreeList::new();
    let Ok(owned) = list.init(Link::alone(4));
    let frame = FrameStack::new();
    let Ok(framed) = frame.init(Link::alone(5));
    let links: [&Link; 5] = [&derived, &vacant, &boxed, &owned, &framed];
    assert!(links.iter().all(|link| link.is_alone()));
    assert_eq!(links.map(|link| link.value), [1, 2, 3, 4, 5]);
    // SAFETY: the links are where they were made.
    assert!(links.iter().all(|link| unsafe { link.next.as_ref() }.value == link.value));
    // The box moves, and the link does not.
    let moved = Box::new(derived);
    assert!(moved.is_alone());
}

struct Nested<T> {
    outer: NonNull<Self>,
    inner: Inner<T>,
    bytes: [u8; 8],
    view: NonNull<u8>,
}

struct Inner<T> {
    own: NonNull<Self>,
    above: NonNull<Nested<T>>,
    value: T,
}

#[test]
fn every_struct_has_its_own_and_fields_have_theirs() {
    let nested = try_init!(&outer in Nested::<String> {
        outer,
        inner <- try_init!(&r#in in Inner { own: r#in, above: outer, value: "7".parse::<u8>()?.to_string() } ? ParseIntError),
        bytes <- init::from_fn(|i| i as u8),
        view: {
            // SAFETY: the place is valid, and the byte lies in it.
            let byte = unsafe { &raw mut (*outer.as_ptr()).bytes[3] };
            NonNull::new(byte).unwrap()
        },
    } ? ParseIntError);
    let nested = Box::pin_init(nested).unwrap();
    assert_eq!(nested.outer, NonNull::from(&*nested));
    assert_eq!(
        (nested.inner.own, nested.inner.above),
        (NonNull::from(&nested.inner), nested.outer)
    );
    assert_eq!(nested.inner.value, "7");
    // SAFETY: the struct is pinned, and alive.
    assert_eq!(unsafe { nested.view.read() }, 3);
    assert_eq!(nested.view.addr(), NonNull::from(&nested.bytes[3]).addr());
}

#[test]
fn any_name_will_do_and_none_is_the_macro_s() {
    #[derive(Zeroable)]
    struct Two {
        place: usize,
        done: usize,
        field: usize,
    }
    let address = |two: &Two| std::ptr::from_ref(two).addr();
    let Ok(two) = Box::init(init!(&place in Two {
        place: place.addr().get(),
        ..init::zeroed()
    }));
    assert_eq!((two.place, two.done, two.field), (address(&two), 0, 0));
    let Ok(two) = Box::init(init!(&done in Two {
        #[cfg(any())]
        absent: (),
        place: 0,
        #[cfg(all())]
        done: done.addr().get(),
        field: { let done = done.addr().get(); done % 2 },
    }));
    assert_eq!((two.done, two.field), (address(&two), 0));
}

#[test]
fn a_struct_without_size_has_a_place_too() {
    struct Nothing {
        nothing: (),
    }
    let place = Cell::new(None);
    let noted = &place;
    let Ok(nothing) = Box::init(init!(&this in Nothing { nothing: noted.set(Some(this)) }));
    assert_eq!(place.get(), Some(NonNull::from(&*nothing)));
}

/// Counts its calls.
fn closure<'a>(log: &'a Cell<u32>, fails: bool) -> impl Init<[String; 2], &'static str> + use<'a> {
    let build = move |place: *mut [String; 2]| {
        log.set(log.get() + 1);
        if fails {
            return Err("as told");
        }
        // SAFETY: the place is valid, and its first half is inside.
        unsafe { place.cast::<String>().write("one".into()) };
        let second = place.cast::<String>().wrapping_add(1);
        // SAFETY: so is the second.
        unsafe { second.write("two".into()) };
        Ok(())
    };
    // SAFETY: 1. both strings are written; 2. if it fails, none is; 3. the place is not kept.
    unsafe { init::from_closure(build) }
}

#[test]
fn a_closure_builds_or_fails_when_it_has_a_place() {
    struct Holder {
        id: u32,
        pair: [String; 2],
    }
    let (calls, pool) = (Cell::new(0), FreeList::new());
    let (builds, fails) = (closure(&calls, false), closure(&calls, true));
    assert_eq!(calls.get(), 0);
    assert_eq!(*pool.init(builds).unwrap(), ["one", "two"]);
    assert_eq!(pool.init(fails).unwrap_err(), "as told");
    assert_eq!((calls.get(), pool.stats().live), (2, 0));
    // As a field.
    let holder = try_init!(Holder { id: 1, pair <- closure(&calls, false) } ? &'static str);
    let holder: Pin<Box<Holder>> = Box::pin_init(holder).unwrap();
    assert_eq!((holder.id, &holder.pair[1][..]), (1, "two"));
    // SAFETY: it writes nothing, and never succeeds.
    let never =
        unsafe { init::from_closure(|_: *mut u64| -> Result<(), ()> { panic!("as told") }) };
    let frame = FrameStack::new();
    assert!(catch_unwind(AssertUnwindSafe(|| frame.init(never).map(drop))).is_err());
    assert_eq!(frame.used(), 0);
}
