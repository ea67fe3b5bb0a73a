//! A lock whose readers do not meet: each writes into a row of its thread's own.
//!
//! While the lock is *open*, a reader puts the lock's address into a word of its row, looks once more whether the lock is open,
//! and has it; to leave it, it clears the word. A writer marks the lock, closes it, and waits until no word has the address. While the
//! lock is closed, readers count themselves in its state, and a writer takes it by one exchange: who writes often does not pay for
//! rows. After some reads with no write between them a reader opens the lock again.
//!
//! The reader writes its word and then reads the state, the writer the other way round, and one of the two must see the other. So
//! there is a full fence between, on both sides. It would be most of what a reader pays. Where the system can put a
//! fence into all threads that run (`membarrier`), the writer asks for that, and the readers only keep the compiler from
//! exchanging the two. In a process to which the system refuses that, no lock is ever open.
//!
//! A thread that reads already may read again while a writer waits, or the two would wait for each other. Each use has a word of
//! its own, or is counted in the state, so uses may end in any order, and in any thread.
//!
//! What it was raced against: `docs/decisions/static-rosters.md`.

use core::ptr;
use core::sync::atomic::Ordering;
use core::time::Duration;
use std::io::{self, Write as _};
use std::process;
use std::sync::PoisonError;

use crate::base::atomic::{
    AtomicPtr, AtomicUsize, Condvar, IS_MODEL, Mutex, array_of, const_unless_model, lock, spin_loop,
};

mod membarrier;

/// Where std keeps thread-locals on the heap, they end before what a thread lends, and a thread would not know its own uses. So
/// nobody has a row there.
const CAN_OPEN: bool = IS_MODEL || cfg!(pool_native_tls);

/// How many threads may have a row at a time. Others count themselves.
const ROWS: usize = if IS_MODEL { 2 } else { 128 };

/// How many uses a thread may have by its row at a time.
const WORDS: usize = if IS_MODEL { 1 } else { 8 };

/// How many reads, with no write between them, open a lock. What is lost by these is about what it costs to close it.
const READS_TO_OPEN: usize = if IS_MODEL { 1 } else { 256 };

/// How often a thread looks before it sleeps, each time for twice as long. Who has the lock goes on meanwhile, and the elements stay
/// in its processor's cache: threads that exchanged it after each use would wait for cache lines.
const LOOKS: u32 = if IS_MODEL { 1 } else { 7 };

/// How long a thread sleeps if it cannot rely on being woken.
const NAP: Duration = Duration::from_millis(1);

/// A thread has the lock alone, or waits until nobody reads.
const WRITER: usize = 1;
/// It waits no longer.
const ALONE: usize = 2;
/// Threads may read by their rows.
const OPEN: usize = 4;
/// One that reads, otherwise than by a row.
const READER: usize = 8;

/// Threads sleep until a writer ends.
pub(crate) const FREE: usize = 1;
/// A writer sleeps until readers have left.
pub(crate) const LEFT: usize = 2;
/// Removals were put off until uses end.
const PUT_OFF: usize = 4;

/// The lock that a thread reads; null while it reads none by this word.
pub(crate) type Word = AtomicPtr<SharedLock>;

/// What one thread writes, and writers of locks read.
#[repr(align(128))]
pub(crate) struct Row {
    words: [Word; WORDS],
    /// 1 while a thread has it.
    is_taken: AtomicUsize,
}

impl Row {
    const_unless_model! {
        const fn new() -> Self {
            Self {
                words: array_of![Word::new(ptr::null_mut()); WORDS],
                is_taken: AtomicUsize::new(0),
            }
        }
    }

    /// A word with this lock, or with none. (Another thread may have cleared it.)
    fn find(&self, lock: *const SharedLock) -> Option<&Word> {
        self.words.iter().find(|word| ptr::eq(word.load(Ordering::Acquire), lock))
    }
}

pub(crate) struct Rows {
    rows: [Row; ROWS],
    /// How many are taken.
    taken: AtomicUsize,
    /// How many, from the first, have ever been taken.
    used: AtomicUsize,
}

pub(crate) struct SharedLock {
    state: AtomicUsize,
    /// What is to be done when uses end. Written behind `asleep`.
    to_do: AtomicUsize,
    /// The thread that has the lock alone ([`this_thread`]). While none has, about how many have read by the state since: at most
    /// [`READS_TO_OPEN`], which is less than any thread's number.
    user: AtomicUsize,
    /// How many removals are put off. Behind `asleep`.
    put_off: AtomicUsize,
    asleep: Mutex<()>,
    free: Condvar,
    left: Condvar,
}

