//! Another roster in the place of a type's own: the account of the type's pool stays.

use core::mem;

use crate::base::ledger::RosterAccount;
use crate::roster::Roster;

/// What stays even if another roster is put into the place of a type's own.
pub(crate) struct Kept {
    account: RosterAccount,
    capacity: usize,
}

impl<T> Roster<T> {
    /// Calls `f`, which may put another roster in the place of this one: what is known of it stays.
    #[inline]
    pub(crate) fn keep_account<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        struct Keep<'a, T>(&'a mut Roster<T>, Kept);

        impl<T> Drop for Keep<'_, T> {
            fn drop(&mut self) {
                self.0.restore_account(&mut self.1);
            }
        }

        let kept = self.set_aside();
        f(Keep(self, kept).0)
    }

    /// Tells those who ask how many elements there are.
    pub(crate) fn tell(&self) {
        let others = [self.directory.reserved, self.directory.retired];
        self.account.get().tell(self.len(), others);
    }

    /// To be called before another roster may be put into the place of this one, which has no account until
    /// [`Roster::restore_account`].
    pub(crate) fn set_aside(&mut self) -> Kept {
        Kept { capacity: self.capacity(), account: self.account.set_aside() }
    }

    /// Gives the account to the roster, which may be another one by now. Once.
    pub(crate) fn restore_account(&mut self, kept: &mut Kept) {
        let account = mem::replace(&mut kept.account, RosterAccount::NONE);
        if self.account.put_back(account, self.store.chunks()) || self.capacity() != kept.capacity {
            self.note();
        }
    }
}
