//! The walk of an operation: the functions of ours that are entered one inside the other until the strategy is reached.
//!
//! They are read from the compiler's own intermediate code before anything is inlined, so a closure, or a function that is
//! always inlined, counts like any other: an unoptimised build enters them, and a reader has to. Std's do not count.
//!
//! `docs/walks.md` has the walks by name: `WALKS=overwrite cargo test --test codegen walks` writes it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A function of the fixture, and where its walk ends.
const WALKS: [(&str, &str, &str); 16] = [
    ("`Node::pool_alloc()`", "alloc_default", "InFreeList::pop"),
    ("thread-local, free list: alloc", "alloc_local", "InFreeList::pop"),
    ("thread-local, free list: drop", "free_local", "InFreeList::push"),
    ("thread-local, pointer stack: alloc", "alloc_local_stack", "InPointerStack::pop"),
    ("thread-local, pointer stack: drop", "free_local_stack", "InPointerStack::push"),
    ("static: alloc", "alloc_shared", "Magazine::pop"),
    ("static: drop", "free_shared", "Magazine::push"),
    ("static, `capacity`: alloc", "alloc_fixed", "FreeSlots::pop_from"),
    ("static, `capacity`: drop", "free_fixed", "FreeSlots::push"),
    ("owned: alloc", "alloc_owned", "InFreeList::pop"),
    ("owned: drop", "free_owned", "InFreeList::push"),
    ("roster of a thread: insert", "insert_listed", "Occupancy::take_at_hand"),
    ("roster of a thread: remove", "remove_listed", "Occupancy::release"),
    ("roster that is a value: get", "get_in_roster", "Store::slot"),
    ("static roster: `pool_get`", "get_session", "Store::slot"),
    ("`Rewind::rewind`", "go_back", "Roster::restore_slot"),
];

/// The functions of a program, as LLVM's code has them.
#[derive(Default)]
struct Program {
    /// From the symbol of each function, and of each constant, to all symbols that it mentions. A function that is called by
    /// its address is mentioned where that address is taken.
    mentions: BTreeMap<String, BTreeSet<String>>,
    /// From symbols to paths in Rust.
    paths: BTreeMap<String, String>,
    /// Functions off the hot path.
    cold: BTreeSet<String>,
}

impl Program {
    fn parse(code: &str) -> Self {
        let mut program = Self::default();
        let (mut function, mut comment, mut attributes) = (None, "", "");
        for line in code.lines() {
            if let Some(text) = line.strip_prefix("; Function Attrs:") {
                attributes = text;
            } else if let Some(text) = line.strip_prefix("; ") {
                comment = text;
            } else if line.starts_with("define ") || line.starts_with('@') {
                let mut symbols = symbols_in(line);
                let symbol = symbols.next().expect("a name");
                if line.starts_with('@') {
                    program.mentions.insert(symbol, symbols.collect());
                } else {
                    program.paths.insert(symbol.clone(), comment.to_owned());
                    if attributes.split(' ').any(|word| word == "cold") {
                        program.cold.insert(symbol.clone());
                    }
                    function = Some(symbol);
                }
                (comment, attributes) = ("", "");
            } else if line == "}" {
                function = None;
            } else if let Some(function) = &function {
                let mentions = program.mentions.entry(function.clone()).or_default();
                mentions.extend(symbols_in(line));
            }
        }
        program
    }

    /// The shortest way from one function to the one that is called so, by the names of our functions on it.
    fn walk(&self, from: &str, to: &str) -> Option<Vec<String>> {
        let mut seen = BTreeSet::new();
        let mut next = VecDeque::from([(from.to_owned(), Vec::new())]);
        while let Some((symbol, walk)) = next.pop_front() {
            if !seen.insert(symbol.clone()) || self.cold.contains(&symbol) {
                continue;
            }
            if walk.last().is_some_and(|name| name == to) {
                return Some(walk);
            }
            for mentioned in self.mentions.get(&symbol).into_iter().flatten() {
                match self.paths.get(mentioned).and_then(|path| name_of_ours(path)) {
                    Some(name) => {
                        let walk = walk.iter().cloned().chain([name]).collect();
                        next.push_back((mentioned.clone(), walk));
                    }
                    // On the way to it no further function of ours was entered.
                    None => next.push_front((mentioned.clone(), walk.clone())),
                }
            }
        }
        None
    }
}

