//! How far a bulk change is: each ad account, and the state of each change.

mod outcome;
#[cfg(test)]
pub(super) mod sample;
mod start;
mod undo;

pub(super) use outcome::{done, not_changed};
pub(super) use start::{reply_refused, reply_started, status_page};
pub(super) use undo::undo_budgets;
pub(crate) use undo::undo_bulk;

use crate::client::accounts::{self, Connection, account_name};
use crate::client::api::Api;
use crate::client::campaigns::bulk_status;
use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::addresses::{self, CAMPAIGNS};
use crate::kit::campaign::Switch;
use crate::kit::campaign_forms::KEY_FIELD;
use crate::kit::changes::{state_word, tone};
use crate::kit::text::grouped;
use crate::kit::words;
use crate::pages::campaigns::filter::Filter;
use crate::pages::layout::{self, Layout};
use askama::Template;
use jiff::Timestamp;
use outcome::{changes, is_done, is_mixed, name, reverts, switch};
use shared::domain::{BulkAccount, CampaignId, Change, ChangeState, Listing};
use shared::envelope::query::{pairs, value};
use shared::envelope::{BulkStatus, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;
use undo::UndoForm;
use uuid::Uuid;

/// Most changes that the page shows of an ad account, so that it stays small.
const SHOWN: usize = 50;

#[derive(Template)]
#[template(path = "pages/campaigns/bulk/bulk.html")]
struct BulkPage {
    layout: Layout,
    summary: String,
    is_settled: bool,
    /// Every ad account was read.
    is_read: bool,
    accounts: Vec<AccountRows>,
    /// The list that the person came from: its query string, and its address.
    list: String,
    list_path: String,
    /// The id of the change, for the forms that undo it.
    id: String,
    /// Makes a double click or a reload undo once.
    key: String,
    /// Whether it is about the status, which campaigns outside of it may have, too.
    is_status: bool,
    /// The form that undoes it.
    undo: Option<UndoForm>,
}

/// An ad account for people.
struct AccountRows {
    name: String,
    /// Whether its campaigns were read.
    is_read: bool,
    /// Why not.
    reason: Option<String>,
    rows: Vec<CampaignState>,
    /// Changes that the page leaves out.
    more: usize,
}

struct CampaignState {
    /// The name of the campaign, or its id.
    campaign: String,
    path: String,
    tone: &'static str,
    state: &'static str,
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let id = value(&request.query, "id").unwrap_or_default();
    let list = Filter::of(&pairs(value(&request.query, "list")));
    let api = Api::new(request, person);
    let (bulk, connections) = tokio::join!(bulk_status(&api, id), accounts::connections(&api));
    let bulk = bulk.map_err(layout::failed)?;
    let connections = connections.unwrap_or_default();
    let is_settled = bulk.is_settled(request.now);
    if is_settled {
        readings::note_end(request, person.customer(), id).await;
    }
    let accounts = bulk.accounts.iter();
    let accounts =
        accounts.map(|(account, changes)| rows(account, changes, &connections, &list, request.now)).collect();
    let layout = Layout::signed_in(request, title(&bulk), CAMPAIGNS, person);
    let template = BulkPage {
        key: layout.value(KEY_FIELD).map_or_else(|| Uuid::new_v4().to_string(), str::to_owned),
        layout,
        summary: summary(&bulk),
        is_settled,
        is_read: bulk.accounts.iter().all(|(account, _)| account.listing == Listing::Listed),
        accounts,
        list_path: list.path(),
        list: list.list(),
        id: id.to_owned(),
        is_status: switch(&bulk).is_some(),
        undo: UndoForm::of(&bulk),
    };
    Ok(layout::show(request, &template))
}

fn title(bulk: &BulkStatus) -> &'static str {
    match switch(bulk) {
        Some(Switch::Activate) => "Activated campaigns",
        Some(Switch::Pause) => "Paused campaigns",
        None if reverts(bulk) => "Reverted campaigns",
        None if is_mixed(bulk) => "Changed campaigns",
        None => "Changed budgets",
    }
}

