//! The dates of a report.
//!
//! Marketing API: "Ads Reporting", `dateRange`, `timeGranularity` and retention.

use super::error::{InputError, input_errors, invalid_param};
use super::restli::{Query, RestliValue};
use crate::http::Response;
use jiff::ToSpan;
use jiff::civil::Date;

/// The rows of a report: one for the whole range, or one for each day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Granularity {
    All,
    Daily,
}

impl Granularity {
    pub(crate) fn read(query: &Query<'_>) -> Result<Self, Response> {
        let name = "timeGranularity";
        match query.text(name)?.as_deref() {
            None => Err(input_errors(&[InputError::missing(name)])),
            Some("ALL") => Ok(Self::All),
            Some("DAILY") => Ok(Self::Daily),
            Some(_) => Err(invalid_param(name, "The sandbox supports only ALL and DAILY")),
        }
    }
}

/// A date range with inclusive ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Range {
    pub(crate) first: Date,
    pub(crate) last: Date,
}

impl Range {
    /// Reads the range. Without an end it ends today.
    pub(crate) fn read(query: &Query<'_>, today: Date) -> Result<Self, Response> {
        let given = query.data("dateRange")?.ok_or_else(|| input_errors(&[InputError::missing("dateRange")]))?;
        let invalid = || invalid_param("dateRange", "The date range is not valid");
        let first = given.get("start").and_then(date).ok_or_else(invalid)?;
        let last = match given.get("end") {
            Some(end) => date(end).ok_or_else(invalid)?,
            None => today,
        };
        if last < first { Err(invalid()) } else { Ok(Self { first, last }) }
    }

    /// The part of the range that the platform still has: it forgets single days after six months, without an error.
    pub(crate) fn kept(self, granularity: Granularity, today: Date) -> Self {
        match granularity {
            Granularity::All => self,
            Granularity::Daily => Self { first: self.first.max(today.saturating_sub(6.months())), ..self },
        }
    }
}

fn date(given: &RestliValue) -> Option<Date> {
    let part = |name| given.get(name).and_then(RestliValue::text);
    let [year, month, day] = [part("year")?, part("month")?, part("day")?];
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}
