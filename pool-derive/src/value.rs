//! The values of keys: what each must look like, and what to write if it does not.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::{Lit, LitInt, Path};

use crate::crate_path::CratePath;
use crate::errors::Errors;
use crate::model::{Count, Strategy};
use crate::parse::{Entry, Value};
use crate::suggest::{rewind_is_no, suggest};
use crate::tokens::{joined, pretty, ungrouped};

/// A key that stands alone.
pub(crate) fn flag(entry: &Entry, errors: &mut Errors) {
    let key = &entry.key;
    let message = format!("`{key}` takes no value: write `{key}` alone, or leave it out");
    match &entry.value {
        Value::None => {}
        Value::Assigned(value) if value.is_empty() => errors.at(key, message),
        Value::Assigned(value) => errors.at(joined(value), message),
        Value::List(list) => errors.at(list, message),
    }
}

/// The value in `key = value`; `example` shows one.
fn assigned(entry: &Entry, example: &str, errors: &mut Errors) -> Option<Vec<TokenTree>> {
    let key = &entry.key;
    match &entry.value {
        Value::Assigned(value) if !value.is_empty() => Some(ungrouped(value)),
        Value::None | Value::Assigned(_) => {
            errors.at(key, format!("`{key}` needs a value: write `{key} = {example}`"));
            None
        }
        Value::List(list) => {
            let value = list.stream().to_string();
            let value = if value.is_empty() { example } else { &value };
            errors.at(list, format!("`{key}` takes its value after `=`: write `{key} = {value}`"));
            None
        }
    }
}

/// A number of slots, as a constant expression.
pub(crate) fn count(entry: &Entry, errors: &mut Errors) -> Option<Count> {
    let key = &entry.key;
    let tokens = assigned(entry, "64", errors)?;
    let value = joined(&tokens);
    let literal = match &tokens[..] {
        [TokenTree::Literal(literal)] => match number(key, Lit::new(literal.clone())) {
            Ok(number) => Some(number),
            Err(message) => {
                errors.at(value, message);
                return None;
            }
        },
        [TokenTree::Punct(minus), TokenTree::Literal(_)] if minus.as_char() == '-' => {
            errors.at(value, format!("`{key}` is a number of slots: write 1 or more"));
            return None;
        }
        [TokenTree::Ident(word)] if word == "true" || word == "false" => {
            errors.at(value, format!("`{key}` takes a number of slots: write `{key} = 64`"));
            return None;
        }
        _ if !is_expression(&tokens) => {
            let message = format!(
                "this is not an expression: write a number of slots, `{key} = 64`, or a constant"
            );
            errors.at(value, message);
            return None;
        }
        _ => None,
    };
    Some(Count { key: key.clone(), value, literal })
}

/// Whether the compiler can read the tokens as an expression, judging by the first, the last, and literals side by
/// side. If it could not, it would report that twice.
fn is_expression(tokens: &[TokenTree]) -> bool {
    let is_one_of = |token: &TokenTree, words: &[&str]| words.contains(&&*token.to_string());
    let begins = tokens.first().is_some_and(|token| match token {
        TokenTree::Punct(punct) => "-!*&<:|".contains(punct.as_char()),
        _ => !is_one_of(token, &["as", "else", "in", "let"]),
    });
    let ends = tokens.last().is_some_and(|token| match token {
        TokenTree::Punct(punct) => "?>".contains(punct.as_char()),
        _ => !is_one_of(
            token,
            &["as", "else", "for", "if", "in", "let", "loop", "match", "mut", "while"],
        ),
    });
    let is_literal = |token: &TokenTree| matches!(token, TokenTree::Literal(_));
    begins && ends && !tokens.windows(2).any(|pair| pair.iter().all(is_literal))
}

fn number(key: &Ident, literal: Lit) -> Result<u128, String> {
    match literal {
        Lit::Int(int) => integer(key, &int),
        Lit::Str(string) => {
            let number = string.value().trim().parse().unwrap_or(64_usize);
            Err(format!("`{key}` takes a number, not a string: write `{key} = {number}`"))
        }
        Lit::Float(_) => Err(format!("`{key}` takes a whole number of slots: write `{key} = 64`")),
        _ => Err(format!("`{key}` takes a number of slots: write `{key} = 64`")),
    }
}

fn integer(key: &Ident, int: &LitInt) -> Result<u128, String> {
    let digits = int.base10_digits();
    match int.suffix() {
        "" | "usize" => {}
        suffix => {
            return Err(format!(
                "`{key}` is a `usize`, not a `{suffix}`: write `{key} = {digits}`"
            ));
        }
    }
    match int.base10_parse::<u128>() {
        Ok(0) => Err(format!(
            "a pool cannot have 0 slots: write 1 or more; or leave `{key}` out, and the pool grows \
             as it needs to"
        )),
        Ok(number) if number <= u128::from(u64::MAX) => Ok(number),
        _ => Err(format!(
            "`{key}` is a `usize`, and {digits} is too large for one: write fewer slots"
        )),
    }
}

