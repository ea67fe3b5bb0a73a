//! `#[derive(Rewindable)]`: does to each field what is done to the struct.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Lifetime, Member, Type};

use crate::crate_path::CratePath;
use crate::errors::Errors;
use crate::simplify;
use crate::tokens::{allowing, arguments, has_word};

/// The role of a field at a mark.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Marked,
    Cloned,
    Skipped,
}

pub(crate) fn derive(tokens: TokenStream) -> syn::Result<TokenStream> {
    let is_exact = syn::parse2::<DeriveInput>(tokens.clone()).is_ok();
    let own = ["__mark", "__show", "__a"].map(|name| unused_name(&tokens, name));
    Ok(expansion(&simplify::declaration(tokens)?, is_exact, own))
}

/// `is_exact` says that the declaration was not [simplified](simplify), which may change the types of its fields. `own` are names that the
/// declaration does not have.
fn expansion(input: &DeriveInput, is_exact: bool, own: [String; 3]) -> TokenStream {
    let mut errors = Errors::new();
    let only =
        "the only key here is `crate`; `clone` and `skip` go on fields: write them above one";
    let crate_path = CratePath::of(&input.attrs, "rewind", only, &mut errors);
    let fields = fields(input, &mut errors);
    match errors.finish() {
        Some(errors) => errors,
        None => {
            let code = expand(input, &fields, is_exact, own, &crate_path);
            allowing(&input.attrs, crate_path.enclose(code))
        }
    }
}

fn fields<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Vec<(Member, &'a Type, Role)> {
    let data = match &input.data {
        Data::Struct(data) => data,
        Data::Enum(_) | Data::Union(_) => {
            let message = "`Rewindable` can be derived for structs only: keep the parts in a struct, and what varies in a \
                           field with `#[rewind(clone)]`";
            errors.at(&input.ident, message);
            return Vec::new();
        }
    };
    let mut fields = Vec::new();
    for (member, field) in data.fields.members().zip(&data.fields) {
        let role = role(&field.attrs, errors);
        fields.push((member, &field.ty, role));
    }
    if !fields.iter().any(|(_, _, role)| *role == Role::Marked) {
        let message = "there is nothing to rewind: at least one field has to be a `Rewind`, or derive `Rewindable`, and have no \
                       `#[rewind(..)]`; it keeps what marks clone of the others";
        errors.at(&input.ident, message);
    }
    fields
}

fn role(attributes: &[Attribute], errors: &mut Errors) -> Role {
    let mut role = Role::Marked;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("rewind")) {
        let parsed = attribute.parse_nested_meta(|meta| {
            let new = match () {
                () if meta.path.is_ident("clone") => Role::Cloned,
                () if meta.path.is_ident("skip") => Role::Skipped,
                () => {
                    let message = "on a field write `clone`, if a mark clones it, or `skip`, if it is no part of the state";
                    return Err(meta.error(message));
                }
            };
            if role != Role::Marked {
                return Err(meta.error("a field is cloned or skipped, and that is said once: remove one"));
            }
            role = new;
            Ok(())
        });
        parsed.unwrap_or_else(|error| errors.push(error));
    }
    role
}

fn expand(
    input: &DeriveInput,
    fields: &[(Member, &Type, Role)],
    is_exact: bool,
    [mark_name, show_name, lifetime]: [String; 3],
    crate_path: &CratePath,
) -> TokenStream {
    let [own_mark, show] = [mark_name, show_name].map(|name| Ident::new(&name, Span::call_site()));
    let lifetime = Lifetime::new(&format!("'{lifetime}"), Span::call_site());
    let [rewindable, mark, forgotten, part, value, result] =
        ["Rewindable", "Mark", "Forgotten", "Part", "cloned_part", "Result"]
            .map(|name| crate_path.item(name));
    let [mark_all, rewind_all, confirm_all, all_know] =
        ["mark", "rewind", "confirm", "knows"].map(|name| crate_path.item(name));
    let of_role = |wanted| fields.iter().filter(move |(_, _, role)| *role == wanted);
    let marked = of_role(Role::Marked).map(|(member, ty, _)| {
        // Errors point at the type of the field.
        let path = if is_exact { quote!(<#ty as #rewindable>) } else { rewindable.clone() };
        quote!(#path::__parts(&mut self.#member, #show);)
    });
    let cloned = of_role(Role::Cloned).map(|(member, ty, _)| {
        let value = if is_exact { quote!(#value::<#ty>) } else { quote!(#value) };
        quote!(#show(#value(&mut self.#member));)
    });
    let parts = marked.chain(cloned);
    let mut generics = input.generics.clone();
    if is_exact && !generics.params.is_empty() {
        let types = of_role(Role::Marked).map(|(_, ty, _)| ty);
        let bounds: Vec<syn::WherePredicate> =
            types.map(|ty| syn::parse_quote!(#ty: #rewindable)).collect();
        generics.make_where_clause().predicates.extend(bounds);
    }
    let (name, arguments) = (&input.ident, arguments(&generics));
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #rewindable for #name #arguments #where_clause {
            fn mark(&mut self) -> #mark {
                #mark_all(self)
            }

            fn rewind(&mut self, #own_mark: #mark) -> #result<(), #forgotten> {
                #rewind_all(self, #own_mark)
            }

            fn confirm(&mut self, #own_mark: #mark) {
                #confirm_all(self, #own_mark)
            }

            fn knows(&mut self, #own_mark: #mark) -> ::core::primitive::bool {
                #all_know(self, #own_mark)
            }

            fn __parts<#lifetime>(&#lifetime mut self, #show: &mut dyn ::core::ops::FnMut(#part<#lifetime>)) {
                #(#parts)*
            }
        }
    }
}

/// A name for what the derive declares, which the declaration does not have.
fn unused_name(declaration: &TokenStream, name: &str) -> String {
    let mut name = name.to_owned();
    while has_word(declaration.clone(), &name) {
        name.push('_');
    }
    name
}
