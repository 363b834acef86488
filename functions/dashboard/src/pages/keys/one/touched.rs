//! Reads the campaigns that a key has changed, as they are now.

use super::plan::Touched;
use crate::client::api::{Api, Refusal};
use crate::client::{campaigns, changes};
use futures_util::{StreamExt, stream};
use shared::domain::{Campaign, CampaignId, Change, ChangeState, KeyId};
use std::collections::BTreeSet;
use tokio::time::{Instant, timeout_at};

/// Campaigns read at a time, less than each plan has slots.
const CONCURRENT: usize = 5;

/// The campaigns that a key has changed, and whether one of them was not read in time. `pauses` are those of a stop, of which
/// the history of a campaign may lack the last second.
pub(super) async fn read(
    api: &Api<'_>,
    key: &KeyId,
    changes: &[Change],
    pauses: &[Change],
    until: Instant,
) -> Result<(Vec<Touched>, bool), Refusal> {
    let read = by_campaign(changes).into_iter().map(|(id, own)| async move {
        let text = id.to_string();
        let (now, history) = tokio::join!(in_time(api, &text, until), changes::of_campaign(api, &text));
        let (is_late, now) = (now.is_none(), now.unwrap_or_else(|| Err(late(&id))));
        let mut history = history?;
        let is_missing =
            |pause: &&Change| pause.campaign.as_ref() == Some(&id) && history.iter().all(|known| known.id != pause.id);
        let missing: Vec<Change> = pauses.iter().filter(is_missing).cloned().collect();
        history.extend(missing);
        Ok((Touched::of(key, id, own, history, now), is_late))
    });
    let read: Vec<Result<(Touched, bool), Refusal>> = stream::iter(read).buffered(CONCURRENT).collect().await;
    let (touched, late): (Vec<Touched>, Vec<bool>) =
        read.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    Ok((touched, late.contains(&true)))
}

/// The campaigns of these changes that ran before the first one of the key, so that a revert need not switch them.
pub(super) fn ran_before(changes: &[Change], ids: &[String]) -> BTreeSet<CampaignId> {
    let is_ticked = |own: &[Change]| own.iter().any(|change| ids.contains(&change.id.to_string()));
    let ran = |(_, own): &(CampaignId, Vec<Change>)| is_ticked(own) && Touched::ran_before(own);
    by_campaign(changes).into_iter().filter(ran).map(|(id, _)| id).collect()
}

/// A campaign; `None` if there is no time left for it.
async fn in_time(api: &Api<'_>, id: &str, until: Instant) -> Option<Result<Campaign, Refusal>> {
    if Instant::now() >= until {
        return None;
    }
    timeout_at(until, campaigns::one(api, id)).await.ok()
}

fn late(id: &CampaignId) -> Refusal {
    let message = format!("{} has not answered in time. Look again in a minute.", id.platform().display_name());
    Refusal { status: 504, message, details: Vec::new(), reason: None, request_id: String::new() }
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
