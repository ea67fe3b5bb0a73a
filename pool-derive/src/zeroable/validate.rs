//! The types that the derive is for.

use syn::spanned::Spanned;
use syn::{Data, DeriveInput};

use super::Struct;
use crate::crate_path::CratePath;
use crate::errors::Errors;
use crate::shape;
use crate::tokens::pretty;

/// The struct, if it is one.
pub(super) fn validate<'a>(
    input: &'a DeriveInput,
    crate_path: CratePath,
    errors: &mut Errors,
) -> Option<Struct<'a>> {
    let name = &input.ident;
    let data = match &input.data {
        Data::Struct(data) => data,
        Data::Enum(data) => {
            errors.at(
                data.enum_token,
                format!(
                    "`Zeroable` can be derived for structs only, since zeros may not be a variant of \
                     `{name}`: give such a field a value, or store a number in its place"
                ),
            );
            return None;
        }
        Data::Union(data) => {
            errors.at(
                data.union_token,
                format!(
                    "`Zeroable` can be derived for structs only: keep the union `{name}` in a \
                     `MaybeUninit`, which may be zeroed"
                ),
            );
            return None;
        }
    };
    for attribute in data.fields.iter().flat_map(|field| &field.attrs) {
        if attribute.path().is_ident("zeroable") {
            let message = format!("`#[zeroable(..)]` goes on the type: move it above `{name}`");
            errors.push(syn::Error::new(attribute.span(), message));
        }
    }
    if let Some(field) = shape::unsized_field(&input.data) {
        let ty = pretty(&field.ty);
        errors.at(&field.ty, format!("what is zeroed has a size, and `{ty}` has none: use an array, or `Option<Box<{ty}>>`"));
        return None;
    }
    let fields = data.fields.members().zip(data.fields.iter().map(|field| &field.ty)).collect();
    Some(Struct { name, generics: &input.generics, fields, crate_path })
}
