//! Commas and equals signs, too many or too few

use typed_pool::Pooled;

// A comma left out.
#[derive(Pooled)]
#[pool(chunk = 64 max = 128)]
struct MissingComma([f32; 4]);

// After a key without a value.
#[derive(Pooled)]
#[pool(pad capacity = 64)]
struct MissingCommaAfterFlag([f32; 4]);

// A semicolon for a comma.
#[derive(Pooled)]
#[pool(chunk = 64; max = 128)]
struct Semicolon([f32; 4]);

// One comma too many.
#[derive(Pooled)]
#[pool(chunk = 64,, max = 128)]
struct TwoCommas([f32; 4]);

// An equals sign left out.
#[derive(Pooled)]
#[pool(capacity 64)]
struct NoEquals([f32; 4]);

// A colon in place of the equals sign.
#[derive(Pooled)]
#[pool(capacity: 64)]
struct ColonForEquals([f32; 4]);

// A value without its key.
#[derive(Pooled)]
#[pool(64)]
struct KeyNotAWord([f32; 4]);

// A key without its value.
#[derive(Pooled)]
#[pool(capacity)]
struct KeyWithoutValue([f32; 4]);

// A value for a key that takes none.
#[derive(Pooled)]
#[pool(pad = true)]
struct FlagWithValue([f32; 4]);

// With parentheses.
#[derive(Pooled)]
#[pool(thread_local(64))]
struct FlagWithList([f32; 4]);

// Nothing in the parentheses.
#[derive(Pooled)]
#[pool()]
struct Nothing([f32; 4]);

// Values that are no expressions.
#[derive(Pooled)]
#[pool(max == 3)]
struct TwoEquals([f32; 4]);

#[derive(Pooled)]
#[pool(max = 3 +)]
struct HalfASum([f32; 4]);

#[derive(Pooled)]
#[pool(max = 3 3)]
struct TwoNumbers([f32; 4]);

#[derive(Pooled)]
#[pool(max = let x = 3)]
struct Statement([f32; 4]);

#[derive(Pooled)]
#[pool(static, capacity = $x)]
struct OfAMacro([f32; 4]);

#[derive(Pooled)]
#[pool(strategy = roster, tag = 3 +)]
struct HalfATag([f32; 4]);

fn main() {}
