//! States of several parts that are marked and gone back to together.

use alloc::boxed::Box;

use crate::rewind::Rewind;
use crate::rewind::mark::{Forgotten, Mark};

/// What can be marked and gone back to: a [`Rewind`], and a world of several, with one mark for all.
///
/// `#[derive(Rewindable)]` implements it for a struct whose fields do. On other fields, `#[rewind(clone)]` says that a mark
/// clones the field, which must be `Clone + Send + Sync + 'static` (a counter, a random number generator, a
/// [`SecondaryMap`](crate::SecondaryMap)), and `#[rewind(skip)]` that the field is no part of the state.
/// `#[rewind(crate = path)]` on the struct says where the library is.
///
/// A rewind of such a world happens as a whole or not at all. (If a field implements this trait by hand, it must know the marks that
/// the others know.) It makes no difference if a part has marks of its own besides.
///
/// # Examples
///
/// ```
/// use typed_pool::{Handle, Rewind, Rewindable};
///
/// #[derive(Clone)]
/// struct Monster { health: i32 }
///
/// #[derive(Clone)]
/// struct Bullet { target: Handle<Monster> }
///
/// #[derive(Rewindable, Default)]
/// struct World {
///     monsters: Rewind<Monster>,
///     bullets: Rewind<Bullet>,
///     #[rewind(clone)]
///     tick: u64,
///     #[rewind(skip)]
///     drawn: Vec<u8>,
/// }
///
/// let mut world = World::default();
/// let target = world.monsters.insert(Monster { health: 10 });
/// let mark = world.mark();
///
/// world.tick += 1;
/// world.bullets.insert(Bullet { target });
/// world.monsters[target].health = 0;
///
/// world.rewind(mark).unwrap();
/// assert_eq!((world.tick, world.bullets.len()), (0, 0));
/// assert_eq!(world.monsters[target].health, 10);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be gone back to by itself",
    label = "is neither a `Rewind` nor a struct with `#[derive(Rewindable)]`",
    note = "above the field write `#[rewind(clone)]`, and each mark clones it, or `#[rewind(skip)]`, and it stays as it is"
)]
pub trait Rewindable {
    /// Gives the present state a name, to go back to: [`Rewind::mark`].
    fn mark(&mut self) -> Mark;

    /// Makes everything as it was at the mark: [`Rewind::rewind`].
    ///
    /// # Errors
    ///
    /// [`Forgotten`], and nothing changes, if a later mark was confirmed or an earlier one was gone back to.
    fn rewind(&mut self, mark: Mark) -> Result<(), Forgotten>;

    /// Forgets what came before the mark: [`Rewind::confirm`].
    fn confirm(&mut self, mark: Mark);

    /// The least number that the next mark may have.
    #[doc(hidden)]
    fn __next(&self) -> u64 {
        0
    }

    /// [`Rewindable::mark`], whose mark has this number, if it is not less than [`Rewindable::__next`].
    #[doc(hidden)]
    fn __mark_from(&mut self, number: u64) -> Mark {
        let _ = number;
        self.mark()
    }

    /// Whether there is such a mark.
    #[doc(hidden)]
    fn __knows(&self, mark: Mark) -> bool {
        let _ = mark;
        true
    }

    /// [`Rewindable::rewind`] up to what runs destructors, which [`Rewindable::__drop_spent`] does.
    #[doc(hidden)]
    fn __rewind(&mut self, mark: Mark) -> Result<(), Forgotten> {
        self.rewind(mark)
    }

    #[doc(hidden)]
    fn __drop_spent(&mut self) {}

    /// How many values it keeps by itself for each mark.
    #[doc(hidden)]
    fn __count_kept(&self) -> usize {
        0
    }

    /// Keeps a clone of a value for a mark, under this number.
    #[doc(hidden)]
    fn __keep<V: Clone + Send + Sync + 'static>(&mut self, mark: Mark, number: usize, value: &V)
    where
        Self: Sized,
    {
        let _ = (mark, number, value);
        panic!(
            "the first field of a rewindable struct that has neither `#[rewind(clone)]` nor `#[rewind(skip)]` keeps the \
             values of the others: it must be a `Rewind`, or derive `Rewindable`"
        );
    }

    /// A clone of what was kept.
    #[doc(hidden)]
    fn __kept<V: Clone + Send + Sync + 'static>(&mut self, mark: Mark, number: usize) -> Option<V>
    where
        Self: Sized,
    {
        let _ = (mark, number);
        None
    }
}

impl<T: Clone> Rewindable for Rewind<T> {
    fn mark(&mut self) -> Mark {
        self.mark_from(0)
    }

    #[cfg_attr(feature = "sites", track_caller)]
    fn rewind(&mut self, mark: Mark) -> Result<(), Forgotten> {
        self.rewind(mark)
    }

    fn confirm(&mut self, mark: Mark) {
        self.confirm(mark);
    }

    fn __next(&self) -> u64 {
        self.next
    }

    fn __mark_from(&mut self, number: u64) -> Mark {
        self.mark_from(number)
    }

    fn __knows(&self, mark: Mark) -> bool {
        self.knows(mark)
    }

    fn __rewind(&mut self, mark: Mark) -> Result<(), Forgotten> {
        self.rewind_state(mark)
    }

    fn __drop_spent(&mut self) {
        self.drop_spent();
    }

    fn __keep<V: Clone + Send + Sync + 'static>(&mut self, mark: Mark, number: usize, value: &V) {
        let Some(kept) = self.log.as_mut().and_then(|log| log.kept(mark)) else { return };
        if kept.len() <= number {
            kept.resize_with(number + 1, || None);
        }
        // What a forgotten mark has kept is written over.
        match kept[number].as_mut().and_then(|kept| kept.downcast_mut::<V>()) {
            Some(kept) => kept.clone_from(value),
            None => kept[number] = Some(Box::new(value.clone())),
        }
    }

    fn __kept<V: Clone + Send + Sync + 'static>(&mut self, mark: Mark, number: usize) -> Option<V> {
        let kept = self.log.as_mut()?.kept(mark)?.get(number)?.as_ref()?;
        kept.downcast_ref::<V>().cloned()
    }
}

/// Of a struct whose parts were marked together.
///
/// # Panics
///
/// If a part has another mark than the others.
#[doc(hidden)]
#[track_caller]
pub fn __one_mark(mark: Option<Mark>, of_part: Mark) -> Option<Mark> {
    assert!(
        mark.is_none_or(|mark| mark == of_part),
        "the parts of a rewindable struct have different marks: one that implements `Rewindable` by hand must mark a `Rewind` \
         whenever it is marked, and at no other time"
    );
    Some(of_part)
}
