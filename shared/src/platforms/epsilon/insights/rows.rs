//! The translation of a report's rows.

use super::{api, wire};
use crate::domain::insights::parse_date;
use crate::platforms::engine::insights::{Unreadable, count, number, scaled};
use crate::platforms::epsilon::spend;
use crate::platforms::prelude::*;
use jiff::civil::Date;
use std::cmp::Reverse;

/// The order of rows: by falling id, and by rising day.
pub(super) type Key = (Reverse<u64>, Option<Date>);

/// The campaigns and days that a report was requested for.
pub(super) struct Scope<'a> {
    pub(super) account: &'a AdAccount,
    pub(super) ids: Vec<u64>,
    pub(super) days: Days,
    pub(super) granularity: Granularity,
}

impl Scope<'_> {
    /// The rows of a response, in order. Two of one campaign and day are an error: it is uncertain which of them is
    /// right.
    pub(super) fn rows(&self, response: &OutboundResponse) -> Result<Vec<(Key, InsightsRow)>, Error> {
        let rows = api::read_report(response)?;
        let mut rows: Vec<_> = rows.iter().map(|row| self.row(row)).collect::<Result<_, Error>>()?;
        rows.sort_by_key(|(key, _)| *key);
        let is_distinct = rows.is_sorted_by(|(first, _), (second, _)| first < second);
        is_distinct.then_some(rows).ok_or_else(|| malformed("two rows of one campaign and day"))
    }

    fn row(&self, row: &RawValue) -> Result<(Key, InsightsRow), Error> {
        let row: wire::Row = read_object(Platform::Epsilon, row.get().as_bytes())?;
        let id = row.campaign_id.as_deref().and_then(wire::number).filter(|id| self.ids.contains(id));
        let id = id.ok_or_else(|| malformed("a row of another campaign"))?;
        let date = match self.granularity {
            Granularity::Day => Some(self.date(&row)?),
            Granularity::Total => None,
        };
        let mut unreadable = Unreadable::new(Platform::Epsilon);
        let translated = InsightsRow {
            campaign: CampaignId::new(Platform::Epsilon, &self.account.id, &id.to_string()),
            date,
            spend: unreadable.known("spend", spend::of_row(&row)),
            impressions: unreadable.known("impressions", count(Platform::Epsilon, row.impressions.as_deref())),
            clicks: unreadable.known("clicks", count(Platform::Epsilon, row.clicks.as_deref())),
            conversions: unreadable.known("conversions", number(Platform::Epsilon, row.conversions.as_deref())),
            conversion_value: unreadable
                .known("conversion_value", scaled(Platform::Epsilon, row.checkout_value.as_deref(), 6)),
            unreadable: unreadable.names(),
        };
        Ok(((Reverse(id), date), translated))
    }

    fn date(&self, row: &wire::Row) -> Result<Date, Error> {
        let date = row.date.as_deref().and_then(parse_date).filter(|date| self.days.contains(*date));
        date.ok_or_else(|| malformed("a row of another day"))
    }
}

fn malformed(why: &'static str) -> Error {
    unreadable(Platform::Epsilon, why)
}
