//! Operations on rosters of elements of several kinds, growing and bounded.

use crate::{below, index, operations as all};
use arbitrary::{Result, Unstructured};
use operations::{Operation, Wide, run};
use typed_pool::{Handle, Roster};

#[path = "../../../pool-core/src/roster/tests/operations.rs"]
pub(crate) mod operations;

/// More than a program reaches.
const USES: u32 = u32::MAX;

/// By way of both kinds of formats.
fn restored<T: serde::Serialize + serde::de::DeserializeOwned>(
    roster: &Roster<T>,
) -> Option<Roster<T>> {
    let text = serde_json::to_string(roster).unwrap();
    let by_text: Roster<T> = serde_json::from_str(&text).unwrap();
    let bytes = postcard::to_allocvec(&by_text).unwrap();
    Some(postcard::from_bytes(&bytes).unwrap())
}

fn seed(bytes: &mut Unstructured<'_>) -> Result<u64> {
    bytes.arbitrary::<u8>().map(u64::from)
}

fn operation(bytes: &mut Unstructured<'_>) -> Result<Operation> {
    use Operation::*;
    Ok(match below(bytes, 34)? {
        0..7 => Insert(seed(bytes)?),
        7 => InsertMany(1 + below(bytes, 70)?, seed(bytes)?),
        8 => InsertWith(seed(bytes)?),
        9 => InsertWithPanic,
        10..15 => Remove(index(bytes)?),
        15 => RemoveIssued(index(bytes)?),
        16 => Change(index(bytes)?, seed(bytes)?),
        17 => SwapThree([index(bytes)?, index(bytes)?, index(bytes)?]),
        18 => SwapLive(index(bytes)?, index(bytes)?),
        19 => Detach(index(bytes)?),
        20 => Reattach(index(bytes)?, seed(bytes)?),
        21 => ReattachIssued(index(bytes)?),
        22 => match below(bytes, 3)? {
            0 => Retain(1 + below(bytes, 7)?),
            1 => RetainWithPanic(1 + below(bytes, 7)?, below(bytes, 60)?),
            _ => Prefault,
        },
        23 => Drain(usize::MAX),
        24 => Drain(below(bytes, 80)?),
        25 => DrainSomeAndForget(below(bytes, 80)?),
        26 => Clear,
        27 => Reserve(below(bytes, 300)?),
        28 => match below(bytes, 2)? {
            0 => ShrinkToFit,
            _ => ShrinkTo(below(bytes, 3000)?),
        },
        29 => match bytes.arbitrary::<u8>()? {
            how if how & 2 == 0 => Clone(how & 1 == 1),
            _ => Restore,
        },
        30 => Release(index(bytes)?),
        31 => VacantEntry(seed(bytes)?, bytes.arbitrary()?),
        32 => ExtractIf(1 + below(bytes, 7)?, below(bytes, 60)?),
        _ => Index,
    })
}

/// Runs what the bytes say.
pub fn run_bytes(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let (Ok(kind), Ok(limit)) = (below(&mut bytes, 6), below(&mut bytes, 130)) else { return };
    let operations = all(&mut bytes, operation);
    match kind {
        // Elements that own memory, so that what is dropped twice, or never, shows.
        0 => run(Roster::<String>::new(), usize::MAX, 4, &operations),
        1 => run(Roster::<String>::bounded(limit), limit, 4, &operations),
        2 => run(Roster::<[u64; 3]>::with_capacity(limit), usize::MAX, 4, &operations),
        3 => run(Roster::<Wide>::new(), usize::MAX, 4, &operations),
        4 => run(Roster::<()>::bounded(limit), limit, 4, &operations),
        _ => run(Roster::<u8>::new(), usize::MAX, 4, &operations),
    };
}
