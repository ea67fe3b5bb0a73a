//! A random program's own books, by line, agree with what is listed, at every step.

use std::any::type_name;
use std::collections::BTreeMap;

use typed_pool::pools::Site;
use typed_pool::{ByLayout, Handle, PoolBox, Pooled, RosterHandles, SharedByLayout, any, init};

use crate::by_line;

/// The elements of one type, each with the line that made it.
trait Subject {
    fn step(&mut self, random: &mut fastrand::Rng);

    /// What is live, by line, by the program's own books.
    fn books(&self) -> Vec<(u32, usize)>;

    fn sites(&self) -> Vec<Site>;

    fn type_name(&self) -> &'static str;
}

/// How often each line comes.
fn counted(lines: impl Iterator<Item = u32>) -> Vec<(u32, usize)> {
    let mut counts = BTreeMap::new();
    lines.for_each(|line| *counts.entry(line).or_insert(0) += 1);
    counts.into_iter().collect()
}

/// Something panics within; the message is not printed.
fn interrupted(f: impl FnOnce()) {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
    assert!(caught.is_err());
}

struct Stop;

fn stop() -> ! {
    std::panic::resume_unwind(Box::new(Stop))
}

/// Types that can be made of a number.
macro_rules! types {
    ($($type:ident: $(#[$attribute:meta])*;)*) => {$(
        #[derive(Pooled)]
        $(#[$attribute])*
        struct $type([u64; 3]);

        impl From<u64> for $type {
            fn from(value: u64) -> Self {
                Self([value; 3])
            }
        }
    )*};
}

types! {
    List: ;
    Stack: #[pool(strategy = pointer_stack)];
    Limited: #[pool(max = 100, chunk = 3)];
    Shared: #[pool(static, strategy = pointer_stack)];
    SharedList: #[pool(static, strategy = free_list)];
    SharedLimited: #[pool(static, max = 200)];
    Fixed: #[pool(static, capacity = 50)];
    FixedList: #[pool(static, capacity = 50, strategy = free_list)];
    Counted: #[pool(rc)];
    Listed: #[pool(strategy = roster)];
    SharedListed: #[pool(strategy = roster, static)];
}

struct InBoxes<T: Pooled>(Vec<(u32, PoolBox<T>)>);

impl<T: Pooled + From<u64>> Subject for InBoxes<T> {
    fn step(&mut self, random: &mut fastrand::Rng) {
        let Self(kept) = self;
        match random.u8(..100) {
            0 => kept.clear(),
            1 => {
                T::pool_trim();
            }
            2 if T::pool_stats().limit.is_none() => T::pool_reserve(random.usize(..20)),
            // One that was never made has no site.
            3 if T::pool_stats().limit.is_none() => {
                interrupted(|| drop(T::pool_alloc_with(|| stop())));
            }
            4..=30 if !kept.is_empty() => drop(kept.swap_remove(random.usize(..kept.len()))),
            31..=50 => {
                let made = T::pool_try_alloc_with(|| T::from(1));
                kept.extend(made.ok().map(|made| (line!() - 1, made)));
            }
            51..=60 => {
                let made = PoolBox::try_new(T::from(2));
                kept.extend(made.ok().map(|made| (line!() - 1, made)));
            }
            61..=70 => {
                let made = PoolBox::try_init(init::value(T::from(4)));
                kept.extend(made.ok().map(|made| (line!() - 1, made)));
            }
            _ => {
                let slot = PoolBox::<T>::try_new_uninit();
                kept.extend(slot.ok().map(|slot| (line!() - 1, slot.write(T::from(3)))));
            }
        }
    }

    fn books(&self) -> Vec<(u32, usize)> {
        counted(self.0.iter().map(|(line, _)| *line))
    }

    fn sites(&self) -> Vec<Site> {
        T::pool_sites()
    }

    fn type_name(&self) -> &'static str {
        type_name::<T>()
    }
}

struct InRoster<T>(Vec<(u32, Handle<T>)>);

impl<T: Pooled<RosterHandles> + From<u64>> Subject for InRoster<T> {
    fn step(&mut self, random: &mut fastrand::Rng) {
        let Self(kept) = self;
        match random.u8(..100) {
            0 => {
                kept.clear();
                T::pool_clear();
            }
            1 => {
                T::pool_trim();
            }
            2 => interrupted(|| _ = T::pool_insert_with(|_| stop())),
            3..=30 if !kept.is_empty() => {
                _ = T::pool_remove(kept.swap_remove(random.usize(..kept.len())).1);
            }
            31..=40 if !kept.is_empty() => {
                let at = random.usize(..kept.len());
                let (line, handle) = &mut kept[at];
                let element = T::pool_with(|all| all.detach(*handle)).unwrap();
                T::pool_with(|all| all.reattach(*handle, element));
                *line = line!() - 1;
            }
            41..=43 => {
                // They move, and are not made anew.
                let mut all = T::pool_borrow_mut();
                let taken = std::mem::take(&mut *all);
                *all = taken;
            }
            44..=50 => kept.push((line!(), T::pool_insert_with(|_| T::from(1)))),
            _ => kept.push((line!(), T::pool_insert(T::from(2)))),
        }
    }

    fn books(&self) -> Vec<(u32, usize)> {
        counted(self.0.iter().map(|(line, _)| *line))
    }

    fn sites(&self) -> Vec<Site> {
        T::pool_sites()
    }

    fn type_name(&self) -> &'static str {
        type_name::<T>()
    }
}

