//! The derive as a whole, on tokens.

mod expand;

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse_quote;

use crate::derive;

/// The messages of the errors.
fn errors(code: &TokenStream) -> Vec<String> {
    let code = code.to_string();
    code.split("compile_error ! {")
        .skip(1)
        .map(|rest| rest.split('"').nth(1).unwrap().to_owned())
        .collect()
}

fn of(attributes: &TokenStream) -> TokenStream {
    derive(&parse_quote!(#attributes struct Bullet(u64);))
}

#[test]
fn refers_to_the_library_by_its_path() {
    let default = of(&quote!()).to_string();
    assert!(default.contains(":: typed_pool :: __private :: Pooled for Bullet"));

    for attributes in [quote!(capacity = 4, name = "n"), quote!(capacity = 0)] {
        let renamed = of(&quote!(#[pool(crate = engine::pools, #attributes)])).to_string();
        assert!(renamed.contains("use engine :: pools :: __private as __typed_pool ;"));
        assert!(!renamed.contains(" typed_pool"));
    }
}

#[test]
fn emits_what_was_asked_for() {
    let bare = of(&quote!()).to_string();
    assert!(bare.contains("EMPTY)"));
    assert!(bare.contains("HoldsLink") && !bare.contains("SlotsInRange"));

    let padded = of(&quote!(#[pool(pad)])).to_string();
    assert!(!padded.contains("HoldsLink"));

    let full = of(&quote!(#[pool(chunk = 1, max = N, name = "n")])).to_string();
    let short = full.replace("< Self as :: typed_pool :: __private :: Pooled >", "Self");
    assert!(short.contains(". chunk (Self :: __CHUNK) . max (Self :: __MAX) . name (\"n\")"));
    assert!(full.contains("ChunkWithinMax"));

    let literal = of(&quote!(#[pool(chunk = 1, max = 2)])).to_string();
    assert!(!literal.contains("ChunkWithinMax"));
}

#[test]
fn the_strategy_decides_the_pool_and_what_is_asked_of_sizes() {
    for attributes in [quote!(), quote!(#[pool(strategy = free_list)])] {
        let list = of(&attributes).to_string();
        assert!(list.contains(":: InFreeList >") && list.contains("HasSize"));
    }
    let stack = of(&quote!(#[pool(strategy = pointer_stack, chunk = 8)])).to_string();
    assert!(stack.contains(":: InPointerStack >") && !stack.contains("FreeList"));
    assert!(stack.contains("HasSize") && !stack.contains("size_up_to_link"));
}

#[test]
fn has_a_pool_for_each_instance() {
    let code = derive(&parse_quote! {
        #[pool(instances(Node<f32>, a::Node<f64>))]
        struct Node<T>(T);
    });
    let code = code.to_string();
    assert_eq!(code.matches("Pooled for").count(), 2);
    assert!(code.contains("Pooled for Node < f32 >"));
    assert!(code.contains("Pooled for a :: Node < f64 >"));
}

#[test]
fn puts_one_stub_beside_any_number_of_errors() {
    for (input, expected) in [
        (
            parse_quote!(
                #[pool(capcity = 1, pad pad)]
                struct A(u64);
            ),
            3,
        ),
        (parse_quote!(union A { a: u64 }), 1),
        (
            parse_quote!(
                struct A<'a, T: 'a + Clone, const N: usize>([&'a T; N])
                where
                    T: Copy;
            ),
            1,
        ),
        (
            parse_quote!(
                #[pool(instances())]
                enum A<T = u8> {
                    B(T),
                }
            ),
            1,
        ),
        (
            parse_quote!(
                struct A(Option<[A; 2]>);
            ),
            0,
        ),
        (
            parse_quote!(
                struct A((u8, A));
            ),
            0,
        ),
        (
            parse_quote!(
                #[pool(instances(A<u8>))]
                struct A<T>(T, A<T>);
            ),
            0,
        ),
    ] {
        let code = derive(&input);
        assert_eq!(errors(&code).len(), expected, "{code}");
        assert_eq!(code.to_string().matches("Pooled for A").count(), 1, "{code}");
        assert!(!code.to_string().contains("thread_local"), "{code}");
    }
}

#[test]
fn a_stub_has_the_storage_that_was_asked_for() {
    for (attributes, storage) in [
        (quote!(), "LocalPool"),
        (quote!(strategy = roster), "LocalRoster"),
        (quote!(static), "StaticPool"),
        (quote!(static, capacity = 4), "Fixed"),
        (quote!(static, capacity = 4, strategy = free_list), "Fixed"),
        (quote!(static, capacity = 4, strategy = roster), "SharedRoster"),
    ] {
        let stub = of(&quote!(#[pool(unknown, #attributes)])).to_string();
        assert!(!stub.contains("__POOL"), "{stub}");
        assert!(stub.contains(&format!(":: {storage} <")), "{stub}");
    }
}

#[test]
fn instances_are_listed_in_parentheses() {
    for list in [quote!((Node<u8>)), quote!((Node<u8>), Node<u16>)] {
        let code = derive(&parse_quote!(
            #[pool(instances(#list))]
            struct Node<T>(T);
        ));
        assert!(errors(&code).is_empty(), "{code}");
    }
    for (given, expected) in [
        (quote!(), "`instances` lists types: write"),
        (quote!(=), "`instances` lists types: write"),
        (quote!(= Node<u8>), "`instances` lists types in parentheses: write"),
        (quote!(()), "`instances` lists no types: write"),
    ] {
        let code = derive(&parse_quote!(
            #[pool(instances #given)]
            struct Node<T>(T);
        ));
        assert!(errors(&code)[0].starts_with(expected), "{code}");
    }
}

#[test]
fn at_the_edge_of_a_mistake() {
    for list in
        [quote!(chunk = 2, max = 2), quote!(chunk = !0), quote!(static, strategy = free_list, pad)]
    {
        let code = of(&quote!(#[pool(#list)]));
        assert!(errors(&code).is_empty(), "{code}");
    }
    for (list, expected) in [
        (quote!(name = &("n")), "`name` takes a string"),
        (quote!(strategy = list), "unknown strategy `list`; did you mean `free_list`?"),
    ] {
        let code = of(&quote!(#[pool(#list)]));
        assert!(errors(&code)[0].starts_with(expected), "{code}");
    }
}

/// Whatever stands in the attribute, it is answered and not panicked over.
#[test]
fn answers_anything() {
    let pieces = [
        quote!(capacity),
        quote!(pad),
        quote!(name),
        quote!(instances),
        quote!(crate),
        quote!(static),
        quote!(strategy),
        quote!(=),
        quote!(,),
        quote!(;),
        quote!(:),
        quote!(<),
        quote!(>),
        quote!(!),
        quote!(-),
        quote!('a),
        quote!(64),
        quote!(0u8),
        quote!("x"),
        quote!(b"x"),
        quote!('x'),
        quote!(1.5),
        quote!(true),
        quote!(()),
        quote!((64)),
        quote!({}),
        quote!([A, B]),
        quote!(::),
        quote!(r#pad),
        quote!(_),
    ];
    for a in &pieces {
        for b in &pieces {
            for list in [quote!(#a #b), quote!(chunk = #a #b), quote!(crate = #a #b, #b)] {
                let _ = of(&quote!(#[pool(#list)]));
                let _ = derive(&parse_quote!(
                    #[pool(instances(#list))]
                    struct A<T>(T);
                ));
            }
        }
    }
}
