//! What the campaigns of an ad account did by day, as it is kept: what lists show of it.

use super::{all_or_none, decimal, digits, first_that_fit};
use crate::client::readings::reading::{DayNumbers, Reading};
use crate::client::readings::recent::is_of_results;
use crate::kit::numbers::Numbers;
use crate::kit::total::Total;
use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared::domain::{CampaignId, ConnectionId, Days};

/// A campaign on a day: the days since the first one, spend, clicks, and its results. `None` is a number that is not known.
#[derive(Deserialize, Serialize)]
struct KeptDay(
    i32,
    Option<String>,
    Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")] Option<KeptResults>,
);

/// Conversions, their value, and impressions. They are kept of the last days alone, because no list shows older ones.
#[derive(Default, Deserialize, PartialEq, Serialize)]
struct KeptResults(
    Option<String>,
    Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")] Option<i64>,
);

#[derive(Deserialize)]
struct KeptDays {
    from: Date,
    to: Date,
    campaigns: Vec<(String, Vec<KeptDay>)>,
    /// Rows are missing.
    is_cut: bool,
}

#[derive(Serialize)]
struct SerializedDays {
    from: Date,
    to: Date,
    campaigns: Vec<Box<RawValue>>,
    is_cut: bool,
}

/// The JSON of a reading, with as many campaigns as fit. If not all do, their spend is worth more than their results.
pub(in crate::client::readings) fn write_days(reading: &Reading) -> String {
    let Reading { connection: _, days: Days { from, to }, rows, is_cut } = reading;
    let days = |has_results| {
        let results_until = if has_results { Some(*to) } else { None };
        first_that_fit(rows.iter().map(move |(id, rows)| (id.to_string(), kept_days(*from, rows, results_until))))
    };
    let (campaigns, is_full) = match days(true) {
        (_, true) => days(false),
        all => all,
    };
    let written = SerializedDays { from: *from, to: *to, campaigns, is_cut: *is_cut || is_full };
    serde_json::to_string(&written).unwrap_or_default()
}

/// The reading of a connection that was kept; `None` for what cannot be read.
pub(in crate::client::readings) fn read_days(json: &str, connection: &ConnectionId) -> Option<Reading> {
    let KeptDays { from, to, campaigns, is_cut } = serde_json::from_str(json).ok()?;
    let row = |KeptDay(days, spend, clicks, results): KeptDay| {
        let day = Some(from.saturating_add(i64::from(days).days()));
        let spend = Total::of(all_or_none(spend.as_deref(), decimal)?);
        let clicks = Total::of(clicks.map(Decimal::from));
        let KeptResults(conversions, value, impressions) = results.unwrap_or_default();
        let impressions = Total::of(impressions.map(Decimal::from));
        let conversions = Total::of(all_or_none(conversions.as_deref(), decimal)?);
        let conversion_value = Total::of(all_or_none(value.as_deref(), decimal)?);
        let numbers = Numbers { spend, impressions, clicks, conversions, conversion_value, is_open: false };
        Some(DayNumbers { day, numbers })
    };
    let rows = |(id, days): (String, Vec<KeptDay>)| {
        Some((CampaignId::parse(&id)?, days.into_iter().map(row).collect::<Option<_>>()?))
    };
    let rows = campaigns.into_iter().map(rows).collect::<Option<_>>()?;
    Some(Reading { connection: connection.clone(), days: Days::new(from, to)?, rows, is_cut })
}

