//! Elements with handles, or keys, that two threads look up at a time, and what others keep them in.

use std::sync::{LazyLock, Mutex, RwLock};

use concurrent_slotmap::SlotId;
use dashmap::DashMap;
use slotmap::{DefaultKey, SlotMap};
use typed_pool::{Handle, Pooled};

/// Two words.
#[derive(Pooled, Clone, Copy)]
#[pool(static, strategy = roster)]
pub struct Session {
    words: [u64; 2],
}

impl Session {
    const fn new(number: u64) -> Self {
        Self { words: [number, number] }
    }
}

/// A store of sessions for all threads.
pub trait Sessions: 'static {
    const NAME: &'static str;

    type Key: Copy + Send + Sync;

    /// Keeps another, with this number.
    fn insert(number: u64) -> Self::Key;

    /// Returns the number of one.
    fn get(key: Self::Key) -> u64;

    /// Takes one out, and returns its number.
    fn remove(key: Self::Key) -> u64;
}

/// The store's name, its keys, its type, how it is made; then an insertion, a look-up, a removal.
macro_rules! sessions {
    ($(
        $Name:ident = $name:expr, $Key:ty, $Store:ty, $new:expr;
        |$store:ident, $key:ident, $number:ident| $insert:expr, $get:expr, $remove:expr;
    )*) => {$(
        #[doc = concat!("[`", stringify!($Store), "`].")]
        pub struct $Name;

        impl $Name {
            #[inline(always)]
            fn store() -> &'static $Store {
                static STORE: LazyLock<$Store> = LazyLock::new(|| $new);
                &STORE
            }
        }

        impl Sessions for $Name {
            const NAME: &'static str = $name;
            type Key = $Key;

            fn insert($number: u64) -> $Key {
                let $store = Self::store();
                $insert
            }

            #[inline(always)]
            fn get($key: $Key) -> u64 {
                let $store = Self::store();
                $get.words[0]
            }

            fn remove($key: $Key) -> u64 {
                let $store = Self::store();
                $remove.words[1]
            }
        }
    )*};
}

type Map = SlotMap<DefaultKey, Session>;

sessions! {
    InRwLock = "RwLock<SlotMap>", DefaultKey, RwLock<Map>, RwLock::default();
    |map, key, number| map.write().expect("no panic").insert(Session::new(number)),
        map.read().expect("no panic")[key], map.write().expect("no panic").remove(key).expect("it is there");

    InParkingLot = "parking_lot RwLock<SlotMap>", DefaultKey, parking_lot::RwLock<Map>, parking_lot::RwLock::default();
    |map, key, number| map.write().insert(Session::new(number)), map.read()[key], map.write().remove(key).expect("it is there");

    InMutex = "Mutex<SlotMap>", DefaultKey, Mutex<Map>, Mutex::default();
    |map, key, number| map.lock().expect("no panic").insert(Session::new(number)),
        map.lock().expect("no panic")[key], map.lock().expect("no panic").remove(key).expect("it is there");

    InSlab = "sharded-slab", usize, sharded_slab::Slab<Session>, sharded_slab::Slab::new();
    |slab, key, number| slab.insert(Session::new(number)).expect("room"),
        slab.get(key).expect("it is there"), slab.take(key).expect("it is there");

    InDashMap = "DashMap", u64, DashMap<u64, Session>, DashMap::new();
    |map, key, number| {
        map.insert(number, Session::new(number));
        number
    }, map.get(&key).expect("it is there"), map.remove(&key).expect("it is there").1;

    // A slot is used again when no thread can see it any more, so there are more slots than sessions.
    InConcurrent = "concurrent-slotmap", SlotId, concurrent_slotmap::SlotMap<SlotId, Session>, concurrent_slotmap::SlotMap::new(1 << 20);
    |map, key, number| map.insert(Session::new(number), &map.pin()),
        map.get(key, &map.pin()).expect("it is there"), map.remove(key, &map.pin()).expect("it is there");
}

/// The pool of [`Session`]. No [`LazyLock`] stands before it.
pub struct Ours;

impl Sessions for Ours {
    const NAME: &'static str = crate::race::OURS;
    type Key = Handle<Session>;

    fn insert(number: u64) -> Self::Key {
        Session::pool_insert(Session::new(number))
    }

    #[inline(always)]
    fn get(key: Self::Key) -> u64 {
        Session::pool_get(key, |session| session.words[0]).expect("it is there")
    }

    fn remove(key: Self::Key) -> u64 {
        Session::pool_remove(key).expect("it is there").words[1]
    }
}
