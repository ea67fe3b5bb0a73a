//! States of several parts that are marked and gone back to together.

use alloc::vec::Vec;
use core::any::Any;
use core::mem;

use crate::rewind::Rewind;
use crate::rewind::log::Kept;
use crate::rewind::mark::{Forgotten, Mark, get_or_make};

/// State that can be marked and rewound: a [`Rewind`], and a world of several, with one mark for all.
///
/// `#[derive(Rewindable)]` implements it for a struct whose fields do. On other fields, `#[rewind(clone)]` makes each mark clone
/// the field, and `#[rewind(skip)]` leaves the field out of the state. A cloned field must be `Clone + Send + Sync + 'static`: a
/// counter, a random number generator, a [`SecondaryMap`](crate::SecondaryMap). `#[rewind(crate = path)]` on the struct says where
/// the library is.
///
/// A rewind of such a world happens as a whole or not at all. (A field that implements this trait by hand has marks of its own, and
/// goes back before the others, once all parts [know](Rewindable::knows) theirs.) A mark of the world is good for each of its parts
/// as well. A part may also be marked by itself; the world does not know that mark.
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
    #[must_use = "a mark that is lost keeps what it needs until another is confirmed"]
    fn mark(&mut self) -> Mark;

    /// Restores the state at the mark: [`Rewind::rewind`].
    ///
    /// # Errors
    ///
    /// [`Forgotten`], which says why, and nothing changes.
    fn rewind(&mut self, mark: Mark) -> Result<(), Forgotten>;

    /// Forgets the marks before this one: [`Rewind::confirm`].
    fn confirm(&mut self, mark: Mark);

    /// Whether a rewind to this mark is possible. A world asks all its parts before it changes any. If a part that implements this
    /// by hand says `true` and then refuses, the parts before it stay rewound.
    fn knows(&mut self, mark: Mark) -> bool {
        _ = mark;
        true
    }

    /// Shows what it consists of. A value comes after the rewind whose log keeps it.
    #[doc(hidden)]
    fn __parts<'a>(&'a mut self, show: &mut dyn FnMut(Part<'a>))
    where
        Self: Sized,
    {
        show(Part(Kind::ByHand(self)));
    }
}

impl<T: Clone> Rewindable for Rewind<T> {
    fn mark(&mut self) -> Mark {
        self.mark()
    }

    #[track_caller]
    fn rewind(&mut self, mark: Mark) -> Result<(), Forgotten> {
        self.rewind(mark)
    }

    fn confirm(&mut self, mark: Mark) {
        self.confirm(mark);
    }

    fn knows(&mut self, mark: Mark) -> bool {
        Self::knows(self, mark)
    }

    fn __parts<'a>(&'a mut self, show: &mut dyn FnMut(Part<'a>)) {
        show(Part(Kind::Rewind(self)));
    }
}

/// A part of a world, whatever its type.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct Part<'a>(Kind<'a>);

enum Kind<'a> {
    Rewind(&'a mut dyn AnyRewind),
    /// And its [`step_value`].
    Value(&'a mut dyn Any, StepValue),
    /// It has marks of its own, which are kept as values are.
    ByHand(&'a mut dyn Rewindable),
}

type StepValue = fn(&mut dyn Any, Step, [&mut Kept; 2]) -> Result<(), Forgotten>;

/// A value of which marks keep clones.
#[diagnostic::on_unimplemented(
    message = "a mark cannot keep a clone of `{Self}`, since a rewind may go to another thread with it",
    label = "is not `Send` and `Sync`",
    note = "hold an `Arc` in place of an `Rc`, and an atomic in place of a `Cell`; or write `#[rewind(skip)]`: then it stays as it is"
)]
pub trait Keepable: Send + Sync {}

#[diagnostic::do_not_recommend]
impl<V: Send + Sync> Keepable for V {}

/// A part with `#[rewind(clone)]`.
pub fn cloned_part<V: Clone + Keepable + 'static>(value: &mut V) -> Part<'_> {
    Part(Kind::Value(value, step_value::<V>))
}

/// A step over all parts in turn. A rewind takes the steps from `Know` on.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Mark,
    Confirm,
    /// Asks for the mark.
    Know,
    /// Clones what was kept, since the mark stays good.
    Clone,
    /// Asks those who may refuse.
    Ask,
    /// Cannot fail, and runs no code of the user.
    GoBack,
    /// Drops values that no rewind can bring back, but for the values that were just replaced.
    Drop,
}

trait AnyRewind {
    /// The mark, or a later one that this rewind has not had either.
    fn after(&mut self, mark: Mark) -> Mark;
    /// Returns the values kept beside it for a mark that it knows, and room for as much.
    fn kept(&mut self, mark: Mark) -> Option<[&mut Vec<Kept>; 2]>;
    /// An error if it does not know the mark.
    fn step(&mut self, step: Step, mark: Mark) -> Result<(), Forgotten>;
}

