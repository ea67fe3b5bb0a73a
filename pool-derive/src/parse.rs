//! `#[pool(..)]` as it is written: keys and their values, with every token's span.
//!
//! Parsed by hand, not by `syn`, to continue after a mistake and report them all.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::{Attribute, Meta};

use crate::errors::Errors;

/// One entry of the attribute.
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) value: Value,
}

pub(crate) enum Value {
    /// `key`
    None,
    /// `key = tokens`, or `key =`
    Assigned(Vec<TokenTree>),
    /// `key(tokens)`
    List(Group),
}

/// Whether this is a `#[pool]`.
pub(crate) fn is_pool(attribute: &Attribute) -> bool {
    attribute.path().is_ident("pool")
}

/// The entries of every `#[pool(..)]` among `attributes`, in order.
pub(crate) fn entries(attributes: &[Attribute], errors: &mut Errors) -> Vec<Entry> {
    let mut entries = Vec::new();
    for attribute in attributes.iter().filter(|attribute| is_pool(attribute)) {
        match &attribute.meta {
            Meta::List(list) if list.tokens.is_empty() => errors.at(
                attribute,
                "`#[pool()]` says nothing: write a key in it, as in `#[pool(capacity = 64)]`, or remove it",
            ),
            Meta::List(list) => parse_list(list.tokens.clone(), &mut entries, errors),
            Meta::Path(path) => errors.at(
                path,
                "`#[pool]` alone says nothing: write `#[pool(capacity = 64)]`, say, or remove it",
            ),
            Meta::NameValue(pair) => errors.at(
                pair,
                "`pool` takes its keys in parentheses: write `#[pool(capacity = 64)]`, say",
            ),
        }
    }
    entries
}

fn parse_list(tokens: TokenStream, entries: &mut Vec<Entry>, errors: &mut Errors) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut rest = &tokens[..];
    while !rest.is_empty() {
        let end = end_of_entry(rest);
        parse_entry(&rest[..end], rest.get(end), entries, errors);
        if let Some(semicolon) = rest.get(end).filter(|token| is_punct(token, ';')) {
            errors.at(semicolon, "the keys of `#[pool(..)]` are separated by commas: write `,`");
        }
        rest = rest.get(end + 1..).unwrap_or_default();
    }
}

/// The index of the separator that ends the first entry of `tokens`.
///
/// A comma within the angle brackets of `size::<A, B>()` or `<A<B, C> as D>::E` does not end it.
pub(crate) fn end_of_entry(tokens: &[TokenTree]) -> usize {
    let mut depth = 0_usize;
    for (i, token) in tokens.iter().enumerate() {
        let follows = |c| i > 0 && is_punct(&tokens[i - 1], c);
        match token {
            TokenTree::Punct(punct) => match punct.as_char() {
                '<' if depth > 0 || follows(':') || follows('=') => depth += 1,
                '>' if depth > 0 && !follows('-') && !follows('=') => depth -= 1,
                ',' if depth == 0 => return i,
                ';' => return i,
                _ => {}
            },
            TokenTree::Ident(_) | TokenTree::Group(_) | TokenTree::Literal(_) => {}
        }
    }
    tokens.len()
}

/// Parses the tokens of an entry that ends at `separator`.
fn parse_entry(
    tokens: &[TokenTree],
    separator: Option<&TokenTree>,
    entries: &mut Vec<Entry>,
    errors: &mut Errors,
) {
    let key = match tokens.first() {
        Some(TokenTree::Ident(key)) => key,
        Some(token) => {
            return errors.at(token, "expected a key: write `capacity = 64` or `pad`, say");
        }
        None => return errors.at(separator, "no key stands before this: remove it"),
    };
    let mut end = tokens.len();
    let value = match &tokens[1..] {
        [] => Value::None,
        [TokenTree::Punct(equals), value @ ..] if equals.as_char() == '=' => {
            end = 2 + end_of_operand(value);
            Value::Assigned(tokens[2..end].to_vec())
        }
        [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Parenthesis => {
            end = 2;
            Value::List(group.clone())
        }
        [TokenTree::Ident(_), ..] => {
            end = 1;
            Value::None
        }
        [token, ..] => {
            let message = format!(
                "expected `=` or a comma after `{key}`: keys are written like `capacity = 64` or \
                 like `pad`"
            );
            return errors.at(token, message);
        }
    };
    entries.push(Entry { key: key.clone(), value });

    if let Some(next) = tokens.get(end) {
        errors.at(next, format!("missing comma before `{next}`"));
        if let TokenTree::Ident(_) = next {
            parse_entry(&tokens[end..], separator, entries, errors);
        }
    }
}

/// The index at which an expression must have ended, because the word that follows cannot continue it.
fn end_of_operand(tokens: &[TokenTree]) -> usize {
    let is_operand = |at: usize| match &tokens[at] {
        TokenTree::Ident(word) => {
            !is_keyword(word) && (at == 0 || !is_punct(&tokens[at - 1], '\''))
        }
        TokenTree::Group(_) | TokenTree::Literal(_) => true,
        TokenTree::Punct(_) => false,
    };
    let is_word = |at: usize| matches!(&tokens[at], TokenTree::Ident(word) if !is_keyword(word));
    (1..tokens.len()).find(|&at| is_operand(at - 1) && is_word(at)).unwrap_or(tokens.len())
}

/// Whether this word may stand beside an operand. `static` and `crate` may not: they are our keys.
fn is_keyword(ident: &Ident) -> bool {
    const WORDS: &[&str] = &[
        "as", "const", "dyn", "else", "fn", "for", "if", "impl", "in", "let", "loop", "match",
        "mut", "return", "unsafe", "while",
    ];
    WORDS.iter().any(|word| ident == word)
}

pub(crate) fn is_punct(token: &TokenTree, c: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == c)
}

