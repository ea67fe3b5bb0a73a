//! `docs/unsafe.md` lists each place that hides unsafe code, and each room.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::files;

/// Finds the items that safe code leans on: each `unsafe impl` without its bounds, and each macro that others
/// can call.
fn found_in(source: &str, found: &mut BTreeSet<String>) {
    let before_tests = source.split("\nmod tests {").next().unwrap();
    let code = |line: &&str| !line.starts_with("//");
    let mut lines = before_tests.lines().map(str::trim).filter(code).peekable();
    while let Some(line) = lines.next() {
        if line == "#[macro_export]" {
            let is_macro = |line: &&str| line.starts_with("macro_rules! ");
            let name = lines.find(is_macro).unwrap().trim_start_matches("macro_rules! ");
            found.insert(format!("{}!", name.trim_end_matches(" {")));
        }
        if let Some(at) = line.find("unsafe impl") {
            let mut header = line[at..].to_owned();
            while let Some(next) = lines.next_if(|next| next.starts_with("for ")) {
                header = format!("{header} {next}");
            }
            let header = header.trim_end_matches(" {}").trim_end_matches(" {");
            found.insert(header.split(" where ").next().unwrap().to_owned());
        }
    }
}

/// `docs/unsafe.md` says of each why nothing that a user writes can break it.
#[test]
fn all_that_hides_unsafe_code_is_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut sources, mut found) = (Vec::new(), BTreeSet::new());
    for folder in ["src", "pool-core/src", "pool-derive/src"] {
        files(&root.join(folder), &["tests"], &[".rs"], &mut sources);
    }
    // Not unit tests.
    sources.retain(|path| !path.ends_with("tests.rs"));
    sources.iter().for_each(|path| found_in(&fs::read_to_string(path).unwrap(), &mut found));
    assert!(found.contains("init!"), "looked in the wrong place: {found:?}");

    let document = fs::read_to_string(root.join("docs/unsafe.md")).unwrap();
    let mut listed = BTreeSet::new();
    for row in document.lines().filter(|line| line.starts_with("| `")) {
        let (name, why) = row[3..].split_once("` | ").unwrap_or_else(|| panic!("not a row: {row}"));
        assert!(why.trim_end_matches(" |").ends_with('.'), "a sentence says why: {row}");
        assert!(listed.insert(name.to_owned()), "twice: {row}");
    }
    let missing: Vec<_> = found.difference(&listed).collect();
    let stale: Vec<_> = listed.difference(&found).collect();
    assert!(
        missing.is_empty() && stale.is_empty(),
        "docs/unsafe.md does not list {missing:#?}, and lists what is not there: {stale:#?}"
    );
}

/// The plan of reading at the beginning of `docs/unsafe.md` has a row for each room.
#[test]
fn each_room_is_in_the_plan_of_reading() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut rooms = BTreeSet::from(["pool-derive".to_owned()]);
    for entry in fs::read_dir(root.join("pool-core/src")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if path.is_file() && name != "lib" {
            rooms.insert(name.to_owned());
        }
    }
    let document = fs::read_to_string(root.join("docs/unsafe.md")).unwrap();
    let (page, _) = document.split_once("## The rules").unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let planned: BTreeSet<_> = rows.skip(1).map(str::to_owned).collect();
    assert_eq!(planned, rooms);
}