impl<T: Clone> AnyRewind for Rewind<T> {
    fn after(&mut self, mark: Mark) -> Mark {
        let is_first = mark.origin == 0;
        let origin = if is_first { get_or_make(&mut self.world) } else { mark.origin };
        Mark { number: mark.number.max(self.next), origin }
    }

    fn kept(&mut self, mark: Mark) -> Option<[&mut Vec<Kept>; 2]> {
        self.log.kept(mark)
    }

    fn step(&mut self, step: Step, mark: Mark) -> Result<(), Forgotten> {
        match step {
            Step::Mark => self.mark_as(mark),
            Step::Confirm => self.log.confirm(mark),
            Step::Know if !self.knows(mark) => return Err(self.why_forgotten(mark)),
            Step::Know | Step::Clone | Step::Ask => {}
            // It knows the mark.
            Step::GoBack => _ = self.log.rewind(&mut self.roster, mark),
            Step::Drop => self.log.drop_spent(),
        }
        Ok(())
    }
}

/// A step of a value that marks clone, which is a `V`. `back` is what it becomes, and then
/// what it was: memory for the next clone.
fn step_value<V: Clone + Send + Sync + 'static>(
    value: &mut dyn Any,
    step: Step,
    [kept, back]: [&mut Kept; 2],
) -> Result<(), Forgotten> {
    let value = value.downcast_mut::<V>().ok_or(Forgotten::Foreign)?;
    if step == Step::Mark {
        kept.set(value);
    }
    let kept = kept.get::<V>().ok_or(Forgotten::Foreign)?;
    match (step, back.get::<V>()) {
        (Step::Clone, _) => back.set(kept),
        (Step::GoBack, Some(back)) => mem::swap(value, back),
        _ => {}
    }
    Ok(())
}

/// A step of a part whose own mark is kept.
#[inline]
fn step_by_hand(part: &mut dyn Rewindable, step: Step, kept: &mut Kept) -> Result<(), Forgotten> {
    if step == Step::Mark {
        kept.set(&part.mark());
    }
    let own = *kept.get::<Mark>().ok_or(Forgotten::Foreign)?;
    match step {
        Step::Confirm => part.confirm(own),
        Step::Know if !part.knows(own) => return part.rewind(own),
        Step::Ask => return part.rewind(own),
        _ => {}
    }
    Ok(())
}

/// Takes a step with each part, up to one that has nothing to go back to.
fn each<W: Rewindable>(world: &mut W, mark: Mark, step: Step) -> Result<(), Forgotten> {
    // The rewind that keeps values, and the number of the next one.
    let mut host: Option<(&mut dyn AnyRewind, usize)> = None;
    let mut result = Ok(());
    world.__parts(&mut |Part(part)| {
        if let Kind::Rewind(rewind) = part {
            result = result.and(rewind.step(step, mark));
            host = Some((rewind, 0));
            return;
        }
        let (rewind, number) = host.as_mut().expect(
            "the first field of a rewindable struct that has neither `#[rewind(clone)]` nor `#[rewind(skip)]` keeps the \
             values of the others: it must be a `Rewind`, or derive `Rewindable`",
        );
        let Some([kept, back]) = rewind.kept(mark).filter(|_| result.is_ok()) else { return };
        for list in [&mut *kept, &mut *back] {
            list.resize_with(list.len().max(*number + 1), Kept::default);
        }
        let [kept, back] = [&mut kept[*number], &mut back[*number]];
        *number += 1;
        result = match part {
            Kind::Value(value, step_value) => step_value(value, step, [kept, back]),
            Kind::ByHand(part) => step_by_hand(part, step, kept),
            Kind::Rewind(_) => Ok(()),
        };
    });
    result
}

/// Marks all parts.
pub fn mark<W: Rewindable>(world: &mut W) -> Mark {
    // The least mark that no part has had.
    let mut mark = Mark::NONE;
    world.__parts(&mut |Part(part)| {
        if let Kind::Rewind(rewind) = part {
            mark = rewind.after(mark);
        }
    });
    _ = each(world, mark, Step::Mark);
    mark
}

/// Makes all parts as they were, or none.
pub fn rewind<W: Rewindable>(world: &mut W, mark: Mark) -> Result<(), Forgotten> {
    let steps = [Step::Know, Step::Clone, Step::Ask, Step::GoBack, Step::Drop];
    steps.into_iter().try_for_each(|step| each(world, mark, step))
}

/// Confirms a mark of all parts.
pub fn confirm<W: Rewindable>(world: &mut W, mark: Mark) {
    _ = [Step::Know, Step::Confirm, Step::Drop]
        .into_iter()
        .try_for_each(|step| each(world, mark, step));
}

/// Whether all parts know a mark.
pub fn knows<W: Rewindable>(world: &mut W, mark: Mark) -> bool {
    each(world, mark, Step::Know).is_ok()
}
