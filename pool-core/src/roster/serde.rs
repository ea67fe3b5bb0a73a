//! Serialised rosters: all that the future behaviour of a roster depends on.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::base::config::{Bound, Config};
use crate::base::watch::sites::Line;
use crate::roster::directory::{Directory, Table};
use crate::roster::grow::Growth;
use crate::roster::tag;
use crate::roster::word::{first_word, is_live, live_slots};
use crate::roster::{Roster, Store};

const FIELDS: &[&str] = &["tag", "limit", "slots", "detached", "order", "elements"];

/// A struct of six fields, in this order if the format does not name them:
///
/// | field | |
/// |---|---|
/// | `tag` | the roster's tag, if it has one yet |
/// | `limit` | nothing, or the most slots that there may be: `bounded`, `max` or `capacity` |
/// | `slots` | for each slot up to the last that was used: twice the generation of its next handle, or, while an element is live, of that element's, and 1 more; 0 if the slot is retired |
/// | `detached` | the slots of detached elements, in ascending order |
/// | `order` | the slots of the elements in the order of dense indices, if one was requested |
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
        let Self { directory, first_word, .. } = self;
        let mut roster = serializer.serialize_struct("Roster", FIELDS.len())?;
        roster.serialize_field("tag", &self.tag())?;
        roster.serialize_field("limit", &Limit::of(&self.config))?;
        roster.serialize_field("slots", &Sequence(directory.numbers(*first_word)))?;
        roster.serialize_field("detached", &directory.detached())?;
        roster.serialize_field("order", &directory.order().map(Sequence))?;
        roster.serialize_field("elements", &Sequence(self.values()))?;
        roster.end()
    }
}

/// A roster in the same state, with the same handles, generations, vacant, detached and retired slots, dense
/// indices, limit and tag. From then on the same operations give the same handles in both, in the same order of
/// iteration, so two machines can run in lockstep. Two things to mind there:
///
/// - Dense indices begin with the first request, so both machines must make it, or neither.
/// - A roster of no chosen tag ([`Roster::tagged`]) gets one with its first memory, so copies of a roster without memory get
///   different tags.
///
/// Input may be wrong or hostile: it is checked, and an error says what is wrong. Memory is allocated in proportion
/// to what has been read. So a roster with a limit does not have all its slots at once, but grows up to it by
/// chunks (`reserve` allocates them). Slots lie in pieces of 8 KiB, or of one larger element, and at first only the
/// pieces with live elements are allocated.
///
/// The name and the chunk size are not kept: they belong to the program ([`PoolStats::name`](crate::PoolStats) is
/// the type's).
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Roster<T> {
    #[track_caller]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let line = Line::of_caller();
        let parts =
            deserializer.deserialize_struct("Roster", FIELDS, RosterVisitor(PhantomData))?;
        parts.into_roster(line).map_err(|wrong| {
            D::Error::custom(format_args!(
                "cannot restore the roster of `{}`: {wrong}",
                type_name::<T>()
            ))
        })
    }
}

/// The fields read so far.
struct Parts<T> {
    tag: Option<Option<u8>>,
    limit: Option<Option<Limit>>,
    slots: Option<Vec<u32>>,
    detached: Option<Vec<u32>>,
    order: Option<Option<Vec<u32>>>,
    elements: Option<Vec<T>>,
}

impl<T> Parts<T> {
    const NONE: Self =
        Self { tag: None, limit: None, slots: None, detached: None, order: None, elements: None };

    /// Reads the value of the field with this number.
    fn read<'de, A: MapAccess<'de>>(&mut self, field: usize, fields: &mut A) -> Result<(), A::Error>
    where
        T: Deserialize<'de>,
    {
        match field {
            0 => once(&mut self.tag, field, fields, PhantomData),
            1 => once(&mut self.limit, field, fields, PhantomData),
            2 => once(&mut self.slots, field, fields, PhantomData),
            3 => once(&mut self.detached, field, fields, PhantomData),
            4 => once(&mut self.order, field, fields, PhantomData),
            _ => {
                // One more than there can be is an error.
                let most = self.slots.as_ref().map_or(u32::MAX as usize, Vec::len);
                once(&mut self.elements, field, fields, BoundedSequence::new(most))
            }
        }
    }

    fn complete<E: Error>(self) -> Result<Complete<T>, E> {
        let missing = |field: usize| E::missing_field(FIELDS[field]);
        Ok(Complete {
            tag: self.tag.ok_or_else(|| missing(0))?,
            limit: self.limit.ok_or_else(|| missing(1))?,
            table: Table {
                slots: self.slots.ok_or_else(|| missing(2))?,
                detached: self.detached.ok_or_else(|| missing(3))?,
                order: self.order.ok_or_else(|| missing(4))?,
            },
            elements: self.elements.ok_or_else(|| missing(5))?,
        })
    }
}

/// Reads a field, once.
fn once<'de, A: MapAccess<'de>, S: DeserializeSeed<'de>>(
    place: &mut Option<S::Value>,
    field: usize,
    fields: &mut A,
    seed: S,
) -> Result<(), A::Error> {
    if place.is_some() {
        return Err(A::Error::duplicate_field(FIELDS[field]));
    }
    *place = Some(fields.next_value_seed(seed)?);
    Ok(())
}

/// The fields in a format that does not name them: each has its number for a name.
struct InOrder<A> {
    values: A,
    next: usize,
}

impl<'de, A: SeqAccess<'de>> MapAccess<'de> for InOrder<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let is_field = self.next < FIELDS.len();
        is_field.then(|| seed.deserialize((self.next as u64).into_deserializer())).transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let value = self
            .values
            .next_element_seed(seed)?
            .ok_or_else(|| A::Error::invalid_length(self.next, &"the 6 fields of a roster"));
        self.next += 1;
        value
    }
}

