//! Borrows in the types that `instances(..)` lists.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{
    AngleBracketedGenericArguments, GenericArgument, Lifetime, PathArguments, Type, TypeParamBound,
};

/// The first borrow in the type that is not `'static`.
///
/// The arguments of a function or a closure do not count.
pub(crate) fn find(ty: &Type) -> Option<TokenStream> {
    match ty {
        Type::Reference(reference) => match &reference.lifetime {
            Some(lifetime) => find_in_lifetime(lifetime).or_else(|| find(&reference.elem)),
            None => Some(reference.to_token_stream()),
        },
        Type::Path(path) => {
            path.path.segments.iter().find_map(|segment| match &segment.arguments {
                PathArguments::AngleBracketed(arguments) => find_in_arguments(arguments),
                PathArguments::None | PathArguments::Parenthesized(_) => None,
            })
        }
        Type::TraitObject(object) => object.bounds.iter().find_map(|bound| match bound {
            TypeParamBound::Lifetime(lifetime) => find_in_lifetime(lifetime),
            _ => None,
        }),
        Type::Array(array) => find(&array.elem),
        Type::Slice(slice) => find(&slice.elem),
        Type::Ptr(pointer) => find(&pointer.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(find),
        Type::Group(group) => find(&group.elem),
        Type::Paren(paren) => find(&paren.elem),
        _ => None,
    }
}

fn find_in_arguments(arguments: &AngleBracketedGenericArguments) -> Option<TokenStream> {
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Lifetime(lifetime) => find_in_lifetime(lifetime),
        GenericArgument::Type(ty) => find(ty),
        _ => None,
    })
}

fn find_in_lifetime(lifetime: &Lifetime) -> Option<TokenStream> {
    (lifetime.ident != "static").then(|| lifetime.to_token_stream())
}

#[cfg(test)]
mod tests {
    use proc_macro2::{Delimiter, Group, TokenTree};
    use quote::quote;

    use super::*;

    #[test]
    fn a_borrow_is_found_wherever_it_is() {
        let borrow = quote!(&'a u8);
        // As a macro passes a type on.
        let fragment = TokenTree::from(Group::new(Delimiter::None, borrow.clone()));
        for ty in [
            quote!(#borrow),
            quote!(&'static #borrow),
            quote!([#borrow; 2]),
            quote!(Box<[#borrow]>),
            quote!(*const #borrow),
            quote!((u8, #borrow)),
            quote!((#borrow)),
            quote!(#fragment),
            quote!(Node<u8, Option<#borrow>>),
            quote!(Node<'a>),
            quote!(Box<dyn Send + 'a>),
        ] {
            let found = find(&syn::parse2(ty.clone()).unwrap());
            assert_eq!(found.expect("a borrow").to_string(), "'a", "{ty}");
        }
    }
}