/// The days of a campaign; with its results in the last days up to one, if there is one.
fn kept_days(first: Date, rows: &[DayNumbers], results_until: Option<Date>) -> Vec<KeptDay> {
    let kept = |DayNumbers { day, numbers }: &DayNumbers| {
        let days = first.until((*day)?).ok()?.get_days();
        let count = |total: Total| total.exact().and_then(|count| count.to_i64());
        let [conversions, value] =
            [numbers.conversions, numbers.conversion_value].map(|total| total.exact().map(digits));
        let is_shown = results_until.is_some_and(|last| day.is_some_and(|day| is_of_results(day, last)));
        let results = KeptResults(conversions, value, count(numbers.impressions));
        let results = (is_shown && results != KeptResults::default()).then_some(results);
        Some(KeptDay(days, numbers.spend.exact().map(digits), count(numbers.clicks), results))
    };
    rows.iter().filter_map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::reading::tests::{days, insights, row};
    use shared::domain::InsightsRow;

    #[test]
    fn a_reading_that_was_kept_has_the_same_spend_and_clicks() {
        let whole = days("2026-10-30", "2026-11-13");
        let rows = vec![
            row("beta_1_a", "2026-10-30", Some(-125)),
            row("beta_1_a", "2026-11-13", Some(1_250)),
            row("beta_1_b", "2026-11-02", None),
        ];
        let reading = Reading { is_cut: true, ..Reading::of(insights("1", rows), whole) };
        let kept = read_days(&write_days(&reading), &reading.connection).unwrap();
        assert_eq!((&kept.connection, kept.days, kept.is_cut), (&reading.connection, whole, true));
        for days in [whole, days("2026-10-30", "2026-10-30"), days("2026-11-01", "2026-11-12")] {
            let shown = |reading: &Reading| {
                let sums = reading.sums(days);
                let campaigns = sums.campaigns.iter().map(|(id, one)| (id.to_string(), one.spend, one.clicks));
                (sums.total.spend, sums.total.clicks, campaigns.collect::<Vec<_>>())
            };
            assert_eq!(shown(&kept), shown(&reading), "{days:?}");
        }
        assert!(read_days("[]", &reading.connection).is_none(), "another release");
    }

    #[test]
    fn conversions_are_kept_of_the_last_days_where_they_fit() {
        let sold = |campaign: &str, day: &str| InsightsRow {
            conversion_value: Some(Decimal::new(10_025, 2)),
            ..row(campaign, day, Some(1))
        };
        let whole = days("2026-10-30", "2026-11-13");
        let rows = vec![sold("beta_1_a", "2026-11-04"), sold("beta_1_a", "2026-11-05"), sold("beta_1_a", "2026-11-13")];
        let reading = Reading::of(insights("1", rows), whole);
        let json = write_days(&reading);
        let last = |reading: &Reading| reading.sums(days("2026-11-05", "2026-11-13")).total;
        let kept = read_days(&json, &reading.connection).unwrap();
        assert_eq!(last(&kept).conversions, last(&reading).conversions);
        assert_eq!(last(&kept).conversion_value, Total::of(Some(Decimal::new(20_050, 2))));
        assert_eq!(kept.sums(days("2026-11-04", "2026-11-04")).total.conversions, Total::UNKNOWN, "no list shows it");
        assert_eq!(last(&kept).impressions, last(&reading).impressions);
        let former = |results: &str| {
            let former = json.replace(r#",["2.5","100.25",10]"#, results);
            assert!(former.len() < json.len(), "{json}");
            last(&read_days(&former, &reading.connection).unwrap())
        };
        let older = former("");
        assert_eq!((older.spend, older.conversions), (last(&reading).spend, Total::UNKNOWN));
        let old = former(r#",["2.5","100.25"]"#);
        assert_eq!((old.conversions, old.impressions), (last(&reading).conversions, Total::UNKNOWN));
        let every_day = || (5..14).map(|day| format!("2026-11-{day:02}"));
        let many = (0..1_500).flat_map(|id| every_day().map(move |day| sold(&format!("beta_1_{id}"), &day)));
        let many = Reading::of(insights("1", many.collect()), whole);
        let kept = read_days(&write_days(&many), &many.connection).unwrap();
        assert_eq!((kept.rows.len(), kept.is_cut), (1_500, false), "spend is worth more");
        assert_eq!(last(&kept).conversions, Total::UNKNOWN);
    }
}
