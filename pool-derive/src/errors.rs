//! The errors of one derive, collected so that all are reported at once.

use core::fmt::Display;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

/// Errors found so far. Panics if dropped without [`Errors::finish`]: none may be lost.
pub(crate) struct Errors {
    found: Option<Vec<syn::Error>>,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Self { found: Some(Vec::new()) }
    }

    /// Reports a mistake in `tokens`.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        self.found.get_or_insert_default().push(error);
    }

    /// The errors as `compile_error!`s; `None` if there are none.
    pub(crate) fn finish(mut self) -> Option<TokenStream> {
        let found = self.found.take().unwrap_or_default();
        found
            .into_iter()
            .reduce(|mut all, error| {
                all.combine(error);
                all
            })
            .map(compile_error)
    }
}

/// The errors as `compile_error!`s at the user's tokens, without the path before them that `syn` writes, `::core`: in the edition
/// 2015, to which these tokens may belong, that is a module of the user's crate.
pub(crate) fn compile_error(error: syn::Error) -> TokenStream {
    let is_of_path = |token: &TokenTree| match token {
        TokenTree::Ident(word) => word == "core",
        TokenTree::Punct(punct) => punct.as_char() == ':',
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    };
    error.into_compile_error().into_iter().filter(|token| !is_of_path(token)).collect()
}

impl Drop for Errors {
    fn drop(&mut self) {
        if self.found.is_some() && !std::thread::panicking() {
            panic!("errors were collected but never looked at");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_all_errors() {
        let mut errors = Errors::new();
        errors.at(quote::quote!(a), "first");
        errors.at(quote::quote!(b), "second");
        let tokens = errors.finish().unwrap().to_string();
        assert!(tokens.contains("first") && tokens.contains("second"));
    }

    /// The edition 2015 has no crate `::core`.
    #[test]
    fn errors_need_no_path() {
        let mut errors = Errors::new();
        errors.at(quote::quote!(a), "::core first");
        errors.at(quote::quote!(b), "second");
        let tokens = errors.finish().unwrap().to_string();
        assert_eq!(tokens, r#"compile_error ! { "::core first" } compile_error ! { "second" }"#);
    }

    #[test]
    #[should_panic = "never looked at"]
    fn does_not_lose_errors() {
        Errors::new().at(quote::quote!(a), "lost");
    }
}
