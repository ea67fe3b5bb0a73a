//! The messages that the FAQ quotes are those that the library has.

use std::panic::{AssertUnwindSafe, catch_unwind};

const FAQ: &str = include_str!("../src/guide/faq.md");

/// Types of the names that the FAQ has.
mod game {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = 2)]
    pub(crate) struct Bullet(#[expect(dead_code)] pub(crate) [f32; 4]);

    #[derive(Pooled)]
    #[pool(strategy = roster)]
    pub(crate) struct Monster(#[expect(dead_code)] pub(crate) u32);

    #[derive(Pooled)]
    #[pool(strategy = roster)]
    pub(crate) struct Unit(#[expect(dead_code)] pub(crate) u32);

    #[derive(Pooled, Clone, Copy)]
    pub(crate) struct Order(#[expect(dead_code)] pub(crate) [u64; 4]);
}

/// Returns a panic's message: numbers and addresses as `#`, paths from this program's own root.
fn said<R>(f: impl FnOnce() -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| drop(f()))).expect_err("it panics");
    let constant = || panic.downcast_ref::<&str>().copied();
    normal(panic.downcast_ref::<String>().map(String::as_str).or_else(constant).expect("a message"))
}

fn normal(message: &str) -> String {
    let words = message.split_inclusive(' ').map(|word| match word.strip_prefix("0x") {
        Some(digits) => format!("#{}", digits.trim_start_matches(|d: char| d.is_ascii_hexdigit())),
        None => {
            let digits = word.find(|d: char| d.is_ascii_digit());
            let end =
                digits.map(|at| at + word[at..].chars().take_while(char::is_ascii_digit).count());
            match digits.zip(end) {
                Some((at, end)) => format!("{}#{}", &word[..at], &word[end..]),
                None => word.to_owned(),
            }
        }
    });
    words.collect::<String>().replace("`faq::", "`")
}

/// Whether the message is the quoted one, of which `..` may stand for the rest.
fn is_quoted(quoted: &str, message: &str) -> bool {
    match quoted.strip_suffix("..") {
        Some(beginning) => message.starts_with(beginning),
        None => message == quoted,
    }
}

#[test]
fn messages_read_as_they_are_quoted() {
    use game::{Bullet, Monster, Order, Unit};
    use typed_pool::{FreeList, PoolBox, PoolBoxIn, Pooled, Roster};

    let mut messages = Vec::new();

    let _two = [0.0, 1.0].map(|n| PoolBox::new(Bullet([n; 4])));
    messages.push(said(|| PoolBox::new(Bullet([2.0; 4]))));
    messages.push(said(|| Bullet::pool_reserve(3)));

    messages.push(said(|| Monster::pool_with(|_| Monster::pool_insert(Monster(1)))));
    let mut monsters = Roster::new();
    let gone = monsters.insert(Monster(1));
    monsters.remove(gone);
    messages.push(said(|| &monsters[gone] as *const Monster));

    let mut units = Roster::new();
    let unit = units.insert(Unit(1));
    messages.push(said(|| units.reattach(unit, Unit(2))));
    messages.push(said(|| {
        Unit::pool_insert_with(|unit| {
            Unit::pool_with(|units| *units = Roster::new());
            Unit(unit.index() as u32)
        })
    }));

    if cfg!(any(debug_assertions, feature = "hardened")) {
        let orders = FreeList::new();
        let [first, _second] = [1, 2].map(|n| PoolBoxIn::into_raw(orders.alloc(Order([n; 4]))));
        // SAFETY: it came from there.
        drop(unsafe { PoolBoxIn::from_raw_in(first, &orders) });
        // SAFETY: none; it is caught.
        messages.push(said(|| unsafe { PoolBoxIn::from_raw_in(first, &orders) }));
        let mut other = Order([3; 4]);
        // SAFETY: none; it is caught.
        messages.push(said(|| unsafe { PoolBox::<Order>::from_raw(&raw mut other) }));
        if cfg!(feature = "hardened") {
            let byte = first.cast::<u8>().wrapping_add(8);
            // SAFETY: none; the slot is vacant, and its chunk is there.
            unsafe { byte.write(0x0b) };
            messages.push(said(|| orders.alloc(Order([4; 4]))));
        }
    }

    let mut quoted = FAQ.split("```text\n").skip(1).flat_map(|block| {
        block.split("\n```").next().unwrap_or_default().lines().map(normal).collect::<Vec<_>>()
    });
    let found: Vec<_> = quoted.by_ref().collect();
    for message in &messages {
        assert!(
            found.iter().any(|line| is_quoted(line, message)),
            "not in the FAQ: {message}\n{found:#?}"
        );
    }
    let is_made = |line: &&String| !messages.iter().any(|message| is_quoted(line, message));
    let missing: Vec<_> = found.iter().filter(is_made).collect();
    let only_hardened =
        |line: &&String| line.starts_with("use after free") || line.contains(" free: ");
    let expected = if cfg!(feature = "hardened") {
        0
    } else if cfg!(debug_assertions) {
        1
    } else {
        3
    };
    assert_eq!(missing.len(), expected, "quoted, and not said: {missing:#?}");
    assert!(missing.into_iter().all(|line| only_hardened(&line)));
}

/// Messages in the table of panics.
#[test]
fn words_of_the_table_are_in_messages() {
    use typed_pool::{Rewind, Roster, SecondaryMap};

    let mut roster = Roster::new();
    let handle = roster.insert(1);
    let map = SecondaryMap::<i32, u8>::new();
    let lost = said(|| map[handle]);
    let mut rewind: Rewind<u8> = [1].into_iter().collect();
    let mark = rewind.mark();
    rewind.confirm_all();
    let forgotten = said(|| rewind.changes(mark).count());
    for (words, message) in
        [("no value in the secondary map", lost), ("no changes of the rewind", forgotten)]
    {
        assert!(FAQ.contains(words) && message.contains(words), "{words}: {message}");
    }
}
