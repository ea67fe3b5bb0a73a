//! Tokens and their spans.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, GenericParam, Generics};

/// The spans of the first token and of the last.
pub(crate) fn ends(tokens: &TokenStream) -> [Span; 2] {
    let tokens = ungrouped(&tokens.clone().into_iter().collect::<Vec<_>>());
    let span = |token: Option<&TokenTree>| token.map_or_else(Span::call_site, TokenTree::span);
    [span(tokens.first()), span(tokens.last())]
}

/// The tokens without the invisible group in which `macro_rules!` passes on a fragment.
pub(crate) fn ungrouped(tokens: &[TokenTree]) -> Vec<TokenTree> {
    match tokens {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
            ungrouped(&group.stream().into_iter().collect::<Vec<_>>())
        }
        _ => tokens.to_vec(),
    }
}

/// Code under the lint levels that the type itself is under, such as `#[allow(deprecated)]`.
pub(crate) fn allowing(attributes: &[Attribute], code: TokenStream) -> TokenStream {
    let allowed = attributes.iter().filter(|attribute| attribute.path().is_ident("allow"));
    let deprecated = attributes.iter().any(|attribute| attribute.path().is_ident("deprecated"));
    let deprecated = deprecated.then(|| quote!(#[allow(deprecated)]));
    let allowed = quote!(#(#allowed)* #deprecated);
    if allowed.is_empty() { code } else { quote!(#allowed const _: () = { #code };) }
}

/// The arguments of a type within its own declaration, in angle brackets.
pub(crate) fn arguments(generics: &Generics) -> TokenStream {
    let arguments = generics.params.iter().map(|parameter| match parameter {
        GenericParam::Lifetime(parameter) => parameter.lifetime.to_token_stream(),
        GenericParam::Type(parameter) => parameter.ident.to_token_stream(),
        GenericParam::Const(parameter) => argument(&parameter.ident),
    });
    quote!(<#(#arguments),*>)
}

/// A constant parameter as an argument: in braces, since a type may have the same name.
pub(crate) fn argument(constant: &Ident) -> TokenStream {
    quote!({ #constant })
}

/// Whether the word is among the tokens, as a name or as that of a lifetime.
pub(crate) fn has_word(tokens: TokenStream, word: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == word,
        TokenTree::Group(group) => has_word(group.stream(), word),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Tokens as one stream, to print or to point at.
pub(crate) fn joined(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().map(ToTokens::to_token_stream).collect()
}

/// Tokens as one would write them by hand.
pub(crate) fn pretty(tokens: &impl ToTokens) -> String {
    const TIGHT: &[[&str; 2]] = &[
        [" :: ", "::"],
        [":: ", "::"],
        [" <", "<"],
        ["< ", "<"],
        [" >", ">"],
        [" ,", ","],
        ["& ", "&"],
    ];
    let spaced = tokens.to_token_stream().to_string();
    TIGHT.iter().fold(spaced, |shown, [spaced, tight]| shown.replace(spaced, tight))
}
