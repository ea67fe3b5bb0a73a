//! The table, what a machine reads of it, and what has changed between two.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::thread;

use typed_pool::pools::{PoolInfo, Report, Snapshot, Storage};
use typed_pool::{FreeList, PoolBox, Pooled, RawPointerStack, Roster, report};

fn row(report: &Report, name: &str) -> PoolInfo {
    let is_it = |row: &&PoolInfo| row.name == Some(name) || row.type_name == name;
    *report.rows().iter().find(is_it).unwrap()
}

/// The words of the line that begins like this. (Lines of the program stand below, with the feature `sites`.)
fn words(report: &Report, start: &str) -> Vec<String> {
    let text = report.to_string();
    let (table, legend): (Vec<_>, Vec<_>) =
        text.lines().filter(|line| !line.starts_with("  ")).partition(|line| {
            !["lists ", "threads: ", "high: "].iter().any(|start| line.starts_with(start))
        });
    assert_eq!(legend.len(), 3, "{text}");
    let widths: Vec<_> = table.iter().map(|line| line.chars().count()).collect();
    assert!(widths.iter().all(|width| *width == widths[0]), "in columns:\n{text}");
    let line =
        table.iter().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{text}"));
    line.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_table_has_a_line_for_each_type_and_one_of_totals() {
    #[derive(Pooled)]
    #[pool(name = "report/large", capacity = 1000)]
    struct Large([u64; 16]);
    #[derive(Pooled)]
    #[pool(name = "report/small", capacity = 8)]
    struct Small([u64; 2]);
    #[derive(Pooled)]
    #[pool(name = "report/static", static, strategy = roster)]
    struct Everybody([u64; 2]);
    #[derive(Pooled)]
    #[pool(name = "report/ahead", static)]
    struct Ahead([u64; 2]);

    let _ahead = PoolBox::new(Ahead([0; 2]));
    let kept = (PoolBox::new(Large([0; 16])), [(); 6].map(|()| PoolBox::new(Small([0; 2]))));
    Everybody::pool_insert(Everybody([0; 2]));
    let report = report();
    let small = row(&report, "report/small");
    assert_eq!(
        (row(&report, "report/large").live, small.live, small.capacity),
        (Some(1), Some(6), 8)
    );
    assert!(report.rows().is_sorted_by(|a, b| a.bytes >= b.bytes));
    let head = words(&report, "pool");
    assert_eq!(
        head.join(" "),
        "pool strategy storage threads live high capacity chunks bytes failures"
    );
    let expected = format!("report/small free_list thread_local 1 6 6 8 1 {} 0", small.bytes);
    assert_eq!(words(&report, "report/small").join(" "), expected);
    assert_eq!(words(&report, "report/static")[1..6], ["roster", "static", "0", "1", "1"]);
    assert_eq!(words(&report, "report/ahead")[1..6], ["pointer_stack", "static", "0", "1", "-"]);
    let sum = |figure: fn(&PoolInfo) -> usize| report.rows().iter().map(figure).sum::<usize>();
    let total =
        ["total".into(), sum(|row| row.chunks).to_string(), sum(|row| row.bytes).to_string()];
    assert_eq!(words(&report, "total")[..3], total);
    drop(kept);
}

#[test]
fn what_only_another_thread_knows_is_a_dash() {
    #[derive(Pooled)]
    #[pool(name = "report/remote", chunk = 10)]
    struct Remote([u64; 4]);

    let ((order, orders), (done, answers)) = (channel::<()>(), channel());
    let worker = thread::spawn(move || {
        let kept = PoolBox::new(Remote([0; 4]));
        done.send(Remote::pool_stats()).unwrap();
        let _ = orders.recv();
        drop(kept);
    });
    let stats = answers.recv().unwrap();
    let (before, report) = (Snapshot::take(), report());
    assert_eq!(words(&report, "report/remote")[3..7], ["1", "-", "1", "10"]);
    assert_eq!(row(&report, "report/remote").bytes, stats.bytes);
    // What one of the snapshots does not know has no difference; the rest has.
    let kept = PoolBox::new(Remote([0; 4]));
    let now = Snapshot::take();
    let changes = now.diff(&before);
    let of = |name: &str| *changes.iter().find(|change| change.info.name == Some(name)).unwrap();
    let change = of("report/remote");
    assert_eq!((change.live, change.capacity, change.chunks), (None, 10, 1));
    let said = format!("report/remote: +10 slots, {:+} bytes in +1 chunk", stats.bytes);
    assert_eq!(change.to_string(), said);
    drop((kept, order));
    worker.join().unwrap();
    let later = Snapshot::take().diff(&now);
    let change = *later.iter().find(|change| change.info.name == Some("report/remote")).unwrap();
    assert_eq!((change.live, change.capacity, change.chunks), (Some(-1), -10, -1));
}

#[test]
fn a_difference_says_what_grew_and_what_shrank() {
    #[derive(Pooled)]
    #[pool(name = "report/first", capacity = 100)]
    struct First([u64; 4]);
    #[derive(Pooled)]
    #[pool(name = "report/second")]
    struct Second([u64; 4]);
    #[derive(Pooled)]
    #[pool(name = "report/tight", static, capacity = 1)]
    struct Tight([u64; 4]);

    let of = |name: &str, now: &Snapshot, before: &Snapshot| {
        let changes = now.diff(before);
        changes.iter().copied().find(|change| change.info.name == Some(name))
    };
    let held = PoolBox::new(Tight([0; 4]));
    drop(PoolBox::new(First([0; 4])));
    let before = Snapshot::take();
    Second::pool_reserve(1000);
    First::pool_trim();
    assert!(PoolBox::try_new(Tight([0; 4])).is_err());
    let now = Snapshot::take();
    let grew = of("report/second", &now, &before).unwrap();
    assert_eq!((grew.capacity, grew.chunks, grew.live), (1000, 1, Some(0)));
    assert!(grew.bytes >= 32_000);
    let shrank = of("report/first", &now, &before).unwrap();
    let said = format!("report/first: +0 live, -100 slots, {} bytes in -1 chunk", shrank.bytes);
    assert_eq!((shrank.to_string(), shrank.live), (said, Some(0)));
    assert!(shrank.bytes <= -3200);
    let tight = of("report/tight", &now, &before).unwrap().to_string();
    assert_eq!(tight, "report/tight: +0 live, +0 slots, +0 bytes in +0 chunks, +1 failure");
    let text = now.diff(&before).to_string();
    assert!(text.find("report/second").unwrap() < text.find("report/first").unwrap());
    assert_eq!(now.diff(&now).to_string(), "nothing has changed");
    assert!(now.diff(&now).is_empty());
    drop(held);
}

#[test]
fn pools_that_are_values_are_added() {
    let list = FreeList::<[u64; 4]>::bounded(4).with_name("report/list");
    let (first, second) = (Roster::from_iter([1_u64, 2]), Roster::from_iter([3_u64]));
    let raw = RawPointerStack::new(core::alloc::Layout::new::<[u64; 3]>(), 4).unwrap();
    let raw = raw.with_name("report/raw");
    let kept = list.alloc([0; 4]);
    let with =
        report().with(list.stats()).with(first.stats()).with(raw.stats()).with(second.stats());
    assert!(with.rows().is_sorted_by(|a, b| a.bytes >= b.bytes));
    let of_list = row(&with, "report/list");
    assert_eq!((of_list.storage, of_list.threads, of_list.live), (Storage::Owned, 0, Some(1)));
    assert_eq!((of_list.capacity, of_list.bytes), (4, list.stats().bytes));
    assert_eq!(words(&with, "report/list")[1..7], ["free_list", "owned", "0", "1", "1", "4"]);
    assert_eq!(words(&with, "report/raw")[1..5], ["pointer_stack", "owned", "0", "0"]);
    // Without names of their own they are called by their type, each in its line.
    let rosters = with.rows().iter().filter(|row| row.type_name == first.stats().name);
    let live: usize = rosters.filter_map(|row| row.live).sum();
    assert_eq!(live, 3);
    let is_value = |row: &&PoolInfo| row.storage == Storage::Owned;
    assert_eq!(with.rows().iter().filter(is_value).count(), 4);
    assert_eq!(report().rows().iter().filter(is_value).count(), 0, "they are not listed");
    drop(kept);
}

#[cfg(feature = "serde")]
#[test]
fn a_report_is_json() {
    #[derive(Pooled)]
    #[pool(name = "report/json", static, strategy = roster)]
    struct Json(u64);

    Json::pool_insert(Json(0));
    let before = Snapshot::take();
    let report = report();
    let json = serde_json::to_value(&report).unwrap();
    let of = |json: &serde_json::Value, name: &str| {
        json.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap().clone()
    };
    assert_eq!(json["pools"].as_array().unwrap().len(), report.rows().len());
    let found = row(&report, "report/json");
    let expected = serde_json::json!({
        "type_name": found.type_name, "name": "report/json", "strategy": "roster", "storage": "static", "threads": 0,
        "live": 1, "high_water": found.high_water, "capacity": found.capacity, "chunks": 1, "bytes": found.bytes,
        "failures": 0
    });
    assert_eq!(of(&json["pools"], "report/json"), expected);
    let bytes: usize = report.rows().iter().map(|row| row.bytes).sum();
    assert_eq!((&json["bytes"], json["failures"].is_u64()), (&bytes.into(), true));
    // Of this pool alone: other tests use theirs.
    assert_eq!(of(&serde_json::to_value(&before).unwrap()["pools"], "report/json"), expected);
    Json::pool_with(|_| {
        let json = serde_json::to_value(Snapshot::take()).unwrap();
        assert!(of(&json["pools"], "report/json")["live"].is_null(), "it is in use");
    });
    Json::pool_reserve(1000);
    Json::pool_insert(Json(1));
    let changes = serde_json::to_value(Snapshot::take().diff(&before)).unwrap();
    let change = of(&changes, "report/json");
    assert_eq!((&change["live"], &change["storage"]), (&1.into(), &"static".into()));
    assert!(change["capacity"].as_i64().unwrap() >= 1000);
}

/// A type's name is cut to what tells it from others, and one that is given is cut at its end.
#[test]
fn long_names_are_cut() {
    mod with_a_module_name_that_is_rather_long {
        #[derive(typed_pool::Pooled)]
        #[pool(capacity = 4)]
        pub(crate) struct FarAway(pub(crate) u64);
    }
    use with_a_module_name_that_is_rather_long::FarAway;

    let kept = PoolBox::new(FarAway(0));
    let name = "a name that somebody has thought about for a very long time";
    let named = FreeList::<BTreeMap<String, Vec<u8>>>::new().with_name(name);
    let generic = Roster::<BTreeMap<Vec<Option<[u64; 12]>>, Option<u64>>>::new();
    let report = report().with(named.stats()).with(generic.stats());
    words(&report, "FarAway ");
    words(&report, "a name that somebody has thought about …");
    words(&report, "BTreeMap<Vec<Option<[u64; 12]>>, Option… ");
    drop(kept);
}

/// Names with line ends, with control characters, and with characters that XML does not allow.
#[test]
fn names_are_escaped_wherever_they_are_shown() {
    #[derive(Pooled)]
    #[pool(name = "report/\u{1b}[31m\n\0\u{ffff}")]
    struct Odd(u64);

    const ODD: &str = "report/\u{1b}[31m\n\0\u{ffff}";
    const SHOWN: &str = "report/\\u{1b}[31m\\u{a}\\u{0}\\u{ffff}";
    let pool = FreeList::<u64>::bounded(1).with_name(ODD);
    let mut roster = Roster::<u64>::bounded(0).with_name(ODD);
    let before = Snapshot::take();
    let kept = (pool.alloc(1), PoolBox::new(Odd(1)));
    let said = [
        pool.stats().to_string(),
        pool.to_string(),
        pool.map().to_string(),
        pool.map().to_svg(),
        pool.try_alloc(2).unwrap_err().to_string(),
        roster.stats().to_string(),
        roster.try_insert(2).unwrap_err().to_string(),
        roster.try_reserve(2).unwrap_err().to_string(),
        report().to_string(),
        report().with(pool.stats()).to_string(),
        Snapshot::take().diff(&before).to_string(),
    ];
    for said in &said {
        assert!(said.contains(SHOWN), "{said}");
        let odd = |c: char| (c.is_control() && c != '\n') || c == '\u{ffff}';
        assert!(!said.contains(odd) && !said.contains("31m\n"), "{said}");
    }
    // What is left of a long name is not cut within an escape.
    let long = "report/a_name_with_many_words_that_end\nthere_and_some_behind_the_line";
    let report = report().with(Roster::<u64>::new().with_name(long).stats());
    words(&report, "report/a_name_with_many_words_that_end\\u{a}… ");
    drop(kept);
}
