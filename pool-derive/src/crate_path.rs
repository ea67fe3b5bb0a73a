//! The path by which the user's crate reaches typed-pool.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Path};

use crate::errors::Errors;
use crate::tokens::ends;

/// `::typed_pool`, or what `crate = path` says.
#[derive(Default)]
pub(crate) struct CratePath {
    path: Option<TokenStream>,
}

impl CratePath {
    pub(crate) fn new(path: TokenStream) -> Self {
        Self { path: Some(path) }
    }

    /// Reads `#[name(crate = path)]`, for attributes that have no other key.
    pub(crate) fn of(
        attributes: &[Attribute],
        name: &str,
        only_key: &str,
        errors: &mut Errors,
    ) -> Self {
        let mut crate_path = None;
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
            let parsed = attribute.parse_nested_meta(|meta| {
                if !meta.path.is_ident("crate") {
                    return Err(meta.error(only_key));
                }
                let path = meta.value()?.call(Path::parse_mod_style).map_err(|error| {
                    let message = "`crate` takes a path: write `crate = path::to::typed_pool`";
                    syn::Error::new(error.span(), message)
                })?;
                match crate_path.replace(path.into_token_stream()) {
                    Some(_) => Err(meta.error("`crate` is given twice: remove one")),
                    None => Ok(()),
                }
            });
            parsed.unwrap_or_else(|error| errors.push(error));
        }
        Self { path: crate_path }
    }

    /// Makes `code`, which refers to [`item`](Self::item)s, compile in the user's crate.
    pub(crate) fn enclose(&self, code: TokenStream) -> TokenStream {
        let Some(path) = &self.path else { return code };
        // With a single import, a path that leads nowhere is one error, and it points at the path.
        let [start, end] = ends(path);
        let import = quote_spanned!(end=> __private as __typed_pool);
        let import = quote_spanned!(start=> use #path::#import;);
        quote! {
            const _: () = {
                #import
                #code
            };
        }
    }

    /// The path of an item that exists for the derive.
    pub(crate) fn item(&self, name: &str) -> TokenStream {
        self.item_at(name, [Span::call_site(); 2])
    }

    /// The same, as if the user had written it between two spans.
    pub(crate) fn item_at(&self, name: &str, [start, end]: [Span; 2]) -> TokenStream {
        let private = match self.path {
            Some(_) => quote_spanned!(start=> __typed_pool),
            None => quote_spanned!(start=> ::typed_pool::__private),
        };
        let name = Ident::new(name, end);
        quote_spanned!(end=> #private::#name)
    }
}
