//! Changes to campaigns: the history, one change, and those that wait.

use crate::client::accounts::{Connection, account_name};
use crate::client::all_pages::{Limits, read_pages};
use crate::client::api::{Api, Refusal};
use crate::client::readings::CampaignRow;
use crate::client::session::SignedIn;
use crate::kit::changes::{ChangeRow, rows};
use crate::kit::csv::PAGE_SIZE;
use crate::kit::month::Resumption;
use crate::kit::text::path_segment;
use jiff::{SignedDuration, Timestamp};
use shared::domain::{CampaignId, Change, ChangeFilters, ChangeId, ChangeStatus, MAX_BULK_IDS};
use shared::envelope::{ChangeList, Reply, Shape};
use shared::error::Error;
use shared::serve::{ApiCall, WebRequest};
use std::collections::{BTreeMap, BTreeSet};

/// The list of changes in the API.
pub(crate) const CHANGES: &str = "/v1/changes";
/// Most changes that wait, as many as a page of the API has.
const MAX_WAITING: usize = 100;
/// The campaigns that their monthly budget has paused and activates again.
pub(crate) type GoingOn = BTreeMap<CampaignId, Resumption>;
/// Most changes that the first page of a morning reads.
const MOST_RECENT: usize = 300;
/// The kept status of a campaign knows a change after this time.
const SEEN_AFTER: SignedDuration = SignedDuration::from_mins(5);

/// Reads a page of the history. In the enveloped shape a wrong filter is one sentence.
pub(crate) async fn list(api: &Api<'_>, target: &str) -> Result<ChangeList, Refusal> {
    let shape = Shape::Enveloped;
    match api.ask(ApiCall { method: "GET", target, body: None, shape, idempotency_key: None }).await? {
        Reply::Changes(list) => Ok(list),
        other => Err(api.unexpected(&other)),
    }
}