#[cfg(test)]
mod tests {
    use quote::quote;
    use syn::parse_quote;

    use super::*;
    use crate::tokens::joined;

    /// The entries, one a line, and the number of errors.
    fn parse(list: TokenStream) -> (Vec<String>, usize) {
        let attribute: Attribute = parse_quote!(#[pool(#list)]);
        let mut errors = Errors::new();
        let entries = entries(&[attribute], &mut errors);
        let count = errors.finish().map_or(0, |e| e.to_string().matches("compile_error").count());
        let show = |Entry { key, value }| match value {
            Value::None => format!("{key}"),
            Value::Assigned(tokens) => format!("{key} = {}", joined(&tokens)),
            Value::List(group) => format!("{key}({})", group.stream()),
        };
        (entries.into_iter().map(show).collect(), count)
    }

    fn assert_parses(list: TokenStream, expected: &[&str], errors: usize) {
        let expected = expected.iter().map(ToString::to_string).collect();
        assert_eq!(parse(list), (expected, errors));
    }

    #[test]
    fn well_formed() {
        assert_parses(quote!(), &[], 1);
        assert_parses(
            quote!(capacity = 4 * 1024, pad, instances(A<u8>, B),),
            &["capacity = 4 * 1024", "pad", "instances(A < u8 > , B)"],
            0,
        );
        assert_parses(quote!(static, crate = a::b), &["static", "crate = a :: b"], 0);
    }

    #[test]
    fn expressions() {
        for expression in [
            quote!({ 1 + 2 }),
            quote!(limits::MAX),
            quote!(count::<A, { 3 }>(1, 2)),
            quote!(f::<fn(A) -> B, C>()),
            quote!(f::<A<B, C>, D>()),
            quote!(<A<B, C> as D>::E),
            quote!(size_of::<&'static mut dyn A>()),
            quote!(size_of::<&'static A>()),
            quote!(if SMALL { 1 } else { 2 }),
            quote!(match N {
                0 => 1,
                n => n,
            }),
            quote!(A as usize),
            quote!(1 << 10 >> 2),
            quote!(if 1 < 2 { A } else { B }),
            quote!(-1),
        ] {
            let shown = format!("chunk = {expression}");
            assert_parses(quote!(chunk = #expression, pad), &[&shown, "pad"], 0);
        }
    }

    #[test]
    fn goes_on_after_a_mistake() {
        assert_parses(quote!(chunk = 1 pad), &["chunk = 1", "pad"], 1);
        assert_parses(quote!(pad chunk = 1), &["pad", "chunk = 1"], 1);
        assert_parses(quote!(pad chunk = N max = 2), &["pad", "chunk = N", "max = 2"], 2);
        assert_parses(quote!(chunk = a::N pad), &["chunk = a :: N", "pad"], 1);
        assert_parses(quote!(instances(A) pad), &["instances(A)", "pad"], 1);
        assert_parses(quote!(instances(A)(B) pad, max = 1), &["instances(A)", "max = 1"], 1);
        assert_parses(quote!(chunk = f() static), &["chunk = f ()", "static"], 1);
        assert_parses(quote!(chunk = 1; pad), &["chunk = 1", "pad"], 1);
        assert_parses(quote!(chunk =, pad), &["chunk = ", "pad"], 0);
        assert_parses(quote!(chunk: 1, pad), &["pad"], 1);
        assert_parses(quote!(chunk[1], pad), &["pad"], 1);
        assert_parses(quote!(64, pad), &["pad"], 1);
        assert_parses(quote!(, pad,, max = 1), &["pad", "max = 1"], 2);
    }
}
