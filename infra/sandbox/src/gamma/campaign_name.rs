//! Rules for campaign names.
//!
//! TikTok API for Business v1.3: "Create a campaign", field `campaign_name`.

use super::error::ApiError;

/// Upper bound of a name's length. A Chinese, Japanese or Korean character counts as two.
const MAX_LENGTH: usize = 512;

/// Rejects a name that is empty, too long, or contains emoji.
pub(crate) fn check(name: String) -> Result<String, ApiError> {
    let wrong = |why: &str| Err(ApiError::parameter("campaign_name", why));
    if name.trim().is_empty() {
        return wrong("Must not be empty.");
    }
    if name.chars().any(is_emoji) {
        return wrong("Emojis are not supported.");
    }
    let length: usize = name.chars().map(|one| if is_cjk(one) { 2 } else { 1 }).sum();
    if length > MAX_LENGTH {
        return wrong("Longer than maximum length 512.");
    }
    Ok(name)
}

fn is_cjk(character: char) -> bool {
    matches!(
        u32::from(character),
        0x1100..=0x11FF | 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0xFF00..=0xFFEF | 0x20000..=0x3FFFF
    )
}

fn is_emoji(character: char) -> bool {
    matches!(
        u32::from(character),
        0x20E3 | 0x231A..=0x231B | 0x23E9..=0x23F3 | 0x2600..=0x27BF | 0x2B05..=0x2B07 | 0x2B1B..=0x2B1C | 0x2B50
            | 0x2B55 | 0xFE0F | 0x1F000..=0x1FAFF
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_valid(name: &str) -> bool {
        check(name.to_owned()).is_ok()
    }

    #[test]
    fn a_name_has_at_most_512_characters_and_cjk_counts_double() {
        assert!(is_valid(&"a".repeat(512)) && !is_valid(&"a".repeat(513)));
        assert!(is_valid(&"é".repeat(512)) && !is_valid(&"é".repeat(513)));
        for wide in ["広", "カ", "한"] {
            assert!(is_valid(&wide.repeat(256)) && !is_valid(&format!("{}a", wide.repeat(256))), "{wide}");
        }
    }

    #[test]
    fn a_name_that_is_empty_or_contains_emoji_is_rejected() {
        for bad in ["Sale 🎉", "☀ Summer", "Heart ❤️", "", "  "] {
            assert!(!is_valid(bad), "{bad}");
        }
        assert!(is_valid("Winter – 50 % off™ “now”"));
    }
}
