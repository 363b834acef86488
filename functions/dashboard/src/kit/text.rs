//! Times, numbers and names for people, and texts for addresses.

use jiff::Timestamp;

/// A time for people: `22 Nov 2026, 12:00 UTC`.
pub(crate) fn readable(at: Timestamp) -> String {
    at.strftime("%-d %b %Y, %H:%M UTC").to_string()
}

/// What stands before a time of today, of which the page shows no day: `kit/times.rs` leaves it out, and the mark.
pub(crate) const TODAY: char = '\u{2063}';

/// A time for people, which a page shows without its day if that is today: `02:58 UTC`.
pub(crate) fn clock(at: Timestamp, now: Timestamp) -> String {
    let day = |at: Timestamp| at.strftime("%F").to_string();
    if day(at) == day(now) { format!("{TODAY}{}", readable(at)) } else { readable(at) }
}

/// From when a row is: `as of 02:58 UTC`.
pub(crate) fn as_of(at: Timestamp, now: Timestamp) -> String {
    format!("as of {}", clock(at, now))
}

/// The same in a sentence: `at 02:58 UTC`, `on 30 Nov 2026, 02:58 UTC`.
pub(crate) fn when(at: Timestamp, now: Timestamp) -> String {
    let clock = clock(at, now);
    if clock.starts_with(TODAY) { format!("at {clock}") } else { format!("on {clock}") }
}

/// A time for people, to the second: `22 Nov 2026, 12:00:05 UTC`.
pub(crate) fn readable_second(at: Timestamp) -> String {
    at.strftime("%-d %b %Y, %H:%M:%S UTC").to_string()
}

/// A time for people, or another text without one.
pub(crate) fn readable_text(at: Option<Timestamp>, otherwise: &str) -> String {
    at.map_or_else(|| otherwise.to_owned(), readable)
}

/// A text as one segment of a path.
pub(crate) fn path_segment(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// A name that people typed, in a sentence: its direction of writing stays its own.
pub(crate) fn isolated(name: &str) -> String {
    format!("“\u{2068}{name}\u{2069}”")
}

/// Names in a sentence: `Google Ads, Meta and TikTok`.
pub(crate) fn listed(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// The same of many names: `Google Ads, Meta, TikTok and 4 more`.
pub(crate) fn some_of(names: &[String]) -> String {
    match names {
        [first, second, third, more @ ..] if more.len() > 1 => {
            format!("{first}, {second}, {third} and {} more", more.len())
        }
        _ => listed(names),
    }
}

/// A number for people: `5,000,000`.
pub(crate) fn grouped(number: u64) -> String {
    grouped_digits(&number.to_string())
}

/// A duration for people: `1,240 ms`.
pub(crate) fn milliseconds(time: u64) -> String {
    format!("{} ms", grouped(time))
}

/// The digits of a number for people: `-1,234.50`.
pub(crate) fn grouped_digits(number: &str) -> String {
    let (whole, fraction) = number.split_at(number.find('.').unwrap_or(number.len()));
    let (sign, digits) = whole.split_at(usize::from(whole.starts_with('-')));
    let comma = |at: usize| if at > 0 && (digits.len() - at).is_multiple_of(3) { "," } else { "" };
    let digits: String = digits.char_indices().map(|(at, digit)| format!("{}{digit}", comma(at))).collect();
    format!("{sign}{digits}{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_a_sentence() {
        let shown = [&[][..], &["A"], &["A", "B"], &["A", "B", "C"]].map(|names: &[&str]| listed(names));
        assert_eq!(shown, ["", "A", "A and B", "A, B and C"]);
    }

    #[test]
    fn numbers_have_groups_of_three_digits() {
        for (number, shown) in [(0, "0"), (999, "999"), (1_000, "1,000"), (5_000_000, "5,000,000")] {
            assert_eq!(grouped(number), shown);
        }
    }

    #[test]
    fn times_are_in_utc() {
        assert_eq!(readable("2026-11-02T09:05:59Z".parse().unwrap()), "2 Nov 2026, 09:05 UTC");
    }
}
