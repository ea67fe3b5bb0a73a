//! Where thread-locals are in the threads that use them, so that a plug-in need not ask the dynamic linker each time
//! (the feature `plugin`).
//!
//! In a library that is loaded while the program runs, only `__tls_get_addr` knows where a thread-local is: a call for each
//! alloc, and one for each free. But it stays where it is while its thread lives. So a table beside each thread-local keeps
//! its address in a few threads. The thread pointer says which thread this is: the word at `fs:0`, by the ABI of Linux.
//!
//! # Entries that are out of date
//!
//! A thread pointer belongs to another thread as soon as its own has ended, and an entry that was left behind would then
//! lead to memory that is freed. So:
//!
//! - A thread enters its thread-local only once that is listed among those which the thread's end closes
//!   (`thread_exit.rs`). It is removed before it is closed; what is used after that is asked for again.
//!   (One case is left, in which no end of the thread follows: `docs/decisions/threads.md`, "What is left".)
//! - `fork` leaves all other threads behind, and in the child they never end. A handler removes their entries there.
//!
//! # Memory ordering
//!
//! Only a thread itself writes its thread pointer into an entry, and removes it. So a thread that reads its own there has
//! written it, and `place` before it, and no other thread has written either since: relaxed loads will do.
//! Whoever finds an entry vacant acquires what the thread before has released, so its `place` comes after that thread's.

use core::arch::asm;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicUsize, Ordering};

/// A power of two.
const ENTRIES: usize = 16;

/// What stands in [`Entry::thread`] while no thread has it, and while one is about to. Not thread pointers.
const VACANT: usize = 0;
const TAKEN: usize = 1;

/// The addresses of one thread-local.
#[derive(Debug)]
pub(crate) struct Addresses {
    entries: [Entry; ENTRIES],
    chained: AtomicU8,
    /// What was chained before it.
    next: AtomicPtr<Self>,
}

#[derive(Debug)]
#[repr(align(16))]
struct Entry {
    thread: AtomicUsize,
    place: AtomicPtr<()>,
}

/// The steps of what is done once: by the first that comes, and not waited for.
const NOT_YET: u8 = 0;
const BEGUN: u8 = 1;
const DONE: u8 = 2;

/// All that were ever used: the latest.
static CHAIN: AtomicPtr<Addresses> = AtomicPtr::new(ptr::null_mut());

unsafe extern "C" {
    safe fn pthread_atfork(
        prepare: Option<extern "C" fn()>,
        parent: Option<extern "C" fn()>,
        child: Option<extern "C" fn()>,
    ) -> core::ffi::c_int;
}

/// In the child of a `fork`: removes the entries of all threads but this, the only one that there is.
extern "C" fn forget_others() {
    let this = thread_pointer();
    let mut next = CHAIN.load(Ordering::Acquire);
    // SAFETY: what is chained is a static.
    while let Some(addresses) = unsafe { next.as_ref() } {
        let others = |entry: &&Entry| entry.thread.load(Ordering::Relaxed) != this;
        addresses.entries.iter().filter(others).for_each(|entry| {
            entry.thread.store(VACANT, Ordering::Release);
        });
        next = addresses.next.load(Ordering::Relaxed);
    }
}

/// Does `action` if nobody has begun to; returns whether it is done.
fn once(state: &AtomicU8, action: impl FnOnce() -> bool) -> bool {
    let begun = state.compare_exchange(NOT_YET, BEGUN, Ordering::Acquire, Ordering::Acquire);
    match begun {
        Ok(_) => {
            let is_done = action();
            if is_done {
                state.store(DONE, Ordering::Release);
            }
            is_done
        }
        Err(found) => found == DONE,
    }
}

/// The same for a thread as long as it lives, and another for each thread that lives.
#[inline(always)]
fn thread_pointer() -> usize {
    let pointer;
    // SAFETY: it reads the word at `fs:0`, which holds its own address from before the thread's first instruction
    // until its last, and never changes.
    unsafe {
        asm!("mov {}, fs:0", out(reg) pointer, options(pure, nomem, nostack, preserves_flags));
    }
    pointer
}

impl Addresses {
    /// Without an address.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const NONE: Self = Self {
        entries: [const {
            Entry { thread: AtomicUsize::new(VACANT), place: AtomicPtr::new(ptr::null_mut()) }
        }; ENTRIES],
        chained: AtomicU8::new(NOT_YET),
        next: AtomicPtr::new(ptr::null_mut()),
    };

    /// The entry that a thread may have.
    ///
    /// Stacks lie side by side, with the thread pointers at their ends. For the usual sizes of 64 KiB to 64 MiB the factor
    /// gives each of eight neighbours another entry.
    #[inline(always)]
    fn entry(&self, thread: usize) -> &Entry {
        &self.entries[(thread.wrapping_mul(0x6dd0_745f) >> 32) % ENTRIES]
    }

    /// The address in this thread, if it is known.
    #[inline(always)]
    pub(super) fn find(&self) -> Option<NonNull<()>> {
        let this = thread_pointer();
        let entry = self.entry(this);
        if entry.thread.load(Ordering::Relaxed) != this {
            return None;
        }
        // SAFETY: what was entered is not null (`enter`).
        Some(unsafe { NonNull::new_unchecked(entry.place.load(Ordering::Relaxed)) })
    }

    /// Notes the address in this thread, unless another has the entry. To be removed before the thread-local is gone.
    pub(super) fn enter(&'static self, place: NonNull<()>) {
        static FORKS: AtomicU8 = AtomicU8::new(NOT_YET);

        // The handler only stores into atomics.
        let follow_forks = || pthread_atfork(None, None, Some(forget_others)) == 0;
        if !once(&FORKS, follow_forks) || !once(&self.chained, || self.chain()) {
            return;
        }
        let this = thread_pointer();
        let entry = self.entry(this);
        let (acquire, relaxed) = (Ordering::Acquire, Ordering::Relaxed);
        if entry.thread.compare_exchange(VACANT, TAKEN, acquire, relaxed).is_ok() {
            entry.place.store(place.as_ptr(), relaxed);
            entry.thread.store(this, Ordering::Release);
        }
    }

    /// Removes the address in this thread.
    pub(super) fn remove(&self) {
        let this = thread_pointer();
        let entry = self.entry(this);
        if entry.thread.load(Ordering::Relaxed) == this {
            entry.thread.store(VACANT, Ordering::Release);
        }
    }

    /// Puts it before those that are chained.
    fn chain(&'static self) -> bool {
        let mut next = CHAIN.load(Ordering::Relaxed);
        loop {
            self.next.store(next, Ordering::Relaxed);
            let this = ptr::from_ref(self).cast_mut();
            let (release, relaxed) = (Ordering::Release, Ordering::Relaxed);
            match CHAIN.compare_exchange(next, this, release, relaxed) {
                Ok(_) => return true,
                Err(found) => next = found,
            }
        }
    }
}

#[cfg(test)]
mod tests;
