//! `#[zeroable(crate = path)]`

use quote::ToTokens;
use syn::{Attribute, Path};

use crate::crate_path::CratePath;
use crate::errors::Errors;

/// Whether this is a `#[zeroable]`.
pub(super) fn is_zeroable(attribute: &Attribute) -> bool {
    attribute.path().is_ident("zeroable")
}

/// The path to typed-pool, as the attributes say.
pub(super) fn crate_path(attributes: &[Attribute], errors: &mut Errors) -> CratePath {
    let mut crate_path = None;
    for attribute in attributes.iter().filter(|attribute| is_zeroable(attribute)) {
        let parsed = attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta
                    .error("the only key here is `crate`: write `crate = path::to::typed_pool`"));
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
        if let Err(error) = parsed {
            errors.push(error);
        }
    }
    crate_path.map_or_else(CratePath::default, CratePath::new)
}
