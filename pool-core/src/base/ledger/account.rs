//! The account of one pool: what others may know of it.

use core::cell::Cell;
use core::fmt;
use core::mem::{self, ManuallyDrop};
use core::num::NonZeroU32;
use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::base::atomic::{Mutex, lock};
use crate::base::ledger::Facts;
use crate::base::ledger::account::table::{
    Entry, FAILURES, FIGURES, GROWN, HERE, LIMIT, NAME_LEN, STAGE, TABLE, THREAD, THREAD_NAME,
    TO_ASK, WORDS,
};
use crate::base::ledger::record::Ended;
use crate::base::ledger::{Owner, Storage, ThreadName};
use crate::base::stats::PoolStats;
use crate::base::thread_number;
use crate::base::watch::sites::{IS_SITED, Line};

pub(crate) mod remains;
mod table;

/// A pool's account, or none yet: the number of its entry.
///
/// Four bytes, which a pool has between others. They change only where the pool is the caller's alone; an atomic, for pools
/// that several threads may look at.
pub(crate) struct Account(AtomicU32);

/// That the account is set aside. Below it stands how often the pool has grown since, and below [`ONE_GROWTH`], refused.
const SET_ASIDE: u32 = 1 << 31;

const ONE_GROWTH: u32 = 1 << 22;

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Account").field(&self.number()).finish()
    }
}

/// How far the pool's thread has come.
const LIVES: usize = 0;
const HAS_ENDED: usize = 1;
/// Its pool was lent at the end: nobody knows what is in it.
const HAS_ENDED_LENT: usize = 2;

/// A pool's figures, in the order of [`FIGURES`].
fn figures(stats: &mut PoolStats) -> [&mut usize; FIGURES.end - FIGURES.start] {
    let PoolStats { live, detached, retired, high_water, .. } = stats;
    let PoolStats { capacity, chunks, slot_bytes, bytes, log_bytes, .. } = stats;
    [live, detached, retired, high_water, capacity, chunks, slot_bytes, bytes, log_bytes]
}

/// What an entry says.
#[derive(Clone, Copy)]
struct Words([usize; WORDS]);

impl Words {
    /// Says what the pool's figures are.
    fn set_stats(&mut self, stats: &PoolStats) {
        let (mut stats, occupied) = (*stats, stats.live + stats.detached);
        // With `hardened` the mark is set a moment after a slot is taken.
        stats.high_water = stats.high_water.max(occupied);
        for (word, figure) in self.0[FIGURES].iter_mut().zip(figures(&mut stats)) {
            *word = *figure;
        }
        self.0[LIMIT] = stats.limit.map_or(0, |limit| limit.saturating_add(1));
        if self.0[STAGE] != LIVES && occupied > 0 {
            self.note_thread_name();
        }
    }

    /// The figures, of a pool with this name.
    fn stats(&self, name: &'static str) -> PoolStats {
        let mut stats = PoolStats { name, ..PoolStats::default() };
        for (figure, word) in figures(&mut stats).into_iter().zip(&self.0[FIGURES]) {
            *figure = *word;
        }
        stats.limit = self.0[LIMIT].checked_sub(1);
        stats
    }

    /// The kernel's number for the thread, while its name is still to be asked for.
    fn thread_to_ask(&self) -> Option<NonZeroU32> {
        NonZeroU32::new(self.0[TO_ASK] as u32)
    }

    /// For the thread itself, which is about to end and leaves something.
    fn note_thread_name(&mut self) {
        if self.0[TO_ASK] != 0 {
            self.0[TO_ASK] = 0;
            let name = thread_number::current_name();
            let parts = name.chunks_exact(size_of::<usize>());
            for (word, bytes) in self.0[THREAD_NAME].iter_mut().zip(parts) {
                *word = usize::from_ne_bytes(bytes.try_into().unwrap_or_default());
            }
        }
    }

    #[inline]
    fn thread_name(&self) -> ThreadName {
        let mut name = ThreadName::default();
        for (bytes, word) in
            name.bytes.chunks_exact_mut(size_of::<usize>()).zip(&self.0[THREAD_NAME])
        {
            bytes.copy_from_slice(&word.to_ne_bytes());
        }
        name
    }
}