/// The changes that were asked for since a time, newest first, and whether there are more than are read. One query has what
/// three pages of the API have, and they would take longer than the first page of a morning waits.
pub(crate) async fn since(
    request: &WebRequest,
    person: &SignedIn,
    from: Timestamp,
) -> Result<(Vec<Change>, bool), Refusal> {
    let filters = ChangeFilters { from: Some(from), ..ChangeFilters::default() };
    let (mut changes, mut after) = (Vec::new(), None);
    while changes.len() <= MOST_RECENT {
        let wanted = i32::try_from(MOST_RECENT + 1 - changes.len()).unwrap_or(1);
        let page = request.app.store.history(person.customer(), &filters, after, wanted, request.now).await;
        let page = page.map_err(|error| Refusal::of(&error, request))?;
        changes.extend(page.changes);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let is_cut = changes.len() > MOST_RECENT;
    changes.truncate(MOST_RECENT);
    Ok((changes, is_cut))
}

/// The changes that a key has asked for since a time, newest first, and whether they are more than one undo takes.
pub(crate) async fn of_key(api: &Api<'_>, key: &str, since: Option<Timestamp>) -> Result<(Vec<Change>, bool), Refusal> {
    let since = since.map(|at| format!("&from={at}")).unwrap_or_default();
    let first = format!("{CHANGES}?limit={PAGE_SIZE}&api_key_id={}{since}", path_segment(key));
    let mut changes = Vec::new();
    let page = |target: String| async move { list(api, &target).await };
    let add = |page: ChangeList| {
        changes.extend(page.changes);
        page.next_cursor.filter(|_| changes.len() <= MAX_BULK_IDS)
    };
    read_pages(&first, Limits { pages: usize::MAX, time: None }, page, add).await?;
    let is_cut = changes.len() > MAX_BULK_IDS;
    Ok((changes, is_cut))
}

/// The newest changes of a campaign.
pub(crate) async fn of_campaign(api: &Api<'_>, id: &str) -> Result<Vec<Change>, Refusal> {
    let target = format!("{CHANGES}?limit={PAGE_SIZE}&campaign_id={}", path_segment(id));
    list(api, &target).await.map(|page| page.changes)
}

/// Reads one change.
pub(crate) async fn one(api: &Api<'_>, id: &str) -> Result<Change, Refusal> {
    change(api, api.ask_for(&format!("{CHANGES}/{}", path_segment(id))).await?)
}

/// Undoes a change. Returns the change that does; the change itself if it was canceled, or if its campaign has the former
/// values already.
pub(crate) async fn undo(api: &Api<'_>, id: ChangeId) -> Result<Change, Refusal> {
    let (target, shape) = (format!("{CHANGES}/{id}/undo"), Shape::Enveloped);
    let call = ApiCall { method: "POST", target: &target, body: None, shape, idempotency_key: None };
    change(api, api.ask(call).await?)
}

/// Cancels a change that waits. The error of its state says what else that does, such as taking the end of a campaign
/// away.
pub(crate) async fn cancel(api: &Api<'_>, id: &str) -> Result<Change, Refusal> {
    change(api, api.ask_to("POST", &format!("{CHANGES}/{}/cancel", path_segment(id)), None).await?)
}

/// Reads changes that wait for their time; of one campaign, or of all. Without an answer there are none.
pub(crate) async fn scheduled(api: &Api<'_>, campaign: Option<&str>) -> Vec<Change> {
    waiting(api, ChangeStatus::Scheduled, campaign).await
}

/// Reads the changes of a campaign, or of all, that wait for their time, or for a person who approves them.
pub(crate) async fn open(api: &Api<'_>, campaign: Option<&str>) -> Vec<Change> {
    let (scheduled, asked) =
        tokio::join!(scheduled(api, campaign), waiting(api, ChangeStatus::AwaitingApproval, campaign));
    [scheduled, asked].concat()
}

async fn waiting(api: &Api<'_>, status: ChangeStatus, campaign: Option<&str>) -> Vec<Change> {
    let of = campaign.map(|id| format!("&campaign_id={}", path_segment(id))).unwrap_or_default();
    let target = format!("{CHANGES}?state={}&limit={MAX_WAITING}{of}", status.as_str());
    list(api, &target).await.map(|list| list.changes).unwrap_or_default()
}

/// The campaigns that a change is pausing now: it is due, on its way, or its outcome is not known yet.
pub(crate) async fn pausing(api: &Api<'_>, now: Timestamp) -> BTreeSet<CampaignId> {
    let of = |status| waiting(api, status, None);
    let (due, sending, unknown) =
        tokio::join!(of(ChangeStatus::Scheduled), of(ChangeStatus::Sending), of(ChangeStatus::Unknown));
    let changes = [due, sending, unknown].concat();
    let is_pausing = |change: &Change| change.pauses() && change.apply_at.is_none_or(|at| at <= now);
    changes.into_iter().filter(is_pausing).filter_map(|change| change.campaign).collect()
}

/// The campaigns of these rows that their monthly budget activates again. It asks only where one is paused by it.
pub(crate) async fn going_on_of(api: &Api<'_>, rows: &[CampaignRow]) -> GoingOn {
    if rows.iter().any(|row| row.campaign.is_month_spent) { going_on_now(api).await } else { GoingOn::new() }
}

/// The campaigns that their monthly budget activates again, also those that it has just activated: what is kept of a campaign
/// shows its pause for some minutes more.
async fn going_on_now(api: &Api<'_>) -> GoingOn {
    let applied = async {
        let (state, from) = (ChangeStatus::Applied.as_str(), api.now() - SEEN_AFTER);
        let target = format!("{CHANGES}?state={state}&limit={MAX_WAITING}&from={from}");
        list(api, &target).await.map(|list| list.changes).unwrap_or_default()
    };
    let (scheduled, sending, applied) =
        tokio::join!(scheduled(api, None), waiting(api, ChangeStatus::Sending, None), applied);
    going_on(&[scheduled, sending, last_activations(applied)].concat())
}

/// Of changes, newest first, the activations that no later pause of the same campaign has followed.
fn last_activations(mut applied: Vec<Change>) -> Vec<Change> {
    let mut paused = BTreeSet::new();
    applied.retain(|change| {
        if change.pauses() {
            paused.extend(change.campaign.clone());
        }
        change.activates() && change.campaign.as_ref().is_none_or(|campaign| !paused.contains(campaign))
    });
    applied
}

/// The campaigns that their monthly budget activates again, each with the first such activation.
pub(crate) fn going_on(scheduled: &[Change]) -> GoingOn {
    let mut going_on = GoingOn::new();
    for change in scheduled.iter().filter(|change| change.is_step && change.activates()) {
        let (Some(campaign), Some(at)) = (&change.campaign, change.apply_at) else { continue };
        let this = Resumption { at };
        let first = going_on.entry(campaign.clone()).or_insert(this);
        if at < first.at {
            *first = this;
        }
    }
    going_on
}

fn change(api: &Api<'_>, reply: Reply) -> Result<Change, Refusal> {
    match reply {
        Reply::Change(change) => Ok(*change),
        other => Err(api.unexpected(&other)),
    }
}

/// Reads changes of the customer by their ids. Those that do not exist are left out.
pub(crate) async fn by_id(request: &WebRequest, person: &SignedIn, ids: &[ChangeId]) -> Result<Vec<Change>, Error> {
    request.app.store.changes_by_id(person.customer(), ids, request.now).await
}

/// The first scheduled changes that are not applied although their time has passed, and how many more there are.
pub(crate) async fn overdue(
    request: &WebRequest,
    person: &SignedIn,
    most: usize,
) -> Result<(Vec<ChangeRow>, usize), Error> {
    let ids = request.app.store.late_changes(person.customer()).await?;
    first_rows(request, person, &ids, ChangeStatus::Scheduled, most).await
}

/// The first rows of changes that have a status, and how many more there are. `ids` come from an index, so a change may
/// have another status by now.
pub(crate) async fn first_rows(
    request: &WebRequest,
    person: &SignedIn,
    ids: &[ChangeId],
    status: ChangeStatus,
    most: usize,
) -> Result<(Vec<ChangeRow>, usize), Error> {
    let (changes, more) = first(request, person, ids, status, most).await?;
    Ok((rows(&changes, request.now), more))
}

/// The same changes themselves.
pub(crate) async fn first(
    request: &WebRequest,
    person: &SignedIn,
    ids: &[ChangeId],
    status: ChangeStatus,
    most: usize,
) -> Result<(Vec<Change>, usize), Error> {
    let first = &ids[..ids.len().min(most)];
    let mut changes = by_id(request, person, first).await?;
    changes.retain(|change| change.status(request.now) == status);
    Ok((changes, ids.len() - first.len()))
}

/// These rows with the names of their ad accounts.
pub(crate) fn with_account_names(mut rows: Vec<ChangeRow>, connections: &[Connection]) -> Vec<ChangeRow> {
    for row in &mut rows {
        row.name_account(account_name(row.platform, &row.account, connections));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::sample::{now, update};
    use shared::domain::{CampaignChanges, CampaignStatus};

    #[test]
    fn a_step_that_was_just_made_is_known_before_the_campaign_is_read() {
        let step =
            |status| Change { is_step: true, apply_at: Some(now()), ..update(CampaignChanges::of_status(status)) };
        let (runs, rests) = (|| step(CampaignStatus::Active), || step(CampaignStatus::Paused));
        let id = runs().campaign.unwrap();
        let of = |changes| going_on(&last_activations(changes)).get(&id).map(|resumption| resumption.at);
        assert_eq!(of(vec![runs(), rests()]), Some(now()));
        assert_eq!(of(vec![rests(), runs()]), None, "it is paused again");
    }
}
