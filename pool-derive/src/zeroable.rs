//! `#[derive(Zeroable)]`: takes a struct apart, for a macro of the library to check and to implement.
//!
//! Nothing here is `unsafe`, nor may it be: with `crate = path`, anyone's macro may be called.

mod expand;
mod validate;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{DeriveInput, Generics, Member, Type};

use crate::crate_path::CratePath;
use crate::errors::Errors;
use crate::{shape, simplify, tokens};

/// A struct for which zeros are a value.
struct Struct<'a> {
    name: &'a Ident,
    generics: &'a Generics,
    fields: Vec<(Member, &'a Type)>,
    crate_path: CratePath,
}

pub(crate) fn derive(tokens: TokenStream) -> syn::Result<TokenStream> {
    let is_exact = syn::parse2::<DeriveInput>(tokens.clone()).is_ok();
    Ok(expansion(&simplify::declaration(tokens)?, is_exact))
}

/// `is_exact` says that the declaration was not [simplified](simplify), which may change the types of its fields.
fn expansion(input: &DeriveInput, is_exact: bool) -> TokenStream {
    let mut errors = Errors::new();
    let only = "the only key here is `crate`: write `crate = path::to::typed_pool`";
    let crate_path = CratePath::of(&input.attrs, "zeroable", only, &mut errors);
    let declared = validate::validate(input, crate_path, &mut errors)
        // The compiler reports an infinite type by itself; the proof would add more errors.
        .filter(|_| !shape::is_infinite(input));
    let code = declared.map(|declared| expand::expand(&declared, is_exact, &mut errors));
    match errors.finish() {
        Some(errors) => errors,
        None => tokens::allowing(&input.attrs, quote!(#code)),
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    fn of(input: &DeriveInput) -> String {
        expansion(input, true).to_string()
    }

    #[test]
    fn holds_no_unsafe_and_names_the_library_by_its_path() {
        let code = of(&parse_quote!(
            struct Name(u8);
        ));
        assert!(code.starts_with(":: typed_pool :: __private :: __zeroable ! {"), "{code}");
        let code = of(&parse_quote!(
            #[zeroable(crate = engine::pools)]
            struct Name(u8);
        ));
        assert!(code.contains("use engine :: pools :: __private as __typed_pool ;"), "{code}");
        assert!(!code.contains("unsafe") && !code.contains(" typed_pool"), "{code}");
    }

    #[test]
    fn takes_bounds_apart() {
        let input = parse_quote!(
            struct Name<'a, 'b: 'a, T: ?Sized + for<'x> A<'x> + 'b, const N: usize, U = u8>
            where
                for<'y> &'y T: B<'y> + 'y,
            {
                a: [[U; N]; 2],
                b: &'a T,
                c: u8,
            }
        );
        let expected = quote!(::typed_pool::__private::__zeroable! {
            Name ['a 'b] [T U] [N: usize,] [T { N } U]
            where
            ['b: 'a,]
            [for [] T: 'b, for ['y] &'y T: 'y,]
            [for ['x] T: A<'x>, for ['y] &'y T: B<'y>,]
            [T,]
            [U, &'a T,]
            [a: [[U; N]; 2], b: &'a T, c: u8,]
        });
        assert_eq!(of(&input), expected.to_string());
        let code = expansion(&input, false).to_string();
        assert!(code.contains("[U , & 'a T ,] [a : _ , b : _ , c : _ ,]"), "{code}");
    }

    #[test]
    fn answers_anything() {
        let refused: [DeriveInput; 7] = [
            parse_quote!(
                enum Name {}
            ),
            parse_quote!(
                union Name {
                    a: u8,
                }
            ),
            parse_quote!(
                #[zeroable]
                struct Name;
            ),
            parse_quote!(
                #[zeroable(bound = "")]
                struct Name;
            ),
            parse_quote!(
                #[zeroable(crate = "a")]
                struct Name;
            ),
            parse_quote!(
                #[zeroable(crate = a, crate = a)]
                struct Name;
            ),
            parse_quote!(
                struct Name(#[zeroable(crate = a)] u8);
            ),
        ];
        for input in refused {
            let code = of(&input);
            assert_eq!(code.matches("compile_error").count(), 1, "{code}");
            assert!(!code.contains("__zeroable"), "{code}");
        }
    }
}
