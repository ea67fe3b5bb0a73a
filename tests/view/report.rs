//! The table, what a machine reads of it, and what has changed between two.

use std::sync::mpsc::channel;

use typed_pool::pools::{self, Report, Row, Snapshot};
use typed_pool::{FreeList, PoolBox, Pooled, Roster};

fn row(report: &Report, name: &str) -> Row {
    *report.rows().iter().find(|row| row.name == Some(name)).unwrap()
}

#[test]
fn the_table_has_a_line_for_each_type_and_one_of_totals() {
    #[derive(Pooled)]
    #[pool(name = "report/large", capacity = 1000)]
    struct Large([u64; 16]);
    #[derive(Pooled)]
    #[pool(name = "report/small", capacity = 8)]
    struct Small([u64; 2]);

    let kept = (PoolBox::new(Large([0; 16])), [(); 6].map(|()| PoolBox::new(Small([0; 2]))));
    let report = typed_pool::report();
    let (large, small) = (row(&report, "report/large"), row(&report, "report/small"));
    assert_eq!((large.live, large.capacity, large.use_percent(), large.pools), (1, 1000, 0, 1));
    assert_eq!((small.live, small.capacity, small.use_percent(), small.slot_bytes), (6, 8, 75, 16));
    assert!(report.rows().is_sorted_by(|a, b| a.bytes >= b.bytes));

    let text = report.to_string();
    let mut lines = text.lines();
    let head: Vec<_> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(
        head.join(" "),
        "pool strategy storage pools live high capacity use slot chunks bytes failures"
    );
    let line = lines.find(|line| line.starts_with("report/small")).unwrap();
    let words: Vec<_> = line.split_whitespace().collect();
    let chunks = small.chunks.to_string();
    let bytes = small.bytes.to_string();
    assert_eq!(
        words,
        [
            "report/small",
            "free_list",
            "thread_local",
            "1",
            "6",
            "6",
            "8",
            "75%",
            "16",
            &chunks,
            &bytes,
            "0"
        ]
    );
    // Lines of the program stand below, with the feature `sites`.
    let table = text.lines().filter(|line| !line.starts_with("  "));
    let widths: Vec<_> = table.map(|line| line.chars().count()).collect();
    assert!(widths.iter().all(|width| *width == widths[0]), "{text}");
    assert!(text.lines().last().unwrap().starts_with("total "));
    drop(kept);
}

trait AllocAndKeep {
    fn alloc_and_keep(self) -> Self;
}

impl AllocAndKeep for FreeList<u64> {
    fn alloc_and_keep(self) -> Self {
        drop(self.alloc(0));
        self
    }
}

#[test]
fn a_difference_says_what_grew_and_what_shrank() {
    let [first, second] = ["report/first", "report/second"].map(FreeList::<[u64; 4]>::named);
    first.reserve(100);
    let before = Snapshot::take();
    let of = |name: &str, now: &Snapshot| {
        let changes = now.diff(&before);
        changes.iter().copied().find(|change| change.name == Some(name))
    };
    second.reserve(1000);
    first.trim();
    let now = Snapshot::take();
    let (grew, shrank) = (of("report/second", &now).unwrap(), of("report/first", &now).unwrap());
    assert_eq!((grew.capacity, grew.chunks, grew.live), (1000, 1, 0));
    assert_eq!(
        shrank.to_string(),
        format!("report/first: +0 live, -100 slots, {} bytes in -1 chunk", shrank.bytes)
    );
    assert!(grew.bytes >= 32_000 && shrank.bytes <= -3200);
    let text = now.diff(&before).to_string();
    assert!(text.find("report/second").unwrap() < text.find("report/first").unwrap());
    drop(second);
    assert_eq!(of("report/second", &Snapshot::take()), None, "neither then nor now");
    assert_eq!(now.diff(&now).to_string(), "nothing has changed");
}

