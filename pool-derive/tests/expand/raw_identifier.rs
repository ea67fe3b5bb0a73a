#[derive(Pooled)]
#[pool(capacity = r#const::r#LIMIT)]
struct r#type {
    r#struct: u64,
}
