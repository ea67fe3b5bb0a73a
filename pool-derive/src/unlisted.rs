//! The instances that a generic type does not list: what the compiler says of them.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{DeriveInput, Type, WherePredicate};

use crate::model::{Pool, Strategy};

/// An `impl` for all instances, which says that they need not have a pool. Not for handles, where a listed instance would have
/// two answers.
pub(crate) fn expand(input: &DeriveInput, pool: &Pool) -> Option<TokenStream> {
    if input.generics.params.is_empty() || pool.strategy == Strategy::Roster || !is_plain(input) {
        return None;
    }
    let [derived, not_listed] = ["Derived", "NotListed"].map(|name| pool.crate_path.item(name));
    let name = &input.ident;
    let (parameters, arguments, bounds) = input.generics.split_for_impl();
    Some(quote! {
        #[automatically_derived]
        impl #parameters #derived for #name #arguments #bounds {
            type Storage = #not_listed;
        }
    })
}

/// Whether each bound is one parameter's and names no other type. Else it may lead to the type's own pool, and the compiler would run
/// in a circle: `where List<T>: Pooled`.
fn is_plain(input: &DeriveInput) -> bool {
    let generics = &input.generics;
    let is_a_parameter = |ty: &Type| match ty {
        Type::Path(path) => generics.type_params().any(|param| path.path.is_ident(&param.ident)),
        _ => false,
    };
    let names_no_type = |bounds: TokenStream| {
        bounds.into_iter().all(|token| match token {
            TokenTree::Group(_) => false,
            TokenTree::Punct(token) => token.as_char() != '<',
            TokenTree::Ident(_) | TokenTree::Literal(_) => true,
        })
    };
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    generics.type_params().all(|param| names_no_type(param.bounds.to_token_stream()))
        && predicates.into_iter().all(|predicate| match predicate {
            WherePredicate::Type(of) => {
                is_a_parameter(&of.bounded_ty) && names_no_type(of.bounds.to_token_stream())
            }
            _ => true,
        })
}