#[cfg(feature = "serde")]
#[test]
fn a_report_is_json() {
    let pool = FreeList::<[u64; 4]>::named("report/json").with_room();
    let before = Snapshot::take();
    let report = typed_pool::report();
    let json: serde_json::Value = serde_json::to_value(&report).unwrap();
    let rows = json["pools"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == "report/json").unwrap();
    assert_eq!((&row["strategy"], &row["storage"]), (&"free_list".into(), &"owned".into()));
    assert_eq!((&row["capacity"], &row["is_exact"]), (&10.into(), &true.into()));
    assert_eq!(rows.len(), report.rows().len());
    pool.reserve(1000);
    let changes = serde_json::to_value(Snapshot::take().diff(&before)).unwrap();
    let change = changes.as_array().unwrap().iter().find(|change| change["name"] == "report/json");
    assert_eq!(change.unwrap()["chunks"], 1);
}

#[cfg(feature = "serde")]
trait WithRoom {
    fn with_room(self) -> Self;
}

#[cfg(feature = "serde")]
impl WithRoom for FreeList<[u64; 4]> {
    fn with_room(self) -> Self {
        self.reserve(10);
        self
    }
}

/// A type's name is cut to what tells it from others.
#[test]
fn long_names_are_cut() {
    use std::collections::BTreeMap;

    let line = |start: &str| {
        let text = typed_pool::report().to_string();
        // Lines of the program stand below, with the feature `sites`.
        let table = text.lines().filter(|line| !line.starts_with("  "));
        let widths: Vec<_> = table.map(|line| line.chars().count()).collect();
        assert!(widths.iter().all(|width| *width == widths[0]), "{text}");
        text.lines().any(|line| line.starts_with(start))
    };

    mod with_a_module_name_that_is_rather_long {
        #[derive(typed_pool::Pooled)]
        #[pool(capacity = 4)]
        pub(crate) struct FarAway(pub(crate) u64);
    }
    use with_a_module_name_that_is_rather_long::FarAway;

    let kept = PoolBox::new(FarAway(0));
    assert!(line("FarAway "), "{}", typed_pool::report());
    let boxed = typed_pool::any::Box::new(0_u64);
    let name = "a name that somebody has thought about for a very long time";
    let named = FreeList::<BTreeMap<String, Vec<u8>>>::named(name);
    named.reserve(1);
    assert!(line("a name that somebody has thought about …"), "{}", typed_pool::report());
    drop((kept, boxed, named));
}

/// A line for each type, whatever its name has in it.
#[test]
fn a_name_does_not_end_its_line() {
    let before = Snapshot::take();
    let pool = FreeList::<u64>::named("report/two\nlines\u{1b}").alloc_and_keep();
    let now = Snapshot::take();
    for text in [now.to_string(), now.diff(&before).to_string()] {
        assert!(text.lines().any(|line| line.starts_with("report/two\\nlines\\u{1b}")), "{text}");
    }
    drop(pool);
}

/// What is left of a long name is escaped, and not cut within an escape.
#[test]
fn a_long_name_does_not_end_its_line() {
    let long = "report/a_name_with_many_words_that_end\nthere_and_some_behind_the_line";
    let pool = FreeList::<u64>::named(long);
    let kept = pool.alloc(1);
    let text = typed_pool::report().to_string();
    let start = "report/a_name_with_many_words_that_end\\n… ";
    assert!(text.lines().any(|line| line.starts_with(start)), "{text}");
    let mut leaks = pools::leaks().map(|leak| leak.to_string());
    let leak = leaks.find(|leak| leak.contains("report/a_name_with_many")).unwrap();
    assert!(leak.contains("that_end\\nthere") && leak.lines().count() == 1, "{leak}");
    drop(kept);
}

