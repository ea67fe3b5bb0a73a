//! Elements with handles, or keys, that two threads look up at a time, and what others keep them in.

use std::sync::{LazyLock, Mutex, RwLock};

use dashmap::DashMap;
use sharded_slab::Slab;
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
    /// The name in tables.
    const NAME: &'static str;
    /// The key of a session.
    type Key: Copy + Send + Sync;

    /// Keeps another, with this number.
    fn insert(number: u64) -> Self::Key;

    /// The number of one.
    fn get(key: Self::Key) -> u64;

    /// Takes one out, and says its number.
    fn remove(key: Self::Key) -> u64;
}

visitors! {
    VisitSessions [S: Sessions];
}

/// Shows all of them.
pub fn all(visitor: &mut impl VisitSessions) {
    visitor.visit::<Ours>();
    visitor.visit::<InRwLock>();
    visitor.visit::<InParkingLot>();
    visitor.visit::<InMutex>();
    visitor.visit::<Sharded>();
    visitor.visit::<InDashMap>();
}

struct Ours;

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

type Map = SlotMap<DefaultKey, Session>;

/// A map behind a lock.
macro_rules! locked {
    ($($Name:ident($name:literal, $Lock:ty, $read:expr, $write:expr);)*) => {$(
        struct $Name;

        impl Sessions for $Name {
            const NAME: &'static str = $name;
            type Key = DefaultKey;

            fn insert(number: u64) -> DefaultKey {
                $write(Self::map()).insert(Session::new(number))
            }

            #[inline(always)]
            fn get(key: DefaultKey) -> u64 {
                $read(Self::map())[key].words[0]
            }

            fn remove(key: DefaultKey) -> u64 {
                $write(Self::map()).remove(key).expect("it is there").words[1]
            }
        }

        impl $Name {
            #[inline(always)]
            fn map() -> &'static $Lock {
                static MAP: LazyLock<$Lock> = LazyLock::new(|| <$Lock>::new(Map::new()));
                &MAP
            }
        }
    )*};
}

locked! {
    InRwLock("RwLock<SlotMap>", RwLock<Map>, |map: &'static RwLock<Map>| map.read().expect("no panic"), |map: &'static RwLock<Map>| map.write().expect("no panic"));
    InParkingLot("parking_lot RwLock<SlotMap>", parking_lot::RwLock<Map>, parking_lot::RwLock::read, parking_lot::RwLock::write);
    InMutex("Mutex<SlotMap>", Mutex<Map>, |map: &'static Mutex<Map>| map.lock().expect("no panic"), |map: &'static Mutex<Map>| map.lock().expect("no panic"));
}

struct Sharded;

impl Sharded {
    fn slab() -> &'static Slab<Session> {
        static SLAB: LazyLock<Slab<Session>> = LazyLock::new(Slab::new);
        &SLAB
    }
}

impl Sessions for Sharded {
    const NAME: &'static str = "sharded-slab";
    type Key = usize;

    fn insert(number: u64) -> usize {
        Self::slab().insert(Session::new(number)).expect("room")
    }

    #[inline(always)]
    fn get(key: usize) -> u64 {
        Self::slab().get(key).expect("it is there").words[0]
    }

    fn remove(key: usize) -> u64 {
        Self::slab().take(key).expect("it is there").words[1]
    }
}

struct InDashMap;

impl InDashMap {
    fn map() -> &'static DashMap<u64, Session> {
        static MAP: LazyLock<DashMap<u64, Session>> = LazyLock::new(DashMap::new);
        &MAP
    }
}

impl Sessions for InDashMap {
    const NAME: &'static str = "DashMap";
    type Key = u64;

    fn insert(number: u64) -> u64 {
        Self::map().insert(number, Session::new(number));
        number
    }

    #[inline(always)]
    fn get(key: u64) -> u64 {
        Self::map().get(&key).expect("it is there").words[0]
    }

    fn remove(key: u64) -> u64 {
        Self::map().remove(&key).expect("it is there").1.words[1]
    }
}
