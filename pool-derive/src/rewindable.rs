//! `#[derive(Rewindable)]`: does to each field what is done to the struct.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Data, DeriveInput, Member, Path, Type};

use crate::crate_path::CratePath;
use crate::errors::Errors;
use crate::simplify;
use crate::tokens::{allowing, arguments};

/// What a mark does with a field.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Marked,
    Cloned,
    Skipped,
}

pub(crate) fn derive(tokens: TokenStream) -> syn::Result<TokenStream> {
    let is_exact = syn::parse2::<DeriveInput>(tokens.clone()).is_ok();
    Ok(expansion(&simplify::declaration(tokens)?, is_exact))
}

/// If the declaration was [simplified](simplify), the types of its fields may have changed, and it is not `is_exact`.
fn expansion(input: &DeriveInput, is_exact: bool) -> TokenStream {
    let mut errors = Errors::new();
    let crate_path = crate_path(&input.attrs, &mut errors);
    let fields = fields(input, &mut errors);
    match errors.finish() {
        Some(errors) => errors,
        None => {
            let code = expand(input, &fields, is_exact, &crate_path);
            allowing(&input.attrs, crate_path.enclose(code))
        }
    }
}

fn crate_path(attributes: &[Attribute], errors: &mut Errors) -> CratePath {
    let mut crate_path = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("rewind")) {
        let parsed = attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error(
                    "the only key here is `crate`; `clone` and `skip` go on fields: write them above one",
                ));
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
    crate_path.map_or_else(CratePath::default, CratePath::new)
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
    crate_path: &CratePath,
) -> TokenStream {
    let [rewindable, mark, forgotten, one_mark, result, ok, err] =
        ["Rewindable", "Mark", "Forgotten", "one_mark", "Result", "Ok", "Err"]
            .map(|name| crate_path.item(name));
    let of_role = |wanted| fields.iter().filter(move |(_, _, role)| *role == wanted);
    // Errors point at the type of the field.
    let path = |ty: &Type| match is_exact {
        true => quote!(<#ty as #rewindable>),
        false => rewindable.clone(),
    };
    let marked: Vec<_> = of_role(Role::Marked).map(|(member, ty, _)| (member, path(ty))).collect();
    let each = |method: &str, arguments: TokenStream| {
        let method = quote::format_ident!("{method}");
        let calls = marked
            .iter()
            .map(move |(member, path)| quote!(#path::#method(&mut self.#member, #arguments)));
        calls.collect::<Vec<_>>()
    };
    let (members, paths): (Vec<_>, Vec<_>) = marked.iter().cloned().unzip();
    let (host, host_path) = (members[0], &paths[0]);
    let cloned: Vec<_> = of_role(Role::Cloned).map(|(member, _, _)| member).collect();
    let number: Vec<_> = (0..cloned.len()).collect();
    let kept: Vec<_> = number.iter().map(|number| quote::format_ident!("kept_{number}")).collect();
    let count = cloned.len();
    let (mark_from, rewind, drop_spent, confirm) = (
        each("__mark_from", quote!(number)),
        each("__rewind", quote!(mark)),
        each("__drop_spent", quote!()),
        each("confirm", quote!(mark)),
    );
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
                let number = #rewindable::__next(self);
                #rewindable::__mark_from(self, number)
            }

            fn rewind(&mut self, mark: #mark) -> #result<(), #forgotten> {
                #rewindable::__rewind(self, mark)?;
                #rewindable::__drop_spent(self);
                #ok(())
            }

            fn confirm(&mut self, mark: #mark) {
                if #rewindable::__knows(self, mark) {
                    #(#confirm;)*
                }
            }

            fn __next(&self) -> ::core::primitive::u64 {
                let next = 0;
                #(let next = ::core::primitive::u64::max(next, #paths::__next(&self.#members));)*
                next
            }

            #[allow(unused_variables)]
            fn __mark_from(&mut self, number: ::core::primitive::u64) -> #mark {
                let mark = ::core::option::Option::None;
                #(let mark = #one_mark(mark, #mark_from);)*
                let mark = mark.unwrap();
                let first = #host_path::__count_kept(&self.#host);
                #(#host_path::__keep(&mut self.#host, mark, first + #number, &self.#cloned);)*
                mark
            }

            fn __knows(&self, mark: #mark) -> ::core::primitive::bool {
                true #(&& #paths::__knows(&self.#members, mark))*
            }

            #[allow(unused_variables)]
            fn __rewind(&mut self, mark: #mark) -> #result<(), #forgotten> {
                if !#rewindable::__knows(self, mark) {
                    return #err(#forgotten);
                }
                // Clones come first, since they may panic, and destructors last.
                let first = #host_path::__count_kept(&self.#host);
                #(let mut #kept = #host_path::__kept(&mut self.#host, mark, first + #number);)*
                #(#rewind?;)*
                #(if let ::core::option::Option::Some(kept) = &mut #kept {
                    ::core::mem::swap(kept, &mut self.#cloned);
                })*
                #ok(())
            }

            fn __drop_spent(&mut self) {
                #(#drop_spent;)*
            }

            fn __count_kept(&self) -> ::core::primitive::usize {
                #host_path::__count_kept(&self.#host) + #count
            }

            fn __keep<__V: ::core::clone::Clone + ::core::marker::Send + ::core::marker::Sync + 'static>(
                &mut self,
                mark: #mark,
                number: ::core::primitive::usize,
                value: &__V,
            ) {
                #host_path::__keep(&mut self.#host, mark, number, value);
            }

            fn __kept<__V: ::core::clone::Clone + ::core::marker::Send + ::core::marker::Sync + 'static>(
                &mut self,
                mark: #mark,
                number: ::core::primitive::usize,
            ) -> ::core::option::Option<__V> {
                #host_path::__kept(&mut self.#host, mark, number)
            }
        }
    }
}
