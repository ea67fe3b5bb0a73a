//! Wrong input is an error that says so, and costs no more memory than it has bytes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use typed_pool::{Handle, Roster, SecondaryMap};

use super::walk::{from_json, to_json};

/// Remembers the largest request of each thread, and the most bytes it held at once.
struct Largest;

#[global_allocator]
static ALLOCATOR: Largest = Largest;

thread_local! {
    static LARGEST: Cell<usize> = const { Cell::new(0) };
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Largest {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.set(LARGEST.get().max(layout.size()));
        HELD.set(HELD.get() + layout.size() as isize);
        MOST.set(MOST.get().max(HELD.get()));
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.set(HELD.get() - layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

/// The largest request that `f` makes.
fn largest(f: impl FnOnce()) -> usize {
    LARGEST.set(0);
    f();
    LARGEST.get()
}

/// The most bytes that `f` holds at once, besides those that were there before.
fn most<R>(f: impl FnOnce() -> R) -> usize {
    let before = HELD.get();
    MOST.set(before);
    drop(f());
    (MOST.get() - before) as usize
}

/// Takes much memory, and a byte to send.
#[derive(Clone, Debug, PartialEq)]
struct Large([u64; 672]);

impl Serialize for Large {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0[0] as u8)
    }
}

impl<'de> Deserialize<'de> for Large {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u8::deserialize(deserializer).map(|byte| Self([byte.into(); 672]))
    }
}

/// A roster with a slot in each state: live, detached, vacant, retired, live.
fn sound() -> Value {
    let (elements, others) =
        ([(4, 1, "a"), (0, 2, "b")], [(1, 1, true), (2, 2, false), (3, 0, false)]);
    json!([7, 64, true, elements, others])
}

/// The error for the sound roster with this part changed.
fn with(part: usize, value: Value) -> String {
    let mut json = sound();
    json[part] = value;
    from_json::<String>(json).expect_err("it is wrong")
}

#[track_caller]
fn assert_says(error: &str, expected: &str) {
    assert!(error.contains(expected), "{error}");
}

#[test]
fn what_is_changed_is_sound() {
    let roster = from_json::<String>(sound()).unwrap();
    assert_eq!(to_json(&roster), sound());
}

