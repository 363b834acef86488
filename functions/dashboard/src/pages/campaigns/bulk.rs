//! How far a change of many campaigns is: each ad account, and the state of each change.

use super::bulk_undo::UndoForm;
use super::create_form::KEY_FIELD;
use crate::client::accounts::{self, Connection, account_name, platform_name};
use crate::client::api::{Api, Refusal};
use crate::client::overview;
use crate::client::session::SignedIn;
use crate::kit::addresses::{self, CAMPAIGNS};
use crate::kit::changes::{state_word, tone};
use crate::pages::layout::{self, Layout, grouped};
use askama::Template;
use serde::Deserialize;
use shared::domain::{self, ChangeId, ChangeStatus};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use std::collections::HashMap;
use uuid::Uuid;

/// Most changes that the page shows of an ad account, so that it stays small.
const SHOWN: usize = 50;
/// Most campaigns that the page names.
const MAX_NAMED: usize = 300;

#[derive(Template)]
#[template(path = "pages/campaigns/bulk.html")]
struct BulkPage {
    layout: Layout,
    summary: String,
    is_settled: bool,
    /// Every ad account was read.
    is_read: bool,
    accounts: Vec<AccountRows>,
    /// The address of this page.
    path: String,
    /// The id of the change, for the forms that undo it.
    id: String,
    /// Makes a double click or a reload undo once.
    key: String,
    /// The form that undoes all of it. With too many campaigns for one there is one at each ad account.
    undo: Option<UndoForm>,
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
    undo: Option<UndoForm>,
}

struct Row {
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
pub(super) struct Bulk {
    status: Option<String>,
    pub(super) settled: bool,
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
pub(super) struct Change {
    id: String,
    pub(super) campaign_id: Option<String>,
    state: String,
}

impl Bulk {
    /// The status that it sets.
    pub(super) fn status(&self) -> &str {
        self.status.as_deref().unwrap_or("PAUSED")
    }

    /// The status that its campaigns had.
    pub(super) fn former(&self) -> &'static str {
        if self.status() == "ACTIVE" { "PAUSED" } else { "ACTIVE" }
    }

    /// What is done in an ad account, given by its platform and its number there; in all of them for an empty one.
    pub(super) fn done(&self, account: &str) -> Vec<&Change> {
        let chosen = self.accounts.iter().filter(|one| account.is_empty() || one.target() == account);
        chosen.flat_map(|one| &one.changes).filter(|change| change.is_done()).collect()
    }
}

impl Account {
    fn target(&self) -> String {
        format!("{}:{}", self.platform, self.organization_id)
    }
}

impl Change {
    fn is_done(&self) -> bool {
        self.state == "applied"
    }

    /// The name of its campaign, or its id.
    pub(super) fn name(&self, names: &HashMap<String, String>) -> String {
        names.get(&self.id).or(self.campaign_id.as_ref()).cloned().unwrap_or_default()
    }
}

/// Reads a change of many campaigns.
pub(super) async fn read(api: &Api<'_>, id: &str) -> Result<Bulk, Refusal> {
    let target = format!("/v1/campaigns/status/{}", layout::path_segment(id));
    api.read::<Response>(&target).await.map(|response| response.data)
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let id = value(&request.query, "id").unwrap_or_default();
    let api = Api::new(request, person);
    let (bulk, connections) = tokio::join!(read(&api, id), accounts::connections(&api));
    let bulk = bulk.map_err(layout::failed)?;
    let connections = connections.unwrap_or_default();
    let shown: Vec<(&Account, Vec<&Change>)> = bulk.accounts.iter().map(|account| (account, shown(account))).collect();
    let end = async {
        if bulk.settled {
            overview::note_end(request, person.customer(), id).await;
        }
    };
    let of_rows = ids(shown.iter().flat_map(|(_, changes)| changes.iter().copied()));
    let (names, ()) = tokio::join!(names(request, person, of_rows), end);
    let undo = UndoForm::of(&bulk, String::new());
    let rows = |(account, changes): (&Account, _)| AccountRows {
        undo: if undo.is_some() { None } else { UndoForm::of(&bulk, account.target()) },
        ..rows(account, changes, &connections, &names)
    };
    let accounts = shown.into_iter().map(rows).collect();
    let layout = Layout::signed_in(request, title(&bulk), CAMPAIGNS, person);
    let template = BulkPage {
        key: layout.value(KEY_FIELD).map_or_else(|| Uuid::new_v4().to_string(), str::to_owned),
        layout,
        summary: summary(&bulk),
        is_settled: bulk.settled,
        is_read: bulk.accounts.iter().all(|account| account.listed),
        accounts,
        path: addresses::bulk_status(id),
        id: id.to_owned(),
        undo,
    };
    Ok(layout::show(request, &template))
}

fn title(bulk: &Bulk) -> &'static str {
    if bulk.status() == "ACTIVE" { "Activated campaigns" } else { "Paused campaigns" }
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

/// The changes of an ad account that have a row. What needs a look comes first.
fn shown(account: &Account) -> Vec<&Change> {
    let mut changes: Vec<&Change> = account.changes.iter().collect();
    changes.sort_by_key(|change| change.is_done());
    changes.truncate(SHOWN);
    changes
}

fn rows(
    account: &Account,
    shown: Vec<&Change>,
    connections: &[Connection],
    names: &HashMap<String, String>,
) -> AccountRows {
    let Account { platform, organization_id, listed, failing, changes } = account;
    let platform = platform_name(platform);
    AccountRows {
        name: format!("{platform}: {}", account_name(platform, organization_id, connections)),
        is_read: *listed,
        reason: failing.as_ref().map(|failing| failing.message.clone()),
        more: changes.len() - shown.len(),
        rows: shown.into_iter().map(|change| row(change, names)).collect(),
        undo: None,
    }
}

fn row(change: &Change, names: &HashMap<String, String>) -> Row {
    let state = ChangeStatus::parse(&change.state);
    Row {
        path: addresses::campaign(change.campaign_id.as_deref().unwrap_or_default()),
        tone: state.map_or("plain", tone),
        state: state.map_or_else(|| change.state.clone(), |state| state_word(state).to_owned()),
        campaign: change.name(names),
    }
}

/// The ids of changes, as many as are named.
pub(super) fn ids<'a>(changes: impl Iterator<Item = &'a Change>) -> Vec<ChangeId> {
    changes.filter_map(|change| ChangeId::parse(&change.id)).take(MAX_NAMED).collect()
}

/// The names of campaigns by change, as far as the changes have read them. Without them the page shows ids.
pub(super) async fn names(request: &WebRequest, person: &SignedIn, ids: Vec<ChangeId>) -> HashMap<String, String> {
    let changes = request.app.store.changes_by_id(person.customer(), &ids, request.now).await.unwrap_or_default();
    let name = |change: domain::Change| Some((change.id.to_string(), change.after.or(change.before)?.name));
    changes.into_iter().filter_map(name).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn bulk(status: &str, states: &[&str]) -> Bulk {
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
        let bulk = bulk("PAUSED", &states);
        let account = &bulk.accounts[0];
        assert_eq!((bulk.done("").len(), bulk.done("ALPHA:1").len(), bulk.done("BETA:1").len()), (SHOWN, SHOWN, 0));
        let account = rows(account, shown(account), &[], &HashMap::new());
        assert_eq!((account.name.as_str(), account.rows.len(), account.more), ("Google Ads: 1", SHOWN, 1));
        assert_eq!((account.rows[0].tone, account.rows[0].state.as_str()), ("bad", "Not applied"));
    }
}
