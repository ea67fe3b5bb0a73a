//! States of several parts that are marked and gone back to together.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::mem;

use crate::rewind::Rewind;
use crate::rewind::log::{Forgotten, Kept, Mark};

/// What can be marked and gone back to: a [`Rewind`], and a world of several, with one mark for all.
///
/// `#[derive(Rewindable)]` implements it for a struct whose fields do. On other fields, `#[rewind(clone)]` says that a mark
/// clones the field, which must be `Clone + Send + Sync + 'static` (a counter, a random number generator, a
/// [`SecondaryMap`](crate::SecondaryMap)), and `#[rewind(skip)]` that the field is no part of the state.
/// `#[rewind(crate = path)]` on the struct says where the library is.
///
/// A rewind of such a world happens as a whole or not at all. (A field that implements this trait by hand has marks of its own, and
/// goes back before the others.) It makes no difference if a part is marked by itself besides; such a mark is no mark of the world.
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

    fn __parts<'a>(&'a mut self, show: &mut dyn FnMut(Part<'a>)) {
        show(Part(Kind::Rewind(self)));
    }
}

/// What a world consists of, whatever the types.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct Part<'a>(Kind<'a>);

enum Kind<'a> {
    Rewind(&'a mut dyn AnyRewind),
    /// And its [`step_value`].
    Value(&'a mut dyn Any, fn(&mut dyn Any, Step, &mut Kept) -> bool),
    /// It has marks of its own, which are kept as values are.
    ByHand(&'a mut dyn Rewindable),
}

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
pub fn __value<V: Clone + Keepable + 'static>(value: &mut V) -> Part<'_> {
    Part(Kind::Value(value, step_value::<V>))
}

/// What is done with all parts in turn. A rewind takes the steps from `Know` on.
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
    /// Drops what nobody can get back.
    Drop,
}

trait AnyRewind {
    fn next(&self) -> u64;
    /// What is kept beside it for a mark that it knows.
    fn kept(&mut self, mark: Mark) -> Option<&mut Vec<Kept>>;
    /// `false` if it does not know the mark.
    fn step(&mut self, step: Step, mark: Mark) -> bool;
}

impl<T: Clone> AnyRewind for Rewind<T> {
    fn next(&self) -> u64 {
        self.next
    }

    fn kept(&mut self, mark: Mark) -> Option<&mut Vec<Kept>> {
        self.log.as_mut()?.kept(mark)
    }

    fn step(&mut self, step: Step, mark: Mark) -> bool {
        match step {
            Step::Mark => self.mark_as(mark),
            Step::Confirm => self.confirm_state(mark),
            Step::Know => return self.knows(mark),
            Step::Clone | Step::Ask => {}
            Step::GoBack => return self.rewind_state(mark).is_ok(),
            Step::Drop => self.drop_spent(),
        }
        true
    }
}

/// A value as it was at a mark.
struct Versions<V> {
    kept: V,
    /// During a rewind, what the part becomes, and then what it was.
    spare: Option<V>,
}

/// A step of a value that marks clone, which is a `V`; `false` if there is nothing to go back to.
fn step_value<V: Clone + Send + Sync + 'static>(
    value: &mut dyn Any,
    step: Step,
    kept: &mut Kept,
) -> bool {
    let Some(value) = value.downcast_mut::<V>() else { return false };
    let Some(versions) = kept.as_mut().and_then(|kept| kept.downcast_mut::<Versions<V>>()) else {
        if step == Step::Mark {
            *kept = Some(Box::new(Versions { kept: value.clone(), spare: None }));
        }
        return step == Step::Mark;
    };
    match step {
        // What a forgotten mark has kept is written over.
        Step::Mark => versions.kept.clone_from(value),
        Step::Confirm | Step::Know | Step::Ask => {}
        Step::Clone => versions.spare = Some(versions.kept.clone()),
        Step::GoBack => versions.spare.iter_mut().for_each(|spare| mem::swap(value, spare)),
        Step::Drop => versions.spare = None,
    }
    true
}

/// A step of a part whose own mark is kept.
fn step_by_hand(part: &mut dyn Rewindable, step: Step, kept: &mut Kept) -> bool {
    let own = kept.as_ref().and_then(|kept| kept.downcast_ref::<Mark>().copied());
    match (step, own) {
        (Step::Mark, _) => *kept = Some(Box::new(part.mark())),
        (Step::Confirm, Some(own)) => part.confirm(own),
        (Step::Ask, own) => return own.is_some_and(|own| part.rewind(own).is_ok()),
        _ => {}
    }
    true
}

/// Takes a step with each part, up to one that has nothing to go back to.
fn each<W: Rewindable>(world: &mut W, mark: Mark, step: Step) -> bool {
    // The rewind that keeps values, and the number of the next one.
    let mut host: Option<(&mut dyn AnyRewind, usize)> = None;
    let mut is_whole = true;
    world.__parts(&mut |Part(part)| {
        if let Kind::Rewind(rewind) = part {
            is_whole &= rewind.step(step, mark);
            host = Some((rewind, 0));
            return;
        }
        let (rewind, number) = host.as_mut().expect(
            "the first field of a rewindable struct that has neither `#[rewind(clone)]` nor `#[rewind(skip)]` keeps the \
             values of the others: it must be a `Rewind`, or derive `Rewindable`",
        );
        let Some(kept) = rewind.kept(mark) else { return };
        if kept.len() <= *number {
            kept.resize_with(*number + 1, || None);
        }
        let kept = &mut kept[*number];
        *number += 1;
        is_whole = is_whole
            && match part {
                Kind::Value(value, step_value) => step_value(value, step, kept),
                Kind::ByHand(part) => step_by_hand(part, step, kept),
                Kind::Rewind(_) => true,
            };
    });
    is_whole
}

/// The least mark that no part has had, for as many parts as there are.
fn next<W: Rewindable>(world: &mut W) -> Mark {
    let mut mark = Mark { number: 0, parts: 0 };
    world.__parts(&mut |Part(part)| {
        mark.parts += 1;
        if let Kind::Rewind(rewind) = part {
            mark.number = mark.number.max(rewind.next());
        }
    });
    mark
}

/// Whether a mark was made of all parts together, and can be gone back to.
fn knows<W: Rewindable>(world: &mut W, mark: Mark) -> bool {
    next(world).parts <= mark.parts && each(world, mark, Step::Know)
}

/// Marks all parts.
pub fn __mark<W: Rewindable>(world: &mut W) -> Mark {
    let mark = next(world);
    each(world, mark, Step::Mark);
    mark
}

/// Makes all parts as they were, or none.
pub fn __rewind<W: Rewindable>(world: &mut W, mark: Mark) -> Result<(), Forgotten> {
    let mut is_possible = knows(world, mark);
    for step in [Step::Clone, Step::Ask, Step::GoBack, Step::Drop] {
        is_possible = is_possible && each(world, mark, step);
    }
    if is_possible { Ok(()) } else { Err(Forgotten) }
}

/// Confirms a mark of all parts.
pub fn __confirm<W: Rewindable>(world: &mut W, mark: Mark) {
    if knows(world, mark) {
        each(world, mark, Step::Confirm);
        each(world, mark, Step::Drop);
    }
}