#[test]
fn tables() {
    let of = "cannot restore the roster of `alloc::string::String`: ";
    let [tag, limit, is_ordered, elements, others] = [0, 1, 2, 3, 4];
    for (part, value, expected) in [
        (tag, json!(null), "it has no tag, and slots have been used (5)"),
        (tag, json!(256), "expected u8"),
        (tag, json!(-1), "expected u8"),
        (limit, json!(1_u64 << 40), "expected u32"),
        (limit, json!(4), "it has 5 slots, and its limit is 4"),
        (limit, json!(0), "it has 5 slots, and its limit is 0"),
        (limit, json!({"max": 64}), "expected u32"),
        (is_ordered, json!(null), "expected a boolean"),
        (elements, json!([[4, 1, "a"]]), "slot 4 is named, and only slots below 4 are there"),
        (elements, json!([[4, 1, "a"], [4, 1, "b"]]), "slot 4 is named twice"),
        (elements, json!([[4, 1, "a"], [2, 2, "b"]]), "slot 2 is named twice"),
        (elements, json!([[4, 1, "a"], [3, 1, "b"]]), "slot 3 is named twice"),
        (
            elements,
            json!([[4, 1, "a"], [5, 2, "b"]]),
            "slot 5 is named, and only slots below 5 are there",
        ),
        (elements, json!([[u32::MAX, 1, "a"], [0, 2, "b"]]), "slot 4294967295 is named"),
        (elements, json!([[1_u64 << 32, 1, "a"], [0, 2, "b"]]), "expected u32"),
        (
            elements,
            json!([[4, 0, "a"], [0, 2, "b"]]),
            "slot 4 is of generation 0, which is not one of 1 to 8388607",
        ),
        (elements, json!([[4, 1 << 23, "a"], [0, 2, "b"]]), "slot 4 is of generation 8388608"),
        (elements, json!([[4, u32::MAX, "a"], [0, 2, "b"]]), "generation 4294967295"),
        (elements, json!([[4, 1_u64 << 32, "a"], [0, 2, "b"]]), "expected u32"),
        (elements, json!([[4, -3, "a"], [0, 2, "b"]]), "expected u32"),
        (elements, json!([[4, 1], [0, 2, "b"]]), "invalid length 2"),
        (elements, json!([[4, 1, 3], [0, 2, "b"]]), "expected a string"),
        (
            others,
            json!([[1, 1, true], [2, 2, false]]),
            "slot 4 is named, and only slots below 4 are there",
        ),
        (
            others,
            json!([[1, 1, false], [2, 2, false], [3, 0, false]]),
            "slot 1 is of generation 1, which is not one of 2 to 8388607",
        ),
        (
            others,
            json!([[1, 0, true], [2, 2, false], [3, 0, false]]),
            "slot 1 is of generation 0, which is not one of 1 to 8388607",
        ),
        (
            others,
            json!([[1, 1, true], [2, 1 << 23, false], [3, 0, false]]),
            "slot 2 is of generation 8388608",
        ),
        (others, json!([[1, 1, true], [1, 1, true], [3, 0, false]]), "slot 1 is named twice"),
        (others, json!([[0, 2, true], [2, 2, false], [3, 0, false]]), "slot 0 is named twice"),
        (others, json!([[1, 1, 1], [2, 2, false], [3, 0, false]]), "expected a boolean"),
    ] {
        let error = with(part, value);
        assert_says(&error, expected);
        assert!(!expected.contains("slot") || error.starts_with(of), "{error}");
    }
    for part in 0..5 {
        let mut json = sound();
        json.as_array_mut().unwrap().truncate(part);
        let error = from_json::<String>(json).unwrap_err();
        assert_says(&error, &format!("invalid length {part}, expected a tuple of size 5"));
    }
    for other in [json!(null), json!(7), json!([]), json!([7]), json!("roster"), json!({})] {
        assert!(from_json::<String>(other).is_err());
    }
}

#[test]
fn truncated_at_every_byte() {
    let roster = from_json::<String>(sound()).unwrap();
    let bytes = postcard::to_allocvec(&roster).unwrap();
    for end in 0..bytes.len() {
        assert!(postcard::from_bytes::<Roster<String>>(&bytes[..end]).is_err());
    }
    let text = sound().to_string();
    for end in 0..text.len() {
        assert!(serde_json::from_str::<Roster<String>>(&text[..end]).is_err());
    }
}

/// As `postcard` writes it.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

#[test]
fn lengths_are_not_believed() {
    // A tag, no limit, not ordered; then the lists.
    let start = [1, 7, 0, 0];
    for length in [1 << 20, 1 << 32, 1 << 40, u64::MAX / 2, u64::MAX] {
        // A unit takes no byte, so without the numbers before it a list could claim any number of them.
        let elements = [&start[..], &varint(length), &[0, 1]].concat();
        let others = [&start[..], &[1, 0, 1], &varint(length), &[1, 2, 0]].concat();
        for bytes in [&elements, &others] {
            let most = largest(|| assert!(postcard::from_bytes::<Roster<()>>(bytes).is_err()));
            assert!(most <= 2 << 20, "{most}");
            let most =
                largest(|| assert!(postcard::from_bytes::<Roster<[u64; 8]>>(bytes).is_err()));
            assert!(most <= 2 << 20, "{most}");
        }
        let map = [varint(length), vec![0]].concat();
        let most =
            largest(|| assert!(postcard::from_bytes::<SecondaryMap<u8, [u64; 8]>>(&map).is_err()));
        assert!(most < 10_000, "{most}");
    }
}