impl Entry {
    /// Changes what the entry says; returns what it says then. For the thread that writes it.
    fn change(&self, change: impl FnOnce(&mut Words)) -> Words {
        let (pointers, words) = self.contents.own();
        let mut words = Words(words);
        change(&mut words);
        self.contents.write(pointers, words.0);
        words
    }
}

impl Account {
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const NONE: Self = Self(AtomicU32::new(0));

    #[inline]
    fn number(&self) -> u32 {
        let number = self.0.load(Ordering::Relaxed);
        if number < SET_ASIDE { number } else { 0 }
    }

    /// What tells it from other accounts; 0 for none.
    fn key(&self) -> usize {
        self.entry().map_or(0, Entry::key)
    }

    /// The pool, which is closed, has one more element of a line.
    pub(crate) fn add_remains(&self, line: Line) {
        remains::add(self.key(), line);
    }

    /// The pool, which is closed, has one less element of a line.
    pub(crate) fn remove_remains(&self, line: Line) {
        remains::remove(self.key(), line);
    }

    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.number() != 0
    }

    /// Counts where the account is set aside, as far as there is room; `below` is what the count is below.
    fn count(&self, one: u32, below: u32) {
        let counted = self.0.load(Ordering::Relaxed);
        if counted >= SET_ASIDE && counted % below < below - one {
            self.0.store(counted + one, Ordering::Relaxed);
        }
    }

    fn entry(&self) -> Option<&'static Entry> {
        TABLE.entry(self.number())
    }

    /// Gives a pool an account, unless it has one, or the heap has no room for more: then nobody hears of it.
    ///
    /// May call the heap, which may itself be a user of the pool.
    #[cold]
    pub(crate) fn open(&self, facts: &'static Facts, name: &'static str, owner: Owner) {
        if self.is_open() {
            return;
        }
        if let Some(record) = facts.upkeep.record() {
            record.join(facts);
        }
        let Some((number, entry)) = TABLE.claim() else { return };
        let Owner { thread, has_ended } = owner;
        let mut words = Words([0; WORDS]);
        words.0[STAGE] = if has_ended { HAS_ENDED } else { LIVES };
        words.0[THREAD] = thread as usize;
        if thread != 0 {
            words.0[HERE] = here();
            words.0[TO_ASK] = thread_number::current().map_or(0, NonZeroU32::get) as usize;
        }
        words.0[NAME_LEN] = name.len();
        if has_ended {
            words.note_thread_name();
        }
        let pointers = [ptr::from_ref(facts).cast_mut().cast(), name.as_ptr().cast_mut().cast()];
        entry.contents.write(pointers, words.0);
        // The heap may have used the pool meanwhile; and of a static roster, several threads may be the first.
        if self.0.compare_exchange(0, number, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            TABLE.give_back(number, entry);
        }
    }

    /// Calls `f` with the account of a pool that other threads may use meanwhile: one after the other. Nothing of theirs calls
    /// the heap within.
    pub(crate) fn in_turn(&self, f: impl FnOnce(&Self)) {
        static TURN: Mutex<()> = Mutex::new(());

        let _turn = lock(&TURN);
        f(self);
    }

    /// Changes what the entry says; returns what it says then.
    fn change(&self, change: impl FnOnce(&mut Words)) -> Option<Words> {
        Some(self.entry()?.change(change))
    }

    /// The pool has another chunk.
    pub(crate) fn count_growth(&self) {
        self.change(|words| words.0[GROWN] += 1);
        self.count(ONE_GROWTH, SET_ASIDE);
    }

    /// The pool could not meet a request.
    #[cold]
    pub(crate) fn refused(&self) {
        self.change(|words| words.0[FAILURES] += 1);
        self.count(1, ONE_GROWTH);
    }

    /// Writes the pool's figures down. The account ends, and its totals go to the type's, if the thread has ended and nothing is left in
    /// the pool.
    pub(crate) fn note(&self, stats: &PoolStats) {
        let words = self.change(|words| words.set_stats(stats));
        let Some((entry, words)) = self.entry().zip(words) else { return };
        let PoolStats { live, detached, high_water, .. } = words.stats("");
        if words.0[STAGE] != HAS_ENDED || live + detached > 0 {
            return;
        }
        if let Some(record) = entry.facts().and_then(|facts| facts.upkeep.record()) {
            let (grown, failures) = (words.0[GROWN], words.0[FAILURES]);
            record.add_ended(Ended { threads: 1, high_water, grown, failures });
        }
        self.end(entry);
    }

    /// Writes down how many slots are live, detached and retired. Cheaper than [`Account::note`].
    pub(crate) fn tell(&self, live: usize, others: [usize; 2]) {
        tell(self.number(), live, Some(others));
    }

    /// The pool's thread has begun to end. [`Account::note`] ends the account once nothing is left.
    pub(crate) fn close(&self, stats: &PoolStats) {
        self.change(|words| {
            words.0[STAGE] = HAS_ENDED;
            words.set_stats(stats);
        });
    }

    /// The pool's thread has begun to end, and the pool is out of reach: it stays as it was.
    pub(crate) fn leave_behind(&self) {
        self.change(|words| {
            words.0[STAGE] = HAS_ENDED_LENT;
            words.note_thread_name();
        });
    }

    fn end(&self, entry: &'static Entry) {
        if IS_SITED {
            remains::forget(entry.key());
        }
        TABLE.give_back(self.0.swap(0, Ordering::Relaxed), entry);
    }
}

