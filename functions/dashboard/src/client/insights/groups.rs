//! Sums by day of one ad account.

use super::range::Range;
use super::sums::Numbers;
use super::wire::{Account, Row};
use jiff::civil::Date;
use std::collections::BTreeMap;

/// What one ad account, or one campaign in it, did on each day.
#[derive(Debug)]
pub(crate) struct Group {
    /// In the enveloped shape.
    pub(super) platform: String,
    pub(super) currency: String,
    /// The days of the range in order; `None` without a row.
    pub(super) days: Vec<(Date, Option<Numbers>)>,
    pub(super) total: Numbers,
    pub(super) time_zone: String,
    /// The platform's words on conversions; may be empty.
    pub(super) attribution: String,
}

impl Group {
    /// The sums of an account's rows.
    pub(crate) fn of(account: Account, range: Range) -> Group {
        let Account { platform, connection_id: _, organization_id: _, currency, time_zone, attribution, rows } =
            account;
        let mut by_day: BTreeMap<Date, Numbers> = BTreeMap::new();
        let mut total = Numbers::default();
        for (day, row) in rows.iter().filter_map(|row| day_of(row, range)) {
            by_day.entry(day).or_default().add(row);
            total.add(row);
        }
        let days = range.days().into_iter().map(|day| (day, by_day.remove(&day))).collect();
        Group { platform, currency, days, total, time_zone, attribution }
    }

    /// Whether the platform reports nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.days.iter().all(|(_, numbers)| numbers.is_none())
    }
}

/// The day of a row in the range.
fn day_of(row: &Row, range: Range) -> Option<(Date, &Row)> {
    row.date.filter(|day| range.contains(*day)).map(|day| (day, row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_decimal::Decimal;

    fn group(spends: &[(&str, &str)]) -> Group {
        let row = |(date, spend): &(&str, &str)| {
            format!(r#"{{"date":"{date}","spend":{spend},"impressions":10,"clicks":1,"is_final":true}}"#)
        };
        let rows: Vec<String> = spends.iter().map(row).collect();
        let json = format!(
            r#"{{"platform":"ALPHA","organization_id":"1","currency":"USD","time_zone":"UTC","attribution":"",
                "rows":[{}]}}"#,
            rows.join(",")
        );
        let range = Range::read(&[], "2026-11-23T00:00:00Z".parse().unwrap());
        Group::of(serde_json::from_str(&json).unwrap(), range)
    }

    #[test]
    fn rows_of_a_day_are_added() {
        let group = group(&[("2026-11-22", "0.1"), ("2026-11-22", "0.2"), ("2026-11-16", "1")]);
        let (_, last) = group.days.last().unwrap();
        assert_eq!(last.as_ref().unwrap().spend.known, Some(Decimal::new(3, 1)));
        assert_eq!((group.days.len(), group.total.spend.known), (7, Some(Decimal::new(13, 1))));
    }

    #[test]
    fn a_day_outside_the_range_does_not_count() {
        let group = group(&[("2026-11-23", "1"), ("2026-11-15", "1")]);
        assert!(group.is_empty() && group.total == Numbers::default());
    }
}
