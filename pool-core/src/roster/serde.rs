//! Serialised rosters: all that the future behaviour of a roster depends on.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::base::config::{Bound, Config};
use crate::base::handle::{Handle, LAST_GENERATION, generation_of, is_of_handle, with_tag};
use crate::roster::Roster;
use crate::roster::dense::OrderTables;
use crate::roster::directory::Directory;
use crate::roster::secondary_map::HandleMap;
use crate::roster::word::{MAX_SLOTS, first_word, handle_word, noted_tag};

/// A tuple of five parts:
///
/// | part | |
/// |---|---|
/// | tag | the roster's tag, if it has one yet |
/// | limit | the most slots that there may be, if there is a limit |
/// | is ordered | whether the dense order was requested |
/// | elements | slot, generation and element, for each: in the dense order if it was requested, else in the order of memory |
/// | other slots | slot, generation, and whether its element is detached, for each used slot without an element. A vacant slot has the generation of its next handle, a detached element's slot that of the element, a retired slot 0 |
///
/// The slot of a detached element is written without the element. So reattach or release it first, or write its handle as well.
///
/// To write a roster takes memory: 16 bytes for each element, and 12 for each other slot.
///
/// # Examples
///
/// ```
/// use typed_pool::Roster;
///
/// let mut roster = Roster::tagged(7);
/// let [a, b] = ["a", "b"].map(|name| roster.insert(name.to_owned()));
/// roster.remove(a);
///
/// let saved = serde_json::to_string(&roster).unwrap();
/// assert_eq!(saved, r#"[7,null,false,[[1,1,"b"]],[[0,2,false]]]"#);
/// let mut restored: Roster<String> = serde_json::from_str(&saved).unwrap();
/// assert_eq!(restored[b], "b");
/// assert_eq!(restored.get(a), None, "stale");
/// assert_eq!(restored.insert("c".into()), roster.insert("c".into()));
/// ```
impl<T: Serialize> Serialize for Roster<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let directory = &self.directory;
        let limit = (self.config.bound != Bound::None).then_some(self.config.max as u32);
        let elements =
            self.iter().map(|(handle, value)| (handle.slot(), handle.generation(), value));
        let mut elements: Vec<_> = elements.collect();
        if directory.order.is_kept {
            elements.sort_unstable_by_key(|&(slot, ..)| directory.order.places[slot as usize]);
        }
        let used = directory.words()[..directory.used()].iter().zip(0_u32..);
        let others = used
            .filter(|&(&word, _)| !is_of_handle(word))
            .map(|(&word, slot)| (slot, generation_of(word), !directory.is_spare(slot as usize)));
        let others: Vec<_> = others.collect();
        (self.tag(), limit, directory.order.is_kept, elements, others).serialize(serializer)
    }
}

/// A roster in the same state, with the same handles, generations, vacant, detached and retired slots, dense order, limit and tag.
/// From then on the same operations give the same handles in both, in the same order of iteration, so two machines can run in
/// lockstep. Lockstep has two pitfalls:
///
/// - The dense order begins with the first [`Roster::order`], so both machines must call it, or neither.
/// - A roster of no chosen tag ([`Roster::tagged`]) gets one with its first memory, so copies of a roster without memory get
///   different tags.
///
/// Input may be wrong or hostile: all of it is checked, and the error says what is wrong. Memory is allocated for the slots that
/// were read, up to the last live or detached one; its amount is bounded by the length of the input, whatever numbers that
/// contains. So a roster with a limit does not get all its slots at once, but grows up to its limit by chunks (`reserve` allocates
/// them). The elements are read before they are put into their slots, so there is memory for them twice for a moment.
///
/// The name and the chunk size are not kept: they belong to the program ([`PoolStats::name`](crate::PoolStats) is
/// the type's).
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Roster<T> {
    #[track_caller]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = type_name::<T>();
        let parts = Parts::deserialize(deserializer).map_err(|wrong| {
            let parts = "tag, limit, is ordered, elements, other slots";
            D::Error::custom(format_args!("no saved roster of `{name}` ({parts}): {wrong}"))
        })?;
        restore(parts).map_err(|wrong| {
            D::Error::custom(format_args!("cannot restore the roster of `{name}`: {wrong}"))
        })
    }
}

/// Tag, limit, whether it is ordered, elements, and other slots. Numbers stand before each element, because a format may claim any
/// number of items that take no bytes.
type Parts<T> = (Option<u8>, Option<u32>, bool, Vec<(u32, u32, T)>, Vec<(u32, u32, bool)>);

