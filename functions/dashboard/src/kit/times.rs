//! The times on a page. Each becomes an element that says which moment it is, so that the script can show it in the
//! person's own zone. They are found in the page that is done: many stand in sentences that carry no markup.

use crate::kit::text::TODAY;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// How `readable` and its neighbours write a time, without its ` UTC`.
const FORMATS: [&str; 2] = ["%d %b %Y, %H:%M", "%d %b %Y, %H:%M:%S%.f"];
/// Elements whose text is what somebody sends or copies, or that hold no other element.
const VERBATIM: [&str; 6] = ["<code", "<pre", "<bdo", "<title", "<textarea", "<option"];

/// The page with its times as elements. A time within a tag stays as it is.
pub(crate) fn with_times(page: &str) -> String {
    let mut shown = String::with_capacity(page.len() + page.len() / 16);
    let mut from = 0;
    for (zone, name) in page.match_indices("UTC") {
        let Some(time) = page[from..zone].strip_suffix([' ', '\u{a0}']) else { continue };
        let Some((start, at)) = time_at_end(time) else { continue };
        let (start, end) = (from + start, zone + name.len());
        if is_text(&page[..start]) {
            let before = &page[from..start];
            let (before, day) = match before.strip_suffix(TODAY) {
                Some(before) => (before, page[start..end].find(", ").map_or(0, |at| at + 2)),
                None => (before, 0),
            };
            shown.push_str(before);
            shown.push_str(&format!("<time datetime=\"{at}\">{}</time>", &page[start + day..end]));
            from = end;
        }
    }
    shown.push_str(&page[from..]);
    shown
}

/// The time with which a text ends, and where that begins.
fn time_at_end(text: &str) -> Option<(usize, Timestamp)> {
    let (day, _) = text.rsplit_once(", ")?;
    let (day, _) = day.rsplit_once(' ')?;
    let (day, _) = day.rsplit_once(' ')?;
    let start = day.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let known = FORMATS.iter().find_map(|format| DateTime::strptime(format, &text[start..]).ok())?;
    Some((start, known.to_zoned(TimeZone::UTC).ok()?.timestamp()))
}

/// Whether what follows is a text that may hold an element.
fn is_text(before: &str) -> bool {
    let Some(tag) = before.rfind('<') else { return true };
    let tag = &before[tag..];
    tag.contains('>') && !VERBATIM.iter().any(|name| tag.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::text::{clock, readable, readable_second};

    #[test]
    fn a_time_becomes_an_element_with_its_moment() {
        let at: Timestamp = "2026-12-01T09:05:07Z".parse().unwrap();
        for (text, datetime) in [
            (readable(at), "2026-12-01T09:05:00Z"),
            (readable(at).replace(" UTC", "\u{a0}UTC"), "2026-12-01T09:05:00Z"),
            (readable_second(at), "2026-12-01T09:05:07Z"),
            ("1 Dec 2026, 09:05:07.120 UTC".to_owned(), "2026-12-01T09:05:07.12Z"),
        ] {
            let page = format!("<p>It is made at {text}. Then {text}</p>");
            let time = format!("<time datetime=\"{datetime}\">{text}</time>");
            assert_eq!(with_times(&page), format!("<p>It is made at {time}. Then {time}</p>"));
        }
    }

    #[test]
    fn a_time_of_today_is_shown_without_its_day() {
        let (at, now) = ("2026-12-01T02:58:00Z".parse().unwrap(), "2026-12-01T23:00:00Z".parse().unwrap());
        let time = "<time datetime=\"2026-12-01T02:58:00Z\">02:58 UTC</time>";
        assert_eq!(with_times(&format!("<p>since {}.</p>", clock(at, now))), format!("<p>since {time}.</p>"));
        let later = "2026-12-02T00:00:00Z".parse().unwrap();
        assert_eq!(clock(at, later), readable(at), "it was yesterday");
    }

    #[test]
    fn what_is_no_time_in_a_text_stays() {
        for page in [
            "",
            "<p>The last 14 days, in UTC.</p>",
            "<p>41 Dec 2026, 09:05 UTC</p>",
            "<p>1 Dec 2026, 09:05 CET, UTC</p>",
            "<input value=\"1 Dec 2026, 09:05 UTC\">",
            "<code>1 Dec 2026, 09:05 UTC</code>",
        ] {
            assert_eq!(with_times(page), page);
        }
    }
}
