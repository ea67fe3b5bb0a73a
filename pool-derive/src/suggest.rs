//! "Did you mean": the known word nearest to a mistyped one.

/// The word of `known` that `typed` was most likely meant to be.
pub(crate) fn suggest<'a>(typed: &str, known: &[&'a str]) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let within = typed.len().max(3) / 3;
    known
        .iter()
        .map(|&word| (distance(&typed, word), word))
        .filter(|&(distance, _)| distance <= within)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, word)| word)
        .or_else(|| known.iter().copied().find(|word| typed.len() > 2 && word.starts_with(&typed)))
}

/// How many letters to insert, delete, replace or swap with a neighbour make `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // Row `i` of the table: the distances of `a[..i]` to every `b[..j]`.
    let mut before_last = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                let swapped: &Vec<usize> = &before_last;
                least = least.min(swapped[j - 2] + 1);
            }
            row.push(least);
        }
        before_last = core::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// Suggests what to write in place of `rewind`, which is neither a key nor a strategy.
pub(crate) fn rewind_is_no(what: &str) -> String {
    format!(
        "`rewind` is no {what}, since a roster that goes back is a value: hold a `Rewind<T>` in place of this pool"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: &[&str] = &["capacity", "chunk", "max", "pad", "strategy", "thread_local"];

    #[test]
    fn distances() {
        assert_eq!(distance("chunk", "chunk"), 0);
        assert_eq!(distance("", "pad"), 3);
        assert_eq!(distance("pad", ""), 3);
        assert_eq!(distance("capactiy", "capacity"), 1);
        assert_eq!(distance("chunks", "chunk"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn finds_the_nearest() {
        assert_eq!(suggest("capcity", KEYS), Some("capacity"));
        assert_eq!(suggest("Chunk", KEYS), Some("chunk"));
        assert_eq!(suggest("pda", KEYS), Some("pad"));
        assert_eq!(suggest("threadlocal", KEYS), Some("thread_local"));
    }

    #[test]
    fn completes_what_is_cut_short() {
        assert_eq!(suggest("cap", KEYS), Some("capacity"));
        assert_eq!(suggest("thread", KEYS), Some("thread_local"));
    }

    #[test]
    fn makes_nothing_up() {
        assert_eq!(suggest("color", KEYS), None);
        assert_eq!(suggest("ch", KEYS), None);
        assert_eq!(suggest("", KEYS), None);
    }
}
