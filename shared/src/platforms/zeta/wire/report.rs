//! Messages of a report on demand.

use super::Pagination;
use crate::platforms::rows::{Whole, text_or_none, value_or_none};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A report on demand (Get A Report). Names are upper case here and lower case in the answer.
#[derive(Debug, Serialize)]
pub(in crate::platforms::zeta) struct ReportRequest {
    /// On the hour: `2026-11-20T09:00:00Z`.
    pub(in crate::platforms::zeta) starts_at: String,
    /// On the hour.
    pub(in crate::platforms::zeta) ends_at: String,
    pub(in crate::platforms::zeta) fields: [&'static str; 2],
    pub(in crate::platforms::zeta) breakdowns: [&'static str; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::platforms::zeta) filter: Option<String>,
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
    /// The rows that can be read. One that cannot be costs only the number of its campaign.
    ///
    /// Not verified: whether `data` is a list of reports anywhere. One report was recorded live, 2026-07.
    pub(in crate::platforms::zeta) fn metrics(&self) -> serde_json::Result<Vec<Metric>> {
        let data = self.data.get();
        let is_list = data.starts_with('[');
        let reports: Vec<Report> =
            if is_list { serde_json::from_str(data)? } else { vec![serde_json::from_str(data)?] };
        Ok(reports.iter().flat_map(|report| &report.metrics).filter_map(|row| Metric::read(row)).collect())
    }
}

/// The rows of a report, as received.
#[derive(Debug, Deserialize)]
struct Report {
    metrics: Vec<Box<RawValue>>,
}

/// A row of a report.
#[derive(Debug, Deserialize)]
pub(in crate::platforms::zeta) struct Metric {
    #[serde(default, deserialize_with = "text_or_none")]
    pub(in crate::platforms::zeta) campaign_id: Option<String>,
    /// Millionths of the account's currency; null while the platform does not know it.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(in crate::platforms::zeta) spend: Option<Whole>,
}

impl Metric {
    /// An array would be read as a row's fields in their order.
    fn read(row: &RawValue) -> Option<Metric> {
        row.get().starts_with('{').then(|| serde_json::from_str(row.get()).ok())?
    }
}
