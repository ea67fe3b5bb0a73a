//! Boxes by layout are `Box`es: how they are made, and what they are made of.

use std::fmt::Write as _;
use std::pin::Pin;

use typed_pool::{ByLayout, PoolBoxIn, Vacant, any, init, unsize};

fn live() -> usize {
    ByLayout::stats().map(|pool| pool.live).sum()
}

#[test]
fn every_way_to_make_a_box() {
    let made: [any::Box<String>; 7] = [
        any::Box::default(),
        any::Box::new(String::new()),
        any::Box::from(String::new()),
        any::Box::new_with(String::new),
        any::Box::try_new(String::new()).unwrap(),
        Vacant::try_new_in(ByLayout).unwrap().fill_with(String::new),
        Vacant::new_in(ByLayout).fill(String::new()),
    ];
    assert!(made.iter().all(|text| text.is_empty()));
    assert_eq!(live(), 7);
    let mut clones = made.clone();
    write!(clones[0], "one").unwrap();
    clones[1].clone_from(&clones[0].clone());
    assert_eq!((&**clones[0], &**clones[1], &**made[1]), ("one", "one", ""));
    let [one, others @ ..] = clones;
    drop(others);
    assert_eq!((any::Box::into_inner(one), live()), ("one".to_owned(), 7));
    let Ok(array) = any::Box::<[u8; 300]>::init(init::zeroed());
    let pinned: Pin<any::Box<[u8; 300]>> = any::Box::into_pin(array);
    assert_eq!(*pinned, [0; 300]);
    let named: PoolBoxIn<i32, ByLayout> = any::Box::new(5);
    assert_eq!(named, any::Box::new(5));
    drop((made, pinned, named));
    assert_eq!(live(), 0);
}

#[test]
fn a_box_is_as_large_as_its_pointer() {
    assert_eq!(size_of::<any::Box<u64>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<any::Box<[u64]>>>(), 2 * size_of::<usize>());
    assert_eq!(size_of::<Option<any::SendBox<u64>>>(), size_of::<usize>());
}

/// Has no bound: so a library that is generic over shared pointers can have these.
fn of_any_type<T>(value: T) -> T {
    let raw = any::Rc::into_raw(any::Rc::new(value));
    // SAFETY: it has just come from `into_raw`.
    let shared = unsafe { any::Rc::from_raw(raw) };
    any::Rc::into_inner(shared).expect("the only owner")
}

#[test]
fn what_one_owns_many_can_share() {
    let local: any::Rc<String> = any::Box::new(String::from("local")).into();
    let shared: any::Arc<String> = any::SendBox::new(String::from("shared")).into();
    assert_eq!((&**local, &**shared), ("local", "shared"));
    let (five, six): (any::Rc<i32>, any::Arc<i32>) = (5.into(), 6.into());
    assert_eq!((*five, *six), (5, 6));
    assert_eq!(of_any_type(String::from("raw")), "raw");
    drop((local, five));
    assert_eq!(live(), 0);
}

#[test]
fn raw_pointers_go_out_and_come_back() {
    let raw = any::Box::into_raw(unsize!(any::Box::new([1, 2, 3]) => [u16]));
    assert_eq!(live(), 1);
    // SAFETY: it has just come from `into_raw`.
    let back = unsafe { any::Box::from_raw(raw) };
    assert_eq!((&*back, any::Box::as_ptr(&back)), (&[1, 2, 3][..], raw.cast_const()));
    drop(back);
    assert_eq!(live(), 0);
}

#[test]
fn classes_have_figures_names_and_room() {
    ByLayout::reserve(std::alloc::Layout::new::<[u64; 5]>(), 1000);
    ByLayout::reserve(std::alloc::Layout::new::<[u64; 5000]>(), 1000);
    ByLayout::reserve(std::alloc::Layout::new::<()>(), 1000);
    let of = |bytes| ByLayout::stats().find(|pool| pool.slot_bytes == bytes).unwrap();
    assert_eq!((of(40).name, of(40).live), ("ByLayout, 40 bytes", 0));
    let before = of(40);
    assert!(before.capacity >= 1000 && before.chunks == 1);
    let boxes: Vec<_> = (0..1000_u64).map(|n| any::Box::new([n; 5])).collect();
    assert_eq!((of(40).chunks, of(40).live, of(48).live), (1, 1000, 0));
    drop(boxes);
    assert!(ByLayout::trim() > 0);
    assert!(ByLayout::stats().all(|pool| pool.bytes == 0) && ByLayout::stats().count() == 32);
}
