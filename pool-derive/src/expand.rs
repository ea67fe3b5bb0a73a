//! From a [`Pool`] to code. Every pooled type of every user compiles a copy: as little as will do.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::{DeriveInput, parse_quote};

use crate::library::Library;
use crate::model::{Count, Growth, Pool, Strategy};
use crate::shape;
use crate::tokens::ends;

pub(crate) fn expand(pool: &Pool) -> TokenStream {
    pool.types.iter().map(|ty| expand_type(pool, ty)).collect()
}

fn expand_type(pool: &Pool, ty: &TokenStream) -> TokenStream {
    let [pooled, thread_local, local, local_key, config] =
        ["Pooled", "thread_local", "Local", "LocalKey", "Config"]
            .map(|name| pool.library.item(name));
    let owned = pool.library.item(pool.strategy.owned_pool());
    let counts = pool.growth.counts();
    let constants = counts.iter().map(|count| constant(count, &pool.library));
    let name = pool.name.as_ref().map(|name| quote!(.name(#name)));
    let setters: TokenStream = counts.iter().map(|count| setter(count)).chain(name).collect();
    let initial = match setters.is_empty() {
        true => quote!(EMPTY),
        false => quote!(new(#config::new() #setters)),
    };
    let checks = checks(pool, ty);
    quote! {
        #[automatically_derived]
        unsafe impl #pooled for #ty {
            type __Storage = #local_key<#local<#owned<Self>>>;
            #[inline]
            fn __storage() -> &'static Self::__Storage {
                #(#constants)*
                #thread_local! {
                    static __POOL: #local<#owned<#ty>> = const { #local::<#owned<#ty>>::#initial };
                }
                #checks
                &__POOL
            }
        }
    }
}

/// What stands beside an error: an `impl` for every instance, so that uses of the pool elsewhere are
/// not errors as well. It asks nothing of the type, not even a size.
pub(crate) fn stub(input: &DeriveInput, library: &Library) -> TokenStream {
    if !shape::is_sized(input) {
        return TokenStream::new();
    }
    let [pooled, local, local_key, owned, sized] =
        ["Pooled", "Local", "LocalKey", "FreeList", "Sized"].map(|name| library.item(name));
    let name = &input.ident;
    let mut generics = input.generics.clone();
    if !generics.params.is_empty() {
        generics.make_where_clause().predicates.push(parse_quote!(Self: #sized + 'static));
    }
    let (parameters, arguments, bounds) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        unsafe impl #parameters #pooled for #name #arguments #bounds {
            type __Storage = #local_key<#local<#owned<Self>>>;
            fn __storage() -> &'static Self::__Storage {
                loop {}
            }
        }
    }
}

impl Strategy {
    /// The pool that a thread-local one is made of.
    fn owned_pool(self) -> &'static str {
        match self {
            Self::FreeList => "FreeList",
            Self::PointerStack => "PointerStack",
        }
    }
}

impl Growth {
    fn counts(&self) -> Vec<&Count> {
        match self {
            Self::Fixed { capacity } => vec![capacity],
            Self::Chunks { chunk, max } => chunk.iter().chain(max).collect(),
        }
    }
}

impl Count {
    /// What holds the value, so that the user's expression is compiled once.
    fn constant(&self) -> Ident {
        format_ident!("__{}", self.key.to_string().to_uppercase())
    }
}

fn constant(count: &Count, library: &Library) -> TokenStream {
    let (name, value) = (count.constant(), &count.value);
    // What the compiler points at to say why a value of another type does not fit.
    let key = Span::call_site().located_at(count.key.span());
    let usize = library.item_at("usize", [key; 2]);
    // In an attribute, `{ N }` is as good as `N`. Not always: some crates forbid all `allow`s.
    let mut tokens = value.clone().into_iter();
    let is_enclosed = matches!((tokens.next(), tokens.next()), (Some(TokenTree::Group(_)), None));
    let allow = is_enclosed.then(|| quote!(#[allow(unused_braces, unused_parens)]));
    quote!(#allow const #name: #usize = #value;)
}

fn setter(count: &Count) -> TokenStream {
    let Count { key, .. } = count;
    let constant = count.constant();
    quote!(.#key(#constant))
}

fn checks(pool: &Pool, ty: &TokenStream) -> TokenStream {
    let library = &pool.library;
    let mut checks = TokenStream::new();
    match pool.strategy {
        Strategy::FreeList if pool.is_padded => {}
        Strategy::FreeList => {
            let size = library.item("size_up_to_link");
            let [holds_link, sized] = ["HoldsLink", "NotZeroSized"].map(|name| library.item(name));
            let first = quote!(#holds_link<#ty, { #size::<#ty>() }>);
            checks.extend(check(library, ty, &[first, quote!(#sized<#ty>)]));
        }
        Strategy::PointerStack => {
            let [has_size, size] = ["HasSize", "size_up_to_one"].map(|name| library.item(name));
            checks.extend(check(library, ty, &[quote!(#has_size<#ty, { #size::<#ty>() }>)]));
        }
    }
    for count in pool.growth.counts() {
        let constant = count.constant();
        let slots = library.item("slots_out_of_range");
        let [within, some] = ["WithinAddressSpace", "SomeSlots"].map(|name| library.item(name));
        let first = quote!(#within<#ty, { #slots::<#ty>(#constant) }>);
        checks.extend(check(library, &count.value, &[first, quote!(#some<#ty>)]));
    }
    if let Growth::Chunks { chunk: Some(chunk), max: Some(max) } = &pool.growth {
        if chunk.literal.is_none() || max.literal.is_none() {
            let (first, most) = (chunk.constant(), max.constant());
            let [over, within] =
                ["chunk_over_max", "ChunkWithinMax"].map(|name| library.item(name));
            let check_chunk = quote!(#within<#ty, { #over(#first, #most) }, { #most }>);
            checks.extend(check(library, &chunk.value, &[check_chunk]));
        }
    }
    checks
}

/// Names the method `check` of the last of `traits`, each of which is to be implemented by the
/// outcome of the one before. If one is not, the error stands at the user's tokens `at`.
fn check(library: &Library, at: &TokenStream, traits: &[TokenStream]) -> TokenStream {
    let at = ends(at);
    let [start, end] = at;
    // The compiler points at the type that lacks the trait: from its first token to its last.
    let mut subject = library.item_at("Checked", at);
    for (i, bound) in traits.iter().enumerate() {
        let less = quote_spanned!(start=> <);
        let outcome = if i + 1 < traits.len() { "Outcome" } else { "check" };
        let outcome = Ident::new(outcome, end);
        subject = quote!(#less #subject as #bound>::#outcome);
    }
    quote!(let _ = #subject;)
}