impl Rows {
    const_unless_model! {
        pub(crate) const fn new() -> Self {
            Self {
                rows: array_of![Row::new(); ROWS],
                taken: AtomicUsize::new(0),
                used: AtomicUsize::new(0),
            }
        }
    }

    /// A row that no thread has.
    pub(crate) fn take(&self) -> Option<&Row> {
        if self.taken.load(Ordering::Relaxed) >= ROWS {
            return None;
        }
        let is_free = |row: &Row| {
            row.is_taken.load(Ordering::Relaxed) == 0
                && row.is_taken.swap(1, Ordering::Acquire) == 0
        };
        let at = self.rows.iter().position(is_free)?;
        self.taken.fetch_add(1, Ordering::Relaxed);
        // What follows is a reader's word and its fence, so who does not see the number is seen.
        self.used.fetch_max(at + 1, Ordering::Relaxed);
        Some(&self.rows[at])
    }

    /// Takes a row back, unless something is still read by it; returns whether it did. (A guard was leaked, or is dropped later: by a
    /// thread-local that ends after this, say.)
    pub(crate) fn put_back(&self, row: &Row) -> bool {
        let is_free = row.words.iter().all(|word| word.load(Ordering::Acquire).is_null());
        if is_free {
            row.is_taken.store(0, Ordering::Release);
            self.taken.fetch_sub(1, Ordering::Relaxed);
        }
        is_free
    }
}

impl SharedLock {
    const_unless_model! {
        pub(crate) const fn new() -> Self {
            Self {
                state: AtomicUsize::new(0),
                to_do: AtomicUsize::new(0),
                user: AtomicUsize::new(0),
                put_off: AtomicUsize::new(0),
                asleep: Mutex::new(()),
                free: Condvar::new(),
                left: Condvar::new(),
            }
        }
    }

