//! The page `typed_pool::guide::misuse` says what the commonest cases in `tests/ui` say.
//!
//! `GUIDE=overwrite cargo test --test ui guide` makes it anew. Each of these cases begins with what it is and
//! how to mend it, or with the case that it is a variation of:
//!
//! ```text
//! //! A comma left out                        //! As `missing_comma`: after a key without a value.
//! //!
//! //! Fix: write `chunk = 64, max = 128`.
//! ```

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "src/guide/misuse.md";
const INTRODUCTION: &str = include_str!("introduction.md");
const CONCLUSION: &str = include_str!("conclusion.md");

/// The cases on the page, in its order.
const COMMONEST: [&str; 16] = [
    "shape/not_derived",
    "shape/value_given_to_pool_alloc",
    "ownership/moved_out_of_a_box",
    "ownership/function_as_a_method",
    "ownership/self_of_a_box",
    "ownership/box_sent_to_thread",
    "shape/foreign_type",
    "shape/trait_object",
    "objects/without_unsize",
    "objects/closure_without_types",
    "handles/boxes_of_a_roster",
    "handles/pool_get_without_a_closure",
    "layout/too_small",
    "frames/reset_while_borrowed",
    "frames/reference_asked_for",
    "frames/sent_to_thread",
];

#[test]
fn page_is_in_step() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = page();
    if std::env::var_os("GUIDE").is_some_and(|value| value == "overwrite") {
        fs::write(path, page).unwrap();
        return;
    }
    let found = read(&path);
    let differs = found.lines().zip(page.lines()).position(|(found, page)| found != page);
    assert!(
        found == page,
        "{PAGE} is not what the cases in tests/ui make it, from line {} on: run \
         `GUIDE=overwrite cargo test --test ui guide`, and read what changed",
        1 + differs.unwrap_or(found.lines().count().min(page.lines().count())),
    );
}

fn ui() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui")
}

fn page() -> String {
    let entries = COMMONEST.iter().map(|case| {
        let (class, name) = case.split_once('/').unwrap();
        Case::of(class, name).entry()
    });
    INTRODUCTION.to_owned() + &entries.collect::<String>() + CONCLUSION
}

/// A misuse: one file of `tests/ui`, with those that vary it.
struct Case {
    title: String,
    fix: String,
    code: String,
    message: String,
    variations: Vec<String>,
}

impl Case {
    fn of(class: &str, name: &str) -> Self {
        let folder = ui().join(class);
        let path = folder.join(format!("{name}.rs"));
        let source = read(&path);
        let (head, code) = split_head(&source);
        let (title, fix) = head.split_once("\n\nFix: ").unwrap_or_else(|| not_so(&path));
        Self {
            title: title.to_owned(),
            fix: fix.replace('\n', " "),
            code: bare_code(code),
            message: first_lines(&read(&path.with_extension("stderr"))),
            variations: variations(&folder, name),
        }
    }

    fn entry(&self) -> String {
        let Self { title, fix, code, message, variations } = self;
        let mut entry = format!("\n## {title}\n\n```rust,compile_fail\n{code}\n```\n\n");
        writeln!(entry, "```text\n{message}\n```\n\n*Fix:* {fix}").unwrap();
        if !variations.is_empty() {
            writeln!(entry, "\n*Likewise:* {}.", variations.join("; ")).unwrap();
        }
        entry
    }
}

/// How the cases of a folder vary this one, in the order of their names.
fn variations(folder: &Path, name: &str) -> Vec<String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let source = read(&path);
            let (head, _) = split_head(&source);
            if let Some(how) = head.strip_prefix(&format!("As `{name}`: ")) {
                found.insert(path, how.trim_end_matches('.').to_owned());
            }
        }
    }
    found.into_values().collect()
}

/// The first line of each error, without its notes.
fn first_lines(message: &str) -> String {
    let mut errors: Vec<&str> = message.lines().filter(|line| line.starts_with("error")).collect();
    errors.dedup();
    errors.join("\n")
}

fn read(path: &Path) -> String {
    let text = fs::read_to_string(path);
    text.unwrap_or_else(|e| panic!("{}: {e}", path.display())).replace("\r\n", "\n")
}

fn not_so<T>(path: &Path) -> T {
    panic!("{} does not begin as the head of tests/ui/guide.rs says", path.display())
}

/// The text of the comment at the beginning, and what follows.
fn split_head(source: &str) -> (String, &str) {
    let end = source.lines().take_while(|line| line.starts_with("//!")).count();
    let head = source.lines().take(end).map(|line| line.trim_start_matches("//!").trim());
    let rest = source.splitn(end + 1, '\n').last().unwrap();
    (head.collect::<Vec<_>>().join("\n"), rest)
}

/// The code without what every case has.
fn bare_code(code: &str) -> String {
    let is_noise = |line: &&str| line.starts_with("#![") || *line == "fn main() {}";
    let lines: Vec<&str> = code.lines().filter(|line| !is_noise(line)).collect();
    lines.join("\n").replace("\n\n\n", "\n\n").trim().to_owned()
}
