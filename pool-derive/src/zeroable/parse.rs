//! `#[zeroable(crate = path)]`

use quote::ToTokens;
use syn::{Attribute, Path};

use crate::errors::Errors;
use crate::library::Library;

/// Whether this is ours.
pub(super) fn is_zeroable(attribute: &Attribute) -> bool {
    attribute.path().is_ident("zeroable")
}

/// Where the attributes say that the library is.
pub(super) fn library(attributes: &[Attribute], errors: &mut Errors) -> Library {
    let mut library = None;
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
            match library.replace(path.into_token_stream()) {
                Some(_) => Err(meta.error("`crate` is given twice: remove one")),
                None => Ok(()),
            }
        });
        if let Err(error) = parsed {
            errors.push(error);
        }
    }
    library.map_or_else(Library::default, Library::at_path)
}
