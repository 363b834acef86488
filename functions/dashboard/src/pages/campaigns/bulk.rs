//! How far a change of many campaigns is: each ad account, and the state of each change.

use crate::accounts::{self, Connection, account_name, platform_name};
use crate::addresses::{self, CAMPAIGNS};
use crate::api::Api;
use crate::changes::{state_word, tone};
use crate::layout::{self, Layout, grouped};
use crate::session::SignedIn;
use askama::Template;
use serde::Deserialize;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// Most changes that the page shows of an ad account, so that it stays small.
const SHOWN: usize = 50;

#[derive(Template)]
#[template(path = "bulk.html")]
struct BulkPage {
    layout: Layout,
    summary: String,
    is_settled: bool,
    /// Every ad account was read.
    is_read: bool,
    accounts: Vec<AccountRows>,
    /// The address of this page.
    path: String,
}

/// An ad account for people.
struct AccountRows {
    name: String,
    /// Whether its campaigns were read.
    is_read: bool,
    /// Why not.
    reason: Option<String>,
    rows: Vec<Row>,
    /// Changes that the page leaves out.
    more: usize,
}

struct Row {
    campaign: String,
    path: String,
    tone: &'static str,
    state: String,
}

#[derive(Deserialize)]
struct Response {
    data: Bulk,
}

/// The response to `getStatuses`, in the enveloped shape.
#[derive(Deserialize)]
struct Bulk {
    status: Option<String>,
    settled: bool,
    accounts: Vec<Account>,
}

#[derive(Deserialize)]
struct Account {
    platform: String,
    organization_id: String,
    listed: bool,
    failing: Option<Failing>,
    changes: Vec<Change>,
}

#[derive(Deserialize)]
struct Failing {
    message: String,
}

#[derive(Deserialize)]
struct Change {
    campaign_id: Option<String>,
    state: String,
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let id = value(&request.query, "id").unwrap_or_default();
    let target = format!("/v1/campaigns/status/{}", layout::path_segment(id));
    let api = Api::new(request, person);
    let (bulk, connections) = tokio::join!(api.read(&target), accounts::connections(&api));
    let Response { data: bulk } = bulk.map_err(layout::failed)?;
    let connections = connections.unwrap_or_default();
    let template = BulkPage {
        layout: Layout::signed_in(request, "Many campaigns", CAMPAIGNS, person),
        summary: summary(&bulk),
        is_settled: bulk.settled,
        is_read: bulk.accounts.iter().all(|account| account.listed),
        accounts: bulk.accounts.into_iter().map(|account| rows(account, &connections)).collect(),
        path: addresses::bulk_status(id),
    };
    Ok(layout::show(request, &template))
}

/// `Paused 5, 1 is still open, 1 was not paused.`
fn summary(bulk: &Bulk) -> String {
    let states = || bulk.accounts.iter().flat_map(|account| &account.changes).map(|change| change.state.as_str());
    let done = states().filter(|state| *state == "applied").count();
    let open = states().filter(|state| is_open(state)).count();
    let undone = states().count() - done - open;
    let (verb, participle) =
        if bulk.status.as_deref() == Some("ACTIVE") { ("Activated", "activated") } else { ("Paused", "paused") };
    let number = |count: usize| grouped(u64::try_from(count).unwrap_or(u64::MAX));
    let are = |count: usize, one: &str, many: &str, rest: &str| match count {
        0 => String::new(),
        1 => format!(", 1 {one} {rest}"),
        _ => format!(", {} {many} {rest}", number(count)),
    };
    let open = are(open, "is", "are", "still open");
    let undone = are(undone, "was", "were", &format!("not {participle}"));
    format!("{verb} {}{open}{undone}.", number(done))
}

fn is_open(state: &str) -> bool {
    matches!(state, "scheduled" | "sending" | "unknown")
}

fn rows(account: Account, connections: &[Connection]) -> AccountRows {
    let Account { platform, organization_id, listed, failing, mut changes } = account;
    // What needs a look comes first.
    changes.sort_by_key(|change| change.state == "applied");
    let more = changes.len().saturating_sub(SHOWN);
    changes.truncate(SHOWN);
    AccountRows {
        name: format!(
            "{}: {}",
            platform_name(&platform),
            account_name(platform_name(&platform), &organization_id, connections)
        ),
        is_read: listed,
        reason: failing.map(|failing| failing.message),
        rows: changes.into_iter().map(row).collect(),
        more,
    }
}

fn row(change: Change) -> Row {
    let campaign = change.campaign_id.unwrap_or_default();
    Row { path: addresses::campaign(&campaign), tone: tone(&change.state), state: state_word(&change.state), campaign }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bulk(status: &str, states: &[&str]) -> Bulk {
        let changes: Vec<_> =
            states.iter().map(|state| serde_json::json!({ "campaign_id": "alpha_1_2", "state": state })).collect();
        let account = serde_json::json!({ "platform": "ALPHA", "organization_id": "1", "listed": true,
            "failing": null, "changes": changes });
        serde_json::from_value(serde_json::json!({ "status": status, "settled": false, "accounts": [account] }))
            .unwrap()
    }

    #[test]
    fn the_summary_counts_by_outcome() {
        assert_eq!(summary(&bulk("PAUSED", &[])), "Paused 0.");
        assert_eq!(summary(&bulk("PAUSED", &["applied", "applied"])), "Paused 2.");
        let mixed = ["applied", "unknown", "sending", "failed", "scheduled"];
        assert_eq!(summary(&bulk("PAUSED", &mixed)), "Paused 1, 3 are still open, 1 was not paused.");
        assert_eq!(summary(&bulk("ACTIVE", &["scheduled"])), "Activated 0, 1 is still open.");
    }

    #[test]
    fn what_is_not_applied_comes_first_and_the_page_stays_small() {
        let states: Vec<&str> = std::iter::repeat_n("applied", SHOWN).chain(["failed"]).collect();
        let account = rows(bulk("PAUSED", &states).accounts.remove(0), &[]);
        assert_eq!((account.name.as_str(), account.rows.len(), account.more), ("Google Ads: 1", SHOWN, 1));
        assert_eq!((account.rows[0].tone, account.rows[0].state.as_str()), ("bad", "Not applied"));
    }
}
