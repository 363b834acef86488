//! What a client calls itself, as a page shows it, and whether that is the name of another.

use crate::domain::is_invisible;

/// The longest name that is shown, in characters.
pub const MAX_NAME_CHARS: usize = 60;

/// A name without control characters and those that hide or reorder others, in one line, and cut; `None` if nothing
/// stays. A shown name is shown as it is.
pub(super) fn shown(name: &str) -> Option<String> {
    let is_shown = |c: &char| c.is_whitespace() || !is_invisible(*c);
    // Longer texts are cut first, so that a megabyte of spaces costs nothing.
    let visible: String = name.chars().filter(is_shown).take(20 * MAX_NAME_CHARS).collect();
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = match line.char_indices().nth(MAX_NAME_CHARS) {
        Some(_) => line.chars().take(MAX_NAME_CHARS - 1).chain(['…']).collect(),
        None => line,
    };
    (!name.is_empty()).then_some(name)
}

/// Whether a name has all words of another in a row, by letters as a person sees them.
pub(super) fn bears(name: &str, known: &str) -> bool {
    let (name, known) = (words(name), words(known));
    let in_a_row = !known.is_empty() && name.windows(known.len()).any(|part| part == known);
    // Without spaces, as in "ClaudeCode" and "C l a u d e".
    in_a_row || name.concat() == known.concat()
}

fn words(name: &str) -> Vec<String> {
    let is_mark = |c: char| !(c.is_ascii() || c.is_alphanumeric() || c.is_whitespace());
    let letters = name.chars().filter(|c| !is_mark(*c)).flat_map(char::to_lowercase).map(latin);
    let letters: String = letters.collect();
    letters.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The Latin letter that a lowercase character looks like: letters of Cyrillic and Greek, full width, accents, digits.
/// It lists what occurs in names of known clients (<https://www.unicode.org/Public/security/latest/confusables.txt>).
fn latin(c: char) -> char {
    let narrow = match c {
        '\u{ff10}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xff00 + 0x20).unwrap_or(c),
        other => other,
    };
    match narrow {
        'а' | 'α' | 'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'с' | 'ϲ' | 'ç' | 'ć' | 'č' | 'ċ' => 'c',
        'ԁ' | 'ď' | 'đ' => 'd',
        'е' | 'ё' | 'ε' | 'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => 'e',
        'һ' | 'ĥ' | 'ħ' => 'h',
        // A person takes i and l for each other.
        'і' | 'ї' | 'ι' | 'ı' | 'ì'..='ï' | 'ī' | 'i' | 'ӏ' | 'ĺ' | 'ļ' | 'ľ' | 'ł' | '1' | '|' => 'l',
        'ո' | 'ñ' | 'ń' | 'ň' | 'η' => 'n',
        'о' | 'ο' | 'σ' | 'ò'..='ö' | 'ø' | 'ō' | '0' => 'o',
        'р' | 'ρ' => 'p',
        'ѕ' | 'ś' | 'ş' | 'š' | '5' => 's',
        'т' | 'τ' | 'ţ' | 'ť' => 't',
        'υ' | 'ս' | 'ù'..='ü' | 'ū' | 'ů' => 'u',
        'ν' | 'ѵ' => 'v',
        'х' | 'χ' => 'x',
        'ź' | 'ż' | 'ž' => 'z',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_short_visible_line() {
        assert_eq!(shown("  Claude \t\r\n Code\u{2028}").as_deref(), Some("Claude Code"));
        assert_eq!(shown("a\u{202e}b\u{2066}c\u{0}d\u{1b}[31me\u{200b}f\u{e0041}").as_deref(), Some("abcd[31mef"));
        assert_eq!(shown("<b onclick=x>Claude</b>").as_deref(), Some("<b onclick=x>Claude</b>"), "text, not markup");
        for nothing in ["", " ", "\u{202e}\u{200b}", "\n\u{0}\t"] {
            assert_eq!(shown(nothing), None, "{nothing:?}");
        }
        let long = shown(&"é".repeat(10_000)).unwrap();
        assert_eq!((long.chars().count(), long.ends_with("é…")), (MAX_NAME_CHARS, true));
        let spaces = shown(&format!("a{}b", " ".repeat(10_000))).unwrap();
        assert_eq!(spaces, "a");
        for name in ["Claude", &long, "אב ג", "a\u{200d}b", "<i>", &"a ".repeat(100)] {
            let once = shown(name).unwrap();
            assert_eq!(shown(&once).as_ref(), Some(&once), "{name}");
        }
    }

    #[test]
    fn a_name_is_compared_as_a_person_sees_it() {
        for name in [
            "Claude",
            "CLAUDE",
            "claude (unified-ads)",
            "Official Claude!",
            "Claude\u{a0}",
            "C l a u d e",
            "C-l-a-u-d-e",
            "Сlаudе",
            "Ｃｌａｕｄｅ",
            "Cláude",
            "Cla\u{301}ude",
            "Clau\u{200d}de",
            "CIaude",
            "C1aude",
            "Claude™",
        ] {
            assert!(bears(name, "Claude"), "{name}");
        }
        for name in ["", "Claudette", "Cloud", "My assistant", "Cl aude desk"] {
            assert!(!bears(name, "Claude"), "{name}");
        }
        assert!(bears("VISUAL-STUDIO-CODE Insiders", "Visual Studio Code"));
        assert!(bears("ClaudeCode", "Claude Code") && !bears("Claude", "Claude Code"));
        assert!(bears("0penC0de", "opencode") && bears("Z3d Zed", "Zed") && !bears("amazed", "Zed"));
    }
}