#[test]
fn limits_are_no_reason_to_allocate() {
    let mut json = sound();
    json[1] = json!(u32::MAX);
    let most = largest(|| {
        let mut roster = from_json::<String>(json.clone()).unwrap();
        roster.insert("c".to_owned());
    });
    assert!(most <= 64 * 1024, "{most}");
    json = json!([7, u32::MAX, false, [], []]);
    let most = largest(|| {
        let mut roster = from_json::<String>(json).unwrap();
        roster.insert("c".to_owned());
    });
    assert!(most <= 64 * 1024, "{most}");
}

#[test]
fn handles() {
    for text in [
        "",
        ":",
        "::",
        "1:1",
        "1:1:",
        ":1:1",
        "1:1:1:",
        "1:1:1:1",
        "1:0:1",
        "1:8388608:1",
        "1:1:256",
        "4294967296:1:1",
        "+1:1:1",
        "1:-1:1",
        "1: 1:1",
        "a:1:1",
        "1.0:1:1",
        "1:1:1 ",
        "\u{661}:1:1",
    ] {
        let error = serde_json::from_value::<Handle<u8>>(json!(text)).unwrap_err().to_string();
        assert_says(
            &error,
            "a handle to a `u8`, \"slot:generation:tag\" with a generation of 1 to 8388607",
        );
    }
    for other in [json!(1), json!(null), json!([1, 1, 1]), json!({})] {
        assert!(serde_json::from_value::<Handle<u8>>(other).is_err());
    }
    for bits in [0_u64, 1, 2, 16, 17 << 32, 17 << 32 | 1] {
        let bytes = postcard::to_allocvec(&bits).unwrap();
        assert!(postcard::from_bytes::<Handle<u8>>(&bytes).is_err(), "{bits}");
    }
}

#[test]
fn secondary_maps() {
    for (json, expected) in [
        (json!([["1:1:1", 5], ["0:1:1", 5]]), "entry 1 has a handle to slot 0"),
        (json!([["1:1:1", 5], ["1:1:2", 5]]), "entry 1 has a handle to slot 1"),
        (json!([["0:1:1", 5], ["0:2:1", 5]]), "entry 1 has a handle to slot 0"),
        (json!([["4294967295:1:1", 5]]), "cannot restore the secondary map of `u32`: entry 0"),
        (json!([["0:1:1"]]), ""),
        (json!([["0:0:1", 5]]), "a handle to a `u8`"),
        (json!([5]), ""),
        (json!({}), "a sequence of `u32`s, each with its handle to a `u8`"),
        (json!([null]), ""),
    ] {
        let error = serde_json::from_value::<SecondaryMap<u8, u32>>(json).unwrap_err();
        assert_says(&error.to_string(), expected);
    }
}

/// For each value a page of 256 bytes, and as much for the table that leads to it, which is copied while it grows.
#[test]
fn secondary_maps_take_memory_for_what_was_sent() {
    fn check<V: Serialize + for<'de> Deserialize<'de> + Clone>(value: &V) {
        for (slots, apart) in [
            (100_000, 100_000),
            (100_000, 99_999),
            (10_000, 1000),
            (10_000, 64),
            (10_000, 33),
            (10_000, 32),
            (10_000, 9),
            (10_000, 3),
        ] {
            let entries = (0..slots).filter(|at| at % apart == apart - 1).map(|at| {
                let handle = Handle::<u8>::from_bits((at as u64) << 32 | 1 << 1 | 1).unwrap();
                (handle, value)
            });
            let values = slots / apart;
            let bytes = postcard::to_allocvec(&entries.collect::<Vec<_>>()).unwrap();
            let held = most(|| {
                let map: SecondaryMap<u8, V> = postcard::from_bytes(&bytes).unwrap();
                assert_eq!(map.len(), values);
            });
            let limit = values * (256 + 3 * 256.max(size_of::<V>()) + 2 * size_of::<(u64, V)>());
            assert!(held <= limit + 4096, "{held} for {values} values");
        }
        // As long as it says it is, it is not.
        let lie = varint(100_000);
        let held = most(|| postcard::from_bytes::<SecondaryMap<u8, V>>(&lie).err().unwrap());
        assert_eq!(held, 0);
    }
    check(&7_u8);
    check(&7_u32);
    check(&[7_u64; 4]);
    check(&[Some(7_u64); 8]);
    check(&Large([7; 672]));
}

