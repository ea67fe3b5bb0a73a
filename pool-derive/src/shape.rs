//! The types that can have a pool.

use proc_macro2::Ident;
use syn::{Attribute, Data, DeriveInput, Field, GenericArgument, PathArguments, PathSegment, Type};

use crate::errors::Errors;
use crate::parse::is_pool;
use crate::tokens::pretty;

/// Reports what is wrong with the type itself.
pub(crate) fn check(input: &DeriveInput, errors: &mut Errors) {
    if let Data::Union(data) = &input.data {
        errors.at(
            data.union_token,
            "a union cannot have a pool: write `#[derive(Pooled)]` on a struct that holds it",
        );
    }
    if let Data::Enum(data) = &input.data {
        for variant in &data.variants {
            misplaced(&variant.attrs, &input.ident, errors);
        }
    }
    for field in fields(&input.data) {
        misplaced(&field.attrs, &input.ident, errors);
    }
    if let Some(field) = unsized_field(&input.data) {
        let ty = pretty(&field.ty);
        errors.at(
            &field.ty,
            format!("the slots of a pool have one size, and `{ty}` has none: use `Box<{ty}>`"),
        );
    }
    for lifetime in input.generics.lifetimes() {
        let lifetime = &lifetime.lifetime;
        let name = &input.ident;
        errors.at(
            lifetime,
            format!(
                "the pool of `{name}` outlives every borrow, so `{name}` cannot hold one: own the \
                 data instead of `{lifetime}`, or allocate from a `FreeList<{name}<'_>>` that you \
                 own"
            ),
        );
    }
}

fn misplaced(attributes: &[Attribute], name: &Ident, errors: &mut Errors) {
    for attribute in attributes.iter().filter(|attribute| is_pool(attribute)) {
        errors.at(attribute, format!("`#[pool(..)]` goes on the type: move it above `{name}`"));
    }
}

fn fields(data: &Data) -> Vec<&Field> {
    match data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.fields).collect(),
        Data::Union(data) => data.fields.named.iter().collect(),
    }
}

/// The field that makes the type unsized.
pub(crate) fn unsized_field(data: &Data) -> Option<&Field> {
    let Data::Struct(data) = data else { return None };
    data.fields.iter().next_back().filter(|field| match &field.ty {
        Type::Slice(_) | Type::TraitObject(_) => true,
        Type::Path(path) => path.path.is_ident("str"),
        _ => false,
    })
}

pub(crate) fn is_sized(input: &DeriveInput) -> bool {
    unsized_field(&input.data).is_none()
}

/// Whether the type holds itself without indirection (E0072).
pub(crate) fn is_infinite(input: &DeriveInput) -> bool {
    fields(&input.data).into_iter().any(|field| holds(&field.ty, &input.ident))
}

fn holds(ty: &Type, name: &Ident) -> bool {
    match ty {
        Type::Array(array) => holds(&array.elem, name),
        Type::Tuple(tuple) => tuple.elems.iter().any(|element| holds(element, name)),
        Type::Path(path) if path.path.is_ident(name) || path.path.is_ident("Self") => true,
        Type::Path(path) => match path.path.segments.last() {
            Some(PathSegment { ident, arguments: PathArguments::AngleBracketed(arguments) }) => {
                ident == name && path.path.segments.len() == 1
                    || ident == "Option" && arguments.args.iter().any(|argument| {
                        matches!(argument, GenericArgument::Type(ty) if holds(ty, name))
                    })
            }
            _ => false,
        },
        _ => false,
    }
}
