//! Boxes and shared elements are written as their element, and read into their pool.

use std::cell::Cell;
use std::rc::Rc;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::json;
use typed_pool::{
    ByLayout, FreeList, PointerStack, PoolArc, PoolBox, PoolBoxIn, PoolRc, Pooled, SharedByLayout,
    Vacant, any,
};

/// A type that is written and read as its one field. (A derive would bring `syn` once more.)
macro_rules! as_its_field {
    ($($name:ident($field:ty))*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$field>::deserialize(deserializer).map(Self)
            }
        }
    )*};
}

/// A tree: a name and children.
type Branches<T> = (String, Vec<PoolBox<T>>);

macro_rules! tree {
    ($name:ident, $($attribute:tt)*) => {
        #[test]
        fn $name() {
            #[derive(Pooled, Debug, PartialEq)]
            #[pool($($attribute)*)]
            struct Tree(Branches<Tree>);

            as_its_field! { Tree(Branches<Tree>) }

            let text = r#"["root",[["left",[]],["right",[["leaf",[]]]]]]"#;
            let tree: PoolBox<Tree> = serde_json::from_str(text).unwrap();
            assert_eq!((&*tree.0.0, &*tree.0.1[1].0.1[0].0.0), ("root", "leaf"));
            assert_eq!(Tree::pool_stats().live, 4);
            assert_eq!(serde_json::to_string(&tree).unwrap(), text);

            let bytes = postcard::to_allocvec(&tree).unwrap();
            assert_eq!(bytes, postcard::to_allocvec(&*tree).unwrap());
            let again: PoolBox<Tree> = postcard::from_bytes(&bytes).unwrap();
            assert_eq!((&again, Tree::pool_stats().live), (&tree, 8));
            drop((tree, again));
            assert_eq!(Tree::pool_stats().live, 0);

            // What does not end, or does not end well, leaves nothing.
            assert!(serde_json::from_str::<PoolBox<Tree>>(&text[..text.len() - 2]).is_err());
            assert!(serde_json::from_str::<PoolBox<Tree>>(&text.replace("[]", "7")).is_err());
            assert!(postcard::from_bytes::<PoolBox<Tree>>(&bytes[..bytes.len() - 1]).is_err());
            assert_eq!(Tree::pool_stats().live, 0);

            // A tree with more nodes than there are slots.
            let wide = json!(["root", vec![json!(["leaf", []]); 200]]);
            let error = serde_json::from_value::<PoolBox<Tree>>(wide).unwrap_err().to_string();
            assert!(error.contains("Tree` is exhausted: all 200 slots are occupied"), "{error}");
            assert_eq!(Tree::pool_stats().live, 0);
            let fits = json!(["root", vec![json!(["leaf", []]); 199]]);
            let tree: PoolBox<Tree> = serde_json::from_value(fits).unwrap();
            assert_eq!((tree.0.1.len(), Tree::pool_stats().live), (199, 200));
        }
    };
}

tree!(a_tree_in_a_free_list, max = 200);
tree!(a_tree_in_a_pointer_stack, strategy = pointer_stack, max = 200);
tree!(a_tree_in_one_chunk, capacity = 200);
tree!(a_tree_with_counts, capacity = 200, rc);
tree!(a_tree_in_static_lists, static, strategy = free_list, max = 200);
tree!(a_tree_in_static_stacks, static, max = 200);
tree!(a_tree_in_a_fixed_list, static, strategy = free_list, capacity = 200);
tree!(a_tree_in_a_fixed_stack, static, capacity = 200);

#[derive(Pooled, Debug, PartialEq)]
#[pool(static, rc, max = 4)]
struct Score(String);

as_its_field! { Score(String) }

#[test]
fn shared_elements_are_written_and_read_as_their_own() {
    let shared = PoolArc::new(Score("seven".into()));
    let both = [PoolArc::clone(&shared), shared];
    let text = serde_json::to_string(&both).unwrap();
    assert_eq!(text, r#"["seven","seven"]"#);
    let read: [PoolArc<Score>; 2] = serde_json::from_str(&text).unwrap();
    assert_eq!(read, both);
    assert!(!PoolArc::ptr_eq(&read[0], &read[1]), "they share nothing");
    assert_eq!((PoolArc::strong_count(&read[0]), Score::pool_stats().live), (1, 3));

    let error = serde_json::from_str::<Vec<PoolRc<Score>>>(&text).unwrap_err().to_string();
    assert!(error.contains("Score` is exhausted: all 4 slots are occupied"), "{error}");
    assert_eq!(Score::pool_stats().live, 3);
    let one: PoolRc<Score> = serde_json::from_str("\"one\"").unwrap();
    assert_eq!((&*one.0, Score::pool_stats().live), ("one", 4));
}

/// Reads a list into an owned pool.
struct In<P>(P);

macro_rules! reads_lists {
    ($($Pool:ident)*) => {$(
        impl<'de, 'p> DeserializeSeed<'de> for In<&'p $Pool<String>> {
            type Value = Vec<PoolBoxIn<String, &'p $Pool<String>>>;

            fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
                from.deserialize_seq(self)
            }
        }

        impl<'de, 'p> Visitor<'de> for In<&'p $Pool<String>> {
            type Value = Vec<PoolBoxIn<String, &'p $Pool<String>>>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element_seed(self.0)? {
                    list.push(item);
                }
                Ok(list)
            }
        }
    )*};
}

