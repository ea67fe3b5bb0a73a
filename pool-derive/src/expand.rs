//! From a [`Pool`] to code. Every pooled type compiles a copy of it, so there is as little as possible.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::DeriveInput;

use crate::crate_path::CratePath;
use crate::model::{Count, Growth, Pool, Storage, Strategy};
use crate::shape;
use crate::tokens::{arguments, ends};

pub(crate) fn expand(pool: &Pool) -> TokenStream {
    let expand = if pool.is_in_bss() { fixed } else { growing };
    pool.types.iter().map(|ty| expand(pool, ty)).collect()
}

/// A pool that grows, perhaps up to a limit: one for each thread, or one for all.
fn growing(pool: &Pool, ty: &TokenStream) -> TokenStream {
    let config = pool.config_of(ty);
    let key = match pool.storage {
        Storage::ThreadLocal => {
            let thread_local = pool.crate_path.item("__thread_local");
            let local = pool.strategy.local(&pool.slot(ty), &pool.crate_path);
            let initial = if pool.is_default() { quote!(EMPTY) } else { quote!(new(#config)) };
            quote!(#thread_local!(#local, <#local>::#initial))
        }
        Storage::Static => {
            let (declare, subject) = match pool.strategy {
                Strategy::Roster => ("__static_roster", ty.clone()),
                strategy => ("__static_pool", strategy.owned(&pool.slot(ty), &pool.crate_path)),
            };
            // The compiler points here if the element cannot be shared.
            let at @ [start, _] = ends(ty);
            let declare = pool.crate_path.item_at(declare, at);
            quote_spanned!(start=> #declare!(#subject, #config))
        }
    };
    pool.implementation(ty, &pool.growing_storage(&quote!(Self)), &key)
}

/// One pool in a `static` of a fixed size.
fn fixed(pool: &Pool, ty: &TokenStream) -> TokenStream {
    let crate_path = &pool.crate_path;
    let [declare, slots_of_static] =
        ["__static_slots", "slots_of_static"].map(|name| crate_path.item(name));
    let capacities = pool.growth.counts().into_iter().map(|count| pool.constant_of(ty, count));
    let slots = quote!({ #(#slots_of_static(#capacities))* });
    let [of_self, of_type] = [&quote!(Self), ty].map(|ty| pool.fixed(ty, &slots));
    let in_static = crate_path.item("InStatic");
    let key = quote!(#declare!(#of_type));
    pool.implementation(ty, &quote!(#in_static<#of_self>), &key)
}

impl Pool {
    /// The implementation for one type: its storage, how the pool grows, and its key. The user's numbers
    /// stand where none of our names are in scope.
    fn implementation(
        &self,
        ty: &TokenStream,
        storage: &TokenStream,
        key: &TokenStream,
    ) -> TokenStream {
        let pooled = self.strategy.pooled(&self.crate_path);
        let numbers = self.growth.counts();
        let constants = numbers.iter().map(|count| constant(count, &self.crate_path));
        let config = (!self.is_default()).then(|| {
            let config = self.crate_path.item("Config");
            let name = self.name.as_ref().map(|name| quote!(.name(#name)));
            let tag = self.tag.as_ref().map(|tag| quote!(.tag(#tag)));
            let setters = numbers.iter().map(|count| setter(count, &pooled)).chain(name).chain(tag);
            quote!(const __CONFIG: #config = #config::new() #(#setters)*;)
        });
        let checks = checks(self, ty);
        quote! {
            #[automatically_derived]
            impl #pooled for #ty {
                type __Storage = #storage;
                #(#constants)*
                #config
                const __POOL: Self::__Storage = {
                    #checks
                    #key
                };
            }
        }
    }

    /// The contents of a slot: the element, with its counts before it if it can be shared.
    fn slot(&self, ty: &TokenStream) -> TokenStream {
        if !self.is_rc {
            return ty.clone();
        }
        let with_counts = self.crate_path.item("WithCounts");
        quote!(#with_counts<#ty>)
    }

    /// The type of a static with `slots` slots.
    fn fixed(&self, ty: &TokenStream, slots: &TokenStream) -> TokenStream {
        let (fixed, slot) = (self.crate_path.item("Fixed"), self.slot(ty));
        quote!(#fixed<#slot, #slots>)
    }

    /// Whether the declaration says neither how the pool grows nor what it is called, nor its handles' tag.
    fn is_default(&self) -> bool {
        self.growth.counts().is_empty() && self.name.is_none() && self.tag.is_none()
    }

    fn config_of(&self, ty: &TokenStream) -> TokenStream {
        if self.is_default() {
            let config = self.crate_path.item("Config");
            return quote!(#config::new());
        }
        let pooled = self.strategy.pooled(&self.crate_path);
        quote!(<#ty as #pooled>::__CONFIG)
    }

    fn constant_of(&self, ty: &TokenStream, count: &Count) -> TokenStream {
        let pooled = self.strategy.pooled(&self.crate_path);
        let constant = count.constant();
        quote!(<#ty as #pooled>::#constant)
    }
}

/// The code beside `errors`: an `impl` for every instance, so that uses of the pool elsewhere are
/// not errors too. It asks nothing of the type, not even a size.
pub(crate) fn stub(
    input: &DeriveInput,
    pool: &Pool,
    errors: Option<TokenStream>,
) -> (Option<TokenStream>, TokenStream) {
    if !shape::is_sized(input) {
        return (errors, TokenStream::new());
    }
    let pooled = pool.strategy.pooled(&pool.crate_path);
    let has_boxes = pool.strategy != Strategy::Roster;
    // Without `std` a static of a fixed size stands in for the others; nothing does for a roster.
    let has_rosters = cfg!(all(feature = "rosters", feature = "std"));
    let storage = if has_boxes && (pool.is_in_bss() || cfg!(not(feature = "std"))) {
        let fixed = pool.fixed(&quote!(Self), &quote!(1));
        let in_static = pool.crate_path.item("InStatic");
        quote!(#in_static<#fixed>)
    } else if !has_boxes && !has_rosters {
        return (errors, TokenStream::new());
    } else {
        pool.growing_storage(&quote!(Self))
    };
    let name = &input.ident;
    let (parameters, _, bounds) = input.generics.split_for_impl();
    let arguments = arguments(&input.generics);
    let bounds = bounds.map(|bounds| &bounds.predicates);
    let mut beside = errors;
    let own_bound = (!input.generics.params.is_empty()).then(|| match beside.take() {
        // In this place, the compiler takes errors that follow from these for a part of them.
        Some(errors) => {
            let mistaken = pool.crate_path.item("Mistaken");
            quote!(Self: #mistaken<{ #errors }>,)
        }
        None => {
            let sized = pool.crate_path.item("Sized");
            quote!(Self: #sized + 'static,)
        }
    });
    let stub = quote! {
        #[automatically_derived]
        impl #parameters #pooled for #name #arguments
        where
            #own_bound
            #bounds
        {
            type __Storage = #storage;
        }
    };
    (beside, stub)
}

impl Pool {
    /// Whether the slots lie in a static, and none on the heap.
    fn is_in_bss(&self) -> bool {
        let is_fixed = matches!(self.growth, Growth::Fixed { .. });
        self.storage == Storage::Static && self.strategy != Strategy::Roster && is_fixed
    }

    /// The storage of any other pool.
    fn growing_storage(&self, ty: &TokenStream) -> TokenStream {
        let [in_thread, in_static, shared, roster] =
            ["InThread", "InStatic", "StaticPool", "SharedRoster"]
                .map(|name| self.crate_path.item(name));
        match (self.storage, self.strategy) {
            (Storage::ThreadLocal, strategy) => {
                let local = strategy.local(&self.slot(ty), &self.crate_path);
                quote!(#in_thread<#local>)
            }
            (Storage::Static, Strategy::Roster) => quote!(#in_static<#roster<#ty>>),
            (Storage::Static, strategy) => {
                let owned = strategy.owned(&self.slot(ty), &self.crate_path);
                quote!(#shared<#owned>)
            }
        }
    }
}

impl Strategy {
    /// The trait, for the kind of pool that this strategy makes.
    fn pooled(self, crate_path: &CratePath) -> TokenStream {
        let [pooled, handles] = ["Pooled", "RosterHandles"].map(|name| crate_path.item(name));
        match self {
            Self::FreeList | Self::PointerStack => pooled,
            Self::Roster => quote!(#pooled<#handles>),
        }
    }

    /// The type of the owned pool, for strategies that hand out boxes.
    fn owned(self, ty: &TokenStream, crate_path: &CratePath) -> TokenStream {
        let [list, stack] = ["FreeList", "PointerStack"].map(|name| crate_path.item(name));
        match self {
            Self::FreeList => quote!(#list<#ty>),
            Self::PointerStack | Self::Roster => quote!(#stack<#ty>),
        }
    }

    /// The type of the thread-local.
    fn local(self, ty: &TokenStream, crate_path: &CratePath) -> TokenStream {
        let [local, list, stack, roster] =
            ["LocalPool", "InFreeList", "InPointerStack", "LocalRoster"]
                .map(|name| crate_path.item(name));
        match self {
            Self::FreeList => quote!(#local<#ty, #list>),
            Self::PointerStack => quote!(#local<#ty, #stack>),
            Self::Roster => quote!(#roster<#ty>),
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
    /// The constant that holds the value, so that the user's expression is compiled once.
    fn constant(&self) -> Ident {
        format_ident!("__{}", self.key.to_string().to_uppercase())
    }
}

fn constant(count: &Count, crate_path: &CratePath) -> TokenStream {
    let (name, value) = (count.constant(), &count.value);
    // The compiler points here to say why a value of another type does not fit.
    let key = Span::call_site().located_at(count.key.span());
    let usize = crate_path.item_at("usize", [key; 2]);
    // In an attribute, `{ N }` is as good as `N`. No `allow` without need: some crates forbid all of them.
    let mut tokens = value.clone().into_iter();
    let is_enclosed = matches!((tokens.next(), tokens.next()), (Some(TokenTree::Group(_)), None));
    let allow = is_enclosed.then(|| quote!(#[allow(unused_braces, unused_parens)]));
    quote!(#allow const #name: #usize = #value;)
}

fn setter(count: &Count, pooled: &TokenStream) -> TokenStream {
    let Count { key, .. } = count;
    let constant = count.constant();
    quote!(.#key(<Self as #pooled>::#constant))
}

fn checks(pool: &Pool, ty: &TokenStream) -> TokenStream {
    let crate_path = &pool.crate_path;
    let slot = pool.slot(ty);
    let mut checks = TokenStream::new();
    let size = match pool.strategy {
        // Any size will do.
        Strategy::Roster => None,
        // The links lie outside the elements, or take the place of the counts.
        _ if pool.is_in_bss() || pool.is_rc => Some("zero_or_link"),
        Strategy::FreeList if pool.is_padded => None,
        Strategy::FreeList => Some("size_up_to_link"),
        Strategy::PointerStack => Some("zero_or_link"),
    };
    if let Some(size) = size {
        let [size, holds_link, sized] =
            [size, "HoldsLink", "HasSize"].map(|name| crate_path.item(name));
        let first = quote!(#holds_link<#ty, { #size::<#ty>() }>);
        checks.extend(check(crate_path, ty, &[first, quote!(#sized<#ty>)]));
    }
    // A roster's static itself says what it asks of its elements.
    if pool.storage == Storage::Static && pool.strategy != Strategy::Roster {
        let element = crate_path.item("StaticElement");
        checks.extend(check(crate_path, ty, &[quote!(#element<#ty>)]));
    }
    for count in pool.growth.counts() {
        let constant = pool.constant_of(ty, count);
        let [slots, in_range, usize, most_slots, most_handles] =
            ["slots_out_of_range", "SlotsInRange", "usize", "MOST_SLOTS", "MOST_HANDLES"]
                .map(|name| crate_path.item(name));
        let most = match pool.strategy {
            Strategy::Roster => most_handles,
            _ if pool.is_in_bss() => most_slots,
            _ => quote!(#usize::MAX),
        };
        let found = quote!(#in_range<#ty, { #slots::<#slot>(#constant, #most) }>);
        checks.extend(check(crate_path, &count.value, &[found]));
    }
    if let Growth::Chunks { chunk: Some(chunk), max: Some(max) } = &pool.growth {
        if chunk.literal.is_none() || max.literal.is_none() {
            let [first, most] = [chunk, max].map(|count| pool.constant_of(ty, count));
            let [over, within] =
                ["chunk_over_max", "ChunkWithinMax"].map(|name| crate_path.item(name));
            let check_chunk = quote!(#within<#ty, { #over(#first, #most) }, { #most }>);
            checks.extend(check(crate_path, &chunk.value, &[check_chunk]));
        }
    }
    checks
}

/// Names the method `check` of the last of `traits`; the outcome of each has to implement the next. If it
/// does not, the error points at the user's tokens `at`.
fn check(crate_path: &CratePath, at: &TokenStream, traits: &[TokenStream]) -> TokenStream {
    let at = ends(at);
    let [start, end] = at;
    // The compiler points at the type that lacks the trait, from its first token to its last.
    let mut subject = crate_path.item_at("Checked", at);
    for (i, bound) in traits.iter().enumerate() {
        let less = quote_spanned!(start=> <);
        let outcome = if i + 1 < traits.len() { "Outcome" } else { "check" };
        let outcome = Ident::new(outcome, end);
        subject = quote!(#less #subject as #bound>::#outcome);
    }
    quote!(let _ = #subject;)
}
