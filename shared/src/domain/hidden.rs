//! Characters that hide or reorder others.

/// Whether a character of a text from outside hides or reorders others: controls of direction and of layout, spaces
/// without width, variation selectors but that of emoji, fillers, and tags. Joiners are not hidden: scripts and emoji
/// need them (<https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point>, and of `Cf` what has no shape).
pub fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\u{00AD}'
            | '\u{034F}'
            | '\u{061C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'
            | '\u{200E}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0E}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{13430}'..='\u{1343F}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Whether a character of a text from outside is a control character, or hides or reorders others. A line that people read
/// has none.
pub fn is_invisible(c: char) -> bool {
    c.is_control() || is_hidden(c)
}