/// One value far up is no reason for room below it, in the map and in what is read.
#[test]
fn secondary_maps_of_few_values_are_small() {
    let far = Handle::<u8>::from_bits(4_000_000_000 << 32 | 1 << 1 | 1).unwrap();
    let mut map = SecondaryMap::new();
    let held = most(|| map.insert(far, Large([7; 672])));
    assert!(held < 8000, "{held}");
    let bytes = postcard::to_allocvec(&map).unwrap();
    let mut read: SecondaryMap<u8, Large> = postcard::from_bytes(&bytes).unwrap();
    assert_eq!((&read, &read[far]), (&map, &Large([7; 672])));
    assert_eq!(read.iter().next(), Some((far, &Large([7; 672]))));
    assert_eq!(read.drain().next(), Some((far, Large([7; 672]))));

    let mut map = SecondaryMap::new();
    let held = most(|| {
        for slot in [0xffff_fff0, 0xffff_fffe, 1 << 20, 1 << 31] {
            map.insert(Handle::<u8>::from_bits(slot << 32 | 1 << 1 | 1).unwrap(), slot);
        }
    });
    assert!(held < 1000, "{held}");
    // What many values took is given back.
    for slot in 0..1 << 14 {
        map.insert(Handle::from_bits(slot << 32 | 1 << 1 | 1).unwrap(), slot);
    }
    map.retain(|_, slot| *slot >= 1 << 20);
    let before = HELD.get();
    map = map.drain().collect();
    assert_eq!(map.len(), 4);
    assert!(HELD.get() - before < -(1 << 18), "{}", HELD.get() - before);
}

/// A vacant slot takes three bytes to send: as many slots get memory as were sent, up to the last that is in use.
#[test]
fn rosters_take_memory_for_the_slots_that_were_sent() {
    const SLOTS: usize = 20_000;
    let bytes = |is_live: &dyn Fn(usize) -> bool, is_detached: &dyn Fn(usize) -> bool| {
        let (live, rest): (Vec<_>, Vec<_>) = (0..SLOTS).partition(|&at| is_live(at));
        let elements = live.iter().map(|&at| (at, 2, 7_u8)).collect::<Vec<_>>();
        let others = rest.iter().map(|&at| (at, 2, is_detached(at))).collect::<Vec<_>>();
        let roster = (Some(7_u8), None::<()>, false, elements, others);
        (postcard::to_allocvec(&roster).unwrap(), live.len())
    };
    fn check<T: for<'de> Deserialize<'de> + Clone>((bytes, live): (Vec<u8>, usize), end: usize) {
        let held = most(|| {
            let roster: Roster<T> = postcard::from_bytes(&bytes).unwrap();
            assert_eq!((roster.len(), roster.capacity() >= end), (live, true));
            roster
        });
        // With what is read before it is put into its slots.
        let limit = 48 * bytes.len() + (end + 64 + 3 * live) * size_of::<T>() + 8192;
        assert!(held <= limit, "{held} for {} bytes and {live} elements", bytes.len());
    }
    let no = |_: usize| false;
    for apart in [SLOTS, 10_000, 1000] {
        let is_live = |at: usize| at % apart == apart - 1;
        check::<Large>(bytes(&is_live, &no), SLOTS);
        check::<u8>(bytes(&is_live, &no), SLOTS);
    }
    check::<Large>(bytes(&no, &no), 0);
    check::<Large>(bytes(&|at| at == 17, &no), 18);
    check::<Large>(bytes(&|at| at == 17, &|at| at > 17), SLOTS);
}
