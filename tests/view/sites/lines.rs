//! Every way to make an element tells the user's line, and not one of the library's.

use std::rc::Rc;

use typed_pool::{
    ByLayout, FreeList, Handle, PointerStack, PoolArc, PoolBox, PoolBoxIn, PoolRc, Pooled, Roster,
    RosterHandles, SharedByLayout, Vacant, any, init,
};

use super::{by_line, made_in};

/// Checks that each expression's element has a site in this file while it lives, and no longer.
macro_rules! told {
    ($sites:expr; $($(#[$attribute:meta])* $made:expr;)*) => {$(
        $(#[$attribute])*
        {
            let kept = $made;
            assert_eq!(made_in(file!(), &$sites), 1, "{}", stringify!($made));
            drop(kept);
            assert!($sites.is_empty(), "{}", stringify!($made));
        }
    )*};
}

macro_rules! every_box {
    ($($test:ident $(#[$attribute:meta])*;)*) => {$(
        #[test]
        fn $test() {
            #[derive(Pooled, Default, Clone)]
            $(#[$attribute])*
            struct Node(u64, u64);

            fn init() -> impl typed_pool::Init<Node> {
                init!(Node { 0: 1, 1: 2 })
            }

            told! { Node::pool_sites();
                PoolBox::new(Node(1, 2));
                PoolBox::try_new(Node(1, 2)).unwrap();
                PoolBox::new_with(|| Node(1, 2));
                PoolBox::pin(Node(1, 2));
                PoolBox::init(init()).unwrap();
                PoolBox::try_init(init()).ok().unwrap();
                PoolBox::from(Node(1, 2));
                PoolBox::<Node>::default();
                Node::pool_alloc();
                Node::pool_try_alloc().unwrap();
                Node::pool_alloc_with(|| Node(1, 2));
                Node::pool_try_alloc_with(|| Node(1, 2)).unwrap();
                Node::pool_init(init()).unwrap();
                Node::pool_try_init(init()).ok().unwrap();
                Node::pool_pin_init(init()).unwrap();
                Node::pool_alloc_many([Node(1, 2)]);
                Node::pool_vacant();
                Node::pool_try_vacant().unwrap().fill(Node(1, 2));
            }
            let first = Node::pool_alloc();
            let other = first.clone();
            assert_eq!(made_in(file!(), &Node::pool_sites()), 2);
            drop(first);
            let raw = PoolBox::into_raw(other);
            // SAFETY: it came from there.
            drop(unsafe { PoolBox::from_raw(raw) });
            let _ = PoolBox::into_inner(Node::pool_alloc());
            assert!(Node::pool_sites().is_empty());
        }
    )*};
}

every_box! {
    thread_local_lists;
    thread_local_stacks #[pool(strategy = pointer_stack)];
    shared_stacks #[pool(static, strategy = pointer_stack)];
    shared_lists #[pool(static)];
    shared_limited #[pool(static, max = 100)];
    fixed #[pool(static, capacity = 10)];
    fixed_lists #[pool(static, capacity = 10, strategy = free_list)];
}

/// Each way to make a `RefCounted`, by its alias.
macro_rules! every_shared {
    ($($test:ident $Pointer:ident $(#[$attribute:meta])*;)*) => {$(
        #[test]
        fn $test() {
            #[derive(Pooled, Default, Clone)]
            $(#[$attribute])*
            struct Node(u64, u64);

            fn init() -> impl typed_pool::Init<Node> {
                init!(Node { 0: 1, 1: 2 })
            }

            told! { Node::pool_sites();
                $Pointer::new(Node(1, 2));
                $Pointer::try_new(Node(1, 2)).unwrap();
                $Pointer::pin(Node(1, 2));
                $Pointer::<Node>::init(init()).unwrap();
                $Pointer::<Node>::try_init(init()).ok().unwrap();
                $Pointer::new_cyclic(|_| Node(1, 2));
                $Pointer::from(PoolBox::new(Node(1, 2)));
                $Pointer::from(Node(1, 2));
                $Pointer::<Node>::default();
            }
            let mut shared = $Pointer::new(Node(1, 2));
            let other = shared.clone();
            assert_eq!(made_in(file!(), &Node::pool_sites()), 1, "a clone is no element");
            $Pointer::make_mut(&mut shared).0 += 1;
            assert_eq!(made_in(file!(), &Node::pool_sites()), 2);
            let weak = $Pointer::downgrade(&shared);
            drop((shared, other));
            assert_eq!(made_in(file!(), &Node::pool_sites()), 1, "a weak pointer keeps the slot");
            drop(weak);
            assert!(Node::pool_sites().is_empty());
        }
    )*};
}

every_shared! {
    counted PoolRc #[pool(rc)];
    counted_atomically PoolArc #[pool(static, rc)];
    counted_fixed PoolArc #[pool(static, rc, capacity = 10)];
}

#[test]
fn by_layout() {
    /// The rest of the program has none of these.
    fn sites() -> Vec<typed_pool::pools::Site> {
        ByLayout::sites()
    }

    told! { sites();
        any::Box::new([1_u64; 3]);
        any::Box::try_new([1_u64; 3]).unwrap();
        any::Box::<u64>::new_with(|| 1);
        any::Box::pin(1_u64);
        any::Box::<u64>::init(init::value(1)).unwrap();
        any::Box::<u64>::try_init(init::value(1)).ok().unwrap();
        any::Box::<u64>::default();
        any::Box::from(1_u64);
        { let boxed = any::Box::new(1_u64); (boxed.clone(), boxed).0 };
        { let boxed: any::Box<u64> = 1.into(); boxed };
        any::BoxFnOnce::<u64>::new({ let text = String::from("text"); move |n| *n += text.len() as u64 });
        any::Rc::new(1_u64);
        any::Rc::<u64>::from(any::Box::new(1_u64));
        any::Rc::<u64>::try_new(1).unwrap();
        any::Rc::<u64>::init(init::value(1)).unwrap();
        any::Rc::<u64>::try_init(init::value(1)).ok().unwrap();
        any::Rc::<u64>::pin(1);
        any::Rc::<u64>::new_cyclic(|_| 1);
        any::Rc::<u64>::default();
        any::Rc::<u64>::from(1);
        typed_pool::unsize!(any::Box::new(1_u64) => dyn std::fmt::Debug);
        PoolBoxIn::new_in(1_u64, ByLayout);
        Vacant::<u64, _>::new_in(ByLayout);
    }
    // Only here, as other tests use these, too.
    let here = line!() + 1;
    let kept = any::SendBox::new([1_u8; 48]);
    let site = SharedByLayout::sites().into_iter().find(|site| site.location.line() == here);
    assert_eq!(site.map(|site| (site.live, site.bytes)), Some((1, 48)));
    drop(kept);
    assert!(SharedByLayout::sites().iter().all(|site| site.location.line() != here));
}

fn every_insertion<T: Pooled<RosterHandles> + From<u64>>() {
    let first: Handle<T> = T::pool_insert(T::from(1));
    T::pool_try_insert(T::from(2)).ok().unwrap();
    T::pool_insert_with(|_| T::from(3));
    T::pool_try_insert_with(|_| T::from(4)).unwrap();
    T::pool_with(|all| {
        all.insert(T::from(5));
        all.try_insert(T::from(6)).ok().unwrap();
        all.insert_with(|_| T::from(7));
        all.try_insert_with(|_| T::from(8)).unwrap();
        let entry = all.vacant_entry();
        entry.insert(T::from(9));
        all.extend([T::from(10)]);
    });
    T::pool_borrow_mut().insert(T::from(11));
    let (sites, first_line) = (T::pool_sites(), line!() - 14);
    assert_eq!((made_in(file!(), &sites), sites.len()), (11, 11));
    let lines = [0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 13].map(|line| (first_line + line, 1));
    assert_eq!(by_line(&sites), lines);
    let value = T::pool_with(|all| all.detach(first)).unwrap();
    assert_eq!(T::pool_sites().len(), 10, "what is detached is not there");
    T::pool_with(|all| all.reattach(first, value));
    assert!(by_line(&T::pool_sites()).contains(&(line!() - 1, 1)));
    let mut kept = 0;
    T::pool_with(|all| {
        all.retain(|_, _| {
            kept += 1;
            kept > 5
        });
    });
    assert_eq!(made_in(file!(), &T::pool_sites()), 6);
    let mut kept = 0;
    T::pool_with(|all| {
        let extracted = all.extract_if(|_, _| {
            kept += 1;
            kept > 1
        });
        drop(extracted.last());
    });
    assert_eq!(made_in(file!(), &T::pool_sites()), 1);
    T::pool_clear();
    assert!(T::pool_sites().is_empty());
}

#[test]
fn rosters() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Local(u64);

    impl From<u64> for Local {
        fn from(value: u64) -> Self {
            Self(value)
        }
    }

    #[derive(Pooled)]
    #[pool(strategy = roster, static)]
    struct Shared(u64);

    impl From<u64> for Shared {
        fn from(value: u64) -> Self {
            Self(value)
        }
    }

    every_insertion::<Local>();
    every_insertion::<Shared>();
}

#[test]
#[allow(clippy::redundant_clone, reason = "what it says of itself is looked at")]
fn owned_pools() {
    let (list, stack) = (FreeList::<u64>::new(), PointerStack::<u64>::new());
    told! { list.sites();
        list.alloc(1);
        list.try_alloc(1).unwrap();
        list.alloc_with(|| 1);
        list.try_alloc_with(|| 1).unwrap();
        list.init(init::value(1)).unwrap();
        list.try_init(init::value(1)).ok().unwrap();
        list.vacant();
        list.try_vacant().unwrap();
        PoolBoxIn::new_in(1, &list);
    }
    told! { stack.sites();
        stack.alloc(1);
    }
    let kept = Rc::new(FreeList::<u64>::new());
    told! { kept.sites();
        PoolBoxIn::new_in(1, kept.clone());
        PoolBoxIn::new_in(1, Rc::clone(&kept)).clone();
    }
    let mut roster: Roster<u64> = Roster::from_iter([1, 2, 3]);
    let line = line!() + 1;
    let clone = roster.clone();
    assert_eq!(by_line(&roster.sites()), [(line - 2, 3)]);
    assert_eq!(by_line(&clone.sites()), [(line, 3)]);
    roster.drain().next();
    assert!(roster.sites().is_empty());
}

#[cfg(feature = "serde")]
#[test]
fn what_is_read_has_the_line_of_whoever_reads() {
    use serde::de::value::{Error, U64Deserializer};
    use serde::de::{Deserialize, IntoDeserializer};

    fn number() -> U64Deserializer<Error> {
        1_u64.into_deserializer()
    }

    told! { ByLayout::sites();
        any::Box::<u64>::deserialize(number()).unwrap();
        any::Rc::<u64>::deserialize(number()).unwrap();
    }
    let text = serde_json::to_string(&Roster::from_iter([1_u64, 2])).unwrap();
    let mut reader = serde_json::Deserializer::from_str(&text);
    let read = Roster::<u64>::deserialize(&mut reader).unwrap();
    assert_eq!(by_line(&read.sites()), [(line!() - 1, 2)]);
}