struct RosterVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for RosterVisitor<T> {
    type Value = Complete<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a roster of `{}`", type_name::<T>())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<Complete<T>, A::Error> {
        self.visit_map(InOrder { values, next: 0 })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Complete<T>, A::Error> {
        let mut parts = Parts::NONE;
        while let Some(field) = fields.next_key_seed(OneOf(FIELDS))? {
            parts.read(field, &mut fields)?;
        }
        parts.complete()
    }
}

/// All fields, none of which has been checked.
struct Complete<T> {
    tag: Option<u8>,
    limit: Option<Limit>,
    table: Table,
    elements: Vec<T>,
}

impl<T> Complete<T> {
    fn into_roster(self, line: Line) -> Result<Roster<T>, String> {
        let Self { tag, limit, table, elements } = self;
        let mut roster = Roster::with_config(Limit::config(limit));
        table.check()?;
        let (live, needed) = table.count();
        if elements.len() != live {
            let count = elements.len();
            return Err(format!("the number of elements is {count}, and {live} slots are live"));
        }
        let Some(tag) = tag else {
            return match table.slots.len() {
                0 => Ok(roster),
                count => Err(format!("{count} slots have been used, and it has no tag")),
            };
        };
        roster.first_word = first_word(tag);
        // Those that were read from one form stay alike, renewed or not.
        roster.config.tag = Some(tag);

        // An earlier limit may have allowed more slots.
        let slot_count =
            if needed == 0 { 0 } else { roster.rounded(needed, Growth::IsExact).max(needed) };
        let no_memory = || {
            let bytes = size_of::<T>();
            format!("there is no memory for {slot_count} slots of {bytes} bytes")
        };
        let mut store = Store::<T>::new();
        if slot_count > 0 {
            let is_live = |at: usize| table.slots.get(at).is_some_and(|&number| is_live(number));
            store.try_restore(slot_count, is_live).map_err(|_| no_memory())?;
        }
        let directory = Directory::restore(table, tag, slot_count).ok_or_else(no_memory)?;
        for (slot, element) in live_slots(directory.words()).zip(elements) {
            // SAFETY: there is memory for live slots, and each comes once.
            let place = unsafe { store.occupy(slot, line) };
            // SAFETY: the slot is empty.
            unsafe { place.write(element) };
        }
        // Not before: a roster drops all elements that its directory calls live.
        (roster.store, roster.directory) = (store, directory);
        roster.close();
        tag::note(tag);
        Ok(roster)
    }
}

/// The most slots, and what has set that limit.
#[derive(Clone, Copy)]
struct Limit {
    bound: Bound,
    slots: u32,
}

/// The names of limits, by their number in a binary format.
const NAMES: &[&str] = &["bounded", "max", "capacity"];
const BOUNDS: [Bound; 3] = [Bound::Bounded, Bound::Max, Bound::Capacity];

impl Limit {
    fn of(config: &Config) -> Option<Self> {
        let slots = u32::try_from(config.max).unwrap_or(u32::MAX);
        (config.bound != Bound::None).then_some(Self { bound: config.bound, slots })
    }

    /// A roster with this limit that grows up to it by chunks.
    ///
    /// The input is not trusted with the size of an allocation, so a roster that had one chunk of a fixed size
    /// grows by chunks, too.
    fn config(limit: Option<Self>) -> Config {
        match limit {
            Some(Self { bound, slots }) => Config { bound, max: slots as usize, ..Config::new() },
            None => Config::new(),
        }
    }
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = BOUNDS.iter().position(|&bound| bound == self.bound).unwrap_or_default();
        serializer.serialize_newtype_variant("Limit", number as u32, NAMES[number], &self.slots)
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Variants;

        impl<'de> Visitor<'de> for Variants {
            type Value = Limit;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a roster's limit")
            }

            fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Limit, A::Error> {
                let (number, slots) = data.variant_seed(OneOf(NAMES))?;
                Ok(Limit { bound: BOUNDS[number], slots: slots.newtype_variant()? })
            }
        }

        deserializer.deserialize_enum("Limit", NAMES, Variants)
    }
}

/// Up to how many bytes of items a sequence is trusted to be as long as it says.
const TRUSTED: usize = 4096;

/// Reads a sequence of at most `most` items.
///
/// Items may take no bytes to send or hold, so a length alone could keep the reader busy for ever.
struct BoundedSequence<T> {
    most: usize,
    marker: PhantomData<T>,
}

impl<T> BoundedSequence<T> {
    fn new(most: usize) -> Self {
        Self { most, marker: PhantomData }
    }
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for BoundedSequence<T> {
    type Value = Vec<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for BoundedSequence<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a sequence of at most {} items", self.most)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let trusted = self.most.min(TRUSTED / size_of::<T>().max(1));
        let mut list = Vec::with_capacity(items.size_hint().unwrap_or(0).min(trusted));
        while let Some(item) = items.next_element()? {
            if list.len() == self.most {
                return Err(A::Error::invalid_length(self.most.saturating_add(1), &self));
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
        usize::try_from(number)
            .ok()
            .filter(|&number| number < self.0.len())
            .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        let place = self.0.iter().position(|&known| known == name);
        place.ok_or_else(|| E::unknown_field(name, self.0))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<usize, E> {
        let place = self.0.iter().position(|known| known.as_bytes() == name);
        place.ok_or_else(|| E::invalid_value(Unexpected::Bytes(name), &self))
    }
}