/// The pool's name in messages: a string, or a macro that makes one.
pub(crate) fn name(entry: &Entry, errors: &mut Errors) -> Option<TokenStream> {
    let key = &entry.key;
    let tokens = assigned(entry, "\"bullets\"", errors)?;
    let value = joined(&tokens);
    let message = match &tokens[..] {
        [TokenTree::Literal(literal)] => match Lit::new(literal.clone()) {
            Lit::Str(string) if string.value().trim().is_empty() => {
                format!("a name must not be empty: write one, or leave `{key}` out")
            }
            Lit::Str(_) => return Some(value),
            _ => format!("`{key}` takes a string: write `{key} = \"bullets\"`, say"),
        },
        [.., TokenTree::Punct(bang), TokenTree::Group(_)] if bang.as_char() == '!' => {
            return Some(value);
        }
        _ => format!("`{key}` takes a string: write `{key} = \"{}\"`", pretty(&value)),
    };
    errors.at(value, message);
    None
}

/// The tag of a roster's handles, as a constant expression.
pub(crate) fn tag(entry: &Entry, errors: &mut Errors) -> Option<TokenStream> {
    let key = &entry.key;
    let tokens = assigned(entry, "7", errors)?;
    let value = joined(&tokens);
    let is_tag = match &tokens[..] {
        [TokenTree::Literal(literal)] => match Lit::new(literal.clone()) {
            Lit::Int(int) => matches!(int.suffix(), "" | "u8") && int.base10_parse::<u8>().is_ok(),
            literal => matches!(literal, Lit::Byte(_)),
        },
        [TokenTree::Punct(minus), TokenTree::Literal(_)] => minus.as_char() != '-',
        _ => is_expression(&tokens),
    };
    if is_tag {
        return Some(value);
    }
    errors.at(value, format!("`{key}` is a `u8`: write a number from 0 to 255, as in `{key} = 7`"));
    None
}

/// The strategy, by its word.
pub(crate) fn strategy(entry: &Entry, errors: &mut Errors) -> Option<Strategy> {
    let words = Strategy::ALL.map(Strategy::word);
    let (key, first) = (&entry.key, words[0]);
    let tokens = assigned(entry, first, errors)?;
    let value = joined(&tokens);
    let written = |word: &str| words.into_iter().find(|&known| known == word).unwrap_or(first);
    let message = match &tokens[..] {
        [TokenTree::Ident(word)] => {
            if let Some(known) = Strategy::find(word) {
                return Some(known);
            }
            let word = word.to_string();
            let known = words.join("`, `");
            match synonym(&word).or_else(|| suggest(&word, &words)) {
                _ if word == "rewind" => rewind_is_no("strategy"),
                Some(meant) => format!("unknown strategy `{word}`; did you mean `{meant}`?"),
                None => format!("unknown strategy `{word}`; the strategies are `{known}`"),
            }
        }
        [TokenTree::Literal(literal)] => {
            let word = written(literal.to_string().trim_matches('"'));
            format!("`{key}` takes a word without quotes: write `{key} = {word}`")
        }
        _ => {
            // Such as `pointer-stack`.
            let word = written(&value.to_string().replace(' ', "").replace('-', "_"));
            format!("`{key}` takes a word: write `{key} = {word}`")
        }
    };
    errors.at(value, message);
    None
}

/// The strategy that is known elsewhere by this word.
fn synonym(word: &str) -> Option<&'static str> {
    let meant = match word.to_lowercase().as_str() {
        "list" | "freelist" => Strategy::FreeList,
        "stack" | "pointers" => Strategy::PointerStack,
        "handle" | "handles" | "slab" | "slotmap" | "slot_map" => Strategy::Roster,
        _ => return None,
    };
    Some(meant.word())
}

/// The path to typed-pool.
pub(crate) fn crate_path(entry: &Entry, errors: &mut Errors) -> Option<CratePath> {
    let tokens = assigned(entry, "path::to::typed_pool", errors)?;
    let value = joined(&tokens);
    if let Ok(path) = Path::parse_mod_style.parse2(value.clone()) {
        return Some(CratePath::new(path.into_token_stream()));
    }
    let path = match &tokens[..] {
        [TokenTree::Literal(literal)] => match Lit::new(literal.clone()) {
            Lit::Str(string) => string.parse_with(Path::parse_mod_style).ok(),
            _ => None,
        },
        _ => None,
    };
    if let Some(path) = path {
        let path = path.into_token_stream();
        let shown = pretty(&path);
        errors.at(value, format!("`crate` takes a path without quotes: write `crate = {shown}`"));
        return Some(CratePath::new(path));
    }
    errors.at(value, "`crate` takes a path to typed-pool: write `crate = path::to::typed_pool`");
    None
}
