//! The words by which platforms say that something is shown or not, as tables: one row for each word.

use crate::domain::{DeliveryReason, Effect, Hold, Level};

/// A row for each word of a field.
pub type Words = &'static [(&'static str, Meaning)];

/// What a word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Nothing is held against it.
    Nothing,
    /// It is held back, or has a fault.
    Held(Effect, DeliveryReason),
    /// It is removed, and shown nowhere.
    Removed,
}

/// What a table says of a platform's word; `None` for a word that it lacks.
pub fn meaning<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning)
}

/// What the word of a field holds against a thing at a level; `None` for a removed thing. A word without a row is kept as
/// unknown, and so is a field without a word.
pub fn holds(words: Words, level: Level, word: Option<&str>) -> Option<Vec<Hold>> {
    let word = word.unwrap_or_default();
    match meaning(words, word) {
        None => Some(vec![Hold::unknown(level, word)]),
        Some(Meaning::Nothing) => Some(Vec::new()),
        Some(Meaning::Held(effect, reason)) => Some(vec![Hold::new(effect, reason, place(reason, level), word)]),
        Some(Meaning::Removed) => None,
    }
}

/// Where a reason lies that a thing at a level names. A campaign's word may speak of its ads or of its ad account; there
/// it joins what they say themselves.
fn place(reason: DeliveryReason, level: Level) -> Level {
    match reason {
        DeliveryReason::AdsOff | DeliveryReason::AdsInReview | DeliveryReason::AdsRejected => Level::Ad,
        DeliveryReason::Account if level == Level::Campaign => Level::Account,
        _ => level,
    }
}
