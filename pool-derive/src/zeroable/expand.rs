//! From a [`Struct`] to a call of `__zeroable!`, which takes only names, lifetimes, paths and types.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    BoundLifetimes, GenericParam, Generics, Lifetime, TraitBound, Type, TypeParamBound,
    WherePredicate,
};

use super::Struct;
use crate::errors::Errors;
use crate::tokens;

pub(super) fn expand(declared: &Struct<'_>, is_exact: bool, errors: &mut Errors) -> TokenStream {
    let Struct { name, generics, fields, crate_path } = declared;
    let [mut lifetimes, mut types, mut constants, mut arguments]: [TokenStream; 4] =
        Default::default();
    let mut bounds = Bounds::default();
    for parameter in &generics.params {
        match parameter {
            GenericParam::Lifetime(parameter) => {
                let lifetime = &parameter.lifetime;
                lifetimes.extend(quote!(#lifetime));
                bounds.of_lifetime(lifetime, &parameter.bounds);
            }
            GenericParam::Type(parameter) => {
                let ident = &parameter.ident;
                types.extend(quote!(#ident));
                arguments.extend(quote!(#ident));
                bounds.of_type(ident, None, &parameter.bounds, errors);
            }
            GenericParam::Const(parameter) => {
                let (ident, ty) = (&parameter.ident, &parameter.ty);
                constants.extend(quote!(#ident: #ty,));
                arguments.extend(tokens::argument(ident));
            }
        }
    }
    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        match predicate {
            WherePredicate::Lifetime(predicate) => {
                bounds.of_lifetime(&predicate.lifetime, &predicate.bounds);
            }
            WherePredicate::Type(predicate) => {
                let whole = || {
                    let arguments = tokens::arguments(generics);
                    quote!(#name #arguments)
                };
                let ty = predicate.bounded_ty.to_token_stream();
                // The proof stands in a function of its own, where nothing is called `Self`.
                let ty = if ty.to_string() == "Self" { whole() } else { ty };
                bounds.of_type(ty, predicate.lifetimes.as_ref(), &predicate.bounds, errors);
            }
            other => errors.at(other, "`#[derive(Zeroable)]` cannot repeat this bound"),
        }
    }
    let Bounds { lifetimes: longer, outlives, traits, maybe_unsized } = bounds;
    let depends = |ty: &&Type| mentions(ty.to_token_stream(), generics);
    let zeroable = fields.iter().map(|(_, ty)| element(ty)).filter(depends);
    let fields = fields.iter().map(|(member, ty)| {
        match is_exact && !tokens::has_word(ty.to_token_stream(), "Self") {
            true => quote!(#member: #ty,),
            false => quote!(#member: _,),
        }
    });
    let declare = crate_path.item("__zeroable");
    crate_path.enclose(quote! {
        #declare! {
            #name [#lifetimes] [#types] [#constants] [#arguments]
            where [#longer] [#outlives] [#traits] [#maybe_unsized] [#(#zeroable,)*] [#(#fields)*]
        }
    })
}

/// Whether a type depends on a parameter. A bound on one that does not is simply true or false.
fn mentions(ty: TokenStream, generics: &Generics) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(word) => generics.params.iter().any(|parameter| match parameter {
            GenericParam::Type(parameter) => parameter.ident == word,
            GenericParam::Const(parameter) => parameter.ident == word,
            GenericParam::Lifetime(_) => false,
        }),
        TokenTree::Group(group) => mentions(group.stream(), generics),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The type that has to be zeroable for an array to be so, whatever its length.
fn element(ty: &Type) -> &Type {
    match ty {
        Type::Array(array) => element(&array.elem),
        Type::Paren(inner) => element(&inner.elem),
        Type::Group(inner) => element(&inner.elem),
        _ => ty,
    }
}

/// The bounds of the declaration, one by one.
#[derive(Default)]
struct Bounds {
    lifetimes: TokenStream,
    outlives: TokenStream,
    traits: TokenStream,
    maybe_unsized: TokenStream,
}

impl Bounds {
    fn of_lifetime<'a>(
        &mut self,
        longer: &Lifetime,
        shorter: impl IntoIterator<Item = &'a Lifetime>,
    ) {
        self.lifetimes.extend(shorter.into_iter().map(|shorter| quote!(#longer: #shorter,)));
    }

    fn of_type<'a>(
        &mut self,
        ty: impl ToTokens,
        every: Option<&BoundLifetimes>,
        bounds: impl IntoIterator<Item = &'a TypeParamBound>,
        errors: &mut Errors,
    ) {
        let named = |lifetimes: Option<&BoundLifetimes>| -> TokenStream {
            lifetimes.iter().flat_map(|all| &all.lifetimes).map(ToTokens::to_token_stream).collect()
        };
        let outer = named(every);
        for bound in bounds {
            match bound {
                TypeParamBound::Lifetime(lifetime) => {
                    self.outlives.extend(quote!(for [#outer] #ty: #lifetime,));
                }
                TypeParamBound::Trait(TraitBound { maybe: Some(_), .. }) => {
                    self.maybe_unsized.extend(quote!(#ty,));
                }
                TypeParamBound::Trait(TraitBound { lifetimes, path, .. }) => {
                    let inner = named(lifetimes.as_ref());
                    self.traits.extend(quote!(for [#outer #inner] #ty: #path,));
                }
                other => errors.at(other, "`#[derive(Zeroable)]` cannot repeat this bound"),
            }
        }
    }
}