/// `Paused 5, 1 is still open, 1 was not paused.`
fn summary(bulk: &BulkStatus) -> String {
    let done = done(bulk);
    let open = changes(bulk).filter(|change| is_open(change)).count();
    let undone = changes(bulk).count() - done - open;
    let (verb, participle) = match switch(bulk) {
        Some(Switch::Activate) => ("Activated", "activated"),
        Some(Switch::Pause) => ("Paused", "paused"),
        None if reverts(bulk) => ("Reverted", "reverted"),
        None => ("Changed", "changed"),
    };
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

fn is_open(change: &Change) -> bool {
    matches!(change.state, ChangeState::Scheduled | ChangeState::Sending)
}

/// The rows of an ad account. What needs a look comes first.
fn rows(
    account: &BulkAccount,
    changes: &[Change],
    connections: &[Connection],
    list: &Filter,
    now: Timestamp,
) -> AccountRows {
    let platform = account.platform.display_name();
    let mut shown: Vec<&Change> = changes.iter().collect();
    shown.sort_by_key(|change| is_done(change));
    shown.truncate(SHOWN);
    AccountRows {
        name: format!("{platform}: {}", account_name(platform, &account.account_id, connections)),
        is_read: account.listing == Listing::Listed,
        reason: match &account.listing {
            Listing::Listed => None,
            Listing::Pending(reason) => reason.as_ref().map(|error| words::message(&error.message)),
            Listing::Failed(error) => Some(words::message(&error.message)),
        },
        more: changes.len() - shown.len(),
        rows: shown.into_iter().map(|change| row(change, list, now)).collect(),
    }
}

fn row(change: &Change, list: &Filter, now: Timestamp) -> CampaignState {
    let id = change.campaign.as_ref().map(CampaignId::to_string).unwrap_or_default();
    let status = change.status(now);
    CampaignState {
        path: addresses::campaign_of_list(&id, &list.list()),
        tone: tone(status),
        state: state_word(status),
        campaign: name(change),
    }
}

#[cfg(test)]
mod tests {
    use super::sample::bulk;
    use super::*;
    use crate::kit::changes::sample::now;
    use shared::domain::{BulkAction, CampaignStatus, ChangeError};

    fn failed() -> ChangeState {
        ChangeState::Failed(ChangeError::default())
    }

    #[test]
    fn the_summary_counts_by_outcome() {
        let [active, paused] = [CampaignStatus::Active, CampaignStatus::Paused].map(BulkAction::Status);
        let paused = |states| summary(&bulk(paused, states));
        assert_eq!(paused(Vec::new()), "Paused 0.");
        assert_eq!(paused(vec![ChangeState::Applied; 2]), "Paused 2.");
        let (sending, scheduled) = (ChangeState::Sending, ChangeState::Scheduled);
        let mixed = vec![ChangeState::Applied, sending.clone(), sending, failed(), scheduled.clone()];
        assert_eq!(paused(mixed), "Paused 1, 3 are still open, 1 was not paused.");
        assert_eq!(summary(&bulk(active, vec![scheduled])), "Activated 0, 1 is still open.");
        let budgets = bulk(BulkAction::Budgets, vec![ChangeState::Applied, failed()]);
        assert_eq!(summary(&budgets), "Changed 1, 1 was not changed.");
        let reverted = bulk(BulkAction::UndoSet, vec![ChangeState::Applied; 3]);
        assert_eq!((summary(&reverted).as_str(), title(&reverted)), ("Reverted 3.", "Reverted campaigns"));
    }

    #[test]
    fn what_is_not_applied_comes_first_and_the_page_stays_small() {
        let states = std::iter::repeat_n(ChangeState::Applied, SHOWN).chain([failed()]).collect();
        let bulk = bulk(BulkAction::Status(CampaignStatus::Paused), states);
        assert_eq!(done(&bulk), SHOWN);
        let (account, changes) = &bulk.accounts[0];
        let account = rows(account, changes, &[], &Filter::of(&[]), now());
        assert_eq!((account.name.as_str(), account.rows.len(), account.more), ("Google Ads: 1", SHOWN, 1));
        assert_eq!((account.rows[0].tone, account.rows[0].state), ("bad", "Not applied"));
    }
}
