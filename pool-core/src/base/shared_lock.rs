//! A lock whose readers do not meet: each writes into a row of its thread's own.
//!
//! While the lock is *open*, a reader puts the lock's address into a word of its row, looks once more whether the lock is open,
//! and has it. A writer takes the `RwLock` within, closes the lock, and waits until no word has the address. While the lock is
//! closed, readers take the `RwLock`, and a writer has nothing to close: who writes often does not pay for rows. After some
//! reads with no write between them a reader opens the lock again.
//!
//! The reader writes its word and then reads the state, the writer the other way round, and one of the two must see the other. So
//! there is a full fence between, on both sides. It would be most of what a reader pays. Where the system can put a
//! fence into all threads that run (`membarrier`), the writer asks for that, and the readers only keep the compiler from
//! exchanging the two. The lock's state says by which fences it was opened.
//!
//! What it was raced against: `docs/decisions/static-rosters.md`.

use core::cell::Cell;
use core::ptr;
use core::sync::atomic::{Ordering, compiler_fence};
use std::io::{self, Write as _};
use std::process;
use std::sync::{PoisonError, TryLockError};

use crate::base::atomic::atomic::fence;
use crate::base::atomic::{
    AtomicPtr, AtomicUsize, Condvar, IS_MODEL, Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard,
    array_of, const_unless_model, spin_loop,
};

#[cfg_attr(
    not(all(target_os = "linux", not(miri), not(all(loom, test)))),
    path = "shared_lock/membarrier_off.rs"
)]
mod membarrier;

/// How many threads may have a row at a time. Others take the `RwLock`.
const ROWS: usize = if IS_MODEL { 2 } else { 128 };

/// How many locks a thread may have by its row at a time.
const WORDS: usize = if IS_MODEL { 1 } else { 8 };

/// How many reads, with no write between them, open a lock. What is lost by these is about what it costs to close it.
const READS_TO_OPEN: usize = if IS_MODEL { 1 } else { 256 };

/// How often a writer looks before it sleeps.
const LOOKS: usize = if IS_MODEL { 1 } else { 200 };

const CLOSED: usize = 0;
/// Open, and readers have a full fence.
const FENCED: usize = 1;
/// Open, and who closes it puts the fence into the readers.
const UNFENCED: usize = 2;

/// The lock that a thread reads; null while it reads none by this word.
pub(crate) type Word = AtomicPtr<SharedLock>;

/// What one thread writes, and writers of locks read.
#[repr(align(128))]
pub(crate) struct Row {
    words: [Word; WORDS],
    /// How many uses each word stands for besides the first. For the thread that has the row.
    more: [AtomicUsize; WORDS],
    /// How many removals the thread has put off. For it as well.
    put_off: AtomicUsize,
    /// 1 while a thread has it.
    is_taken: AtomicUsize,
}

impl Row {
    const_unless_model! {
        const fn new() -> Self {
            Self {
                words: array_of![Word::new(ptr::null_mut()); WORDS],
                more: array_of![AtomicUsize::new(0); WORDS],
                put_off: AtomicUsize::new(0),
                is_taken: AtomicUsize::new(0),
            }
        }
    }

    /// The word with this lock, or with none.
    #[inline]
    fn find(&self, lock: *const SharedLock) -> Option<&Word> {
        self.words.iter().find(|word| ptr::eq(word.load(Ordering::Relaxed), lock))
    }

