//! How far a bulk change is: a row for each campaign, with its own undo, and the ad accounts that were not read.

mod outcome;
mod start;
mod table;
mod undo;
mod undone;

pub(super) use outcome::{done, name, not_changed};
pub(super) use start::{reply_refused, reply_started, status_page};
pub(super) use undo::undo_budgets;
pub(crate) use undo::undo_bulk;

use crate::client::accounts::{self, Connection, account_name};
use crate::client::api::Api;
use crate::client::campaigns::bulk_status;
use crate::client::changes;
use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::addresses::CAMPAIGNS;
use crate::kit::campaign::Switch;
use crate::kit::campaign_forms::KEY_FIELD;
use crate::kit::changes::latest_values;
use crate::kit::text::grouped;
use crate::kit::words;
use crate::pages::campaigns::filter::Filter;
use crate::pages::layout::{self, Layout};
use askama::Template;
use outcome::{is_mixed, reverts, switch};
use shared::domain::{BulkAccount, Change, ChangeState, Listing};
use shared::envelope::query::{pairs, value};
use shared::envelope::{BulkStatus, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;
use std::collections::HashMap;
use table::{Known, Mend, OutcomeRow};
use undo::UndoForm;
use uuid::Uuid;

#[derive(Template)]
#[template(path = "pages/campaigns/bulk/bulk.html")]
struct BulkPage {
    layout: Layout,
    summary: String,
    is_settled: bool,
    /// Whether what is open waits for nothing but access.
    waits_for_access: bool,
    /// Every ad account was read.
    is_read: bool,
    /// The ad accounts that were not read.
    unread: Vec<UnreadAccount>,
    rows: Vec<OutcomeRow>,
    /// Campaigns that the page leaves out.
    more: usize,
    /// The list that the person came from: its query string, and its address, in which what was refused is ticked.
    list: String,
    list_path: String,
    /// The id of the change, for the forms that undo it.
    id: String,
    /// Makes a double click or a reload undo once.
    key: String,
    /// The form that undoes it.
    undo: Option<UndoForm>,
}

/// An ad account whose campaigns were not read.
struct UnreadAccount {
    name: String,
    /// Why not.
    reason: Option<String>,
    /// What lets it go on, if it has no access.
    mend: Option<Mend>,
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
    let known = known(request, person, &bulk, connections, &list).await;
    let (rows, more) = table::rows(&bulk, &known);
    let left = undone::left(&bulk, &known.newer);
    let unread = unread(&bulk, &known.connections);
    let waits_for_access = !is_settled && waits_for_access(&bulk, &rows, &known.connections);
    let layout = Layout::signed_in(request, title(&bulk), CAMPAIGNS, person);
    let template = BulkPage {
        key: layout.value(KEY_FIELD).map_or_else(|| Uuid::new_v4().to_string(), str::to_owned),
        layout,
        summary: summary(&bulk, left.len()),
        is_settled,
        waits_for_access,
        is_read: bulk.accounts.iter().all(|(account, _)| account.listing == Listing::Listed),
        unread,
        rows,
        more,
        list_path: list.path_with_ticks(&outcome::kept_as_before(&bulk)),
        list: list.list(),
        id: id.to_owned(),
        undo: UndoForm::of(&bulk, &left),
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

/// `Paused 5, 1 undone, 1 is on its way, 1 was not paused.` So many of those that are done are `left`.
fn summary(bulk: &BulkStatus, left: usize) -> String {
    let done = done(bulk);
    let open = open(bulk);
    let not_done = outcome::changes(bulk).count() - done - open;
    let (verb, participle) = match switch(bulk) {
        Some(Switch::Activate) => ("Activated", "activated"),
        Some(Switch::Pause) => ("Paused", "paused"),
        None if reverts(bulk) => ("Reverted", "reverted"),
        None => ("Changed", "changed"),
    };
    let number = |count: usize| grouped(u64::try_from(count).unwrap_or(u64::MAX));
    let are = |count: usize, one: &str, many: &str| match count {
        0 => String::new(),
        1 => format!(", 1 {one}"),
        _ => format!(", {} {many}", number(count)),
    };
    let open = are(open, "is on its way", "are on their way");
    let not_done = are(not_done, &format!("was not {participle}"), &format!("were not {participle}"));
    let undone = done.saturating_sub(left);
    let undone = if undone > 0 { format!(", {} undone", number(undone)) } else { String::new() };
    format!("{verb} {}{undone}{open}{not_done}.", number(left))
}

/// The number of campaigns in which it is not decided yet.
fn open(bulk: &BulkStatus) -> usize {
    outcome::changes(bulk).filter(|change| is_open(change)).count()
}

fn is_open(change: &Change) -> bool {
    matches!(change.state, ChangeState::Scheduled | ChangeState::Sending)
}

/// What the rows are made with: the later changes if something can be undone, and the kept names if some are not known.
async fn known<'a>(
    request: &WebRequest,
    person: &'a SignedIn,
    bulk: &BulkStatus,
    connections: Vec<Connection>,
    list: &'a Filter,
) -> Known<'a> {
    let begun = bulk.accounts.first().map(|(account, _)| account.created_at);
    let newer = match begun.filter(|_| done(bulk) > 0) {
        Some(begun) => changes::since(request, person, begun).await.map(|(newer, _)| newer).unwrap_or_default(),
        None => Vec::new(),
    };
    let is_own = |change: &Change| outcome::changes(bulk).any(|own| own.id == change.id);
    let is_unread = |change: &Change| latest_values(change).is_none();
    let lacks_names =
        bulk.accounts.iter().any(|(account, _)| !account.refused.is_empty()) || outcome::changes(bulk).any(is_unread);
    Known {
        newer: newer.into_iter().filter(|change| !is_own(change)).collect(),
        kept: if lacks_names { readings::kept_campaigns(request, person).await } else { HashMap::new() },
        connections,
        list,
        me: &person.session.person,
        now: request.now,
    }
}

/// Whether every ad account in which something is open has no access.
fn waits_for_access(bulk: &BulkStatus, rows: &[OutcomeRow], connections: &[Connection]) -> bool {
    let may_be_read = |account: &BulkAccount| {
        matches!(account.listing, Listing::Pending(_))
            && Mend::of(account.platform, &account.account_id, connections).is_none()
    };
    let without = rows.iter().filter(|row| row.mend.is_some()).count();
    !bulk.accounts.iter().any(|(account, _)| may_be_read(account)) && open(bulk) == without
}

/// The ad accounts that were not read.
fn unread(bulk: &BulkStatus, connections: &[Connection]) -> Vec<UnreadAccount> {
    let account = |account: &BulkAccount| {
        let reason = match &account.listing {
            Listing::Listed => return None,
            Listing::Pending(reason) => reason.as_ref().map(|error| words::message(&error.message)),
            Listing::Failed(error) => Some(words::message(&error.message)),
        };
        let platform = account.platform.display_name();
        let mend = Mend::of(account.platform, &account.account_id, connections);
        Some(UnreadAccount {
            name: format!("{platform}: {}", account_name(platform, &account.account_id, connections)),
            reason: reason.filter(|_| mend.is_none()),
            mend,
        })
    };
    bulk.accounts.iter().filter_map(|(one, _)| account(one)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::bulk_sample::bulk;
    use shared::domain::{BulkAction, CampaignStatus, ChangeError};

    fn failed() -> ChangeState {
        ChangeState::Failed(ChangeError::default())
    }

    #[test]
    fn the_summary_counts_by_outcome() {
        let [active, paused] = [CampaignStatus::Active, CampaignStatus::Paused].map(BulkAction::Status);
        let summary = |bulk: &BulkStatus| super::summary(bulk, done(bulk));
        let paused_bulk = bulk(paused, vec![ChangeState::Applied; 4]);
        assert_eq!(super::summary(&paused_bulk, 3), "Paused 3, 1 undone.");
        let paused = |states| summary(&bulk(paused, states));
        assert_eq!(paused(Vec::new()), "Paused 0.");
        assert_eq!(paused(vec![ChangeState::Applied; 2]), "Paused 2.");
        let (sending, scheduled) = (ChangeState::Sending, ChangeState::Scheduled);
        let mixed = vec![ChangeState::Applied, sending.clone(), sending, failed(), scheduled.clone()];
        assert_eq!(paused(mixed), "Paused 1, 3 are on their way, 1 was not paused.");
        assert_eq!(summary(&bulk(active, vec![scheduled])), "Activated 0, 1 is on its way.");
        let budgets = bulk(BulkAction::Budgets, vec![ChangeState::Applied, failed()]);
        assert_eq!(summary(&budgets), "Changed 1, 1 was not changed.");
        let reverted = bulk(BulkAction::UndoSet, vec![ChangeState::Applied; 3]);
        assert_eq!((summary(&reverted).as_str(), title(&reverted)), ("Reverted 3.", "Reverted campaigns"));
    }
}
