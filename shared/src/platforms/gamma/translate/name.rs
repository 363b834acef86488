//! Rules for names (TikTok API for Business: Create a campaign, `campaign_name`).

use crate::platforms::capabilities::field_error;
use crate::platforms::prelude::*;

/// Longest name, as the platform counts.
const MAX_LENGTH: usize = 512;

pub(super) fn name_error(name: &str) -> Option<FieldError> {
    if name.trim().is_empty() {
        return Some(field_error("name", "must not be blank"));
    }
    if let Some(emoji) = name.chars().find(|character| is_emoji(*character)) {
        return Some(field_error("name", format!("must not contain emoji on TikTok: {emoji:?}")));
    }
    let length: usize = name.chars().map(|character| if is_wide(character) { 2 } else { 1 }).sum();
    (length > MAX_LENGTH).then(|| {
        let limit = format!("must be at most {MAX_LENGTH} characters on TikTok");
        field_error("name", format!("{limit}, where Chinese and Japanese ones count twice; it is {length}"))
    })
}

/// Recognizes Chinese and Japanese characters: ideographs, kana, and their punctuation.
fn is_wide(character: char) -> bool {
    matches!(character,
        '\u{2E80}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Recognizes a character that is an emoji by itself (Unicode: `Emoji_Presentation`), or makes its neighbour one. The
/// platform checks characters that are text by default.
fn is_emoji(character: char) -> bool {
    matches!(character,
        '\u{1F000}'..='\u{1FAFF}' | '\u{E0020}'..='\u{E007F}' | '\u{FE0F}' | '\u{20E3}'
        | '\u{231A}' | '\u{231B}' | '\u{23E9}'..='\u{23EC}' | '\u{23F0}' | '\u{23F3}' | '\u{25FD}' | '\u{25FE}'
        | '\u{2614}' | '\u{2615}' | '\u{2648}'..='\u{2653}' | '\u{267F}' | '\u{2693}' | '\u{26A1}' | '\u{26AA}'
        | '\u{26AB}' | '\u{26BD}' | '\u{26BE}' | '\u{26C4}' | '\u{26C5}' | '\u{26CE}' | '\u{26D4}' | '\u{26EA}'
        | '\u{26F2}' | '\u{26F3}' | '\u{26F5}' | '\u{26FA}' | '\u{26FD}' | '\u{2705}' | '\u{270A}' | '\u{270B}'
        | '\u{2728}' | '\u{274C}' | '\u{274E}' | '\u{2753}'..='\u{2755}' | '\u{2757}' | '\u{2795}'..='\u{2797}'
        | '\u{27B0}' | '\u{27BF}' | '\u{2B1B}' | '\u{2B1C}' | '\u{2B50}' | '\u{2B55}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_512_characters_and_wide_ones_count_twice() {
        for name in ["n".repeat(512), "é".repeat(512), "漢".repeat(256), "かな".repeat(128), "한".repeat(512)] {
            assert_eq!(name_error(&name), None, "{name}");
        }
        for name in ["n".repeat(513), "漢".repeat(257), format!("n{}", "カ".repeat(256))] {
            let error = name_error(&name).unwrap();
            assert_eq!(error.field, "name");
            assert!(
                error.message.contains("at most 512") && error.message.contains("count twice"),
                "{}",
                error.message
            );
        }
    }

    #[test]
    fn a_name_with_an_emoji_or_without_a_letter_is_refused() {
        for name in ["Winter 🎄", "🇩🇪", "1️⃣ first", "⭐", "❤\u{FE0F}", "👍🏽"] {
            assert!(name_error(name).unwrap().message.contains("emoji"), "{name}");
        }
        for name in ["Winter™ 100 % — ½ → ★ №1 ✓", "Ünïcödé", "冬のセール！", "©"] {
            assert_eq!(name_error(name), None, "{name}");
        }
        assert!(name_error(" \t").unwrap().message.contains("blank"));
    }
}
