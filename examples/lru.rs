//! A cache that keeps the pictures used last: a doubly linked list in a roster, whose links are handles.
//!
//! ```text
//! cargo run --release -p typed-pool-examples --example lru
//! ```
//!
//! With boxes or `Rc` a doubly linked list needs weak pointers or `unsafe`. A handle is 8 bytes and `Copy`.

use std::collections::HashMap;

use typed_pool::{Handle, Roster};

struct Entry {
    path: String,
    picture: Vec<u8>,
    newer: Option<Handle<Entry>>,
    older: Option<Handle<Entry>>,
}

struct Cache {
    /// With a limit: the memory for all entries is there from the start, and there is never more.
    entries: Roster<Entry>,
    by_path: HashMap<String, Handle<Entry>>,
    newest: Option<Handle<Entry>>,
    oldest: Option<Handle<Entry>>,
    capacity: usize,
}

impl Cache {
    fn new(capacity: usize) -> Self {
        Self {
            entries: Roster::bounded(capacity).with_name("pictures"),
            by_path: HashMap::new(),
            newest: None,
            oldest: None,
            capacity,
        }
    }

    /// The picture, from the cache if it is there. The handle finds it again without its path, until it is evicted.
    fn load(&mut self, path: &str) -> Handle<Entry> {
        if let Some(&entry) = self.by_path.get(path) {
            self.unlink(entry);
            self.link_as_newest(entry);
            return entry;
        }
        if self.entries.len() == self.capacity {
            self.evict();
        }
        let picture = decode(path);
        let entry = Entry { path: path.to_owned(), picture, newer: None, older: None };
        let entry = self.entries.insert(entry);
        self.by_path.insert(path.to_owned(), entry);
        self.link_as_newest(entry);
        entry
    }

    fn get(&self, entry: Handle<Entry>) -> Option<&[u8]> {
        Some(&self.entries.get(entry)?.picture)
    }

    fn evict(&mut self) {
        let Some(oldest) = self.oldest else { return };
        self.unlink(oldest);
        // The slot is vacant now, and `oldest` finds nothing, even when another entry takes the slot.
        let entry = self.entries.remove(oldest).expect("what is linked is live");
        self.by_path.remove(&entry.path);
    }

    fn link_as_newest(&mut self, entry: Handle<Entry>) {
        self.entries[entry].older = self.newest;
        self.entries[entry].newer = None;
        match self.newest {
            Some(newest) => self.entries[newest].newer = Some(entry),
            None => self.oldest = Some(entry),
        }
        self.newest = Some(entry);
    }

    fn unlink(&mut self, entry: Handle<Entry>) {
        let Entry { newer, older, .. } = self.entries[entry];
        match newer {
            Some(newer) => self.entries[newer].older = older,
            None => self.newest = older,
        }
        match older {
            Some(older) => self.entries[older].newer = newer,
            None => self.oldest = newer,
        }
    }

    /// From the newest to the oldest.
    fn paths(&self) -> Vec<&str> {
        let next = |&entry: &Handle<Entry>| self.entries[entry].older;
        std::iter::successors(self.newest, next).map(|at| &*self.entries[at].path).collect()
    }
}

/// Stands for work that takes long.
fn decode(path: &str) -> Vec<u8> {
    path.bytes().rev().collect()
}

fn main() {
    let mut cache = Cache::new(3);
    let sun = cache.load("sun.png");
    let moon = cache.load("moon.png");
    cache.load("star.png");
    println!("loaded three:     {:?}", cache.paths());

    assert_eq!(cache.load("sun.png"), sun, "it was there");
    println!("used the sun:     {:?}", cache.paths());
    assert_eq!(cache.paths(), ["sun.png", "star.png", "moon.png"]);

    cache.load("comet.png");
    println!("loaded a fourth:  {:?}", cache.paths());
    assert_eq!(cache.paths(), ["comet.png", "sun.png", "star.png"]);

    // The comet lies where the moon lay. The moon's handle is not fooled.
    assert!(cache.get(moon).is_none());
    assert_eq!(cache.get(sun), Some(b"gnp.nus".as_slice()));

    for number in 0..10_000 {
        cache.load(&format!("{}.png", number * number % 101));
    }
    let stats = cache.entries.stats();
    println!("\n{stats}");
    assert_eq!((stats.live, stats.capacity), (3, 3));
}

#[test]
fn the_cache_keeps_what_was_used_last() {
    main();
}