    /// Which of the row's words this is; `None` if it is another row's.
    #[inline(always)]
    fn index_of(&self, word: &Word) -> Option<usize> {
        let offset = ptr::from_ref(word).addr().wrapping_sub(self.words.as_ptr().addr());
        Some(offset / size_of::<Word>()).filter(|&at| at < WORDS)
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
    lock: RwLock<()>,
    state: AtomicUsize,
    /// About how many have read by the `RwLock` since the last write.
    reads: AtomicUsize,
    /// For a writer that waits for rows.
    waiting: Mutex<()>,
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
    /// thread-local that ends after this, say, which needs the row for that.)
    pub(crate) fn put_back(&self, row: &Row) -> bool {
        let is_free = row.words.iter().all(|word| word.load(Ordering::Relaxed).is_null());
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
                lock: RwLock::new(()),
                state: AtomicUsize::new(CLOSED),
                reads: AtomicUsize::new(0),
                waiting: Mutex::new(()),
                left: Condvar::new(),
            }
        }
    }

    /// Reads by the row of this thread, if the lock is open.
    #[inline(always)]
    pub(crate) fn enter<'a>(&self, row: &'a Row) -> Option<&'a Word> {
        let first = &row.words[0];
        let word =
            if first.load(Ordering::Relaxed).is_null() { first } else { row.find(ptr::null())? };
        let state = self.state.load(Ordering::Relaxed);
        if state == CLOSED {
            return None;
        }
        // Whoever sees this sees that the thread has left what it read before.
        word.store(ptr::from_ref(self).cast_mut(), Ordering::Release);
        between(state);
        // Who has opened it was behind the last writer. By other fences than these, it does not count.
        if self.state.load(Ordering::Acquire) == state || cfg!(pool_seed_one_look_at_lock) {
            return Some(word);
        }
        self.leave(word);
        None
    }

    /// Ends what [`SharedLock::enter`] has begun.
    #[inline(always)]
    pub(crate) fn leave(&self, word: &Word) {
        // While the word is set, the state is what it was, or closed.
        let state = self.state.load(Ordering::Relaxed);
        word.store(ptr::null_mut(), release(cfg!(pool_seed_relaxed_leave)));
        between(state);
        if state == CLOSED || self.state.load(Ordering::Relaxed) != state {
            self.wake();
        }
    }

    /// A writer may wait for this thread.
    #[cold]
    #[inline(never)]
    fn wake(&self) {
        if cfg!(pool_seed_no_wake) {
            return;
        }
        // It has looked at the word before this, and sleeps, or looks behind it.
        drop(self.waiting.lock());
        self.left.notify_all();
    }

    /// Waits for writers, and reads. Opens the lock if it is time.
    pub(crate) fn read_by_lock(&self) -> RwLockReadGuard<'_, ()> {
        let guard = self.lock.read().unwrap_or_else(PoisonError::into_inner);
        let reads = self.reads.load(Ordering::Relaxed).wrapping_add(1);
        self.reads.store(reads, Ordering::Relaxed);
        if reads >= READS_TO_OPEN && self.state.load(Ordering::Relaxed) == CLOSED {
            let state = if membarrier::can_fence_all() { UNFENCED } else { FENCED };
            self.state.store(state, release(cfg!(pool_seed_relaxed_open)));
        }
        guard
    }

    /// Reads without waiting; `None` if a writer has the lock, or waits for readers.
    pub(crate) fn try_read(&self) -> Option<RwLockReadGuard<'_, ()>> {
        match self.lock.try_read() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Whether somebody reads.
    #[cfg(all(test, not(loom)))]
    pub(crate) fn is_read(&self) -> bool {
        let mut words = ALL_ROWS.rows.iter().flat_map(|row| &row.words);
        words.any(|word| ptr::eq(word.load(Ordering::Relaxed), self))
            || self.lock.try_write().is_err()
    }

    /// Has the lock alone. `rows` are all by which it is read.
    #[inline]
    pub(crate) fn write_against(&self, rows: &Rows) -> RwLockWriteGuard<'_, ()> {
        let guard = self.lock.write().unwrap_or_else(PoisonError::into_inner);
        self.reads.store(0, Ordering::Relaxed);
        if self.state.load(Ordering::Relaxed) != CLOSED {
            self.close(rows);
        }
        guard
    }

    /// Sees to it that nobody reads by a row.
    #[cold]
    #[inline(never)]
    fn close(&self, rows: &Rows) {
        let state = self.state.load(Ordering::Relaxed);
        self.state.store(CLOSED, Ordering::Relaxed);
        if state == FENCED {
            if !cfg!(pool_seed_no_fence) {
                fence(Ordering::SeqCst);
            }
        } else if !membarrier::fence_all() {
            // It was promised. Without it nobody knows who reads, and nobody must write.
            let _ = writeln!(
                io::stderr(),
                "typed-pool: the system refuses `membarrier`, which it has granted this process before"
            );
            process::abort();
        }
        let used = rows.used.load(Ordering::Relaxed);
        for word in rows.rows[..used].iter().flat_map(|row| &row.words) {
            let is_read = || ptr::eq(word.load(Ordering::Acquire), self);
            if (0..LOOKS).all(|_| {
                spin_loop();
                is_read()
            }) {
                let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
                while is_read() {
                    waiting = self.left.wait(waiting).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

/// The order of a store that a model checks: too weak if a bug is put in.
const fn release(is_seeded: bool) -> Ordering {
    if is_seeded { Ordering::Relaxed } else { Ordering::Release }
}

/// Stands between a reader's word and its look at the state, which was this before.
#[inline(always)]
fn between(state: usize) {
    if state == UNFENCED {
        compiler_fence(Ordering::SeqCst);
    } else if !cfg!(pool_seed_no_fence) {
        fence(Ordering::SeqCst);
    }
}

/// The rows of this process's threads.
#[cfg(not(all(loom, test)))]
static ALL_ROWS: Rows = Rows::new();

#[cfg(not(all(loom, test)))]
std::thread_local! {
    /// Without a destructor, so that no reader has to ask whether it has run.
    static ROW: Cell<Option<&'static Row>> = const { Cell::new(None) };
    static AT_EXIT: PutBack = const { PutBack };
}

/// Puts the thread's row back when the thread ends.
#[cfg(not(all(loom, test)))]
struct PutBack;

#[cfg(not(all(loom, test)))]
impl Drop for PutBack {
    fn drop(&mut self) {
        own_row(|own| {
            let row = own.take()?;
            if !ALL_ROWS.put_back(row) {
                own.set(Some(row));
            }
            None
        });
    }
}

/// What `look` sees of this thread's row.
#[cfg(not(all(loom, test)))]
#[inline(always)]
fn own_row(
    look: impl FnOnce(&Cell<Option<&'static Row>>) -> Option<&'static Row>,
) -> Option<&'static Row> {
    ROW.try_with(look).ok().flatten()
}

#[cfg(not(all(loom, test)))]
impl SharedLock {
    /// Reads by this thread's row, if there is no more to do than usual. Until [`SharedLock::end`].
    #[inline(always)]
    pub(crate) fn read_at_hand(&self) -> Option<&'static Word> {
        let row = own_row(Cell::get)?;
        // A thread must not ask again for what it has: a writer may be waiting in between.
        if ptr::eq(row.words[0].load(Ordering::Relaxed), self) { None } else { self.enter(row) }
    }

    /// Reads: once more by this thread's row, or by the row for the first time, if the lock is open. `None` if it is not, or if there
    /// is no row to be had.
    pub(crate) fn read_by_row(&self) -> Option<&'static Word> {
        let mut row = own_row(Cell::get);
        if let Some((row, word)) = row.and_then(|row| Some((row, row.find(self)?))) {
            row.more[row.index_of(word)?].fetch_add(1, Ordering::Relaxed);
            return Some(word);
        }
        // A thread that has put its row back gets no other.
        if row.is_none()
            && self.state.load(Ordering::Relaxed) != CLOSED
            && AT_EXIT.try_with(|_| ()).is_ok()
        {
            row = ALL_ROWS.take();
            own_row(|own| own.replace(row));
        }
        self.enter(row?)
    }

    /// Ends a use by a row. Says how many removals the thread has put off, if it was the last use by this word.
    ///
    /// If the row is not this thread's, the closure was suspended in one thread and resumed in another. What belongs to the first is
    /// out of reach, so the lock is read there for ever.
    ///
    /// Not inlined: the compiler would assume that the thread is the same as at the beginning.
    #[inline(never)]
    pub(crate) fn end(&self, word: &Word) -> usize {
        let Some((row, at)) = own_row(Cell::get).and_then(|row| Some((row, row.index_of(word)?)))
        else {
            return 0;
        };
        let more = row.more[at].load(Ordering::Relaxed);
        if more != 0 {
            row.more[at].store(more - 1, Ordering::Relaxed);
            return 0;
        }
        self.leave(word);
        row.put_off.load(Ordering::Relaxed)
    }

    /// Whether this thread reads by its row.
    #[inline]
    pub(crate) fn is_read_by_row(&self) -> bool {
        own_row(Cell::get).is_some_and(|row| row.find(self).is_some())
    }

    /// Adds to the number of removals that this thread puts off, if it has a row.
    pub(crate) fn count_put_off(by: isize) {
        if let Some(row) = own_row(Cell::get) {
            let count = row.put_off.load(Ordering::Relaxed).saturating_add_signed(by);
            row.put_off.store(count, Ordering::Relaxed);
        }
    }

    /// Has the lock alone.
    #[inline]
    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, ()> {
        self.write_against(&ALL_ROWS)
    }
}
