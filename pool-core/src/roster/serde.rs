//! Serialised rosters: all that the future behaviour of a roster depends on.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;
use core::mem;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::base::config::{Bound, Config};
use crate::base::handle::{Handle, LAST_GENERATION, is_of_handle, with_tag, without_tag};
use crate::roster::directory::Directory;
use crate::roster::secondary_map::HandleMap;
use crate::roster::word::{MAX_SLOTS, first_word, live_slots, noted_tag};
use crate::roster::{Roster, Store};

const FIELDS: &[&str] = &["tag", "limit", "slots", "detached", "order", "elements"];

/// A struct of six fields, in this order if the format does not name them:
///
/// | field | |
/// |---|---|
/// | `tag` | the roster's tag, if it has one yet |
/// | `limit` | the most slots that there may be, if there is a limit |
/// | `slots` | for each slot up to the last that was used: twice the generation of its next handle; if its element is live, twice the generation of that element's handle, plus 1; 0 if the slot is retired |
/// | `detached` | the slots of detached elements, in ascending order |
/// | `order` | the slots of the elements in dense order, if that was requested |
/// | `elements` | the elements, in the order of memory |
///
/// The slot of a detached element is written as occupied, without the element. So reattach or release it first, or
/// write its handle as well.
///
/// # Examples
///
/// ```
/// use typed_pool::Roster;
///
/// let mut roster = Roster::new();
/// let [a, b] = ["a", "b"].map(|name| roster.insert(name.to_owned()));
/// roster.remove(a);
///
/// let saved = serde_json::to_string(&roster).unwrap();
/// let mut restored: Roster<String> = serde_json::from_str(&saved).unwrap();
/// assert_eq!(restored[b], "b");
/// assert_eq!(restored.get(a), None, "stale");
/// assert_eq!(restored.insert("c".into()), roster.insert("c".into()));
/// ```
impl<T: Serialize> Serialize for Roster<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let directory = &self.directory;
        let words = &directory.words()[..directory.used()];
        let detached: Vec<_> = self.detached().map(|handle| handle.slot()).collect();
        let order = directory.order.is_kept.then(|| directory.order.slots.as_slice());
        let mut roster = serializer.serialize_struct("Roster", FIELDS.len())?;
        roster.serialize_field("tag", &self.tag())?;
        let limit = (self.config.bound != Bound::None).then_some(self.config.max as u32);
        roster.serialize_field("limit", &limit)?;
        roster.serialize_field("slots", &Sequence(words.iter().map(|&word| without_tag(word))))?;
        roster.serialize_field("detached", &detached)?;
        roster.serialize_field("order", &order)?;
        roster.serialize_field("elements", &Sequence(self.values()))?;
        roster.end()
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
/// them).
///
/// The name and the chunk size are not kept: they belong to the program ([`PoolStats::name`](crate::PoolStats) is
/// the type's).
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Roster<T> {
    #[track_caller]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts =
            deserializer.deserialize_struct("Roster", FIELDS, RosterVisitor(PhantomData))?;
        parts.into_roster().map_err(|wrong| {
            D::Error::custom(format_args!(
                "cannot restore the roster of `{}`: {wrong}",
                type_name::<T>()
            ))
        })
    }
}

struct RosterVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for RosterVisitor<T> {
    type Value = Form<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a roster of `{}`", type_name::<T>())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Form<T>, A::Error> {
        let short = |read| A::Error::invalid_length(read, &"the 6 fields of a roster");
        let tag = fields.next_element()?.ok_or_else(|| short(0))?;
        let limit = fields.next_element()?.ok_or_else(|| short(1))?;
        let slots: Vec<u32> = fields.next_element()?.ok_or_else(|| short(2))?;
        let detached = fields.next_element()?.ok_or_else(|| short(3))?;
        let order = fields.next_element()?.ok_or_else(|| short(4))?;
        let elements = fields.next_element_seed(AtMost(slots.len(), PhantomData))?;
        let elements = elements.ok_or_else(|| short(5))?;
        Ok(Form { tag, limit, slots, detached, order, elements })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Form<T>, A::Error> {
        let (slots, detached, elements) = (Vec::new(), Vec::new(), Vec::new());
        let mut form = Form { tag: None, limit: None, slots, detached, order: None, elements };
        // A bit for each field that has been read.
        let mut seen = 0_u8;
        while let Some(field) = fields.next_key_seed(OneOf(FIELDS))? {
            if seen & 1 << field != 0 {
                return Err(A::Error::duplicate_field(FIELDS[field]));
            }
            seen |= 1 << field;
            match field {
                0 => form.tag = fields.next_value()?,
                1 => form.limit = fields.next_value()?,
                2 => form.slots = fields.next_value()?,
                3 => form.detached = fields.next_value()?,
                4 => form.order = fields.next_value()?,
                _ => {
                    // One more than there can be is an error.
                    let most = if seen & 1 << 2 != 0 { form.slots.len() } else { MAX_SLOTS };
                    form.elements = fields.next_value_seed(AtMost(most, PhantomData))?;
                }
            }
        }
        match FIELDS.get(seen.trailing_ones() as usize) {
            Some(missing) => Err(A::Error::missing_field(missing)),
            None => Ok(form),
        }
    }
}

/// The fields, none of which has been checked.
struct Form<T> {
    tag: Option<u8>,
    limit: Option<u32>,
    slots: Vec<u32>,
    detached: Vec<u32>,
    order: Option<Vec<u32>>,
    elements: Vec<T>,
}

