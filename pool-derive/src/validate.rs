//! The rules of a declaration: from written entries to a [`Pool`].

use proc_macro2::Ident;
use syn::DeriveInput;

use crate::crate_path::CratePath;
use crate::errors::Errors;
use crate::key::Key;
use crate::model::{Count, Growth, Pool, Storage, Strategy};
use crate::parse::Entry;
use crate::suggest::{rewind_is_no, suggest};
use crate::{instances, shape, value};

/// Reads the declaration. Expand it only if there are no errors.
pub(crate) fn validate(input: &DeriveInput, entries: &[Entry], errors: &mut Errors) -> Pool {
    shape::check(input, errors);

    // An error, but the meaning is clear, so uses of the pool should not be errors as well.
    let misplaced = entries.iter().find_map(|entry| Strategy::find(&entry.key));
    let entries = distinct(entries, errors);
    let get = |wanted| entries.iter().find(|(key, _)| *key == wanted).map(|(_, entry)| *entry);
    conflicts(get, errors);

    let mut pool = Pool {
        types: instances::types(input, get(Key::Instances), errors),
        strategy: Strategy::FreeList,
        storage: Storage::ThreadLocal,
        growth: Growth::Chunks { chunk: None, max: None },
        name: None,
        tag: None,
        is_padded: false,
        is_rc: false,
        crate_path: CratePath::default(),
    };
    let (mut strategy, mut capacity, mut chunk, mut max, mut pad) = (None, None, None, None, None);
    for &(key, entry) in &entries {
        match key {
            Key::Strategy => strategy = value::strategy(entry, errors),
            Key::ThreadLocal => value::flag(entry, errors),
            Key::Static => {
                value::flag(entry, errors);
                pool.storage = Storage::Static;
            }
            Key::Capacity => capacity = value::count(entry, errors),
            Key::Chunk => chunk = value::count(entry, errors),
            Key::Max => max = value::count(entry, errors),
            Key::Pad => {
                value::flag(entry, errors);
                pad = Some(&entry.key);
            }
            Key::Rc => {
                value::flag(entry, errors);
                pool.is_rc = true;
            }
            Key::Name => pool.name = value::name(entry, errors),
            Key::Tag => pool.tag = value::tag(entry, errors),
            Key::Instances => {}
            Key::Crate => pool.crate_path = value::crate_path(entry, errors).unwrap_or_default(),
        }
    }
    pool.strategy = strategy.or(misplaced).unwrap_or(match pool.storage {
        Storage::ThreadLocal => Strategy::FreeList,
        Storage::Static => Strategy::PointerStack,
    });
    storage(input, &pool, get, errors);
    if let (Some(Entry { key, .. }), Strategy::Roster) = (get(Key::Rc), pool.strategy) {
        errors.at(
            key,
            format!(
                "`{key}` conflicts with `strategy = roster`, which hands out handles, and owns its elements itself: \
                 remove `{key}`, or write `strategy = free_list` or `strategy = pointer_stack`"
            ),
        );
        pool.is_rc = false;
    }
    if let (Some(Entry { key, .. }), false) = (get(Key::Tag), pool.strategy == Strategy::Roster) {
        errors.at(
            key,
            format!("`{key}` is for handles, and this pool has boxes: remove it, or write `strategy = roster`"),
        );
    }
    pool.is_padded = pad.is_some();
    if let Some(pad) = pad {
        without_effect(pad, &pool, strategy.is_none(), capacity.is_some(), errors);
    }
    pool.growth = match capacity {
        Some(capacity) => Growth::Fixed { capacity },
        None => {
            chunk_within_max(chunk.as_ref(), max.as_ref(), errors);
            Growth::Chunks { chunk, max }
        }
    };
    pool
}

/// Reports what this build of the library does not have.
fn storage<'a>(
    input: &DeriveInput,
    pool: &Pool,
    get: impl Fn(Key) -> Option<&'a Entry>,
    errors: &mut Errors,
) {
    if pool.strategy == Strategy::Roster && cfg!(not(feature = "rosters")) {
        let at = get(Key::Strategy).map_or(&input.ident, |entry| &entry.key);
        errors.at(at, "`strategy = roster` needs the feature `rosters` of typed-pool");
        return;
    }
    if cfg!(feature = "std") {
        return;
    }
    let fixed = "write `#[pool(static, capacity = 64)]`, say, or, with the feature `alloc`, keep the elements in a `FreeList`";
    let owned = "keep the elements in a `Roster`, with the feature `rosters`";
    let (at, what, instead) = match (get(Key::Static), pool.strategy) {
        (Some(Entry { key, .. }), Strategy::Roster) => (key, "a static roster", owned),
        (Some(_), _) if get(Key::Capacity).is_some() => return,
        (Some(Entry { key, .. }), _) => (key, "a static pool that grows", fixed),
        (None, Strategy::Roster) => (&input.ident, "a thread-local pool", owned),
        (None, _) => (&input.ident, "a thread-local pool", fixed),
    };
    errors.at(at, format!("{what} needs the feature `std` of typed-pool; without it, {instead}"));
}

