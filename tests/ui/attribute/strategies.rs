//! Strategies that are none

use typed_pool::Pooled;

// A strategy without its key.
mod strategy_as_key {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(roster)]
    struct Bullet([f32; 4]);

    pub fn main() {
        Bullet::pool_insert(Bullet([0.0; 4]));
    }
}

// By another library's word for it.
#[derive(Pooled)]
#[pool(strategy = stack)]
struct StrategyByAnotherName([f32; 4]);

// By what it hands out.
#[derive(Pooled)]
#[pool(strategy = handles)]
struct StrategyByWhatItHandsOut([f32; 4]);

// `pointer_stack`, misspelt.
#[derive(Pooled)]
#[pool(strategy = pointerstack)]
struct StrategyMisspelt([f32; 4]);

// A strategy in quotes.
#[derive(Pooled)]
#[pool(strategy = "free_list")]
struct StrategyQuoted([f32; 4]);

// A strategy that does not exist.
#[derive(Pooled)]
#[pool(strategy = freelist)]
struct StrategyUnknown([f32; 4]);

// A word like none of them.
#[derive(Pooled)]
#[pool(strategy = bitmap)]
struct StrategyUnlikeAny([f32; 4]);

// A strategy with a hyphen.
#[derive(Pooled)]
#[pool(strategy = pointer-stack)]
struct StrategyWithAHyphen([f32; 4]);

fn main() {}