impl<T> Form<T> {
    /// Says what is wrong with the slots. Nothing about them is taken for granted.
    fn check(&self) -> Result<(), String> {
        let (slots, count) = (&self.slots, self.slots.len());
        let is_live = |at: u32| slots.get(at as usize).is_some_and(|&number| is_of_handle(number));
        if self.tag.is_none() && count > 0 {
            return Err(format!("{count} slots have been used, and it has no tag"));
        }
        if count > MAX_SLOTS {
            return Err(format!("it has {count} slots, and a roster has at most {MAX_SLOTS}"));
        }
        let limit = self.limit.map_or(count, |limit| limit as usize);
        if count > limit {
            return Err(format!("it has {count} slots, and its limit is {limit}"));
        }
        let is_wrong = |number: u32| number != 0 && !(1..=LAST_GENERATION).contains(&(number >> 1));
        if let Some(at) = slots.iter().position(|&number| is_wrong(number)) {
            return Err(format!(
                "slot {at} is of generation {}, which is not one of 1 to {LAST_GENERATION}",
                slots[at] >> 1
            ));
        }
        for &at in &self.detached {
            let state = match slots.get(at as usize) {
                Some(0) => "both detached and retired".into(),
                Some(_) if is_live(at) => "both detached and live".into(),
                Some(_) => continue,
                None => format!("detached, and there are {count} slots"),
            };
            return Err(format!("slot {at} is {state}"));
        }
        if let Some(pair) = self.detached.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(format!(
                "detached slots are named once each, the lowest first, but {} comes after {}",
                pair[1], pair[0]
            ));
        }
        // The lowest vacant slot is used first.
        let is_new = |at: usize| {
            slots[at] == without_tag(first_word(0))
                && self.detached.binary_search(&(at as u32)).is_err()
        };
        if let Some(at) = (1..count).find(|&at| is_new(at - 1) && !is_new(at)) {
            return Err(format!("slot {at} has been used, and the one before it has not"));
        }
        let live = live_slots(slots).count();
        let order = self.order.as_deref();
        if let Some(length) = order.map(<[_]>::len).filter(|&length| length != live) {
            return Err(format!("{length} slots are in the dense order, and {live} are live"));
        }
        let mut seen = vec![false; count];
        for &slot in order.unwrap_or_default() {
            if !is_live(slot) {
                return Err(format!("slot {slot} is in the dense order and is not live"));
            }
            if mem::replace(&mut seen[slot as usize], true) {
                return Err(format!("slot {slot} is in the dense order twice"));
            }
        }
        let elements = self.elements.len();
        if elements != live {
            return Err(format!("the number of elements is {elements}, and {live} slots are live"));
        }
        Ok(())
    }

    #[track_caller]
    fn into_roster(self) -> Result<Roster<T>, String> {
        self.check()?;
        let Self { tag, limit, mut slots, detached, order, elements, .. } = self;
        // The input is not trusted with the size of an allocation, so a roster that had one chunk of a fixed size
        // grows by chunks, too.
        let config = Config { tag, ..Config::new() };
        let mut roster = Roster::with_config(match limit {
            Some(slots) => Config { bound: Bound::Saved, max: slots as usize, ..config },
            None => config,
        });
        if let Some(tag) = tag {
            slots
                .iter_mut()
                .filter(|word| **word != 0)
                .for_each(|word| *word = with_tag(*word, tag));
        }

        // Slots for all that is live or detached.
        let last = live_slots(&slots).last().max(detached.last().copied());
        let count = last.map_or(0, |last| roster.rounded(last as usize + 1));
        let no_memory = || {
            let bytes = size_of::<T>();
            format!("there is no memory for {count} slots of {bytes} bytes")
        };
        let mut store = Store::<T>::new();
        store.try_grow(count).map_err(|_| no_memory())?;
        let first = tag.map_or(0, first_word);
        let directory = Directory::restore(&slots, &detached, order.as_deref(), first, count);
        let directory = directory.map_err(|_| no_memory())?;
        for (slot, element) in live_slots(&slots).zip(elements) {
            // SAFETY: the store has all live slots, and each comes once.
            unsafe { store.put(slot, element) };
        }
        // Not before: a roster drops all elements that its directory calls live.
        (roster.store, roster.directory) = (store, directory);
        _ = tag.map(noted_tag);
        Ok(roster)
    }
}

/// Reads a sequence of at most so many items.
///
/// Items may take no bytes to send or hold, so a length alone could keep the reader busy for ever.
struct AtMost<T>(usize, PhantomData<T>);

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for AtMost<T> {
    type Value = Vec<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for AtMost<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a sequence of at most {} items", self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            if list.len() == self.0 {
                return Err(A::Error::invalid_length(self.0 + 1, &self));
            }
            list.push(item);
        }
        Ok(list)
    }
}

/// Writes the items of an iterator as a sequence.
struct Sequence<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Sequence<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

/// Reads one of these names, or its number; gives its place among them.
struct OneOf(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for OneOf {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for OneOf {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of `{}`", self.0.join("`, `"))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<usize, E> {
        let place = usize::try_from(number).ok().filter(|&place| place < self.0.len());
        place.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        let place = self.0.iter().position(|&known| known == name);
        place.ok_or_else(|| E::unknown_field(name, self.0))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<usize, E> {
        self.visit_str(&String::from_utf8_lossy(name))
    }
}

/// A sequence of pairs of handle and value, in the order of slots.
impl<T, V: Serialize, const SPARSE: bool> Serialize for HandleMap<T, V, SPARSE> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
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
