//! The page `typed_pool::guide::misuse` says what the cases in `tests/ui` say.
//!
//! `GUIDE=overwrite cargo test --test ui guide` makes it anew. Each case begins with what it is and
//! how to mend it, or with the case that it is a variation of:
//!
//! ```text
//! //! A comma left out                        //! As `missing_comma`: after a key without a value.
//! //!
//! //! Fix: write `chunk = 64, max = 128`.
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "src/guide/misuse.md";
const INTRODUCTION: &str = include_str!("introduction.md");

/// The folders of `tests/ui`, in the order of the page.
const CLASSES: &[[&str; 3]] = &[
    ["attribute", "The attribute", "What is written in `#[pool(..)]`, and where that stands."],
    ["shape", "The type", "What can have a pool, and what it takes to use it."],
    [
        "generics",
        "Generics and lifetimes",
        "A pool is for one concrete type, and outlives borrows.",
    ],
    ["layout", "Sizes and limits", "What the element measures, and how many a pool may hold."],
    ["objects", "Trait objects", "What becomes an object in a pool, and where it may go."],
    ["ownership", "Boxes and pools", "Who owns an element, for how long, and in which thread."],
    [
        "handles",
        "Handles",
        "What hands out handles, what boxes, and for how long an element is lent.",
    ],
    [
        "static",
        "Static pools",
        "What a pool for all threads asks of its element, and of its declaration.",
    ],
    [
        "init",
        "Construction in place",
        "What `init!`, `#[derive(Zeroable)]` and reserved slots refuse.",
    ],
];

#[test]
fn page_is_in_step() {
    let page = page();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
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

#[test]
fn every_class_is_on_the_page() {
    for entry in fs::read_dir(ui()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        // What `hidden` shows is no mistake that one makes: attacks upon what is the library's own.
        let is_apart = ["hidden", "pass"].contains(&&*name);
        let is_known = is_apart || CLASSES.iter().any(|[class, ..]| *class == name);
        assert!(is_known || entry.file_type().unwrap().is_file(), "tests/ui/{name} has no chapter");
    }
}

fn ui() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui")
}

fn page() -> String {
    let chapters = CLASSES.iter().map(|[class, title, about]| (title, about, Case::all(class)));
    let (mut contents, mut body) = (String::new(), String::new());
    let mut anchors = BTreeSet::new();
    for (title, about, cases) in chapters {
        writeln!(contents, "\n**{title}**\n").unwrap();
        writeln!(body, "\n# {title}\n\n{about}").unwrap();
        for case in &cases {
            let anchor = anchor(&case.title);
            writeln!(contents, "- [{}](#{anchor})", case.title).unwrap();
            assert!(anchors.insert(anchor), "two cases are called `{}`", case.title);
            body += &case.entry();
        }
    }
    INTRODUCTION.replace("<!-- contents -->", contents.trim()) + &body
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
    /// The cases of a class, by name.
    fn all(class: &str) -> Vec<Self> {
        let folder = ui().join(class);
        let mut cases = BTreeMap::new();
        let mut variations = BTreeMap::new();
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let source = read(&path);
            let (head, code) = split_head(&source);
            if let Some(variation) = head.strip_prefix("As `") {
                let (of, how) = variation.split_once("`: ").unwrap_or_else(|| not_so(&path));
                variations.insert((of.to_owned(), name), how.trim_end_matches('.').to_owned());
                continue;
            }
            let (title, fix) = head.split_once("\n\nFix: ").unwrap_or_else(|| not_so(&path));
            let case = Self {
                title: title.to_owned(),
                fix: fix.replace('\n', " "),
                code: bare_code(code),
                message: bare_message(&read(&path.with_extension("stderr"))),
                variations: Vec::new(),
            };
            cases.insert(name, case);
        }
        for ((of, name), how) in variations {
            let case = cases.get_mut(&of);
            case.unwrap_or_else(|| panic!("`{name}` varies no case: `{of}`")).variations.push(how);
        }
        cases.into_values().collect()
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

/// The message without places, and without what leads into the library or into macros.
fn bare_message(message: &str) -> String {
    let errors = message.split("\n\n").filter(|message| !message.starts_with("warning"));
    errors.map(bare_error).collect::<Vec<_>>().join("\n\n")
}

fn bare_error(error: &str) -> String {
    let mut bare = String::new();
    for part in parts(error).iter().filter(|part| !is_noise(part)) {
        for line in part.lines().filter(|line| !line.trim_start().starts_with("--> ")) {
            let digits = line.trim_start().chars().take_while(char::is_ascii_digit).count();
            let indent = line.len() - line.trim_start().len();
            let is_gutter = digits > 0 && line[indent + digits..].starts_with([' ', '|']);
            let blanks = if is_gutter { " ".repeat(digits) } else { String::new() };
            let rest = &line[indent + blanks.len()..];
            writeln!(bare, "{}", format!("{}{blanks}{rest}", &line[..indent]).trim_end()).unwrap();
        }
    }
    bare.trim_end_matches(['\n', ' ', '|']).to_owned()
}

/// In parts: the error and its notes, each with the code that it shows.
fn parts(error: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for line in error.lines() {
        let begins = |word: &str| line.starts_with(word) || line.trim_start().starts_with("= ");
        if parts.is_empty() || ["error", "note", "help"].into_iter().any(begins) {
            parts.push(String::new());
        }
        writeln!(parts.last_mut().unwrap(), "{line}").unwrap();
    }
    parts
}

fn is_noise(part: &str) -> bool {
    const NOISE: &[&str] = &[
        "--> pool-core/",
        "--> $RUST/",
        "this error originates in",
        "the following other types implement",
        "note: required ",
    ];
    let of_traits = part.contains("help: the trait `") && part.contains("` is not implemented");
    of_traits || NOISE.iter().any(|noise| part.contains(noise))
}

/// What rustdoc makes of a heading.
fn anchor(title: &str) -> String {
    let letters = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    letters.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}
