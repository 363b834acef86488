//! The time of which the page shows what a key did.

use crate::kit::addresses::one_key;
use crate::kit::choice::{Choice, choices};
use jiff::{SignedDuration, Timestamp};
use shared::envelope::query::value;

/// The field of the address and of the forms.
pub(super) const SINCE_FIELD: &str = "since";
const DAY: &str = "day";
const WEEK: &str = "week";
const EVER: &str = "all";
/// The value of the form, and what it says.
const CHOICES: &[(&str, &str)] = &[(DAY, "In the last 24 hours"), (WEEK, "In the last 7 days"), (EVER, "Ever")];

/// A choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Since(&'static str);

impl Since {
    /// The choice of an address or a form. Without one it is the last day, or all of a key that is deleted.
    pub(super) fn of(values: &[(String, String)], is_deleted: bool) -> Since {
        let given = value(values, SINCE_FIELD);
        let known = CHOICES.iter().map(|(known, _)| *known).find(|known| Some(*known) == given);
        Since(known.unwrap_or(if is_deleted { EVER } else { DAY }))
    }

    /// The time from which on changes are shown; `None` for all.
    pub(super) fn from(self, now: Timestamp) -> Option<Timestamp> {
        match self.0 {
            EVER => None,
            WEEK => Some(now - SignedDuration::from_hours(7 * 24)),
            _ => Some(now - SignedDuration::from_hours(24)),
        }
    }

    pub(super) fn choices(self) -> Vec<Choice> {
        choices(CHOICES, self.0)
    }

    /// The value of the form.
    pub(super) fn value(self) -> &'static str {
        self.0
    }

    /// The page of a key with this choice.
    pub(super) fn page(self, key: &str) -> String {
        format!("{}&{SINCE_FIELD}={}", one_key(key), self.0)
    }
}

#[cfg(test)]
#[test]
fn a_deleted_key_shows_all_that_it_did() {
    let given = |text: &str| [(SINCE_FIELD.to_owned(), text.to_owned())];
    let now: Timestamp = "2026-12-01T10:00:00Z".parse().unwrap();
    assert_eq!(Since::of(&[], false).page("key_1"), "/dashboard/keys/one?id=key_1&since=day");
    assert_eq!((Since::of(&[], true).value(), Since::of(&[], true).from(now)), ("all", None));
    assert_eq!(Since::of(&given("week"), true).from(now), Some("2026-11-24T10:00:00Z".parse().unwrap()));
    assert_eq!(Since::of(&given("year"), false).value(), "day");
}