/// Reports a `pad` without effect: it is for slots that hold a link in the element's place.
fn without_effect(pad: &Ident, pool: &Pool, is_implied: bool, is_fixed: bool, errors: &mut Errors) {
    let why = match (pool.storage, pool.strategy) {
        _ if pool.is_rc => "with `rc`, whose slots hold the link in place of the counts".to_owned(),
        (Storage::Static, Strategy::PointerStack) if is_implied => {
            "with `static`, which implies `strategy = pointer_stack`, whose slots hold no link and are as small as their elements"
                .to_owned()
        }
        (Storage::ThreadLocal, Strategy::FreeList) => return,
        (_, strategy @ (Strategy::PointerStack | Strategy::Roster)) => format!(
            "with `strategy = {}`, whose slots hold no link and are as small as their elements",
            strategy.word()
        ),
        (Storage::Static, Strategy::FreeList) if !is_fixed => return,
        (Storage::Static, Strategy::FreeList) => {
            "in a static pool with a capacity, whose links lie outside the elements".to_owned()
        }
    };
    errors.at(pad, format!("`{pad}` has no effect {why}: remove it"));
}

/// The entries with a known key, each key's first only.
fn distinct<'a>(entries: &'a [Entry], errors: &mut Errors) -> Vec<(Key, &'a Entry)> {
    let mut distinct: Vec<(Key, &Entry)> = Vec::new();
    for entry in entries {
        let word = &entry.key;
        let Some(key) = Key::find(word) else {
            errors.at(word, unknown(word));
            continue;
        };
        if distinct.iter().any(|(first, _)| *first == key) {
            let message = format!("`{word}` is given a second time: remove this one or the first");
            errors.at(word, message);
            continue;
        }
        distinct.push((key, entry));
    }
    distinct
}

fn unknown(word: &Ident) -> String {
    if Strategy::find(word).is_some() {
        return format!("`{word}` is a strategy, not a key: write `strategy = {word}`");
    }
    if word == "rewind" {
        return rewind_is_no("key");
    }
    if word == "arc" {
        return "`arc` is no key, since a pool is shared by threads if it is static: write `static, rc`, for a `PoolArc`".into();
    }
    let words = Key::words();
    let word = word.to_string();
    match synonym(&word).or_else(|| suggest(&word, &words)) {
        Some(meant) => format!("unknown key `{word}`; did you mean `{meant}`?"),
        None => format!("unknown key `{word}`; the keys are `{}`", words.join("`, `")),
    }
}

/// The key that is known elsewhere by this word.
fn synonym(word: &str) -> Option<&'static str> {
    match word {
        "global" | "send" | "shared" | "sync" | "thread_safe" => Some("static"),
        "bound" | "bounded" | "limit" => Some("max"),
        "count" | "len" | "size" | "slots" => Some("capacity"),
        "handle" | "handles" => Some("strategy = roster"),
        "local" | "per_thread" => Some("thread_local"),
        _ => None,
    }
}

fn conflicts<'a>(get: impl Fn(Key) -> Option<&'a Entry>, errors: &mut Errors) {
    if let (Some(entry), Some(_)) = (get(Key::ThreadLocal), get(Key::Static)) {
        let word = &entry.key;
        errors.at(
            word,
            format!(
                "`{word}` conflicts with `static`: remove `static` for a pool in each thread, or \
                 `{word}` for one that all threads share"
            ),
        );
    }
    if get(Key::Capacity).is_none() {
        return;
    }
    for entry in [Key::Chunk, Key::Max].into_iter().filter_map(get) {
        let word = &entry.key;
        errors.at(
            word,
            format!(
                "`{word}` conflicts with `capacity`, which makes one chunk that never grows: \
                 remove `{word}`, or write `chunk` and `max` in place of `capacity`"
            ),
        );
    }
}

fn chunk_within_max(chunk: Option<&Count>, max: Option<&Count>, errors: &mut Errors) {
    let (Some(chunk), Some(max)) = (chunk, max) else { return };
    if let (Some(slots), Some(most)) = (chunk.literal, max.literal) {
        if slots > most {
            errors.at(
                &chunk.value,
                format!(
                    "the first chunk, {slots} slots, is over the pool's limit, `max = {most}`: lower \
                     `chunk`, or raise `max`"
                ),
            );
        }
    }
}
