//! Another roster in the place of a type's own: it keeps the type's limit, chunk size and name.

use core::mem;

use crate::base::config::Config;
use crate::base::ledger::RosterAccount;
use crate::roster::word::live_slots;
use crate::roster::{Roster, Store};

/// What stays even if another roster is put into the place of a type's own.
pub(crate) struct Kept {
    config: Config,
    account: RosterAccount,
    capacity: usize,
    inserted: usize,
}

impl<T> Roster<T> {
    /// Moves the elements into memory of whole granules, which more can be added to.
    #[cold]
    #[inline(never)]
    fn lengthen(&mut self) {
        let granules = self.capacity().max(self.config.first).div_ceil(Store::<T>::GRANULE);
        let capacity = granules.saturating_mul(Store::<T>::GRANULE).min(self.limit());
        let tables =
            self.directory.larger_tables(capacity).unwrap_or_else(|error| self.no_room(error));
        let mut store = Store::<T>::new();
        store.try_grow(capacity).unwrap_or_else(|error| self.no_room(error));
        for slot in live_slots(self.directory.words()) {
            let line = self.store.sites.get(slot);
            // SAFETY: the slot is live, and its element is used in the new store from now on.
            let element = unsafe { self.store.take(slot) };
            // SAFETY: the new store has more slots than the old one, all with memory, and each is filled once.
            unsafe { store.put(slot, element, line) };
        }
        // The old one gives its memory back, and drops no element.
        self.store = store;
        self.directory.grow(tables, capacity, self.first_word);
    }

    /// Whether the roster cannot grow, though its limit allows it: its memory ends in the middle of a granule.
    #[allow(clippy::modulo_one, reason = "a granule may be one slot")]
    fn is_cut_short(&self) -> bool {
        self.capacity() < self.limit() && self.capacity() % Store::<T>::GRANULE != 0
    }

    /// Calls `f`, which may put another roster in the place of the one that `holder` has: limit, first chunk and name
    /// stay, and what is known of the roster.
    #[inline]
    pub(crate) fn keep_config<H, R>(
        holder: &mut H,
        roster: fn(&mut H) -> &mut Self,
        f: impl FnOnce(&mut H) -> R,
    ) -> R {
        struct Keep<'a, H, T> {
            holder: &'a mut H,
            roster: fn(&mut H) -> &mut Roster<T>,
            kept: Kept,
        }

        impl<H, T> Drop for Keep<'_, H, T> {
            fn drop(&mut self) {
                (self.roster)(self.holder).restore_config(&mut self.kept);
            }
        }

        let kept = roster(holder).set_aside();
        f(Keep { holder, roster, kept }.holder)
    }

    /// Tells those who ask how many elements there are.
    pub(crate) fn tell(&self) {
        let others = [self.directory.reserved, self.directory.retired];
        self.account.get().tell(self.len(), others);
    }

    /// To be called before another roster may be put into the place of this one, which has no account until
    /// [`Roster::restore_config`].
    pub(crate) fn set_aside(&mut self) -> Kept {
        let (config, capacity, inserted) = (self.config, self.capacity(), self.inserted());
        Kept { config, capacity, inserted, account: self.account.set_aside() }
    }

    /// How many elements came in so far, also as part of another roster. (The number wraps.)
    pub(crate) fn inserted(&self) -> usize {
        self.directory.inserted
    }

    /// Gives what stays to the roster, which may be another one by now. Once.
    pub(crate) fn restore_config(&mut self, kept: &mut Kept) {
        self.config = kept.config;
        if !self.account.is_set_aside() {
            self.directory.go_on_from(kept.inserted);
        }
        let account = mem::replace(&mut kept.account, RosterAccount::NONE);
        if self.account.put_back(account, self.store.chunks()) || self.capacity() != kept.capacity {
            self.note();
        }
        // What was assigned has to fit the configuration.
        if self.is_cut_short() {
            self.lengthen();
        }
        if self.is_over_limit() {
            self.close();
        }
    }
}
