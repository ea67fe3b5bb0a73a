//! How a map is shown.

use typed_pool::pools::PoolMap;
use typed_pool::{FreeList, PoolBox};

/// The text without what differs from run to run.
fn text(map: impl std::fmt::Display) -> String {
    let mut text = String::new();
    for line in map.to_string().lines() {
        let line = match (line.find(" at 0x"), line.find(": ")) {
            (Some(from), Some(to)) => format!("{}{}", &line[..from], &line[to..]),
            _ if line.starts_with("a trim") => line.split_once("; ").unwrap().1.into(),
            _ => line.into(),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// The numbers from 0 on that are asked for stay.
fn map_of(slots: usize, made: usize, stays: impl Fn(usize) -> bool) -> PoolMap {
    let pool = FreeList::<usize>::bounded(slots).with_name("numbers");
    let mut all: Vec<PoolBox<usize, _>> = (0..made).map(|n| pool.alloc(n)).collect();
    all.retain(|n| stays(**n));
    pool.map()
}

#[cfg(all(not(feature = "hardened"), target_pointer_width = "64"))]
#[test]
fn a_small_pool() {
    let map = map_of(20, 16, |n| n < 6 || n % 3 == 0);
    let expected = "\
numbers: 10 of 20 slots of 8 bytes live, in 1 chunk, BYTES bytes
chunk 0: 10 of 20 live
|███▀▄ ▀▄  |
chunks by tenths of live slots, from empty to full: 0 0 0 0 0 1 0 0 0 0
the longest vacant run is 4 slots
";
    assert_eq!(text(&map), expected.replace("BYTES", &map.bytes().to_string()));
}

#[test]
fn lines_are_as_wide_as_told() {
    let map = map_of(100, 100, |n| n != 50);
    let lines = |text: String| -> Vec<String> {
        text.lines().filter(|line| line.starts_with('|')).map(str::to_owned).collect()
    };
    let widths = |text: String| -> Vec<usize> {
        lines(text).iter().map(|line| line.chars().count()).collect()
    };
    assert_eq!(widths(format!("{map}")), [52]);
    assert_eq!(widths(format!("{map:30}")), [30, 24]);
    assert_eq!(widths(format!("{map:12}")), [12; 5]);
    // Two slots a half block, and then one of any.
    assert_eq!(widths(format!("{map:12.3}")), [12, 12, 7]);
    assert_eq!(widths(format!("{map:12.1}")), [9]);
    assert_eq!(lines(format!("{map:#12.1}")).len(), 5);
    assert!(format!("{map:12.3}").contains("a half block is 2 slots"));
    assert!(!format!("{map:#12.3}").contains("a half block is"));
    // The one that is vacant: upper, and a shade where two are drawn as one.
    assert_eq!(lines(format!("{map}"))[0].chars().position(|c| c == '▄'), Some(26));
    let shades = |text: &str| text.chars().filter(|c| ('░'..='▓').contains(c)).collect::<String>();
    let coarse = format!("{map:12.3}");
    let (drawn, _) = coarse.split_once("a half block").unwrap();
    assert!(!drawn.contains('▄') && shades(drawn) == "▓", "{drawn}");
    // Too narrow for anything.
    assert_eq!(widths(format!("{map:1}"))[0], 8);
}

/// A slot in a hundred is live, and so a cell is not full that has one.
#[test]
fn a_scattered_pool_looks_scattered() {
    let drawn_of = |map: &PoolMap| {
        let text = format!("{map:42.2}");
        let (drawn, legend) = text.split_once("\na half block is ").unwrap();
        assert!(
            legend.starts_with("64 slots, all live; ░ ▒ ▓ are 128, and live by thirds\n"),
            "{text}"
        );
        drawn.split_once('|').unwrap().1.to_owned()
    };
    let count = |drawn: &str, shade| drawn.chars().filter(|&c| c == shade).count();
    let with = |stays: fn(usize) -> bool| drawn_of(&map_of(10_000, 10_000, stays));
    let scattered = with(|n| n % 100 == 0);
    assert_eq!((count(&scattered, '░'), count(&scattered, '█')), (78, 0));
    let half = with(|n| n % 2 == 0);
    assert_eq!(count(&half, '▒'), 79);
    let nearly_full = with(|n| n % 10 != 0);
    assert_eq!(count(&nearly_full, '▓'), 79);
    let in_order = with(|n| n < 64 * 51);
    assert_eq!((count(&in_order, '█'), count(&in_order, '▀'), count(&in_order, '░')), (25, 1, 0));
}

#[test]
fn nothing_is_drawn_of_nothing() {
    let map = FreeList::<u64>::new().map();
    assert_eq!(map.to_string().lines().count(), 1);
    assert!(map.to_string().contains(": 0 of 0 slots of 8 bytes live, in 0 chunks, 0 bytes"));
}

#[cfg(feature = "serde")]
#[test]
fn a_map_as_json() {
    let map = map_of(4, 3, |n| n != 1);
    let json = serde_json::to_value(&map).unwrap();
    assert_eq!(
        (&json["name"], &json["live"], &json["vacant"]),
        (&"numbers".into(), &2.into(), &2.into())
    );
    let runs = serde_json::json!([["live", 1], ["vacant", 1], ["live", 1], ["never used", 1]]);
    assert_eq!(json["chunks"][0]["runs"], runs);
}

mod pictures {
    use std::fs;
    use std::path::Path;

    use typed_pool::FreeList;
    use typed_pool::pools::PoolMap;

    use super::map_of;

    /// How many tags there are; panics if one is not ended, or ends what did not begin.
    fn tags(picture: &str) -> usize {
        let (mut open, mut count) = (Vec::new(), 0);
        assert!(picture.starts_with('<'));
        for part in picture.split('<').skip(1) {
            let (tag, text) = part.split_once('>').unwrap();
            let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name));
            } else {
                count += 1;
                open.extend((!tag.ends_with('/')).then_some(name));
            }
            let is_escape = |rest: &str| ["amp;", "lt;", "gt;"].iter().any(|e| rest.starts_with(e));
            assert!(!text.contains('>') && text.split('&').skip(1).all(is_escape), "{text}");
        }
        assert!(open.is_empty(), "{open:?}");
        count
    }

    #[test]
    fn a_picture_is_well_formed() {
        for map in [
            map_of(20, 16, |n| n % 3 == 0),
            map_of(0, 0, |_| true),
            map_of(5000, 5000, |n| n % 7 == 0),
        ] {
            let picture = map.to_svg();
            assert!(tags(&picture) > 10);
            assert_eq!(picture, map.to_svg(), "the same each time");
        }
        // What must be escaped.
        let pool = FreeList::<Option<&str>>::new();
        let kept = pool.alloc(Some("<&\">"));
        assert!(pool.map().to_svg().contains("Option&lt;&amp;str&gt;"));
        tags(&pool.map().to_svg());
        drop(kept);
    }

    #[test]
    fn the_strokes_are_where_the_slots_are() {
        let picture = map_of(8, 4, |n| n != 1).to_svg();
        // Live: 0, 2 and 3; vacant or live: 0 to 3; never used: 4 to 7.
        assert!(picture.contains("d=\"M16 56h7M30 56h14M"), "{picture}");
        assert!(picture.contains("d=\"M16 56h28M"), "{picture}");
        assert!(picture.contains("d=\"M44 56h28M"), "{picture}");
    }

    /// A pool from which two of three elements were freed at random, and one of as many elements that was filled anew.
    fn scattered_and_in_order() -> [PoolMap; 2] {
        let mut random = fastrand::Rng::with_seed(19);
        [true, false].map(|is_scattered| {
            let pool = FreeList::<[f32; 8]>::named("particles");
            let mut all: Vec<_> = (0..2000).map(|n| pool.alloc([n as f32; 8])).collect();
            if is_scattered {
                random.shuffle(&mut all);
                all.truncate(700);
            } else {
                drop(all);
                all = (0..700).map(|n| pool.alloc([n as f32; 8])).collect();
            }
            pool.map()
        })
    }

    /// `PICTURES=overwrite cargo test --test map pictures` writes them.
    #[cfg_attr(
        any(feature = "hardened", not(target_pointer_width = "64")),
        ignore = "slots come in another order, or in other chunks"
    )]
    #[test]
    fn the_pictures_in_the_documentation_are_these() {
        let maps = scattered_and_in_order();
        for (map, name) in maps.iter().zip(["scattered", "in-order"]) {
            let file = format!("{}/docs/maps/{name}.svg", env!("CARGO_MANIFEST_DIR"));
            let picture = map.to_svg();
            assert!(picture.len() < 40_000, "{name}: {}", picture.len());
            println!("{map:80}");
            if std::env::var("PICTURES").is_ok_and(|value| value == "overwrite") {
                fs::create_dir_all(Path::new(&file).parent().unwrap()).unwrap();
                fs::write(&file, &picture).unwrap();
            }
            // Where the heap has put the chunks, and so their order, differs from run to run.
            let committed = fs::read_to_string(&file).unwrap();
            assert!(committed.len().abs_diff(picture.len()) < 200, "{name}");
        }
        let [scattered, in_order] = maps.map(|map| map.longest_vacant_run());
        assert!(in_order > 10 * scattered, "{in_order} {scattered}");
    }
}
