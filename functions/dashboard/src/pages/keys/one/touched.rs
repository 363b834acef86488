//! Reads the campaigns that a key has changed, as they are now.

use super::plan::Touched;
use crate::client::api::{Api, Refusal};
use crate::client::{campaigns, changes};
use futures_util::{StreamExt, stream};
use shared::domain::{Campaign, CampaignId, Change, ChangeState, KeyId, Platform};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

/// Campaigns read at a time, less than each plan has slots.
const CONCURRENT: usize = 5;
/// How long a platform has for one of them: one that is silent must not take the time of the others.
const ONE_TIME: Duration = Duration::from_secs(3);

/// The campaigns that a key has changed. `pauses` are those of a stop, of which the history of a campaign may lack the last
/// second. A platform that has not answered for one of them in time is not asked for another.
pub(super) async fn read(
    api: &Api<'_>,
    key: &KeyId,
    changes: &[Change],
    pauses: &[Change],
    until: Instant,
) -> Result<Vec<Touched>, Refusal> {
    let silent = &Mutex::new(BTreeSet::new());
    let read = by_campaign(changes).into_iter().map(|(id, own)| async move {
        let text = id.to_string();
        let (now, history) = tokio::join!(in_time(api, &id, until, silent), changes::of_campaign(api, &text));
        let mut history = history?;
        let is_missing =
            |pause: &&Change| pause.campaign.as_ref() == Some(&id) && history.iter().all(|known| known.id != pause.id);
        let missing: Vec<Change> = pauses.iter().filter(is_missing).cloned().collect();
        history.extend(missing);
        Ok(Touched::of(key, id, own, history, now))
    });
    stream::iter(read).buffered(CONCURRENT).collect::<Vec<_>>().await.into_iter().collect()
}

/// The campaigns of these changes that ran before the first one of the key, so that a revert need not switch them.
pub(super) fn ran_before(changes: &[Change], ids: &[String]) -> BTreeSet<CampaignId> {
    let is_ticked = |own: &[Change]| own.iter().any(|change| ids.contains(&change.id.to_string()));
    let ran = |(_, own): &(CampaignId, Vec<Change>)| is_ticked(own) && Touched::ran_before(own);
    by_campaign(changes).into_iter().filter(ran).map(|(id, _)| id).collect()
}

/// A campaign as it is now.
async fn in_time(
    api: &Api<'_>,
    id: &CampaignId,
    until: Instant,
    silent: &Mutex<BTreeSet<Platform>>,
) -> Result<Campaign, Refusal> {
    let platform = id.platform();
    let late = || Err(Refusal::late(platform.display_name()));
    if Instant::now() >= until || silent.lock().await.contains(&platform) {
        return late();
    }
    let one_until = until.min(Instant::now() + ONE_TIME);
    match timeout_at(one_until, campaigns::one(api, &id.to_string())).await {
        Ok(read) => read,
        Err(_) => {
            silent.lock().await.insert(platform);
            late()
        }
    }
}

/// The changes of each campaign that may have changed it, in the order of the list. What the service did to keep a date or a
/// month is not the key's.
fn by_campaign(changes: &[Change]) -> Vec<(CampaignId, Vec<Change>)> {
    let mut campaigns: Vec<(CampaignId, Vec<Change>)> = Vec::new();
    for change in changes.iter().filter(|change| !change.is_step && !change.is_held && may_have_changed(change)) {
        let Some(id) = change.campaign.clone() else { continue };
        match campaigns.iter_mut().find(|(known, _)| *known == id) {
            Some((_, own)) => own.push(change.clone()),
            None => campaigns.push((id, vec![change.clone()])),
        }
    }
    campaigns
}

fn may_have_changed(change: &Change) -> bool {
    !matches!(
        change.state,
        ChangeState::Failed(_) | ChangeState::Canceled(_) | ChangeState::Rejected(_) | ChangeState::Expired
    )
}
