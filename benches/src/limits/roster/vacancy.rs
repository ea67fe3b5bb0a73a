//! Which word of the bitmap has a vacant slot?

/// Remembers the words that have one.
pub trait Vacancy: 'static {
    /// The name in tables.
    const NAME: &'static str;

    /// No words.
    fn new() -> Self;

    /// There are `words` words now; those from `from` on are vacant.
    fn grow(&mut self, from: usize, words: usize);

    /// A word with a vacant slot.
    fn find(&mut self, bitmap: &[u64]) -> Option<usize>;

    /// The word that `find` named last is full now.
    fn filled(&mut self, word: usize);

    /// A full word has a vacant slot now.
    fn opened(&mut self, word: usize);

    /// A value was removed from the word, full or not.
    #[inline(always)]
    fn removed_from(&mut self, _word: usize) {}
}

/// How many words the levels cover: 64 * 64 * 64, which are 16 million slots.
const LEVELS: usize = 3;

/// Lowest first: a bitmap of words with vacancies, one of that one's words, and so on.
#[derive(Debug)]
pub struct Descent([Vec<u64>; LEVELS]);

impl Vacancy for Descent {
    const NAME: &'static str = "descent";

    fn new() -> Self {
        Self([const { Vec::new() }; LEVELS])
    }

    fn grow(&mut self, from: usize, words: usize) {
        let mut count = words;
        for level in &mut self.0 {
            count = count.div_ceil(64);
            level.resize(count, 0);
        }
        (from..words).for_each(|word| self.opened(word));
    }

    #[inline(always)]
    fn find(&mut self, _bitmap: &[u64]) -> Option<usize> {
        let mut word = 0;
        let top = self.0[LEVELS - 1].first()?;
        if *top == 0 {
            return None;
        }
        for level in self.0.iter().rev() {
            // SAFETY: a bit in the level above says that the word exists, and is not zero.
            let summary = unsafe { *level.get_unchecked(word) };
            word = word * 64 + summary.trailing_zeros() as usize;
        }
        Some(word)
    }

    #[inline(always)]
    fn filled(&mut self, mut word: usize) {
        for level in &mut self.0 {
            let bit = 1 << (word % 64);
            word /= 64;
            // SAFETY: the levels cover all words.
            let summary = unsafe { level.get_unchecked_mut(word) };
            *summary &= !bit;
            if *summary != 0 {
                return;
            }
        }
    }

    #[inline(always)]
    fn opened(&mut self, mut word: usize) {
        for level in &mut self.0 {
            let bit = 1 << (word % 64);
            word /= 64;
            // SAFETY: the levels cover all words.
            *unsafe { level.get_unchecked_mut(word) } |= bit;
        }
    }
}

/// Lowest first, as [`Descent`], but the lowest word is known: it changes when it is full, or when
/// a full word below has a vacancy.
#[derive(Debug)]
pub struct Cursor {
    lowest: usize,
    levels: Descent,
}

impl Cursor {
    #[inline(always)]
    fn advance(&mut self) {
        self.lowest = self.levels.find(&[]).unwrap_or(usize::MAX);
    }
}

impl Vacancy for Cursor {
    const NAME: &'static str = "cursor + levels";

    fn new() -> Self {
        Self { lowest: usize::MAX, levels: Descent::new() }
    }

    fn grow(&mut self, from: usize, words: usize) {
        self.levels.grow(from, words);
        self.advance();
    }

    #[inline(always)]
    fn find(&mut self, bitmap: &[u64]) -> Option<usize> {
        (self.lowest < bitmap.len()).then_some(self.lowest)
    }

    #[inline(always)]
    fn filled(&mut self, word: usize) {
        self.levels.filled(word);
        self.advance();
    }

    #[inline(always)]
    fn opened(&mut self, word: usize) {
        self.levels.opened(word);
        self.lowest = self.lowest.min(word);
    }
}