#[test]
fn a_total_is_marked_if_one_of_its_figures_is_not_exact() {
    let mut numbers = Roster::named("report/numbers");
    numbers.insert(1_u64);
    let text = typed_pool::report().to_string();
    let words: Vec<_> = text.lines().last().unwrap().split_whitespace().collect();
    assert!(words[0] == "total" && words[2].starts_with('~'), "{text}");
    drop(numbers);
}

#[test]
fn wide_slots_leave_the_columns_in_line() {
    let list = FreeList::<[u8; 1_234_568]>::named("report/wide");
    list.reserve(1);
    let text = typed_pool::report().to_string();
    assert!(text.contains(" 1234568 "), "{text}");
    let table = text.lines().filter(|line| !line.starts_with("  "));
    let widths: Vec<_> = table.map(|line| line.chars().count()).collect();
    assert!(widths.iter().all(|width| *width == widths[0]), "{text}");
}

#[test]
fn what_another_thread_publishes_is_seen_and_what_may_be_stale_is_marked() {
    #[derive(Pooled)]
    #[pool(name = "report/published", chunk = 1000)]
    struct Published([u64; 4]);
    #[derive(Pooled)]
    #[pool(name = "report/rostered", strategy = roster, chunk = 1000)]
    struct PublishedToo([u64; 4]);

    let names = ["report/published", "report/rostered"];
    let live = |report: &Report| names.map(|name| row(report, name).live);
    std::thread::scope(|scope| {
        let (order, orders) = channel::<()>();
        let (done, answers) = channel();
        let worker = scope.spawn(move || {
            let kept: Vec<_> = (0..700).map(|n| PoolBox::new(Published([n; 4]))).collect();
            (0..500).for_each(|n| _ = PublishedToo::pool_insert(PublishedToo([n; 4])));
            done.send(()).unwrap();
            orders.recv().unwrap();
            pools::publish();
            done.send(()).unwrap();
            let _ = orders.recv();
            drop(kept);
        });
        answers.recv().unwrap();
        let report = typed_pool::report();
        assert_ne!(live(&report), [700, 500], "as they grew");
        order.send(()).unwrap();
        answers.recv().unwrap();
        let report = typed_pool::report();
        assert_eq!(live(&report), [700, 500]);
        let found = row(&report, names[0]);
        assert_eq!((found.high_water, found.use_percent(), found.is_exact), (700, 70, false));
        let text = report.to_string();
        let line = text.lines().find(|line| line.starts_with(names[0])).unwrap();
        let words: Vec<_> = line.split_whitespace().collect();
        assert_eq!(words[4..8], ["~700", "~700", "1000", "~70%"]);

        drop(order);
        // The scope would end before the thread's pools do.
        worker.join().unwrap();
    });
    let exact = typed_pool::report();
    assert!(row(&exact, names[0]).is_exact && row(&exact, names[0]).live == 0);
}

/// What ends a line, what a terminal obeys, and what XML has no place for.
#[test]
fn names_are_escaped_wherever_they_are_shown() {
    const ODD: &str = "report/\u{1b}[31m\n\0\u{ffff}";
    const SHOWN: &str = "report/\\u{1b}[31m\\n\\u{0}\\u{ffff}";
    let pool = FreeList::<u64>::bounded(1).with_name(ODD);
    let mut roster = Roster::<u64>::bounded(0).with_name(ODD);
    let kept = pool.alloc(1);
    let said = [
        pool.stats().to_string(),
        pool.to_string(),
        pool.map().to_string(),
        pool.try_alloc(2).unwrap_err().to_string(),
        roster.stats().to_string(),
        roster.try_insert(2).unwrap_err().to_string(),
        roster.try_reserve(2).unwrap_err().to_string(),
        typed_pool::report().to_string(),
        pool.map().to_svg(),
    ];
    for said in &said {
        assert!(said.contains(SHOWN), "{said}");
        let odd = |c: char| (c.is_control() && c != '\n') || c == '\u{ffff}';
        assert!(!said.contains(odd) && !said.contains("31m\n"), "{said}");
    }
    drop(kept);
}