/// The account of a roster: its number, which changes only where the roster is the caller's alone.
///
/// While a user has a roster, who may put another into its place, the account is kept elsewhere
/// ([`RosterAccount::set_aside`]), and what is here counts.
///
/// Not an [`Account`]: of what has an atomic the compiler may not assume that it stays readable, or stays as it is, behind a
/// shared reference. A loop of look-ups then reads the addresses of the roster's tables again for each.
pub(crate) struct RosterAccount(u32);

impl fmt::Debug for RosterAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl RosterAccount {
    pub(crate) const NONE: Self = Self(0);

    /// The account. Its entry may be changed, and nothing that gives the account another number be asked of it.
    #[inline]
    pub(crate) fn get(&self) -> ManuallyDrop<Account> {
        ManuallyDrop::new(Account(AtomicU32::new(self.0)))
    }

    /// What `f` does with the account.
    pub(crate) fn with<R>(&mut self, f: impl FnOnce(&mut Account) -> R) -> R {
        let mut account = self.get();
        let result = f(&mut account);
        self.0 = *account.0.get_mut();
        result
    }

    /// The number of the account if it is to be told of each change: of a roster that is a value with a name. Or 0.
    pub(crate) fn observer(&self) -> u32 {
        let facts = self.get().entry().and_then(Entry::facts);
        facts.filter(|facts| facts.storage == Storage::Owned).map_or(0, |_| self.0)
    }

    /// Takes the account out of a roster, which a user may now replace by another.
    pub(crate) fn set_aside(&mut self) -> Self {
        mem::replace(self, Self(SET_ASIDE))
    }

    /// Whether the roster is that of the account that was set aside, and not another one in its place.
    pub(crate) fn is_set_aside(&self) -> bool {
        self.0 >= SET_ASIDE
    }

    /// Puts an account that was set aside into the roster that is in the place now, and has `chunks`; says whether the roster has
    /// counted something meanwhile, or is another, which adds its chunks.
    pub(crate) fn put_back(&mut self, account: Self, chunks: usize) -> bool {
        let counted = mem::replace(self, account).0;
        if counted == SET_ASIDE {
            return false;
        }
        let (grown, failures) = if counted > SET_ASIDE {
            (counted % SET_ASIDE / ONE_GROWTH, counted % ONE_GROWTH)
        } else {
            (chunks as u32, 0)
        };
        self.get().change(|words| {
            words.0[GROWN] += grown as usize;
            words.0[FAILURES] += failures as usize;
        });
        true
    }
}

impl Drop for RosterAccount {
    fn drop(&mut self) {
        drop(Account(AtomicU32::new(self.0)));
    }
}

/// The account of a pool that is a value ends with it. A type's pool keeps its own: what is dropped may be a roster that a user
/// has replaced.
impl Drop for Account {
    fn drop(&mut self) {
        if let Some(entry) = self.entry() {
            if entry.facts().is_some_and(|facts| facts.storage == Storage::Owned) {
                self.end(entry);
            }
        }
    }
}

/// [`Account::tell`] of the account with this number. The others are as they were if that is not known.
pub(crate) fn tell(account: u32, live: usize, others: Option<[usize; 2]>) {
    if let Some(Entry { contents, .. }) = TABLE.entry(account) {
        // In the order of `FIGURES`.
        let [detached, retired, high_water] = [1, 2, 3].map(|at| contents.peek(FIGURES.start + at));
        let [detached, retired] = others.unwrap_or([detached, retired]);
        let high_water = high_water.max(live + detached + retired);
        contents.amend(FIGURES.start, &[live, detached, retired, high_water]);
    }
}

