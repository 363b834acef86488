//! What a campaign may be called.
//!
//! TikTok API for Business v1.3: "Create a campaign", field `campaign_name`.

use super::answer::Refusal;

/// Characters of a name; a Chinese, Japanese or Korean one counts as two.
const LONGEST: usize = 512;

/// Something, not too long, without emoji.
pub(crate) fn check(name: String) -> Result<String, Refusal> {
    let wrong = |why: &str| Err(Refusal::at("campaign_name", why));
    if name.trim().is_empty() {
        return wrong("Must not be empty.");
    }
    if name.chars().any(is_emoji) {
        return wrong("Emojis are not supported.");
    }
    let length: usize = name.chars().map(|one| if is_cjk(one) { 2 } else { 1 }).sum();
    if length > LONGEST {
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

    fn fits(name: &str) -> bool {
        check(name.to_owned()).is_ok()
    }

    #[test]
    fn a_name_has_512_characters_at_most_and_a_cjk_one_counts_double() {
        assert!(fits(&"a".repeat(512)) && !fits(&"a".repeat(513)));
        assert!(fits(&"é".repeat(512)) && !fits(&"é".repeat(513)));
        for wide in ["広", "カ", "한"] {
            assert!(fits(&wide.repeat(256)) && !fits(&format!("{}a", wide.repeat(256))), "{wide}");
        }
    }

    #[test]
    fn emoji_in_a_name_are_refused_and_so_is_an_empty_one() {
        for bad in ["Sale 🎉", "☀ Summer", "Heart ❤️", "", "  "] {
            assert!(!fits(bad), "{bad}");
        }
        assert!(fits("Winter – 50 % off™ “now”"));
    }
}
