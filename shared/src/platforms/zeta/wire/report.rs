//! Messages of a report on demand.

use super::Pagination;
use crate::platforms::rows::text_or_none;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_with::skip_serializing_none;

/// A report on demand (Get A Report). Names are upper case here and lower case in the response.
#[skip_serializing_none]
#[derive(Debug, Serialize)]
pub(in crate::platforms::zeta) struct ReportRequest {
    /// On the hour: `2026-11-20T09:00:00Z`.
    pub(in crate::platforms::zeta) starts_at: String,
    /// On the hour; the hour that begins here is not in the report.
    pub(in crate::platforms::zeta) ends_at: String,
    /// A row has only these, whatever the breakdowns are.
    pub(in crate::platforms::zeta) fields: &'static [&'static str],
    pub(in crate::platforms::zeta) breakdowns: &'static [&'static str],
    pub(in crate::platforms::zeta) filter: Option<String>,
    /// IANA name of the zone of the dates.
    pub(in crate::platforms::zeta) time_zone_id: Option<&'static str>,
}

/// A page of a report.
#[derive(Debug, Deserialize)]
pub(in crate::platforms::zeta) struct ReportPage {
    /// One [`Report`] or several.
    data: Box<RawValue>,
    /// The next page.
    pub(in crate::platforms::zeta) pagination: Option<Pagination>,
}

impl ReportPage {
    /// The rows.
    ///
    /// Not verified: whether `data` is a list of reports anywhere. One report was recorded live, 2026-07.
    pub(in crate::platforms::zeta) fn metrics(&self) -> serde_json::Result<Vec<Box<RawValue>>> {
        let data = self.data.get();
        let is_list = data.starts_with('[');
        let reports: Vec<Report> =
            if is_list { serde_json::from_str(data)? } else { vec![serde_json::from_str(data)?] };
        Ok(reports.into_iter().flat_map(|report| report.metrics).collect())
    }
}

/// The rows of a report, as received.
#[derive(Debug, Deserialize)]
struct Report {
    metrics: Vec<Box<RawValue>>,
}

/// A row of a report. The numbers stay as received; each may be null.
#[derive(Debug, Deserialize)]
pub(in crate::platforms::zeta) struct Metric {
    #[serde(default, deserialize_with = "text_or_none")]
    pub(in crate::platforms::zeta) campaign_id: Option<String>,
    /// `2026-07-01`.
    #[serde(default, deserialize_with = "text_or_none")]
    pub(in crate::platforms::zeta) date: Option<String>,
    /// Millionths of the account's currency.
    pub(in crate::platforms::zeta) spend: Option<Box<RawValue>>,
    pub(in crate::platforms::zeta) impressions: Option<Box<RawValue>>,
    pub(in crate::platforms::zeta) clicks: Option<Box<RawValue>>,
    /// Conversions of the kinds that the account counts as key.
    pub(in crate::platforms::zeta) key_conversion_total_count: Option<Box<RawValue>>,
    /// Hundredths of the account's currency.
    pub(in crate::platforms::zeta) conversion_purchase_total_value: Option<Box<RawValue>>,
}
