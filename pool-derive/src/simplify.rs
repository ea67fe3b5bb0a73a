//! Declarations with expressions that `syn` cannot read, simplified so that it can.
//!
//! Without its feature `full`, which takes a third longer to build, `syn` reads only simple expressions;
//! for `[u8; if WIDE { 8 } else { 4 }]` in a field it says that a feature is missing. The derive asks
//! nothing of an expression, so each one that `syn` cannot read is replaced by `0` before it gives up. And a field may be
//! called `async` in the edition 2015; `r#async` is the same name in any.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{DeriveInput, Expr, Token, Type};

use crate::parse::{end_of_entry, is_punct};

/// Reads a declaration.
pub(crate) fn declaration(tokens: TokenStream) -> syn::Result<DeriveInput> {
    syn::parse2(tokens.clone())
        .or_else(|error| syn::parse2(simplify(tokens, &mut Angles::default())).map_err(|_| error))
}

/// Reads types separated by commas; beside each, its tokens as they were written.
pub(crate) fn types(tokens: TokenStream) -> syn::Result<Vec<(Type, TokenStream)>> {
    let parse = Punctuated::<Type, Token![,]>::parse_terminated;
    match parse.parse2(tokens.clone()) {
        Ok(types) => {
            let with_tokens = |ty: Type| (ty.clone(), ty.into_token_stream());
            Ok(types.into_iter().map(with_tokens).collect())
        }
        Err(error) => {
            let simple = simplify(tokens.clone(), &mut Angles::default());
            let types = parse.parse2(simple).map_err(|_| error)?;
            Ok(types.into_iter().zip(split(tokens)).collect())
        }
    }
}

/// Splits at the commas that are in no brackets.
fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let mut angles = Angles::default();
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        let ends = angles.depth == 0 && is_punct(&token, ',');
        angles.pass(&token);
        match parts.last_mut() {
            Some(part) if !ends => part.extend([token]),
            _ => parts.push(TokenStream::new()),
        }
    }
    parts
}

/// The depth in angle brackets. In a type, each `<` and `>` is a bracket.
#[derive(Default)]
struct Angles {
    depth: usize,
    is_after_dash: bool,
}

impl Angles {
    fn pass(&mut self, token: &TokenTree) {
        if is_punct(token, '<') {
            self.depth += 1;
        } else if is_punct(token, '>') && !self.is_after_dash {
            self.depth = self.depth.saturating_sub(1);
        }
        self.is_after_dash = is_punct(token, '-');
    }
}

fn simplify(tokens: TokenStream, angles: &mut Angles) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut simple = TokenStream::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        angles.pass(token);
        match token {
            TokenTree::Group(group) => {
                let is_attribute = at > 0 && is_punct(&tokens[at - 1], '#');
                let group =
                    if is_attribute { group.clone() } else { simplify_group(group, angles) };
                simple.extend([TokenTree::from(group)]);
            }
            // A discriminant. All other values are in angle brackets.
            _ if angles.depth == 0 && is_punct(token, '=') => {
                let end = at + end_of_entry(&tokens[at..]);
                simple.extend([token.clone()]);
                simple.extend(simplify_expression(tokens[at + 1..end].iter().cloned().collect()));
                at = end;
                continue;
            }
            TokenTree::Ident(word) if is_later_keyword(word, &tokens[at + 1..]) => {
                simple.extend([TokenTree::from(Ident::new_raw(&word.to_string(), word.span()))]);
            }
            _ => simple.extend([token.clone()]),
        }
        at += 1;
    }
    simple
}

/// Whether this is a name that became a keyword after the edition 2015. (`dyn` was one there in front of a trait.)
fn is_later_keyword(word: &Ident, rest: &[TokenTree]) -> bool {
    let is_colon = |at: usize| rest.get(at).is_some_and(|token| is_punct(token, ':'));
    let is_field = is_colon(0) && !is_colon(1);
    ["async", "await", "try"].iter().any(|name| word == name) || word == "dyn" && is_field
}

fn simplify_group(group: &Group, angles: &mut Angles) -> Group {
    let inner = group.stream();
    let inner = match group.delimiter() {
        Delimiter::Bracket => simplify_array(inner),
        Delimiter::Brace if angles.depth > 0 => simplify_expression(inner),
        Delimiter::None => simplify(inner, angles),
        Delimiter::Brace | Delimiter::Parenthesis => simplify(inner, &mut Angles::default()),
    };
    let mut simple = Group::new(group.delimiter(), inner);
    simple.set_span(group.span());
    simple
}

/// `T` or `T; length`
fn simplify_array(tokens: TokenStream) -> TokenStream {
    let is_semicolon = |token: &TokenTree| is_punct(token, ';');
    let mut tokens = tokens.into_iter();
    let mut semicolon = None;
    let element = tokens.by_ref().take_while(|token| {
        semicolon = is_semicolon(token).then(|| token.clone());
        semicolon.is_none()
    });
    let mut array = simplify(element.collect(), &mut Angles::default());
    if let Some(semicolon) = semicolon {
        array.extend([semicolon]);
        array.extend(simplify_expression(tokens.collect()));
    }
    array
}

/// The expression, or `0` if `syn` cannot read it.
fn simplify_expression(tokens: TokenStream) -> TokenStream {
    if syn::parse2::<Expr>(tokens.clone()).is_ok() {
        return tokens;
    }
    let mut zero = Literal::u8_unsuffixed(0);
    if let Some(first) = tokens.into_iter().next() {
        zero.set_span(first.span());
    }
    TokenTree::from(zero).into()
}

// `tests/ui/pass/array_lengths.rs` tests what is simplified: the tests here are built with `full`.
#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn fields_have_names_of_the_edition_2015() {
        let input = declaration(quote!(struct A { async: B<dyn C>, await: u8, try: u8, dyn: u8 }));
        let syn::Data::Struct(data) = input.unwrap().data else { panic!("a struct") };
        let names: Vec<_> =
            data.fields.members().map(|field| field.to_token_stream().to_string()).collect();
        assert_eq!(names, ["r#async", "r#await", "r#try", "r#dyn"]);
    }

    #[test]
    fn commas_in_brackets_do_not_separate() {
        let parts = [
            quote!(A<B, C>),
            quote!(D<{ 1 > 2 }, fn(u8) -> Vec<E<F>>>),
            quote!(<A<B, C> as D>::E),
            quote!([G; 2]),
        ];
        for list in [quote!(#(#parts),*), quote!(#(#parts,)*)] {
            let types = types(list.clone()).unwrap();
            assert_eq!(types.len(), parts.len());
            for (part, expected) in split(list).iter().zip(&parts) {
                assert_eq!(part.to_string(), expected.to_string());
            }
        }
    }
}
