//! The pages `typed_pool::guide::misuse` say what the cases in `tests/ui` say: the commonest on the first, the others by topic.
//!
//! `GUIDE=overwrite cargo test --test ui guide` makes them anew. Each case begins with what it is and
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

/// Where the pages are: the first, and a folder with the others.
const PAGES: &str = "src/guide/misuse";
const INTRODUCTION: &str = include_str!("introduction.md");
const CONCLUSION: &str = include_str!("conclusion.md");

/// What the first page shows, in its order.
const COMMONEST: [&str; 11] = [
    "shape/not_derived",
    "shape/value_given_to_pool_alloc",
    "ownership/moved_out_of_a_box",
    "ownership/function_as_a_method",
    "ownership/box_sent_to_thread",
    "shape/foreign_type",
    "shape/trait_object",
    "objects/without_unsize",
    "handles/boxes_of_a_roster",
    "handles/pool_get_without_a_closure",
    "layout/too_small",
];

/// The folders of `tests/ui`, in the order of the pages, and what these are called.
const CLASSES: &[[&str; 4]] = &[
    ["shape", "types", "The type", "What can have a pool, and what it takes to use it."],
    [
        "ownership",
        "boxes",
        "Boxes and pools",
        "Who owns an element, for how long, and in which thread.",
    ],
    [
        "handles",
        "handles",
        "Handles and rosters",
        "What hands out handles, what boxes, and for how long an element is lent.",
    ],
    [
        "objects",
        "objects",
        "Trait objects",
        "What becomes an object in a pool, and where it may go.",
    ],
    [
        "generics",
        "generics",
        "Generics and lifetimes",
        "A pool is for one concrete type, and outlives borrows.",
    ],
    [
        "layout",
        "sizes",
        "Sizes and limits",
        "What the element measures, and how many a pool may hold.",
    ],
    [
        "static",
        "statics",
        "Static pools",
        "What a pool for all threads asks of its element, and of its declaration.",
    ],
    ["frames", "frames", "Frame stacks", "What lies in a frame, and what cannot."],
    [
        "init",
        "in_place",
        "Construction in place",
        "What `init!`, `#[derive(Zeroable)]` and reserved slots refuse.",
    ],
    [
        "attribute",
        "attributes",
        "The attribute",
        "What is written in `#[pool(..)]`, and where that stands.",
    ],
];

#[test]
fn pages_are_in_step() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let modules = read(&folder.join(format!("{PAGES}.rs")));
    for (name, page) in pages() {
        let file = format!("{PAGES}{name}.md");
        let path = folder.join(&file);
        assert!(
            modules.contains(&format!("include_str!(\"misuse{name}.md\")")),
            "{file} is not shown"
        );
        if std::env::var_os("GUIDE").is_some_and(|value| value == "overwrite") {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, page).unwrap();
            continue;
        }
        let found = read(&path);
        let differs = found.lines().zip(page.lines()).position(|(found, page)| found != page);
        assert!(
            found == page,
            "{file} is not what the cases in tests/ui make it, from line {} on: run \
             `GUIDE=overwrite cargo test --test ui guide`, and read what changed",
            1 + differs.unwrap_or(found.lines().count().min(page.lines().count())),
        );
    }
}

#[test]
fn every_class_has_a_page() {
    for entry in fs::read_dir(ui()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        // What `hidden` shows is no mistake that one makes: attacks upon what is the library's own.
        let is_apart = ["hidden", "pass"].contains(&&*name);
        let is_known = is_apart || CLASSES.iter().any(|[class, ..]| *class == name);
        assert!(is_known || entry.file_type().unwrap().is_file(), "tests/ui/{name} has no page");
    }
}

fn ui() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui")
}

/// The first page, whose name is empty, and one for each class.
fn pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    let mut contents = String::new();
    let mut commonest = BTreeMap::new();
    for [class, name, title, about] in CLASSES {
        let mut page =
            format!("{about}\n\nThe commonest mistakes are on [the page before](super).\n");
        writeln!(contents, "\n**[{title}](self::{name})**\n").unwrap();
        let mut anchors = BTreeSet::new();
        for (case, entry) in Case::all(class) {
            let place = COMMONEST.iter().position(|common| *common == format!("{class}/{case}"));
            if let Some(place) = place {
                commonest.insert(place, entry);
                continue;
            }
            let anchor = anchor(&entry.title);
            writeln!(contents, "- [{}](self::{name}#{anchor})", entry.title).unwrap();
            assert!(anchors.insert(anchor), "two cases are called `{}`", entry.title);
            page += &entry.entry("#");
        }
        pages.push((format!("/{name}"), page));
    }
    assert_eq!(commonest.len(), COMMONEST.len(), "a case of the first page is gone");
    let commonest: String = commonest.values().map(|case| case.brief()).collect();
    let first = INTRODUCTION.to_owned()
        + &commonest
        + &CONCLUSION.replace("<!-- contents -->", contents.trim());
    pages.push((String::new(), first));
    pages
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
    fn all(class: &str) -> BTreeMap<String, Self> {
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
        cases
    }

    fn entry(&self, heading: &str) -> String {
        let Self { title, fix, code, message, variations } = self;
        let mut entry = format!("\n{heading} {title}\n\n```rust,compile_fail\n{code}\n```\n\n");
        writeln!(entry, "```text\n{message}\n```\n\n*Fix:* {fix}").unwrap();
        if !variations.is_empty() {
            writeln!(entry, "\n*Likewise:* {}.", variations.join("; ")).unwrap();
        }
        entry
    }
}

impl Case {
    /// The entry with what the compiler says first, without its notes.
    fn brief(&self) -> String {
        let errors = self.message.lines().filter(|line| line.starts_with("error"));
        let mut short: Vec<&str> = errors.collect();
        short.dedup();
        let Self { title, fix, code, variations, .. } = self;
        let message = short.join("\n");
        Self {
            title: title.clone(),
            fix: fix.clone(),
            code: code.clone(),
            message,
            variations: variations.clone(),
        }
        .entry("##")
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
