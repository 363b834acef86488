//! The rows of a report: numbers, and the checks that all rows pass.

use super::InsightsRequest;
use crate::domain::{AdAccount, Days, Granularity, InsightsRow, Platform};
use crate::error::Error;
use crate::platforms::errors::unreadable;
use crate::platforms::rows::decimal;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde_json::value::RawValue;

/// The numbers of a row that could not be read: they are not known, and the others stay.
#[derive(Debug)]
pub(in crate::platforms) struct Unreadable {
    platform: Platform,
    names: Vec<&'static str>,
}

impl Unreadable {
    pub(in crate::platforms) fn new(platform: Platform) -> Unreadable {
        Unreadable { platform, names: Vec::new() }
    }

    /// The number under its name in the API, or `None` where it could not be read.
    pub(in crate::platforms) fn known<T>(&mut self, name: &'static str, read: Result<Option<T>, Error>) -> Option<T> {
        read.unwrap_or_else(|error| {
            tracing::warn!(platform = %self.platform, name, source = error.source, "a number of a report was not read");
            self.names.push(name);
            None
        })
    }

    /// The names of the numbers that could not be read.
    pub(in crate::platforms) fn names(self) -> Vec<&'static str> {
        self.names
    }
}

/// A number that is a JSON number or text; `None` if the platform sends none. A correction is negative.
pub(in crate::platforms) fn number(platform: Platform, json: Option<&RawValue>) -> Result<Option<Decimal>, Error> {
    let Some(json) = json else { return Ok(None) };
    decimal(json.get()).map(Some).ok_or_else(|| unreadable(platform, "a row with a number that cannot be read"))
}

/// The same for a whole number.
pub(in crate::platforms) fn count(platform: Platform, json: Option<&RawValue>) -> Result<Option<i64>, Error> {
    let Some(number) = number(platform, json)? else { return Ok(None) };
    let count = Some(number).filter(|number| number.fract().is_zero()).and_then(|number| number.to_i64());
    count.map(Some).ok_or_else(|| unreadable(platform, "a row with a count that is not a whole number"))
}

/// An amount in major units, from a number of smaller ones: with 6 places from micros, with 2 from hundredths. A report
/// may have fractions of these.
pub(in crate::platforms) fn scaled(
    platform: Platform,
    json: Option<&RawValue>,
    places: u32,
) -> Result<Option<Decimal>, Error> {
    let Some(mut amount) = number(platform, json)? else { return Ok(None) };
    let scaled = amount.set_scale(amount.scale() + places);
    scaled.map_err(|_| unreadable(platform, "a row with an amount of too many digits"))?;
    Ok(Some(amount.normalize()))
}

/// Whether a row has a number that is not zero, or one that could not be read.
pub(super) fn has_delivery(row: &InsightsRow) -> bool {
    let InsightsRow { campaign: _, date: _, spend, impressions, clicks, conversions, conversion_value, unreadable } =
        row;
    let has_amount = [spend, conversions, conversion_value].into_iter().flatten().any(|number| !number.is_zero());
    let has_count = [impressions, clicks].into_iter().flatten().any(|count| *count != 0);
    has_amount || has_count || !unreadable.is_empty()
}

impl InsightsRequest {
    /// The rows in the order of days and campaigns. The platform need not have an order, but a position needs one.
    ///
    /// A row that was not requested is an error, and so is a second one of the same campaign and day: the rows would
    /// not add up.
    pub(in crate::platforms) fn checked(
        &self,
        account: &AdAccount,
        part: Days,
        mut rows: Vec<InsightsRow>,
    ) -> Result<Vec<InsightsRow>, Error> {
        let key = |row: &InsightsRow| (row.date, row.campaign.to_string());
        rows.sort_by_cached_key(key);
        for row in &rows {
            if !self.includes(account, part, row) {
                return Err(unreadable(row.campaign.platform(), "a row that was not requested"));
            }
        }
        let is_same = |one: &InsightsRow, other: &InsightsRow| one.date == other.date && one.campaign == other.campaign;
        match rows.array_windows().find(|[one, other]| is_same(one, other)) {
            Some([row, _]) => Err(unreadable(row.campaign.platform(), "two rows of a campaign and day")),
            None => Ok(rows),
        }
    }

