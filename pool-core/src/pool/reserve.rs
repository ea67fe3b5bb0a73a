//! Room for more elements: how a pool reserves it, and what it says when there is none.

use core::alloc::Layout;

use crate::base::reserve_error::ReserveError;
use crate::strategy::{Slots, Strategy};

impl<S: Strategy> Slots<S> {
    /// Makes room for `additional` more slots, in a pool that is called `name` unless it was given a name. `elsewhere` of its live
    /// slots are vacant, in batches.
    pub(crate) fn try_reserve(
        &self,
        additional: usize,
        elsewhere: usize,
        name: &'static str,
        slot: Layout,
    ) -> Result<(), ReserveError> {
        self.make_room(additional.saturating_sub(elsewhere), slot).map_err(|request| {
            let (config, live) = (&self.cursor.config, self.live(slot) - elsewhere);
            self.cursor.account.refused();
            let error = ReserveError::new(name, config, live, additional, S::bytes_each(slot));
            ReserveError { request, weak: self.weak(), ..error }
        })
    }

    /// [`Slots::try_reserve`], with what the heap was asked for in vain.
    fn make_room(&self, additional: usize, slot: Layout) -> Result<(), Option<Layout>> {
        let (cursor, config) = (&self.cursor, &self.cursor.config);
        if S::HAS_BLOCKS {
            // There is nothing to reserve.
            let room = S::CAPACITY.max(config.max.saturating_sub(self.live(slot)));
            return if additional <= room { Ok(()) } else { Err(None) };
        }
        if cursor.is_ending() {
            // The thread is ending, and what is not in use would never be given back.
            return Ok(());
        }
        self.release_all(slot);
        let present = cursor.chain.slots();
        let vacant = present - self.live(slot);
        let Some(missing @ 1..) = additional.checked_sub(vacant) else { return Ok(()) };
        if !cursor.may_grow_by(missing) {
            return Err(None);
        }
        // A reserve of one at a time must not make a chunk of each, and the fixed block of a
        // bounded pool is made whole or not at all.
        let wanted = if config.is_fixed() { config.max } else { missing.max(present) };
        let wanted = wanted.min(config.max.saturating_sub(present));
        let least = if config.is_fixed() { wanted } else { missing };
        let _old_array = match self.grow_by(wanted, slot) {
            None if least < wanted => self.grow_by(least, slot),
            grown => grown,
        }
        .ok_or_else(|| S::largest_block(least, slot))?;
        self.note(slot);
        Ok(())
    }
}