    /// Reads by a word of the row, if one is free and the lock is open.
    pub(crate) fn enter<'a>(&self, row: &'a Row) -> Option<&'a Word> {
        self.enter_by(row.find(ptr::null())?, WRITER | OPEN)
    }

    /// Reads by the word, if the lock is open, as far as these bits of its state tell. (Whoever finds it closed has more to do, so
    /// nobody looks before the word is written.)
    #[inline(always)]
    fn enter_by<'a>(&self, word: &'a Word, seen: usize) -> Option<&'a Word> {
        // Whoever sees this sees that the thread has left what it read before.
        word.store(ptr::from_ref(self).cast_mut(), Ordering::Release);
        membarrier::fence_reader();
        // Who has opened it was behind the last writer.
        if self.state.load(Ordering::Acquire) & seen == OPEN {
            return Some(word);
        }
        if self.leave(word) {
            self.wake(LEFT);
        }
        None
    }

    /// Ends what [`SharedLock::enter`] has begun, in any thread. Says whether there is more to do: to [`wake`](SharedLock::wake) who
    /// waits until uses have [`LEFT`].
    #[inline(always)]
    pub(crate) fn leave(&self, word: &Word) -> bool {
        word.store(ptr::null_mut(), Ordering::Release);
        self.is_more_to_do()
    }

    /// Whether somebody waits for this end of a use: who looks after the fence, or was there before it.
    #[inline(always)]
    fn is_more_to_do(&self) -> bool {
        membarrier::fence_reader();
        self.to_do.load(Ordering::Relaxed) != 0
    }

    /// Wakes one of those who sleep until uses have [`LEFT`], or until the lock is [`FREE`]. Says whether removals may be put off until
    /// then.
    #[cold]
    #[inline(never)]
    pub(crate) fn wake(&self, sleeper: usize) -> bool {
        let _asleep = lock(&self.asleep);
        let to_do = self.to_do.load(Ordering::Relaxed);
        if to_do & sleeper != 0 {
            // Others that sleep put it back when it is their turn.
            self.to_do.store(to_do & !sleeper, Ordering::Relaxed);
            self.condition(sleeper).notify_one();
        }
        to_do & PUT_OFF != 0
    }

    fn condition(&self, sleeper: usize) -> &Condvar {
        if sleeper == FREE { &self.free } else { &self.left }
    }

    /// Returns when it is time, which changes with the end of a use; says whether it has slept.
    #[cold]
    fn wait_until(&self, sleeper: usize, mut is_time: impl FnMut() -> bool) -> bool {
        for look in 0..LOOKS {
            if is_time() {
                return false;
            }
            (0..1 << look).for_each(|_| spin_loop());
        }
        let mut asleep = lock(&self.asleep);
        loop {
            self.mark(sleeper, true);
            // Who ends a use and does not see the mark is seen.
            let is_seen = membarrier::can_fence_all() && membarrier::fence_all();
            if is_time() {
                break;
            }
            let condition = self.condition(sleeper);
            asleep = if is_seen {
                condition.wait(asleep).unwrap_or_else(PoisonError::into_inner)
            } else {
                condition.wait_timeout(asleep, NAP).unwrap_or_else(PoisonError::into_inner).0
            };
        }
        if sleeper == LEFT {
            self.mark(LEFT, false);
        }
        true
    }

    /// Notes what is to be done, or not to be done. Behind `asleep`.
    fn mark(&self, what: usize, is_to_be_done: bool) {
        let rest = self.to_do.load(Ordering::Relaxed) & !what;
        self.to_do.store(if is_to_be_done { rest | what } else { rest }, Ordering::Relaxed);
    }

    /// Reads without waiting, if nobody has the lock alone (`ALONE`), or nobody waits for that, either (`WRITER`).
    #[inline]
    fn try_count_in(&self, unless: usize) -> bool {
        let count = |state: usize| (state & unless == 0).then(|| state.wrapping_add(READER));
        self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, count).is_ok()
    }

    /// Reads if that is possible without waiting.
    pub(crate) fn try_read(&self, reads_already: bool) -> bool {
        self.try_count_in(if reads_already { ALONE } else { WRITER })
    }

    /// Waits for writers, and reads; does not wait if this thread reads already. Opens the lock if it is time.
    #[inline]
    pub(crate) fn count_in(&self, reads_already: impl FnOnce() -> bool) {
        if !self.try_count_in(WRITER) {
            let unless = if reads_already() { ALONE } else { WRITER };
            if self.wait_until(FREE, || self.try_count_in(unless)) {
                // Others that wait for the end of a writer may read as well.
                self.free.notify_one();
            }
        }
        let reads = self.user.load(Ordering::Relaxed).wrapping_add(1);
        self.user.store(reads, Ordering::Relaxed);
        if reads >= READS_TO_OPEN {
            self.open();
        }
    }

    /// Opens the lock, unless it is open, or a writer waits, or the system refuses; then it is asked again after as many reads.
    #[cold]
    fn open(&self) {
        self.user.store(0, Ordering::Relaxed);
        let state = self.state.load(Ordering::Relaxed);
        if state & (WRITER | OPEN) == 0 && CAN_OPEN && membarrier::can_fence_all() {
            let (open, relaxed) = (state | OPEN, Ordering::Relaxed);
            // Unless something else has changed. What writers did, their ends have shown.
            let _ = self.state.compare_exchange(state, open, relaxed, relaxed);
        }
    }

    /// Ends what [`SharedLock::count_in`] has begun, in any thread. As [`SharedLock::leave`].
    #[inline]
    pub(crate) fn count_out(&self) -> bool {
        self.state.fetch_sub(READER, Ordering::Release);
        self.is_more_to_do()
    }

    /// Has the lock alone, by and by. `rows` are all by which it is read.
    #[cold]
    pub(crate) fn write_against(&self, rows: &Rows) {
        let (order, relaxed) = (Ordering::Acquire, Ordering::Relaxed);
        let mark = |state: usize| (state & WRITER == 0).then_some(state | WRITER);
        self.wait_until(FREE, || self.state.fetch_update(order, relaxed, mark).is_ok());
        if self.state.load(relaxed) & OPEN != 0 {
            self.close(rows);
        }
        // Who reads by a row, and once more, is counted before it leaves the row.
        self.wait_until(LEFT, || {
            self.state.compare_exchange(WRITER, WRITER | ALONE, order, relaxed).is_ok()
        });
    }

    /// Sees to it that nobody reads by a row.
    fn close(&self, rows: &Rows) {
        if !membarrier::fence_all() {
            // It was promised. Without it nobody knows who reads, and nobody must write.
            let _ = writeln!(
                io::stderr(),
                "typed-pool: the system refuses `membarrier`, which it has granted this process before"
            );
            process::abort();
        }
        let used = rows.used.load(Ordering::Relaxed);
        for word in rows.rows[..used].iter().flat_map(|row| &row.words) {
            self.wait_until(LEFT, || !ptr::eq(word.load(Ordering::Acquire), self));
        }
        self.state.fetch_and(!OPEN, Ordering::Relaxed);
    }

    /// Ends a writer's use, in any thread. As [`SharedLock::leave`], for those who sleep until the lock is [`FREE`].
    #[inline(always)]
    pub(crate) fn end_writing(&self) -> bool {
        self.user.store(0, Ordering::Relaxed);
        // While one has the lock alone, nobody else changes the state: it need not be read for this.
        self.state.store(0, Ordering::Release);
        self.is_more_to_do()
    }

    /// Adds to the number of removals that are put off.
    pub(crate) fn count_put_off(&self, by: isize) {
        let _asleep = lock(&self.asleep);
        let count = self.put_off.load(Ordering::Relaxed).saturating_add_signed(by);
        self.put_off.store(count, Ordering::Relaxed);
        self.mark(PUT_OFF, count != 0);
    }
}