/// Elements of any type, in the pools of the thread or in the ones of the process, which only this test uses.
struct AnyType(Vec<(u32, any::Box<dyn Anything>)>);

trait Anything {}

impl<T> Anything for T {}

impl Subject for AnyType {
    fn step(&mut self, random: &mut fastrand::Rng) {
        let Self(kept) = self;
        match random.u8(..4) {
            0 if !kept.is_empty() => drop(kept.swap_remove(random.usize(..kept.len()))),
            1 => kept
                .push((line!(), typed_pool::unsize!(any::Box::new([1_u8; 100]) => dyn Anything))),
            _ => {
                let (line, b) = (line!(), any::Box::new([1_u64; 3]));
                kept.push((line, typed_pool::unsize!(b => dyn Anything)));
            }
        }
    }

    fn books(&self) -> Vec<(u32, usize)> {
        counted(self.0.iter().map(|(line, _)| *line))
    }

    fn sites(&self) -> Vec<Site> {
        ByLayout::sites()
    }

    fn type_name(&self) -> &'static str {
        "ByLayout"
    }
}

struct AnyThread(Vec<(u32, any::Arc<[u8; 70]>)>);

impl Subject for AnyThread {
    fn step(&mut self, random: &mut fastrand::Rng) {
        let Self(kept) = self;
        match random.u8(..4) {
            0 if !kept.is_empty() => drop(kept.swap_remove(random.usize(..kept.len()))),
            1 if !kept.is_empty() => {
                let other = kept[0].1.clone();
                drop(other);
            }
            2 => kept.push((line!(), any::Arc::new_with(|| [2; 70]))),
            _ => kept.push((line!(), any::Arc::new([1; 70]))),
        }
    }

    fn books(&self) -> Vec<(u32, usize)> {
        counted(self.0.iter().map(|(line, _)| *line))
    }

    fn sites(&self) -> Vec<Site> {
        let mut sites = SharedByLayout::sites();
        sites.retain(|site| site.location.file() == file!());
        sites
    }

    fn type_name(&self) -> &'static str {
        "SharedByLayout"
    }
}

/// Whether the report shows the biggest of these lines below the type's own.
fn check_report(report: &str, subject: &dyn Subject) {
    let books = subject.books();
    let own = format!("{} ", subject.type_name());
    let rows: Vec<_> = report.lines().collect();
    let Some(at) = rows.iter().position(|row| row.starts_with(&own)) else {
        return assert!(books.is_empty(), "{}", subject.type_name());
    };
    let below = rows[at + 1..].iter().take_while(|row| row.starts_with("  "));
    let shown: Vec<_> = below.filter(|row| row.contains(" live, ")).collect();
    assert_eq!(shown.len(), books.len().min(3), "{report}");
    for row in shown {
        let (live, place) = row.split_once(" live, ").unwrap();
        let is_shown = |&&(line, count): &&(u32, usize)| {
            place.contains(&format!("{}:{line}:", file!())) && live.trim() == count.to_string()
        };
        assert_eq!(books.iter().filter(is_shown).count(), 1, "{row}: {books:?}");
    }
}

#[test]
fn the_books_agree_at_every_step() {
    let mut random = fastrand::Rng::with_seed(19);
    let mut subjects: Vec<Box<dyn Subject>> = vec![
        Box::new(InRoster::<Listed>(Vec::new())),
        Box::new(InRoster::<SharedListed>(Vec::new())),
    ];
    subjects.extend([
        Box::new(InBoxes::<List>(Vec::new())) as Box<dyn Subject>,
        Box::new(InBoxes::<Stack>(Vec::new())),
        Box::new(InBoxes::<Limited>(Vec::new())),
        Box::new(InBoxes::<Shared>(Vec::new())),
        Box::new(InBoxes::<SharedList>(Vec::new())),
        Box::new(InBoxes::<SharedLimited>(Vec::new())),
        Box::new(InBoxes::<Fixed>(Vec::new())),
        Box::new(InBoxes::<FixedList>(Vec::new())),
        Box::new(InBoxes::<Counted>(Vec::new())),
        Box::new(AnyType(Vec::new())),
        Box::new(AnyThread(Vec::new())),
    ]);

    for step in 0..if cfg!(miri) { 60 } else { 3000 } {
        let at = random.usize(..subjects.len());
        let subject = &mut subjects[at];
        subject.step(&mut random);
        let sites = subject.sites();
        assert_eq!(by_line(&sites), subject.books(), "{}", subject.type_name());
        assert!(sites.is_sorted_by(|one, next| one.live >= next.live));
        if step % 50 == 0 {
            let report = typed_pool::report().to_string();
            // Pools by layout are several, and other tests share them.
            let of_types = subjects.iter().filter(|subject| subject.type_name().contains("::"));
            of_types.for_each(|subject| check_report(&report, &**subject));
        }
        assert!(sites.iter().all(|site| site.location.file() == file!()));
    }
    drop(subjects);
    Listed::pool_clear();
    SharedListed::pool_clear();
}
