//! What the campaigns of an ad account did by day, as it is kept: what lists show of it.

use super::{all_or_none, decimal, digits, first_that_fit};
use crate::client::readings::reading::{DayNumbers, Reading};
use crate::kit::numbers::Numbers;
use crate::kit::total::Total;
use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared::domain::{CampaignId, ConnectionId, Days};

/// A campaign on a day: the days since the first one, spend and clicks. `None` is a number that is not known.
type KeptDay = (i32, Option<String>, Option<i64>);

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

/// The JSON of a reading, with as many campaigns as fit.
pub(in crate::client::readings) fn write_days(reading: &Reading) -> String {
    let Reading { connection: _, days: Days { from, to }, rows, is_cut } = reading;
    let (campaigns, is_full) = first_that_fit(rows.iter().map(|(id, rows)| (id.to_string(), kept_days(*from, rows))));
    let written = SerializedDays { from: *from, to: *to, campaigns, is_cut: *is_cut || is_full };
    serde_json::to_string(&written).unwrap_or_default()
}

/// The reading of a connection that was kept; `None` for what cannot be read.
pub(in crate::client::readings) fn read_days(json: &str, connection: &ConnectionId) -> Option<Reading> {
    let KeptDays { from, to, campaigns, is_cut } = serde_json::from_str(json).ok()?;
    let row = |(days, spend, clicks): KeptDay| {
        let day = Some(from.saturating_add(i64::from(days).days()));
        let spend = Total::of(all_or_none(spend.as_deref(), decimal)?);
        let clicks = Total::of(clicks.map(Decimal::from));
        Some(DayNumbers { day, numbers: Numbers { spend, clicks, ..Numbers::UNKNOWN } })
    };
    let rows = |(id, days): (String, Vec<KeptDay>)| {
        Some((CampaignId::parse(&id)?, days.into_iter().map(row).collect::<Option<_>>()?))
    };
    let rows = campaigns.into_iter().map(rows).collect::<Option<_>>()?;
    Some(Reading { connection: connection.clone(), days: Days::new(from, to)?, rows, is_cut })
}

fn kept_days(first: Date, rows: &[DayNumbers]) -> Vec<KeptDay> {
    let kept = |DayNumbers { day, numbers }: &DayNumbers| {
        let days = first.until((*day)?).ok()?.get_days();
        let clicks = numbers.clicks.exact().and_then(|clicks| clicks.to_i64());
        Some((days, numbers.spend.exact().map(digits), clicks))
    };
    rows.iter().filter_map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::reading::tests::{days, insights, row};

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
}