/// What the threads of this process do. Models have threads and rows of their own.
#[cfg(not(all(loom, test)))]
mod by_thread {
    use core::cell::Cell;
    use core::sync::atomic::Ordering;

    use crate::base::shared_lock::{
        ALONE, CAN_OPEN, OPEN, READER, Row, Rows, SharedLock, WRITER, Word,
    };
    #[cfg(not(pool_native_tls))]
    use crate::base::thread_word::this_thread;

    /// The rows of this process's threads.
    static ALL_ROWS: Rows = Rows::new();

    std::thread_local! {
        /// Without a destructor, so that no reader has to ask whether it has run.
        static ROW: Cell<Option<&'static Row>> = const { Cell::new(None) };
        static AT_EXIT: PutBack = const { PutBack };
    }

    /// Puts the thread's row back when the thread ends.
    struct PutBack;

    impl Drop for PutBack {
        fn drop(&mut self) {
            own_row(|own| own.replace(own.get().filter(|row| !ALL_ROWS.put_back(row))));
        }
    }

    /// What `look` sees of this thread's row.
    #[inline(always)]
    fn own_row(
        look: impl FnOnce(&Cell<Option<&'static Row>>) -> Option<&'static Row>,
    ) -> Option<&'static Row> {
        if CAN_OPEN { ROW.try_with(look).ok().flatten() } else { None }
    }

    /// Tells this thread from all others that run; 0 if nobody can. An address: no small number.
    #[cfg(pool_native_tls)]
    #[inline(always)]
    fn this_thread() -> usize {
        ROW.try_with(|row| core::ptr::from_ref(row).addr()).unwrap_or(0)
    }

    impl SharedLock {
        /// Reads by this thread's row, if there is no more to do than usual. Until [`SharedLock::leave`].
        #[inline(always)]
        pub(crate) fn read_at_hand(&self) -> Option<&'static Word> {
            let word = &own_row(Cell::get)?.words[0];
            if !word.load(Ordering::Acquire).is_null() {
                return None;
            }
            self.enter_by(word, usize::MAX)
        }

        /// Reads by this thread's row. `None` if the lock is not open, or if there is no row to be had, or no word in it.
        pub(crate) fn read_by_row(&self) -> Option<&'static Word> {
            if self.state.load(Ordering::Relaxed) & OPEN == 0 {
                return None;
            }
            let mut row = own_row(Cell::get);
            // A thread that has put its row back gets no other.
            if row.is_none() && AT_EXIT.try_with(|_| ()).is_ok() {
                row = ALL_ROWS.take();
                own_row(|own| own.replace(row));
            }
            self.enter(row?)
        }

        /// Whether this thread reads by its row.
        pub(crate) fn is_read_by_row(&self) -> bool {
            own_row(Cell::get).is_some_and(|row| row.find(self).is_some())
        }

        /// Whether this thread has the lock alone.
        pub(crate) fn is_written_here(&self) -> bool {
            let this = this_thread();
            this != 0 && self.user.load(Ordering::Relaxed) == this
        }

        /// Has the lock alone, if that is to be had at once. Until [`SharedLock::end_writing`].
        #[inline(always)]
        pub(crate) fn write_at_hand(&self) -> bool {
            let (order, relaxed) = (Ordering::Acquire, Ordering::Relaxed);
            // Nobody has it, it is closed, and nobody reads.
            let has_it = self.state.compare_exchange(0, WRITER | ALONE, order, relaxed).is_ok();
            if has_it {
                self.user.store(this_thread(), Ordering::Relaxed);
            }
            has_it
        }

        /// Has the lock alone. For a thread that does not use it.
        pub(crate) fn write(&self) {
            self.write_against(&ALL_ROWS);
            self.user.store(this_thread(), Ordering::Relaxed);
        }

        /// Whether somebody reads otherwise than by a row.
        pub(crate) fn is_counted(&self) -> bool {
            self.state.load(Ordering::Relaxed) >= READER
        }
    }
}
