//! Elements that are taken out.

use core::fmt;
use core::iter::FusedIterator;

use crate::base::exhausted::raised;
use crate::base::handle::Handle;
use crate::rewind::Rewind;
use crate::rewind::touched::{Memory, Touched};

impl<T: Clone> Rewind<T> {
    /// Removes the elements for which `is_to_go` returns `true`, and yields them in the order of memory. Where a rewind may need
    /// the element itself, as in [`Rewind::remove`], it yields a clone. Elements that the iterator does not reach stay. See
    /// [`Roster::extract_if`](crate::Roster::extract_if).
    ///
    /// # Panics
    ///
    /// `next` panics if `is_to_go` or a clone does; the element stays, and the iterator can go on behind it.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Rewind;
    ///
    /// let mut world: Rewind<i32> = [3, -1, 8].into_iter().collect();
    /// let mark = world.mark();
    /// let dead: Vec<_> = world.extract_if(|_, health| **health < 0).map(|(_, health)| health).collect();
    /// assert_eq!((dead, world.len()), (vec![-1], 2));
    /// world.rewind(mark).unwrap();
    /// assert!(world.values().eq(&[3, -1, 8]));
    /// ```
    pub fn extract_if<F: FnMut(Handle<T>, &mut Touched<'_, T>) -> bool>(
        &mut self,
        is_to_go: F,
    ) -> ExtractIf<'_, T, F> {
        ExtractIf { rewind: self, first: 0, is_to_go }
    }
}

/// From [`Rewind::extract_if`]: removes the elements that a closure chooses, in the order of memory.
#[must_use = "an iterator takes out nothing unless it is consumed; `retain` removes without a clone"]
pub struct ExtractIf<'a, T, F> {
    rewind: &'a mut Rewind<T>,
    /// The next slot to look at.
    first: usize,
    is_to_go: F,
}

impl<T: Clone, F: FnMut(Handle<T>, &mut Touched<'_, T>) -> bool> Iterator for ExtractIf<'_, T, F> {
    type Item = (Handle<T>, T);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            // The slot is passed before the closure, which may panic.
            let handle = self.rewind.roster.handle_from(&mut self.first)?;
            raised(self.rewind.try_reserve_entry());
            let Rewind { roster, log, .. } = &mut *self.rewind;
            let Some(element) = roster.get_mut(handle) else { continue };
            let memory = Memory::of(log);
            if (self.is_to_go)(handle, &mut Touched { handle, element, memory }) {
                let clone = log.keeps(handle.slot()).then(|| roster[handle].clone());
                let element = log.push_removed(handle, roster.remove(handle)?);
                return element.or(clone).map(|element| (handle, element));
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.rewind.len()))
    }
}

impl<T: Clone, F: FnMut(Handle<T>, &mut Touched<'_, T>) -> bool> FusedIterator
    for ExtractIf<'_, T, F>
{
}

impl<T, F> fmt::Debug for ExtractIf<'_, T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtractIf").finish_non_exhaustive()
    }
}