/// The roster with these parts, which may be wrong in any way; or what is wrong.
#[track_caller]
fn restore<T>(parts: Parts<T>) -> Result<Roster<T>, String> {
    let (tag, limit, is_ordered, elements, others) = parts;
    let count = elements.len() + others.len();
    let max = limit.map_or(MAX_SLOTS, |limit| limit as usize);
    if count > max {
        return Err(format!("it has {count} slots, and its limit is {max}"));
    }
    if tag.is_none() && count > 0 {
        return Err(format!("it has no tag, and slots have been used ({count})"));
    }

    // As many slots are named as there are, so if each is one of them, and none is named twice, then all are.
    let mut words = vec![None; count];
    // Behind the last slot that is live or detached.
    let mut end = 0;
    let live = elements.iter().map(|&(slot, generation, _)| (slot, generation, true));
    for (slot, generation, is_in_use) in live.chain(others.iter().copied()) {
        let Some(word) = words.get_mut(slot as usize) else {
            return Err(format!("slot {slot} is named, and only slots below {count} are there"));
        };
        // Slots of generation 1 that are vacant were never used, and have no place before others.
        let first = if is_in_use { 1 } else { 2 };
        let is_retired = generation == 0 && !is_in_use;
        if !is_retired && !(first..=LAST_GENERATION).contains(&generation) {
            return Err(format!(
                "slot {slot} is of generation {generation}, which is not one of {first} to {LAST_GENERATION}"
            ));
        }
        let known = if is_retired { 0 } else { with_tag(generation << 1, tag.unwrap_or(0)) };
        if word.replace(known).is_some() {
            return Err(format!("slot {slot} is named twice"));
        }
        if is_in_use {
            end = end.max(slot as usize + 1);
        }
    }
    let words: Vec<u32> = words.into_iter().flatten().collect();

    // The input is not trusted with the size of an allocation, so a roster that had one chunk of a fixed size
    // grows by chunks, too.
    let bound = if limit.is_some() { Bound::Saved } else { Bound::None };
    let mut roster = Roster::with_config(Config { tag, max, bound, ..Config::new() });
    let no_memory = |_| format!("there is no memory for {end} slots of {} bytes", size_of::<T>());
    let first = tag.map_or(0, first_word);
    roster.directory = Directory::of_words(&words, first).map_err(no_memory)?;
    if end > 0 {
        roster.grow_to(roster.rounded(end)).map_err(no_memory)?;
    }
    if is_ordered {
        let slots = elements.iter().map(|&(slot, ..)| slot);
        roster.directory.order = OrderTables::of(slots, roster.capacity()).map_err(no_memory)?;
    }
    let handle_of = |slot| Handle::new(slot, handle_word(words[slot as usize]));
    for (slot, _, element) in elements {
        roster.restore_slot(handle_of(slot), Some(element));
    }
    for (slot, ..) in others.into_iter().filter(|&(.., is_detached)| is_detached) {
        roster.restore_detached(handle_of(slot));
    }
    _ = tag.map(noted_tag);
    Ok(roster)
}

/// A sequence of pairs of handle and value, in the order of slots.
impl<T, V: Serialize, const SPARSE: bool> Serialize for HandleMap<T, V, SPARSE> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// Handles that are not in the order of slots are an error, and so are two handles to one slot.
impl<'de, T, V: Deserialize<'de>, const SPARSE: bool> Deserialize<'de> for HandleMap<T, V, SPARSE> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(MapVisitor(PhantomData))
    }
}

struct MapVisitor<T, V, const SPARSE: bool>(PhantomData<HandleMap<T, V, SPARSE>>);

impl<'de, T, V: Deserialize<'de>, const SPARSE: bool> Visitor<'de> for MapVisitor<T, V, SPARSE> {
    type Value = HandleMap<T, V, SPARSE>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, element) = (type_name::<V>(), type_name::<T>());
        write!(f, "a sequence of `{value}`s, each with its handle to a `{element}`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = HandleMap::new();
        let mut end = 0;
        while let Some((handle, value)) = entries.next_element::<(Handle<T>, V)>()? {
            let (at, number) = (handle.index(), map.len());
            if at < end || map.try_insert(handle, value).is_err() {
                return Err(A::Error::custom(format_args!(
                    "cannot restore the secondary map of `{}`: entry {number} has a handle to slot {at}; the entries stand in the \
                     order of slots, one for each, and there must be memory for them",
                    type_name::<V>(),
                )));
            }
            end = at + 1;
        }
        Ok(map)
    }
}
