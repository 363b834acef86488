//! Times that a person typed.

use jiff::civil::DateTime;

/// A day as it is, or a time in UTC; `None` without a text. The API says what is wrong with any other text.
pub(crate) fn moment(text: &str) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    let has_zone = text.ends_with(['Z', 'z']) || text.get(10..).is_some_and(|time| time.contains(['+', '-']));
    let time = (text.len() > 10 && !has_zone).then(|| text.parse::<DateTime>().ok()).flatten();
    Some(time.map_or_else(|| text.to_owned(), |time| format!("{time}Z")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_without_a_zone_is_in_utc() {
        for (typed, sent) in [
            ("2026-12-01", "2026-12-01"),
            ("2026-12-01 09:00", "2026-12-01T09:00:00Z"),
            ("2026-12-01T09:00:30", "2026-12-01T09:00:30Z"),
            ("2026-12-01T09:00:00Z", "2026-12-01T09:00:00Z"),
            ("2026-12-01T09:00:00+01:00", "2026-12-01T09:00:00+01:00"),
            ("tomorrow morning", "tomorrow morning"),
        ] {
            assert_eq!(moment(typed).as_deref(), Some(sent));
        }
        assert_eq!(moment(""), None);
    }
}
