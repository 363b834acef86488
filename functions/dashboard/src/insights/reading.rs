//! Reads insights of the API, page after page.

use super::range::Range;
use super::wire::{Account, GetResponse, ListPage, ListResponse};
use crate::accounts::ConnectionError;
use crate::api::{Api, Refusal};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use url::form_urlencoded::Serializer;

/// Rows of a page of the API: as many as it gives.
const PAGE_SIZE: usize = 5_000;
/// Most pages that are read.
const MAX_PAGES: usize = 10;
/// Time for all pages but the first, less than the page of the dashboard has.
const READ_TIME: Duration = Duration::from_secs(20);

/// The insights of all ad accounts.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) accounts: Vec<Account>,
    /// Accounts that could not be read.
    pub(crate) errors: Vec<ConnectionError>,
    /// The API refused a page. The earlier ones are here.
    pub(crate) refusal: Option<Refusal>,
    /// There are more rows.
    pub(crate) is_cut: bool,
}

impl Reading {
    /// The number of rows that were read, if there are more.
    pub(crate) fn limit(&self) -> Option<u64> {
        let rows: usize = self.accounts.iter().map(|account| account.rows.len()).sum();
        self.is_cut.then_some(u64::try_from(rows).unwrap_or(u64::MAX))
    }

    /// Adds a page. The cursor of the next one, if there is one.
    fn add(&mut self, page: ListPage) -> Option<String> {
        self.accounts.extend(page.accounts);
        for error in page.errors {
            // An account that fails does so on each page.
            if !self.errors.iter().any(|known| known.connection_id == error.connection_id) {
                self.errors.push(error);
            }
        }
        page.pagination.next_cursor
    }
}

/// Reads the insights of all ad accounts, as many as there is time for.
pub(crate) async fn read(api: &Api<'_>, range: Range) -> Reading {
    let until = Instant::now() + READ_TIME;
    let mut reading = Reading::default();
    let mut cursor: Option<String> = None;
    for _ in 0..MAX_PAGES {
        let target = target(range, cursor.as_deref());
        let page = api.read::<ListResponse>(&target);
        let response = if cursor.is_none() { Ok(page.await) } else { timeout_at(until, page).await };
        match response {
            Ok(Ok(response)) => cursor = reading.add(response.data),
            Ok(Err(refusal)) => return Reading { refusal: Some(refusal), ..reading },
            Err(_) => break,
        }
        if cursor.is_none() {
            return reading;
        }
    }
    Reading { is_cut: true, ..reading }
}

/// Reads the insights of a campaign, by its path in the API.
pub(crate) async fn of_campaign(api: &Api<'_>, path: &str, range: Range) -> Result<Account, Refusal> {
    let response = api.read::<GetResponse>(&format!("{path}/insights?{}", range.parameters())).await;
    response.map(|response| response.data)
}

fn target(range: Range, cursor: Option<&str>) -> String {
    let mut query = Serializer::new(format!("{}&limit={PAGE_SIZE}", range.parameters()));
    query.extend_pairs(cursor.map(|cursor| ("cursor", cursor)));
    format!("/v1/insights?{}", query.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(cursor: Option<&str>) -> ListPage {
        let json = serde_json::json!({
            "accounts": [{ "platform": "BETA", "organization_id": "7", "currency": "USD", "time_zone": "UTC",
                "attribution": "by click", "rows": [] }],
            "pagination": { "next_cursor": cursor },
            "errors": [{ "platform": "ZETA", "connection_id": "conn_1", "message": "No response." }],
        });
        serde_json::from_str(&json.to_string()).unwrap()
    }

    #[test]
    fn pages_are_joined_and_an_account_fails_once() {
        let mut reading = Reading::default();
        assert_eq!(reading.add(page(Some("a"))).as_deref(), Some("a"));
        assert_eq!(reading.add(page(None)), None);
        assert_eq!((reading.accounts.len(), reading.errors.len(), reading.limit()), (2, 1, None));
        assert_eq!(Reading { is_cut: true, ..reading }.limit(), Some(0));
    }

    #[test]
    fn a_page_is_as_large_as_the_api_gives_it() {
        let range = Range::read(&[], "2026-03-03T00:00:00Z".parse().unwrap());
        assert_eq!(target(range, None), "/v1/insights?from=2026-02-24&to=2026-03-02&limit=5000");
        assert!(target(range, Some("a+b")).ends_with("&limit=5000&cursor=a%2Bb"));
    }
}
