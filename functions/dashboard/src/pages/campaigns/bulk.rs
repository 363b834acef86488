//! How far a change of many campaigns is: each ad account, and the state of each change.

use crate::accounts::{self, Connection, account_name, platform_name};
use crate::addresses::{self, CAMPAIGNS};
use crate::api::Api;
use crate::changes::{state_word, tone};
use crate::layout::{self, Layout, grouped};
use crate::session::SignedIn;
use askama::Template;
use serde::Deserialize;
use shared::domain::{self, ChangeId};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use std::collections::HashMap;

/// Most changes that the page shows of an ad account, so that it stays small.
const SHOWN: usize = 50;
/// Most campaigns that the page names.
const MAX_NAMED: usize = 300;

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
    /// The id of the change.
    change: String,
    /// The name of the campaign, or its id.
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
    id: String,
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
    let mut accounts: Vec<AccountRows> = bulk.accounts.iter().map(|account| rows(account, &connections)).collect();
    let names = names(request, person, &accounts).await;
    name(&mut accounts, &names);
    let template = BulkPage {
        layout: Layout::signed_in(request, title(&bulk), CAMPAIGNS, person),
        summary: summary(&bulk),
        is_settled: bulk.settled,
        is_read: bulk.accounts.iter().all(|account| account.listed),
        accounts,
        path: addresses::bulk_status(id),
    };
    Ok(layout::show(request, &template))
}

fn title(bulk: &Bulk) -> &'static str {
    if bulk.status.as_deref() == Some("ACTIVE") { "Activated campaigns" } else { "Paused campaigns" }
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

fn rows(account: &Account, connections: &[Connection]) -> AccountRows {
    let Account { platform, organization_id, listed, failing, changes } = account;
    let platform = platform_name(platform);
    let mut changes: Vec<&Change> = changes.iter().collect();
    // What needs a look comes first.
    changes.sort_by_key(|change| change.state == "applied");
    let more = changes.len().saturating_sub(SHOWN);
    changes.truncate(SHOWN);
    AccountRows {
        name: format!("{platform}: {}", account_name(platform, organization_id, connections)),
        is_read: *listed,
        reason: failing.as_ref().map(|failing| failing.message.clone()),
        rows: changes.into_iter().map(row).collect(),
        more,
    }
}

fn row(change: &Change) -> Row {
    let campaign = change.campaign_id.clone().unwrap_or_default();
    Row {
        change: change.id.clone(),
        path: addresses::campaign(&campaign),
        tone: tone(&change.state),
        state: state_word(&change.state),
        campaign,
    }
}

/// The names of the campaigns by change, as far as the changes have read them. Without them the page shows ids.
async fn names(request: &WebRequest, person: &SignedIn, accounts: &[AccountRows]) -> HashMap<String, String> {
    let shown = accounts.iter().flat_map(|account| &account.rows).filter_map(|row| ChangeId::parse(&row.change));
    let ids: Vec<ChangeId> = shown.take(MAX_NAMED).collect();
    let changes = request.app.store.changes_by_id(person.customer(), &ids, request.now).await.unwrap_or_default();
    let name = |change: domain::Change| Some((change.id.to_string(), change.after.or(change.before)?.name));
    changes.into_iter().filter_map(name).collect()
}

fn name(accounts: &mut [AccountRows], names: &HashMap<String, String>) {
    for row in accounts.iter_mut().flat_map(|account| &mut account.rows) {
        if let Some(name) = names.get(&row.change) {
            row.campaign.clone_from(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bulk(status: &str, states: &[&str]) -> Bulk {
        let changes: Vec<_> = states
            .iter()
            .map(|state| serde_json::json!({ "id": "chg_1", "campaign_id": "alpha_1_2", "state": state }))
            .collect();
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
        let account = rows(&bulk("PAUSED", &states).accounts[0], &[]);
        assert_eq!((account.name.as_str(), account.rows.len(), account.more), ("Google Ads: 1", SHOWN, 1));
        assert_eq!((account.rows[0].tone, account.rows[0].state.as_str()), ("bad", "Not applied"));
    }
}
