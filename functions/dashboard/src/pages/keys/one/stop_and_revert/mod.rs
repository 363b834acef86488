//! Stops a key and reverts what it did, with one form. The key is refused first. A campaign that ran before it is not paused
//! in between: its pause waits until its former values are confirmed, and is canceled then. All others are paused before they
//! are reverted. Whatever ends this early, maintenance makes the pauses that wait, so nothing runs on by mistake.

use super::plan::{RevertPlan, StayRow, Touched};
use super::revert::{Asked, not_reverted};
use super::touched;
use crate::client::api::{Api, Refusal};
use crate::client::campaigns::{self, StartedBulk, bulk_status};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::{changes, key_stops, keys};
use crate::kit::addresses::bulk_status as bulk_page;
use crate::kit::campaign::campaign_count;
use crate::kit::form_errors::Detail;
use crate::kit::words;
use crate::pages::keys::stop::{is_stopped, name_of};
use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use shared::domain::{CampaignId, Change, ChangeState, RefusedCampaign};
use shared::envelope::WebReply;
use shared::serve::WebRequest;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::Instant;

/// How long the form waits for pauses, how long the campaigns are read after them, and how long it waits for the pauses of
/// those that could not be reverted. The rest of the time that a page has is that of the stop and of the revert.
const PAUSE_TIME: Duration = Duration::from_secs(6);
const READ_TIME: Duration = Duration::from_secs(4);
const REST_TIME: Duration = Duration::from_secs(3);
/// Pauses canceled at a time, less than each plan has slots.
const CONCURRENT: usize = 5;
/// Most campaigns that the notice names.
const MAX_NAMED: usize = 8;
const PAUSED: &str = "Its former values are not confirmed yet, so it is paused. Activate it once it has them.";

/// The campaigns of a form after the key is stopped.
struct Ticked<'a> {
    touched: Vec<Touched>,
    /// Those that ran before the key, and whose pauses wait.
    running: &'a BTreeSet<CampaignId>,
    pauses: Vec<Change>,
}

/// Stops the key, and gives the ticked campaigns their former values back. What is not reverted ends paused, and stays for a
/// second look.
pub(super) async fn stop_and_revert(request: &WebRequest, person: &SignedIn, asked: Asked<'_>) -> WebReply {
    let (key, name) = (asked.key.clone(), name_of(person, &asked.key));
    let stopped = format!("{}.", is_stopped(&name));
    if let Err(refusal) = keys::stop(&asked.api, &key.0).await {
        return Notice::failure(refusal, &[]).then(asked.page);
    }
    let (changes, refusal) = match changes::of_key(&asked.api, &key.0, asked.since.from(request.now)).await {
        Ok((changes, _)) => (changes, None),
        Err(refusal) => (Vec::new(), Some(refusal)),
    };
    let running = touched::ran_before(&changes, &asked.ids);
    let pauses = key_stops::pause_now(request, person, &key, PAUSE_TIME, |id| !running.contains(id)).await;
    let ticked = match refusal {
        Some(refusal) => Err(refusal),
        None => read_ticked(&asked, &changes, &running, pauses).await,
    };
    let reply = match ticked {
        Ok(ticked) => revert_ticked(asked, ticked, [&name, &stopped], request.now).await,
        Err(refusal) => only_stopped(&stopped, &refusal).then(asked.page),
    };
    // What a platform has refused before is tried when it says; the others have waited for the revert.
    key_stops::pause_now(request, person, &key, REST_TIME, |id| running.contains(id)).await;
    reply
}

/// Reads the ticked campaigns.
async fn read_ticked<'a>(
    Asked { api, key, ids, .. }: &Asked<'_>,
    changes: &[Change],
    running: &'a BTreeSet<CampaignId>,
    pauses: Vec<Change>,
) -> Result<Ticked<'a>, Refusal> {
    let touched = touched::read(api, key, changes, &pauses, Instant::now() + READ_TIME).await?;
    let touched = touched.into_iter().filter(|one| one.has_any(ids));
    let without = |one: Touched| if running.contains(&one.id) { one.without_waiting_pause() } else { one };
    Ok(Ticked { touched: touched.map(without).collect(), running, pauses })
}