fn symbols_in(line: &str) -> impl Iterator<Item = String> {
    let is_part = |letter: char| letter.is_alphanumeric() || "_.$".contains(letter);
    let symbols = line.split('@').skip(1).map(move |rest| {
        let rest = rest.trim_start_matches('"');
        rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())].to_owned()
    });
    symbols.filter(|symbol| !symbol.starts_with("llvm."))
}

/// `Type::function`, if it is a function of ours: of a type or a module of ours, or of a trait of ours.
fn name_of_ours(path: &str) -> Option<String> {
    let path = without_generics(path);
    let (of, function) = match path.strip_prefix('<') {
        None => path.rsplit_once("::").filter(|(of, _)| !of.ends_with('}'))?,
        Some(path) => {
            let (of, function) = path.split_once(">::")?;
            let (of_type, of_trait) = of.split_once(" as ").unwrap_or((of, ""));
            let of_type = of_type.trim_start_matches(['&', '*']).trim_start_matches("mut ");
            // The call of a closure by way of std's trait.
            if of_type.ends_with('}') {
                return None;
            }
            (if is_ours(of_type) { of_type } else { of_trait }, function)
        }
    };
    let (of, function) = match of.split_once("::{closure") {
        Some((of, _)) => of.rsplit_once("::")?,
        None => (of, function),
    };
    let of_what = of.rsplit("::").next()?;
    let function = match function.split_once("::{closure") {
        Some((function, _)) => format!("{function}'s closure"),
        None => function.to_owned(),
    };
    is_ours(of).then(|| format!("{of_what}::{function}"))
}

fn is_ours(path: &str) -> bool {
    path.starts_with("pool_core::") || path.starts_with("typed_pool::")
}

/// The path without generic arguments. What `<Type as Trait>` is within stays.
fn without_generics(path: &str) -> String {
    let (mut kept, mut depth) = (String::new(), 0);
    let mut previous = ' ';
    for letter in path.chars() {
        match letter {
            // An argument list follows a name; a qualified path does not.
            '<' if depth > 0
                || previous.is_alphanumeric()
                || previous == '_'
                || previous == ':' =>
            {
                depth += 1;
            }
            '>' if depth > 0 && previous != '-' => depth -= 1,
            _ if depth == 0 => kept.push(letter),
            _ => {}
        }
        previous = letter;
    }
    // `new::<T>` has left `new::`.
    kept.trim_end_matches("::").replace("::::", "::")
}

#[test]
fn walks_are_those_written_down() {
    let flags = [
        "-Copt-level=0",
        "-Ccodegen-units=1",
        "-Cno-prepopulate-passes",
        "-Csymbol-mangling-version=v0",
    ];
    let program = Program::parse(&super::compiled("llvm-ir", "dev", "pools", &flags));
    let mut page = String::from(
        "# Walks\n\n\
         The functions that an operation enters one inside the other, closures among them, std's not, until a slot is taken or \
         vacant.\nThe optimiser inlines all of them. Written by `WALKS=overwrite cargo test --test codegen walks`.\n\n| operation | | functions |\n|---|--:|---|\n",
    );
    for (operation, from, to) in WALKS {
        let walk = program.walk(from, to);
        let walk = walk.unwrap_or_else(|| panic!("no walk from {from} to {to}: another name?"));
        let names: Vec<_> = walk.iter().map(|name| format!("`{name}`")).collect();
        writeln!(page, "| {operation} | {} | {} |", walk.len(), names.join(", ")).unwrap();
    }

    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/walks.md");
    if env::var_os("WALKS").is_some_and(|value| value == "overwrite") {
        fs::write(file, page).unwrap();
        return;
    }
    let kept = fs::read_to_string(file).unwrap_or_default();
    assert_eq!(kept, page, "`WALKS=overwrite` writes docs/walks.md");
}

#[test]
fn names_are_short() {
    for (path, name) in [
        ("<pool_core::a::Slots<pool_core::b::List>>::pop", Some("Slots::pop")),
        (
            "<pool_core::a::Here<x::T> as pool_core::a::Take>::take::{closure#0}",
            Some("Here::take's closure"),
        ),
        ("<x::T as pool_core::a::Object>::__acquire", Some("Object::__acquire")),
        ("pool_core::a::register::<x::T>", Some("a::register")),
        ("core::mem::drop::<pool_core::a::PoolBox<x::T>>", None),
        ("<pool_core::a::f::{closure#0} as core::ops::FnOnce<()>>::call_once", None),
        ("<&pool_core::a::Pool<x::T> as pool_core::a::Take>::acquire", Some("Pool::acquire")),
    ] {
        assert_eq!(name_of_ours(path).as_deref(), name, "{path}");
    }
}