/// What tells the calling thread from all others that run; 0 if there is no memory to do so.
fn here() -> usize {
    thread_local! {
        static PLACE: Cell<bool> = const { Cell::new(false) };
    }
    PLACE.try_with(|place| ptr::from_ref(place).addr()).unwrap_or(0)
}

/// Writes down the figures of the calling thread's pools, as far as they are `known`.
fn note_own(known: impl Fn(&Facts) -> Option<PoolStats>) {
    let here = here();
    for entry in TABLE.entries() {
        // Each of them is one thread's, which alone writes it.
        let is_own = here != 0 && entry.contents.peek(HERE) == here;
        if is_own && entry.contents.peek(STAGE) == LIVES {
            let stats = entry.facts().and_then(&known);
            stats.into_iter().for_each(|stats| _ = entry.change(|words| words.set_stats(&stats)));
        }
    }
}

/// Writes down the figures of the calling thread's pools; not of rosters that are lent.
#[inline]
pub(crate) fn publish() {
    note_own(Facts::look);
}

/// A roster of elements of this type, whose account is set aside, has other figures now: if the calling thread has a pool of them,
/// these are its figures. (A guard that is leaked takes the roster along.)
#[inline]
pub(crate) fn note_lent(type_name: &str, stats: &PoolStats) {
    note_own(|facts| {
        let is_its = facts.storage == Storage::ThreadLocal && (facts.type_name)() == type_name;
        is_its.then_some(*stats)
    });
}

/// What an account says at one moment.
pub(crate) struct Entered {
    pub(crate) facts: &'static Facts,
    pub(crate) name: &'static str,
    /// The number of the thread; 0 for none.
    pub(crate) thread: u32,
    pub(crate) has_ended: bool,
    /// Whether the figures are the last, because nobody can change the pool without their being changed.
    pub(crate) is_settled: bool,
    pub(crate) grown: usize,
    pub(crate) failures: usize,
    pub(crate) stats: PoolStats,
    /// [`Account::key`].
    pub(crate) key: usize,
    /// As it ended. Before, [`Entered::thread_name`] asks.
    thread_name: ThreadName,
    to_ask: Option<NonZeroU32>,
    entry: &'static Entry,
}

impl Entered {
    /// What the system calls the thread, which is the caller's or not; empty if that is not known. Of another thread that runs a
    /// file is read, which takes microseconds.
    #[inline]
    pub(crate) fn thread_name(&self, is_current: bool) -> ThreadName {
        let Some(number) = self.to_ask.filter(|_| !self.has_ended) else { return self.thread_name };
        if is_current {
            return ThreadName { bytes: thread_number::current_name() };
        }
        let name = ThreadName { bytes: thread_number::name_of(number) };
        // If the thread has ended meanwhile, another may have its number.
        let now = Words(self.entry.contents.read().1);
        let is_there = now.0[THREAD] == self.thread as usize && now.thread_to_ask() == self.to_ask;
        if is_there { name } else { ThreadName::default() }
    }
}

/// What all accounts say, each of a moment.
pub(crate) fn entered() -> impl Iterator<Item = Entered> {
    TABLE.entries().filter_map(|entry| {
        let ([facts, name], words) = entry.contents.read();
        // SAFETY: null, or what `open` has put there.
        let facts: &'static Facts = unsafe { facts.cast::<Facts>().as_ref() }?;
        let words = Words(words);
        // SAFETY: `open` has put them there together, from what lives for ever.
        let name = unsafe { core::slice::from_raw_parts(name.cast::<u8>(), words.0[NAME_LEN]) };
        let name = core::str::from_utf8(name).unwrap_or_default();
        Some(Entered {
            facts,
            name,
            thread: words.0[THREAD] as u32,
            has_ended: words.0[STAGE] != LIVES,
            is_settled: words.0[STAGE] == HAS_ENDED,
            grown: words.0[GROWN],
            failures: words.0[FAILURES],
            stats: words.stats(name),
            key: entry.key(),
            thread_name: words.thread_name(),
            to_ask: words.thread_to_ask(),
            entry,
        })
    })
}