/// From where the last slot was found upwards, and around. Nothing to maintain, but the bitmap is
/// searched.
#[derive(Debug)]
pub struct NextFit {
    next: usize,
    /// Words with vacancies.
    open: usize,
}

impl Vacancy for NextFit {
    const NAME: &'static str = "next fit";

    fn new() -> Self {
        Self { next: 0, open: 0 }
    }

    fn grow(&mut self, from: usize, words: usize) {
        self.open += words - from;
    }

    #[inline(always)]
    fn find(&mut self, bitmap: &[u64]) -> Option<usize> {
        if self.open == 0 {
            return None;
        }
        while bitmap.get(self.next).is_none_or(|&word| word == u64::MAX) {
            self.next += 1;
            if self.next >= bitmap.len() {
                self.next = 0;
            }
        }
        Some(self.next)
    }

    #[inline(always)]
    fn filled(&mut self, _word: usize) {
        self.open -= 1;
    }

    #[inline(always)]
    fn opened(&mut self, _word: usize) {
        self.open += 1;
    }
}

/// Last in, first out: a list of words with vacancies, threaded through an array.
#[derive(Debug)]
pub struct WordStack {
    top: usize,
    below: Vec<u32>,
}

impl Vacancy for WordStack {
    const NAME: &'static str = "stack of words";

    fn new() -> Self {
        Self { top: usize::MAX, below: Vec::new() }
    }

    fn grow(&mut self, from: usize, words: usize) {
        self.below.resize(words, 0);
        (from..words).rev().for_each(|word| self.opened(word));
    }

    #[inline(always)]
    fn find(&mut self, bitmap: &[u64]) -> Option<usize> {
        (self.top < bitmap.len()).then_some(self.top)
    }

    #[inline(always)]
    fn filled(&mut self, word: usize) {
        // SAFETY: a word of the bitmap.
        let below = unsafe { *self.below.get_unchecked(word) };
        // The sentinel is widened to stay one.
        self.top = below as i32 as usize;
    }

    #[inline(always)]
    fn opened(&mut self, word: usize) {
        // SAFETY: a word of the bitmap.
        *unsafe { self.below.get_unchecked_mut(word) } = self.top as u32;
        self.top = word;
    }
}

/// The word that a value was removed from last is asked first. Else one level of words that may have a vacancy
/// is searched: a bit is set when a full word loses a value, and cleared only when a search finds it out of date.
#[derive(Debug)]
pub struct Hint {
    last: usize,
    may_have: Vec<u64>,
}

impl Hint {
    /// Finds a word by the level.
    #[cold]
    #[inline(never)]
    fn search(&mut self, bitmap: &[u64]) -> Option<usize> {
        for (group, summary) in self.may_have.iter_mut().enumerate() {
            while *summary != 0 {
                let word = group * 64 + summary.trailing_zeros() as usize;
                if bitmap[word] != u64::MAX {
                    self.last = word;
                    return Some(word);
                }
                *summary &= *summary - 1;
            }
        }
        None
    }
}

impl Vacancy for Hint {
    const NAME: &'static str = "hint + level";

    fn new() -> Self {
        Self { last: 0, may_have: Vec::new() }
    }

    fn grow(&mut self, from: usize, words: usize) {
        self.may_have.resize(words.div_ceil(64), 0);
        (from..words).for_each(|word| self.opened(word));
        self.last = from;
    }

    #[inline(always)]
    fn find(&mut self, bitmap: &[u64]) -> Option<usize> {
        match bitmap.get(self.last) {
            Some(&live) if live != u64::MAX => Some(self.last),
            _ => self.search(bitmap),
        }
    }

    #[inline(always)]
    fn filled(&mut self, _word: usize) {}

    #[inline(always)]
    fn opened(&mut self, word: usize) {
        // SAFETY: the level covers all words.
        *unsafe { self.may_have.get_unchecked_mut(word / 64) } |= 1 << (word % 64);
    }

    #[inline(always)]
    fn removed_from(&mut self, word: usize) {
        self.last = word;
    }
}