    fn includes(&self, account: &AdAccount, part: Days, row: &InsightsRow) -> bool {
        let is_requested_day = match self.granularity {
            Granularity::Day => row.date.is_some_and(|date| part.contains(date)),
            Granularity::Total => row.date.is_none(),
        };
        let remote_id = row.campaign.remote_in(&account.id);
        is_requested_day && remote_id.is_some_and(|id| self.campaign.as_ref().is_none_or(|only| only == id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::CampaignId;
    use crate::platforms::fixtures;

    fn row(account: &str, campaign: &str, date: Option<&str>) -> InsightsRow {
        InsightsRow {
            campaign: CampaignId::new(Platform::Delta, account, campaign),
            date: date.map(|date| date.parse().unwrap()),
            spend: None,
            impressions: None,
            clicks: None,
            conversions: None,
            conversion_value: None,
            unreadable: Vec::new(),
        }
    }

    fn checked(granularity: Granularity, only: Option<&str>, rows: Vec<InsightsRow>) -> Option<Vec<InsightsRow>> {
        let account = AdAccount { id: "5".into(), ..fixtures::account(Platform::Alpha, "USD", "UTC") };
        let days = Days::new("2026-03-01".parse().unwrap(), "2026-03-02".parse().unwrap()).unwrap();
        let campaign = only.map(str::to_owned);
        InsightsRequest { days, granularity, campaign, limit: 5, after: None }.checked(&account, days, rows).ok()
    }

    #[test]
    fn rows_are_ordered_and_each_is_one_that_was_requested() {
        let day = |campaign: &str, day: &str| row("5", campaign, Some(day));
        let (first, second, third) = (day("2", "2026-03-01"), day("1", "2026-03-02"), day("2", "2026-03-02"));
        let mixed = vec![third.clone(), first.clone(), second.clone()];
        let ordered = Some(vec![first.clone(), second.clone(), third.clone()]);
        assert_eq!(checked(Granularity::Day, None, mixed), ordered);
        assert_eq!(checked(Granularity::Day, Some("2"), vec![third.clone()]), Some(vec![third.clone()]));
        for (only, wrong) in [
            (Some("1"), first.clone()),
            (None, day("2", "2026-02-28")),
            (None, day("2", "2026-03-03")),
            (None, row("5", "2", None)),
            (None, row("55", "2", Some("2026-03-01"))),
        ] {
            assert_eq!(checked(Granularity::Day, only, vec![wrong.clone()]), None, "{wrong:?}");
        }
        assert_eq!(checked(Granularity::Day, None, vec![first.clone(), third, first]), None);
        assert_eq!(checked(Granularity::Total, None, vec![second]), None);
        assert!(checked(Granularity::Total, None, vec![row("5", "1", None), row("5", "2", None)]).is_some());
        assert_eq!(checked(Granularity::Total, None, vec![row("5", "1", None), row("5", "1", None)]), None);
    }

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
    }

    #[test]
    fn a_count_is_whole_and_a_correction_is_below_zero() {
        let counted = |json: &str| count(Platform::Delta, Some(&raw(json))).ok().flatten();
        let read = |json: &str| number(Platform::Delta, Some(&raw(json))).ok().flatten();
        for (json, expected) in
            [("7", 7), ("\"7\"", 7), ("0", 0), ("1.0", 1), ("-3", -3), ("9223372036854775807", i64::MAX)]
        {
            assert_eq!(counted(json), Some(expected), "{json}");
        }
        for json in ["1.5", "9223372036854775808", "\"\"", "\"x\"", "true", "[]"] {
            assert_eq!(counted(json), None, "{json}");
        }
        assert_eq!(read("\"1.50\"").map(|number| number.to_string()).as_deref(), Some("1.5"));
        assert_eq!(read("\"-\""), None);
        assert_eq!(read("-0.5").map(|number| number.to_string()).as_deref(), Some("-0.5"), "a correction");
        assert_eq!(count(Platform::Delta, None).unwrap(), None);
    }

    #[test]
    fn an_amount_in_smaller_units_is_exact() {
        let read = |json: &str, places: u32| scaled(Platform::Delta, Some(&raw(json)), places).ok().flatten();
        for (json, places, expected) in [
            ("1230001", 6, "1.230001"),
            ("\"4560\"", 2, "45.6"),
            ("0.5", 6, "0.0000005"),
            ("0", 2, "0"),
            ("1e-22", 6, "0.0000000000000000000000000001"),
            ("-1", 6, "-0.000001"),
        ] {
            assert_eq!(read(json, places).map(|amount| amount.to_string()).as_deref(), Some(expected), "{json}");
        }
        for json in ["1e-23", "\"x\"", "{}"] {
            assert_eq!(read(json, 6), None, "{json}");
        }
        assert_eq!(scaled(Platform::Delta, None, 6).unwrap(), None);
    }
}
