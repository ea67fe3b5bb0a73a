//! The types that get a pool: the derived type, or the instances that a generic type lists.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{DeriveInput, GenericParam, Type};

use crate::errors::Errors;
use crate::parse::{Entry, Value};
use crate::tokens::{joined, pretty};
use crate::{borrow, simplify};

/// Those listed in `instances(..)`, or the derived type itself.
pub(crate) fn types(
    input: &DeriveInput,
    instances: Option<&Entry>,
    errors: &mut Errors,
) -> Vec<TokenStream> {
    let name = &input.ident;
    let is_generic = input.generics.type_params().next().is_some()
        || input.generics.const_params().next().is_some();
    match instances {
        Some(entry) if is_generic => listed(input, entry, errors),
        Some(entry) => {
            if input.generics.params.is_empty() {
                let message = format!("`{name}` is not generic: remove `instances`");
                errors.at(&entry.key, message);
            }
            Vec::new()
        }
        // A type with lifetimes already has its error.
        None if is_generic && input.generics.lifetimes().next().is_none() => {
            let example = example(input);
            errors.at(
                name,
                format!(
                    "`{name}` is generic, and each pool is for one concrete type: list them, \
                     `#[pool(instances({example}))]`; or remove the derive, and use `any::Box`, which is for all types"
                ),
            );
            Vec::new()
        }
        None => vec![name.to_token_stream()],
    }
}

fn listed(input: &DeriveInput, entry: &Entry, errors: &mut Errors) -> Vec<TokenStream> {
    let (name, key) = (&input.ident, &entry.key);
    let write = format!("write `{key}({})`", example(input));
    let mut listed = Vec::new();
    for (ty, tokens) in list(entry, &write, errors) {
        let shown = pretty(&tokens);
        if !is_instance(&ty, name) {
            errors.at(&tokens, format!("`{shown}` is not an instance of `{name}`: {write}, say"));
        } else if let Some(word) = placeholder(tokens.clone()) {
            errors.at(
                &word,
                format!("an instance is one type, and `{word}` stands for any: {write}, say"),
            );
        } else if let Some(word) = reserved(tokens.clone()) {
            errors.at(
                &word,
                format!(
                    "`{word}` would be a name of the derive's own here: call the constant otherwise"
                ),
            );
        } else if listed.iter().any(|(other, _)| *other == shown) {
            errors.at(&tokens, format!("`{shown}` is listed twice: remove one; it has one pool"));
        } else if let Some(borrow) = borrow::find(&ty) {
            errors.at(
                borrow,
                format!(
                    "the pool of `{shown}` outlives every borrow that is not `'static`: own \
                     the data instead, or allocate from a `FreeList<{shown}>` that you own"
                ),
            );
        } else {
            listed.push((shown, tokens));
        }
    }
    listed.into_iter().map(|(_, ty)| ty).collect()
}

/// The types in the parentheses. That there are none is reported as an error.
fn list(entry: &Entry, write: &str, errors: &mut Errors) -> Vec<(Type, TokenStream)> {
    let Entry { key, value } = entry;
    let error = match value {
        Value::List(list) => match simplify::types(list.stream()) {
            Ok(types) if !types.is_empty() => return types,
            Ok(_) => syn::Error::new_spanned(list, format!("`{key}` lists no types: {write}")),
            Err(error) => {
                let message = format!("`{key}` lists types, separated by commas: {write}");
                syn::Error::new(error.span(), message)
            }
        },
        Value::Assigned(value) if !value.is_empty() => {
            let message = format!("`{key}` lists types in parentheses: {write}");
            syn::Error::new_spanned(joined(value), message)
        }
        Value::None | Value::Assigned(_) => {
            syn::Error::new_spanned(key, format!("`{key}` lists types: {write}"))
        }
    };
    errors.push(error);
    Vec::new()
}

fn is_instance(ty: &Type, name: &Ident) -> bool {
    match ty {
        Type::Group(group) => is_instance(&group.elem, name),
        Type::Paren(paren) => is_instance(&paren.elem, name),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == *name),
        _ => false,
    }
}

/// A word in the type that leaves it open.
fn placeholder(tokens: TokenStream) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(word) => (word == "_" || word == "impl").then_some(word),
        // The code in braces is a constant's.
        TokenTree::Group(group) if group.delimiter() != Delimiter::Brace => {
            placeholder(group.stream())
        }
        _ => None,
    })
}

/// A word that would name an item which the library's macros declare around the type.
fn reserved(tokens: TokenStream) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(word) => word.to_string().starts_with("__TYPED_POOL").then_some(word),
        TokenTree::Group(group) => reserved(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    })
}

/// An instance of a generic type, as an example in messages.
fn example(input: &DeriveInput) -> String {
    let arguments: Vec<&str> = input
        .generics
        .params
        .iter()
        .map(|parameter| match parameter {
            GenericParam::Lifetime(_) => "'static",
            GenericParam::Type(_) => "f32",
            GenericParam::Const(_) => "8",
        })
        .collect();
    format!("{}<{}>", input.ident, arguments.join(", "))
}
