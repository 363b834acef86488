//! API versions: the one that an adapter calls, and the date on which its platform ends it.

use crate::domain::Platform;
use crate::platforms::adapter;
use crate::platforms::settings::Settings;
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use std::borrow::Cow;

/// A version counts as ending from this many days before its end, which is time enough to move to the next one.
pub const NOTICE_DAYS: i64 = 60;

/// The version of a platform's API that its adapter calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiVersion {
    /// As in addresses or headers: `v26`, `202607`.
    pub name: Cow<'static, str>,
    /// The first day on which calls may fail, where the platform has published one. Of a month it is the first day.
    pub ends_on: Option<Date>,
    /// The page on which the platform publishes the ends of its versions, or names the version.
    pub page: &'static str,
}

impl ApiVersion {
    /// A version that the adapter's code names, with the year, month and day of its end.
    pub fn new(name: &'static str, ends_on: Option<(i16, i8, i8)>, page: &'static str) -> ApiVersion {
        let ends_on = ends_on.map(|(year, month, day)| date(year, month, day));
        ApiVersion { name: Cow::Borrowed(name), ends_on, page }
    }

    /// The remaining days of a version that ends within [`NOTICE_DAYS`], negative after its end; `None` for one that
    /// ends later, or without a published end.
    pub fn days_left_if_ending(&self, now: Timestamp) -> Option<i64> {
        let today = now.to_zoned(TimeZone::UTC).date();
        let left = i64::from(today.until(self.ends_on?).ok()?.get_days());
        (left <= NOTICE_DAYS).then_some(left)
    }
}

/// The versions that end soon, with the remaining days of each.
pub fn ending(settings: &Settings, now: Timestamp) -> Vec<(Platform, ApiVersion, i64)> {
    let row = |platform: Platform| {
        let version = (adapter(platform).facts().api_version)(settings);
        version.days_left_if_ending(now).map(|left| (platform, version, left))
    };
    Platform::ALL.into_iter().filter_map(row).collect()
}

/// The end of a version that is named by its month and supported for a year: the first day of that month, a year later.
pub(super) fn a_year_after(year_and_month: &str) -> Option<Date> {
    let (year, month) = year_and_month.split_at_checked(4)?;
    let first = Date::new(year.parse().ok()?, month.parse().ok()?, 1).ok()?;
    first.checked_add(1.year()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(ends_on: Option<Date>) -> ApiVersion {
        ApiVersion { name: Cow::Borrowed("v1"), ends_on, page: "https://example.com/versions" }
    }

    /// This test is meant to fail one day: then an adapter has to move to a later version, within 60 days.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "this test depends on today")]
    fn no_adapter_calls_a_version_that_ends_within_60_days() {
        let ending = ending(&Settings::default(), Timestamp::now());
        assert!(ending.is_empty(), "move to a later version: {ending:?}");
    }

    #[test]
    fn a_version_is_ending_from_60_days_before_its_end_on() {
        let left = |ends_on, now: &str| version(ends_on).days_left_if_ending(now.parse().unwrap());
        let end = Some(date(2027, 2, 15));
        assert_eq!(left(end, "2026-12-16T23:59:59Z"), None, "61 days");
        assert_eq!(left(end, "2026-12-17T00:00:00Z"), Some(60));
        assert_eq!(left(end, "2027-02-15T00:00:00Z"), Some(0));
        assert_eq!(left(end, "2027-02-16T00:00:00Z"), Some(-1));
        assert_eq!(left(None, "2027-02-16T00:00:00Z"), None, "no end is published");
    }

    #[test]
    fn a_version_of_a_month_is_supported_for_a_year() {
        assert_eq!(a_year_after("202607"), Some(date(2027, 7, 1)));
        for invalid in ["", "2026", "202613", "26-07", "latest"] {
            assert_eq!(a_year_after(invalid), None, "{invalid}");
        }
    }

    #[test]
    fn a_version_that_the_operator_chose_has_its_own_end() {
        let settings: Settings = serde_json::from_str(r#"{"delta_ads":{"version":"202602"}}"#).unwrap();
        let soon = ending(&settings, "2027-01-05T00:00:00Z".parse().unwrap());
        let [(Platform::Delta, version, 27)] = soon.as_slice() else { panic!("{soon:?}") };
        assert_eq!(version.name, "202602");
    }
}