/// Reverts all that can be, and cancels the pauses of those that run as before. The words are the name of the key, and that it
/// is stopped.
async fn revert_ticked(asked: Asked<'_>, ticked: Ticked<'_>, [name, stopped]: [&str; 2], now: Timestamp) -> WebReply {
    let Asked { api, form_key, page, .. } = asked;
    let RevertPlan { rows, stay, .. } = RevertPlan::of(&ticked.touched, now);
    let is_planned = |id: &CampaignId| rows.iter().any(|row| row.id == *id) || stay.iter().any(|row| row.id == *id);
    // A form that is sent again finds them reverted.
    let as_before: BTreeSet<CampaignId> = ticked.read().filter(|id| !is_planned(id)).cloned().collect();
    let changes: Vec<String> = rows.iter().flat_map(|row| row.changes.split(',')).map(str::to_owned).collect();
    if changes.is_empty() {
        let paused = ticked.release(&api, &as_before).await;
        return outcome(stopped, &ticked, stay, &[], paused).then(page);
    }
    match campaigns::undo_set(&api, &changes, form_key).await {
        Ok(started) => {
            let mut reverted = reverted(&api, &started).await;
            reverted.extend(as_before);
            let is_told = |id: &CampaignId| {
                started.refused.iter().any(|one| one.campaign == *id) || stay.iter().any(|row| row.id == *id)
            };
            let waits = |id: &&CampaignId| ticked.waiting(id).is_some() && !reverted.contains(*id) && !is_told(id);
            let open: Vec<CampaignId> = ticked.read().filter(waits).cloned().collect();
            let paused = ticked.release(&api, &reverted).await.into_iter().chain(open).collect();
            let notice = outcome(stopped, &ticked, stay, &started.refused, paused);
            let link = Some((page, format!("See {name}: what it did, and what runs now")));
            Notice { link, ..notice }.then(bulk_page(&started.bulk.to_string()))
        }
        Err(refusal) => {
            let kept = not_reverted(refusal.clone(), form_key).values;
            Notice { values: kept, ..only_stopped(stopped, &refusal) }.then(page)
        }
    }
}

/// The campaigns of which the platforms have confirmed that they have their former values.
async fn reverted(api: &Api<'_>, started: &StartedBulk) -> BTreeSet<CampaignId> {
    let Ok(bulk) = bulk_status(api, &started.bulk.to_string()).await else { return BTreeSet::new() };
    let changes = bulk.accounts.into_iter().flat_map(|(_, changes)| changes);
    changes.filter(|change| change.state == ChangeState::Applied).filter_map(|change| change.campaign).collect()
}

impl Ticked<'_> {
    /// The campaigns that ran before the key and were read.
    fn read(&self) -> impl Iterator<Item = &CampaignId> {
        self.touched.iter().filter(|one| one.now.is_ok()).map(|one| &one.id).filter(|id| self.running.contains(*id))
    }

    /// The pause that waits for a campaign.
    fn waiting(&self, id: &CampaignId) -> Option<&Change> {
        let waits = |pause: &&Change| pause.campaign.as_ref() == Some(id) && pause.state == ChangeState::Scheduled;
        self.pauses.iter().find(waits)
    }

    /// Cancels the pauses that wait for these campaigns. One that maintenance has made meanwhile is undone. Returns the
    /// campaigns that end paused.
    async fn release(&self, api: &Api<'_>, reverted: &BTreeSet<CampaignId>) -> Vec<CampaignId> {
        let release = |pause: Change| async move {
            let is_released = match changes::cancel(api, &pause.id.to_string()).await {
                Ok(_) => true,
                Err(_) => changes::undo(api, pause.id).await.is_ok(),
            };
            pause.campaign.filter(|_| !is_released)
        };
        let of = self.read().filter(|id| reverted.contains(*id)).filter_map(|id| self.waiting(id));
        let waiting: Vec<Change> = of.cloned().collect();
        stream::iter(waiting.into_iter().map(release))
            .buffered(CONCURRENT)
            .filter_map(|id| async { id })
            .collect()
            .await
    }
}

/// The stop is made, and the revert is not.
fn only_stopped(stopped: &str, refusal: &Refusal) -> Notice {
    Notice::part(format!("{stopped} What it did is not reverted yet: {}", refusal.in_full()))
}

/// The notice after both: amber, with the campaigns that are not reverted, if there are any. `paused` are those that ran before
/// the key, and are paused because that is not confirmed.
fn outcome(
    stopped: &str,
    ticked: &Ticked<'_>,
    stay: Vec<StayRow>,
    refused: &[RefusedCampaign],
    paused: Vec<CampaignId>,
) -> Notice {
    let name = |id: &CampaignId| ticked.touched.iter().find(|one| one.id == *id).map(Touched::name).unwrap_or_default();
    let named = |refused: &RefusedCampaign| Detail {
        field: name(&refused.campaign),
        message: words::message(&refused.error.message),
    };
    let paused = paused.iter().map(|id| Detail { field: name(id), message: PAUSED.to_owned() });
    let stay = stay.into_iter().map(|row| Detail { field: row.name, message: row.reason });
    let mut details: Vec<Detail> = stay.chain(refused.iter().map(named)).chain(paused).collect();
    if details.is_empty() {
        return Notice::success(format!(
            "{stopped} The ticked campaigns get back what they had before it changed them."
        ));
    }
    let (left, all) = (details.len(), campaign_count(ticked.touched.len()));
    let first = if left > MAX_NAMED { ", the first of them" } else { "" };
    details.truncate(MAX_NAMED);
    let message = format!("{stopped} {left} of {all} {} not reverted{first}:", if left == 1 { "is" } else { "are" });
    Notice { details, ..Notice::part(message) }.shorten_to_fit()
}

#[cfg(test)]
mod tests;
