//! The times on a page. Each becomes an element that says which moment it is, so that the script can show it in the
//! person's own zone, unless the account has one: then it has that, and the script leaves it. They are found in the page that is
//! done: many stand in sentences that carry no markup.

use crate::kit::text::TODAY;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// How `readable` and its neighbours write a time, without its ` UTC`.
const FORMATS: [&str; 2] = ["%d %b %Y, %H:%M", "%d %b %Y, %H:%M:%S%.f"];
/// Elements whose text is what somebody sends or copies, or that hold no other element.
const VERBATIM: [&str; 6] = ["<code", "<pre", "<bdo", "<title", "<textarea", "<option"];

/// The time zone in which an account reads its times.
pub(crate) struct ShownZone {
    pub(crate) zone: TimeZone,
    /// The moment of the page, which says what is today; `None` where it is not known.
    pub(crate) now: Option<Timestamp>,
}

impl ShownZone {
    /// A time in the zone, which it names. `is_recent` is one whose day may be left out if it is today.
    fn text(&self, at: Timestamp, format: &str, is_recent: bool) -> String {
        let day = |at: Timestamp| self.zone.to_datetime(at).date();
        let is_today = is_recent && self.now.is_some_and(|now| day(now) == day(at));
        let format = if is_today { format.rsplit(", ").next().unwrap_or(format) } else { format };
        let format = format!("{}\u{a0}%Z", format.replace("%d", "%-d"));
        at.to_zoned(self.zone.clone()).strftime(&format).to_string()
    }
}

/// The page with its times as elements, in a zone if there is one. A time within a tag stays as it is.
pub(crate) fn with_times(page: &str, zone: Option<&ShownZone>) -> String {
    let mut shown = String::with_capacity(page.len() + page.len() / 16);
    let mut from = 0;
    for (name_at, name) in page.match_indices("UTC") {
        let Some(time) = page[from..name_at].strip_suffix([' ', '\u{a0}']) else { continue };
        let Some((start, at, format)) = time_at_end(time) else { continue };
        let (start, end) = (from + start, name_at + name.len());
        if is_text(&page[..start]) {
            let before = &page[from..start];
            let (before, day) = match before.strip_suffix(TODAY) {
                Some(before) => (before, page[start..end].find(", ").map_or(0, |at| at + 2)),
                None => (before, 0),
            };
            shown.push_str(before);
            match zone {
                None => shown.push_str(&format!("<time datetime=\"{at}\">{}</time>", &page[start + day..end])),
                // The script leaves a time that has a title.
                Some(zone) => shown.push_str(&format!(
                    "<time datetime=\"{at}\" title=\"{}\">{}</time>",
                    &page[start..end],
                    zone.text(at, format, day > 0)
                )),
            }
            from = end;
        }
    }
    shown.push_str(&page[from..]);
    shown
}

/// The time at the end of a text: where it begins, the moment, and its format.
fn time_at_end(text: &str) -> Option<(usize, Timestamp, &'static str)> {
    let (day, _) = text.rsplit_once(", ")?;
    let (day, _) = day.rsplit_once(' ')?;
    let (day, _) = day.rsplit_once(' ')?;
    let start = day.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let parse = |format: &&'static str| Some((DateTime::strptime(*format, &text[start..]).ok()?, *format));
    let (known, format) = FORMATS.iter().find_map(parse)?;
    Some((start, known.to_zoned(TimeZone::UTC).ok()?.timestamp(), format))
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
            assert_eq!(with_times(&page, None), format!("<p>It is made at {time}. Then {time}</p>"));
        }
    }

    #[test]
    fn a_time_of_today_is_shown_without_its_day() {
        let (at, now) = ("2026-12-01T02:58:00Z".parse().unwrap(), "2026-12-01T23:00:00Z".parse().unwrap());
        let time = "<time datetime=\"2026-12-01T02:58:00Z\">02:58 UTC</time>";
        assert_eq!(with_times(&format!("<p>since {}.</p>", clock(at, now)), None), format!("<p>since {time}.</p>"));
        let later = "2026-12-02T00:00:00Z".parse().unwrap();
        assert_eq!(clock(at, later), readable(at), "it was yesterday");
    }

    #[test]
    fn a_zone_of_the_account_has_its_own_days() {
        let at: Timestamp = "2026-12-01T23:30:07.12Z".parse().unwrap();
        let shown = |text: &str, zone: &str, now: Option<&str>| {
            let now = now.map(|now| now.parse().unwrap());
            let page = with_times(text, Some(&ShownZone { zone: TimeZone::get(zone).unwrap(), now }));
            page.split_once('>').map(|(_, text)| text.trim_end_matches("</time>").replace('\u{a0}', " ")).unwrap()
        };
        assert_eq!(shown(&readable(at), "America/New_York", None), "1 Dec 2026, 18:30 EST");
        assert_eq!(shown(&readable_second(at), "Asia/Dubai", None), "2 Dec 2026, 03:30:07 +04");
        assert_eq!(shown("1 Dec 2026, 23:30:07.120 UTC", "Europe/Berlin", None), "2 Dec 2026, 00:30:07.12 CET");
        let recent = clock(at, "2026-12-01T23:50:00Z".parse().unwrap());
        let now = Some("2026-12-01T23:50:00Z");
        assert_eq!(shown(&recent, "Europe/Berlin", now), "00:30 CET");
        let before = clock("2026-12-01T01:00:00Z".parse().unwrap(), at);
        assert_eq!(shown(&before, "Asia/Tokyo", now), "1 Dec 2026, 10:00 JST", "there it is the next day");
        assert_eq!(shown(&recent, "Europe/Berlin", None), "2 Dec 2026, 00:30 CET");
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
            assert_eq!(with_times(page, None), page);
        }
    }
}
