//! Reads insights of the API, page after page.

use super::account::AccountSums;
use super::kept::{Question, Subject};
use super::range::Range;
use super::wire::{Account, CampaignPage, GetResponse, ListPage, ListResponse};
use crate::client::accounts::{ConnectionError, add_errors};
use crate::client::all_pages::{READ_TIME, read_pages};
use crate::client::api::{Api, OUR_FAULT, Refusal};
use serde::de::DeserializeOwned;
use shared::domain::Days;
use std::collections::BTreeMap;

/// Rows of a page of the API: as many as it gives.
const PAGE_SIZE: usize = 5_000;
/// Campaigns of a page of the API: as many as it gives.
const NAMES_SIZE: usize = 100;
/// Most pages that are read.
const MAX_PAGES: usize = 10;

/// What was read of the ad accounts of a platform.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) accounts: Vec<AccountSums>,
    /// The names of campaigns, by id.
    pub(crate) names: BTreeMap<String, String>,
    /// Accounts that could not be read.
    pub(crate) errors: Vec<ConnectionError>,
    /// The API refused a page. The earlier ones are here.
    pub(crate) refusal: Option<Refusal>,
    /// There is more.
    pub(crate) is_cut: bool,
}

impl Reading {
    /// A reading whose task has ended without one.
    pub(super) fn lost() -> Reading {
        let message = OUR_FAULT.to_owned();
        let refusal = Refusal { status: 500, message, details: Vec::new(), request_id: String::new() };
        Reading { refusal: Some(refusal), ..Reading::default() }
    }

    /// Whether every account has answered in full.
    pub(crate) fn is_good(&self) -> bool {
        self.errors.is_empty() && self.refusal.is_none() && !self.is_cut
    }

    /// Whether there are numbers of a connection's ad account.
    pub(crate) fn has(&self, connection: &str) -> bool {
        self.accounts.iter().any(|account| account.connection_id == connection)
    }

    /// Whether what there is of a connection's ad account is all of it.
    pub(crate) fn is_whole(&self, connection: &str) -> bool {
        let has_failed = self.errors.iter().any(|error| error.connection_id == connection);
        !self.is_cut && self.refusal.is_none() && !has_failed
    }

    /// Keeps the ad accounts of some connections: others of the platform may have other days.
    fn keep(&mut self, connections: &[(String, String)]) {
        let is_kept = |id: &str| connections.iter().any(|(known, _)| known == id);
        self.accounts.retain(|account| is_kept(&account.connection_id));
        self.errors.retain(|error| is_kept(&error.connection_id));
    }

    /// A reading of one page of the API.
    #[cfg(test)]
    pub(crate) fn of_json(page: &str) -> Reading {
        let mut reading = Reading::default();
        reading.add(serde_json::from_str(page).unwrap());
        reading
    }

    /// Adds a page. The cursor of the next one, if there is one.
    fn add(&mut self, page: ListPage) -> Option<String> {
        for part in page.accounts {
            AccountSums::add_to(&mut self.accounts, part);
        }
        add_errors(&mut self.errors, page.errors);
        page.pagination.next_cursor
    }

    fn add_names(&mut self, page: CampaignPage) -> Option<String> {
        self.names.extend(page.unified.into_iter().map(|campaign| (campaign.id, campaign.name)));
        page.pagination.next_cursor
    }
}

/// Reads what a question asks for, as much as there is time for.
pub(super) async fn read(api: &Api<'_>, question: &Question) -> Reading {
    let platform = &question.platform;
    let report = |Days { from, to }: Days, granularity: &str| {
        format!("/v1/insights?platform={platform}&from={from}&to={to}&granularity={granularity}&limit={PAGE_SIZE}")
    };
    let mut reading = match question.subject {
        Subject::Days(days) => pages::<ListResponse>(api, report(days, "day"), |all, page| all.add(page.data)).await,
        Subject::Total(days) => pages::<ListResponse>(api, report(days, "total"), |all, page| all.add(page.data)).await,
        Subject::Names => {
            let target = format!("/v1/campaigns?platform={platform}&limit={NAMES_SIZE}");
            pages(api, target, Reading::add_names).await
        }
    };
    reading.keep(&question.connections);
    reading
}

/// Reads the pages of a list.
async fn pages<T: DeserializeOwned>(
    api: &Api<'_>,
    first: String,
    add: impl Fn(&mut Reading, T) -> Option<String>,
) -> Reading {
    let mut reading = Reading::default();
    match read_pages(api, &first, (MAX_PAGES, READ_TIME), |page| add(&mut reading, page)).await {
        Ok(is_cut) => Reading { is_cut, ..reading },
        Err(refusal) => Reading { refusal: Some(refusal), ..reading },
    }
}

/// Reads the insights of a campaign, by its path in the API.
pub(crate) async fn of_campaign(api: &Api<'_>, path: &str, range: Range) -> Result<Account, Refusal> {
    let response = api.read::<GetResponse>(&format!("{path}/insights?{}", range.parameters())).await;
    response.map(|response| response.data)
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
        assert!(reading.is_good() && !Reading::lost().is_good());
        assert_eq!(reading.add(page(Some("a"))).as_deref(), Some("a"));
        assert_eq!(reading.add(page(None)), None);
        assert_eq!((reading.accounts.len(), reading.errors.len(), reading.is_good()), (1, 1, false));
    }

    #[test]
    fn names_are_kept_by_id() {
        let json = r#"{"unified":[{"id":"beta_7_1","name":"A","status":"PAUSED"}],"pagination":{"next_cursor":"b"}}"#;
        let mut reading = Reading::default();
        assert_eq!(reading.add_names(serde_json::from_str(json).unwrap()).as_deref(), Some("b"));
        assert_eq!(reading.names["beta_7_1"], "A");
    }
}
