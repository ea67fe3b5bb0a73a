//! How a map is shown.

use std::fs;

use typed_pool::pools::PoolMap;
use typed_pool::{FreeList, PoolBoxIn};

/// The numbers from 0 on that are asked for stay.
fn map_of(slots: usize, made: usize, stays: impl Fn(usize) -> bool) -> PoolMap {
    let pool = FreeList::<usize>::bounded(slots).with_name("numbers");
    let mut all: Vec<PoolBoxIn<usize, _>> = (0..made).map(|n| pool.alloc(n)).collect();
    all.retain(|n| stays(**n));
    pool.map()
}

/// The cells that are drawn, line by line.
fn cells(map: &PoolMap) -> Vec<String> {
    let text = map.to_string();
    let lines = text.lines().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    lines.map(str::to_owned).collect()
}

#[cfg(all(not(feature = "hardened"), target_pointer_width = "64"))]
#[test]
fn a_small_pool() {
    let map = map_of(20, 16, |n| n < 6 || n % 3 == 0);
    let chunk = map.chunks().next().unwrap();
    let expected = format!(
        "\
numbers: 10 of 20 slots of 8 bytes live, in 1 chunk, {} bytes
chunk 0 at {:#x}: 10 of 20 live
|███████··█··█··█    |
a cell is 1 slot; blank never used; · vacant; ░ in use: up to a quarter; ▒ a half; ▓ three quarters; █ more",
        chunk.bytes(),
        chunk.address()
    );
    assert_eq!(map.to_string(), expected);
}

/// However large the pool, the lines are few and fit a terminal.
#[test]
fn a_cell_stands_for_several_slots_of_a_large_pool() {
    for slots in [1, 79, 80, 81, 1920, 1921, 5000, 100_000] {
        let map = map_of(slots, 1, |_| true);
        let (lines, text) = (cells(&map), map.to_string());
        let drawn: usize = lines.iter().map(|line| line.chars().count()).sum();
        assert!(lines.len() <= 24 && lines.iter().all(|line| line.chars().count() <= 80), "{text}");
        let scale = slots.div_ceil(1920).next_power_of_two();
        assert_eq!(drawn, slots.div_ceil(scale), "{text}");
        let plural = if scale == 1 { "" } else { "s" };
        assert!(
            text.contains(&format!(
                "\na cell is {scale} slot{plural}; blank never used; · vacant; "
            )),
            "{text}"
        );
    }
}

/// A slot in a hundred is live, and so a cell is not full that has one.
#[test]
fn a_scattered_pool_looks_scattered() {
    // In cells of 8 slots.
    let drawn = |stays: fn(usize) -> bool| cells(&map_of(8000, 8000, stays)).concat();
    let all = |shade: char| shade.to_string().repeat(1000);
    assert_eq!(drawn(|n| n % 8 == 0), all('░'));
    assert_eq!(drawn(|n| n % 2 == 0), all('▒'));
    assert_eq!(drawn(|n| n % 8 > 2), all('▓'));
    assert_eq!(drawn(|n| n % 8 > 1), all('▓'));
    assert_eq!(drawn(|n| n % 8 > 0), all('█'));
    assert_eq!(drawn(|_| false), all(' '), "as if it had never been used");
    let in_order = drawn(|n| n < 800);
    assert_eq!(in_order, all('█')[..300].to_owned() + &all('·')[..1800]);
}

#[test]
fn nothing_is_drawn_of_nothing() {
    let map = FreeList::<u64>::new().map();
    let text = map.to_string();
    assert!(text.contains(": 0 of 0 slots of 8 bytes live, in 0 chunks, 0 bytes\n"), "{text}");
    assert_eq!((text.lines().count(), cells(&map).len()), (2, 0));
}

#[cfg(feature = "serde")]
#[test]
fn a_map_as_json() {
    let map = map_of(4, 3, |n| n != 1);
    let chunk = map.chunks().next().unwrap();
    let runs = serde_json::json!([["live", 1], ["vacant", 1], ["live", 1], ["never used", 1]]);
    let expected = serde_json::json!({
        "name": "numbers", "slot_bytes": size_of::<usize>(),
        "chunks": [{ "address": chunk.address(), "bytes": chunk.bytes(), "live": 2, "runs": runs }]
    });
    assert_eq!(serde_json::to_value(&map).unwrap(), expected);
}

/// The tags of a picture, without their brackets; panics if one is not ended, or ends what did not begin.
fn tags(picture: &str) -> Vec<&str> {
    let (mut open, mut tags) = (Vec::new(), Vec::new());
    for piece in picture.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a bracket ends");
        assert!(!text.contains(['>', '"']) && tag.matches('"').count() % 2 == 0, "{piece}");
        for reference in text.split('&').skip(1) {
            assert!(
                ["amp;", "lt;", "gt;"].iter().any(|name| reference.starts_with(name)),
                "{text}"
            );
        }
        let name = tag.split([' ', '/']).find(|name| !name.is_empty()).unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        tags.push(tag);
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    tags
}

#[test]
fn a_picture_is_well_formed() {
    for map in [
        map_of(20, 16, |n| n % 3 == 0),
        map_of(5000, 5000, |n| n % 7 == 0),
        FreeList::<u64>::new().map(),
    ] {
        let picture = map.to_svg();
        let tags = tags(&picture);
        assert!(tags[0].starts_with("svg xmlns=") && tags.len() > 10, "{picture}");
        assert_eq!(picture, map.to_svg(), "the same each time");
    }
    // What must be escaped.
    let pool = FreeList::<Option<&str>>::new();
    let kept = pool.alloc(Some("<&\">"));
    assert!(pool.map().to_svg().contains("Option&lt;&amp;str&gt;"));
    tags(&pool.map().to_svg());
    drop(kept);
}

#[cfg(not(feature = "hardened"))]
#[test]
fn the_cells_are_where_the_slots_are() {
    let picture = map_of(8, 4, |n| n != 1).to_svg();
    // Cells are 11 wide. Live: 0, 2 and 3; vacant: 1; never used: 4 to 7.
    let expected =
        [(16, 11, "#0b5e50"), (27, 11, "#cbd2d9"), (38, 22, "#0b5e50"), (60, 44, "#edf0f2")];
    let expected = expected.map(|(x, width, colour)| {
        format!("rect x=\"{x}\" y=\"48\" width=\"{width}\" height=\"11\" fill=\"{colour}\"/")
    });
    let tags = tags(&picture);
    let drawn: Vec<_> = tags.iter().filter(|tag| tag.contains(" y=\"48\" ")).collect();
    assert!(drawn.into_iter().eq(expected.iter()), "{picture}");
}

/// A pool from which two of three elements were freed at random, and one of as many elements that was filled anew.
fn scattered_and_in_order() -> [PoolMap; 2] {
    let mut random = fastrand::Rng::with_seed(19);
    [true, false].map(|is_scattered| {
        let pool = FreeList::<[f32; 8]>::new().with_name("particles");
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
    for (map, name) in scattered_and_in_order().iter().zip(["scattered", "in-order"]) {
        let file = format!("{}/docs/maps/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        let picture = map.to_svg();
        assert!(picture.len() < 40_000, "{name}: {}", picture.len());
        println!("{map}");
        if std::env::var("PICTURES").is_ok_and(|value| value == "overwrite") {
            fs::write(&file, &picture).unwrap();
        }
        // Where the heap has put the chunks, and so their order, differs from run to run.
        let committed = fs::read_to_string(&file).unwrap();
        assert!(committed.len().abs_diff(picture.len()) < 400, "{name}: {}", picture.len());
    }
}
