//! Names of campaigns: how short and how long they may be, and what they must not contain.

use super::Capabilities;
use crate::domain::{FieldError, MAX_NAME_CHARS, TextRule};

/// The rules for names on a platform. Every name also follows those of this API, which a request is read by: a single
/// line of 1 to [`MAX_NAME_CHARS`] characters without spaces around it.
#[derive(Debug)]
pub struct NameRules {
    /// Fewest characters.
    pub minimum: usize,
    /// Longest name.
    pub maximum: usize,
    /// The unit of `maximum`.
    pub counted_in: NameUnit,
    pub has_emoji: bool,
}

/// What the length of a name is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameUnit {
    /// Unicode characters.
    Characters,
    /// Bytes of UTF-8.
    Bytes,
}

impl NameUnit {
    /// The name in the API: `bytes`.
    pub fn as_str(self) -> &'static str {
        match self {
            NameUnit::Characters => "characters",
            NameUnit::Bytes => "bytes",
        }
    }
}

impl NameRules {
    /// The rules of this API alone: the platform has no stricter ones.
    pub const OF_SERVICE: NameRules =
        NameRules { minimum: 1, maximum: MAX_NAME_CHARS, counted_in: NameUnit::Characters, has_emoji: true };

    fn length(&self, name: &str) -> usize {
        match self.counted_in {
            NameUnit::Characters => name.chars().count(),
            NameUnit::Bytes => name.len(),
        }
    }
}

impl Capabilities {
    /// The error of a name that the platform does not take.
    pub fn name_error(&self, name: &str) -> Option<FieldError> {
        let NameRules { minimum, maximum, counted_in, has_emoji } = &self.names;
        let platform = self.platform;
        let error = |rule: TextRule| Some(FieldError::new("name", rule));
        if name.chars().count() < *minimum {
            return error(TextRule::AtLeast { characters: *minimum, platform });
        }
        let (most, has) = (*maximum, self.names.length(name));
        if has > most {
            return error(match counted_in {
                NameUnit::Characters => TextRule::Characters { most, has, platform },
                NameUnit::Bytes => TextRule::Bytes { most, has, platform },
            });
        }
        let found = name.chars().find(|character| !has_emoji && is_emoji(*character))?;
        error(TextRule::NoEmoji { found, platform })
    }
}

/// Recognizes a character that is an emoji by itself (Unicode: `Emoji_Presentation`), or makes its neighbour one. A
/// platform that takes no emoji checks characters that are text by default itself.
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
    use crate::domain::Platform;
    use crate::platforms::adapter;

    fn refused(platform: Platform, name: &str) -> Option<String> {
        let error = adapter(platform).facts().capabilities.name_error(name)?;
        assert_eq!(error.field, "name");
        Some(error.rule.to_string())
    }

    #[test]
    fn a_limit_is_counted_in_its_unit() {
        let cases = [
            (Platform::Alpha, format!("x{}", "ü".repeat(127)), None),
            (Platform::Alpha, "ü".repeat(128), Some("must be at most 255 bytes of UTF-8 on Google Ads; it is 256")),
            // The limit of 512 where such characters count twice is above that of the API.
            (Platform::Gamma, "漢".repeat(255), None),
            (Platform::Gamma, "漢".repeat(256), Some("must be at most 255 characters on TikTok; it is 256")),
            (Platform::Zeta, "漢字".to_owned(), Some("must have at least 3 characters on Reddit")),
            (Platform::Zeta, "漢字x".to_owned(), None),
        ];
        for (platform, name, message) in cases {
            assert_eq!(refused(platform, &name).as_deref(), message, "{platform} {name}");
        }
    }

    #[test]
    fn tiktok_takes_no_emoji() {
        for name in ["Winter 🎄", "🇩🇪", "1️⃣ first", "⭐", "❤\u{FE0F}", "👍🏽"] {
            assert!(refused(Platform::Gamma, name).is_some_and(|message| message.contains("emoji")), "{name}");
            assert_eq!(refused(Platform::Beta, name), None, "{name}");
        }
        for name in ["Winter™ 100 % — ½ → ★ №1 ✓", "Ünïcödé", "冬のセール！", "©"] {
            assert_eq!(refused(Platform::Gamma, name), None, "{name}");
        }
    }
}
