//! Tokens and their spans.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;

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