reads_lists! { FreeList PointerStack }

macro_rules! owned {
    ($($name:ident $Pool:ident)*) => {$(
        #[test]
        fn $name() {
            let pool = $Pool::<String>::bounded(3);
            let read = |text| In(&pool).deserialize(&mut serde_json::Deserializer::from_str(text));
            let list = read(r#"["a","b","c"]"#).unwrap();
            assert_eq!(serde_json::to_string(&list).unwrap(), r#"["a","b","c"]"#);
            drop(list);
            let error = read(r#"["a","b","c","d"]"#).unwrap_err().to_string();
            assert!(error.contains("`alloc::string::String` is exhausted: all 3 slots"), "{error}");
            assert!(read(r#"["a","b",7]"#).is_err());
            assert_eq!(pool.stats().live, 0);

            // One that its boxes keep alive.
            let pool = Rc::new(pool);
            let kept = Vacant::new_in(pool.clone()).fill(serde_json::from_str("\"kept\"").unwrap());
            assert_eq!((&**kept, pool.stats().live), ("kept", 1));
            drop(pool);
            assert_eq!(serde_json::to_string(&kept).unwrap(), "\"kept\"");
        }
    )*};
}

owned! {
    an_owned_free_list_is_a_seed FreeList
    an_owned_pointer_stack_is_a_seed PointerStack
}

#[test]
fn a_full_pool_is_found_before_anything_is_read() {
    thread_local! {
        static READ: Cell<u32> = const { Cell::new(0) };
    }

    #[derive(Pooled, Debug)]
    #[pool(capacity = 1)]
    struct Counted(u64);

    impl<'de> Deserialize<'de> for Counted {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            READ.set(READ.get() + 1);
            let number = u64::deserialize(deserializer)?;
            if number == 13 { Err(D::Error::custom("not that one")) } else { Ok(Self(number)) }
        }
    }

    let one: PoolBox<Counted> = serde_json::from_str("7").unwrap();
    assert!(serde_json::from_str::<PoolBox<Counted>>("8").is_err());
    assert_eq!((one.0, READ.get()), (7, 1));
    drop(one);
    let error = serde_json::from_str::<PoolBox<Counted>>("13").unwrap_err();
    assert_eq!((error.to_string().as_str(), Counted::pool_stats().live), ("not that one", 0));
    let panicked = std::panic::catch_unwind(|| {
        struct Panics;

        impl<'de> Deserialize<'de> for Panics {
            fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
                panic!("while it was read");
            }
        }

        let pool = FreeList::<Panics>::bounded(1);
        let mut json = serde_json::Deserializer::from_str("7");
        let read = || pool.deserialize(&mut json).is_ok();
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read)).is_err();
        (panicked, pool.stats().live)
    });
    assert_eq!(panicked.unwrap(), (true, 0));
}

#[test]
fn a_box_of_any_type_is_read_into_a_pool_by_layout() {
    struct List(Option<(String, any::Box<List>)>);

    as_its_field! { List(Option<(String, any::Box<List>)>) }

    let text = r#"["one",["two",null]]"#;
    let list: any::Box<List> = serde_json::from_str(text).unwrap();
    let (first, rest) = list.0.as_ref().unwrap();
    let (second, end) = rest.0.as_ref().unwrap();
    assert_eq!((&**first, &**second, end.0.is_none()), ("one", "two", true));
    assert_eq!(serde_json::to_string(&list).unwrap(), text);
    assert!(serde_json::from_str::<any::Box<List>>(r#"["one",["two",7]]"#).is_err());

    let shared: PoolBoxIn<[u8; 3], SharedByLayout> = serde_json::from_str("[1,2,3]").unwrap();
    assert_eq!((*shared, serde_json::to_string(&shared).unwrap()), ([1, 2, 3], "[1,2,3]".into()));
    let here: PoolBoxIn<&str, ByLayout> = serde_json::from_str("\"borrowed\"").unwrap();
    assert_eq!(*here, "borrowed");
}

#[test]
fn shared_elements_of_any_type_are_read_into_pools_by_layout() {
    let text = r#"["one","two"]"#;
    let local: Vec<any::Rc<String>> = serde_json::from_str(text).unwrap();
    let shared: Vec<any::Arc<&str>> = serde_json::from_str(text).unwrap();
    assert_eq!((&**local[1], *shared[1]), ("two", "two"));
    assert_eq!(serde_json::to_string(&local).unwrap(), text);
    assert_eq!(serde_json::to_string(&shared).unwrap(), text);
    assert!(serde_json::from_str::<any::Rc<String>>("7").is_err());
}
