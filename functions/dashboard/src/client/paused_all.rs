//! The pause of everything, on the pages that a person opens next: who did it and when, and its undo, while there is something
//! to undo. The note of it is kept for a day with what pages read anyway, so only after such a pause a request is made.

use crate::client::api::Api;
use crate::client::campaigns::bulk_status;
use crate::client::readings::Overview;
use crate::client::session::SignedIn;
use crate::kit::addresses;
use crate::kit::campaign::{CampaignSummary, campaign_count};
use crate::kit::people;
use crate::kit::text::when;
use jiff::Timestamp;
use shared::domain::{CampaignId, CampaignStatus, Change, ChangeState, PersonId, Requester};
use shared::envelope::BulkStatus;
use std::collections::BTreeSet;
use uuid::Uuid;

/// The line of a page: `client/paused_all.html`.
#[derive(Debug)]
pub(crate) struct PausedAll {
    /// The id of the bulk change, for the form that undoes it.
    pub(crate) id: String,
    /// Makes a double click or a reload undo once.
    pub(crate) key: String,
    /// `You paused 46 campaigns at 09:12 UTC.`
    pub(crate) words: String,
    /// `46 campaigns`: those that the undo activates.
    pub(crate) campaigns: String,
    /// The page that shows how far it is.
    pub(crate) path: String,
}

/// Reads the pause of the last day; `None` without one, or if each of its campaigns runs again. It asks the API once, and
/// only where the overview knows of such a pause.
pub(crate) async fn read(api: &Api<'_>, person: &SignedIn, overview: &Overview) -> Option<PausedAll> {
    let id = overview.pause_of_all.as_deref()?;
    // Without an answer the page of the pause still has its undo.
    let bulk = bulk_status(api, id).await.ok()?;
    PausedAll::of(id, &bulk, &paused(overview), &person.session.person, overview.now)
}

/// The campaigns that are paused, as far as they are known.
fn paused(overview: &Overview) -> BTreeSet<&CampaignId> {
    let is_paused = |campaign: &&CampaignSummary| campaign.status == CampaignStatus::Paused;
    overview.campaigns().filter(is_paused).map(|campaign| &campaign.id).collect()
}

impl PausedAll {
    fn of(
        id: &str,
        bulk: &BulkStatus,
        paused: &BTreeSet<&CampaignId>,
        me: &PersonId,
        now: Timestamp,
    ) -> Option<PausedAll> {
        let (first, _) = bulk.accounts.first()?;
        let is_done = |change: &&Change| change.state == ChangeState::Applied;
        let done = || bulk.accounts.iter().flat_map(|(_, changes)| changes).filter(is_done);
        let still = done().filter(|change| change.campaign.as_ref().is_some_and(|id| paused.contains(id))).count();
        let all = done().count();
        let when = when(first.created_at, now);
        let rest = if still < all { format!(" {} still paused.", are(still)) } else { String::new() };
        (still > 0).then(|| PausedAll {
            id: id.to_owned(),
            key: Uuid::new_v4().to_string(),
            words: format!("{} paused {} {when}.{rest}", who(&first.requested_by, me), campaign_count(all)),
            campaigns: campaign_count(still),
            path: addresses::bulk_status(id),
        })
    }
}

/// `43 are`
fn are(count: usize) -> String {
    format!("{count} {}", if count == 1 { "is" } else { "are" })
}

fn who(requester: &Requester, me: &PersonId) -> String {
    match requester {
        Requester::Person { id, .. } if id == me => "You".to_owned(),
        Requester::Person { id, email } => people::name(email.as_deref(), id),
        Requester::ApiKey { name, .. } => name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::bulk_sample;
    use crate::kit::changes::sample::now;
    use crate::kit::text::TODAY;
    use shared::domain::{BulkAction, ChangeError};

    /// A pause of so many campaigns, of which the last one failed.
    fn bulk(count: usize) -> BulkStatus {
        let failed = || ChangeState::Failed(ChangeError::default());
        let states = (1..=count).map(|number| if number < count { ChangeState::Applied } else { failed() });
        let mut bulk = bulk_sample::bulk(BulkAction::Status(CampaignStatus::Paused), states.collect());
        for (account, changes) in &mut bulk.accounts {
            account.requested_by = Requester::Person { id: PersonId("me".to_owned()), email: None };
            for (change, number) in changes.iter_mut().zip(1..) {
                change.campaign = CampaignId::parse(&format!("alpha_1_{number}"));
            }
        }
        bulk
    }

    /// The line if the first campaigns are still paused.
    fn line(still: usize, me: &str) -> Option<(String, String)> {
        let ids: Vec<CampaignId> =
            (1..=still).filter_map(|number| CampaignId::parse(&format!("alpha_1_{number}"))).collect();
        let paused = PausedAll::of("blk_1", &bulk(4), &ids.iter().collect(), &PersonId(me.to_owned()), now())?;
        Some((paused.words.split(TODAY).next()?.to_owned(), paused.campaigns))
    }

    #[test]
    fn the_pause_of_everything_is_told_while_it_can_be_undone() {
        let told = |words: &str, campaigns: &str| Some((words.to_owned(), campaigns.to_owned()));
        assert_eq!(line(4, "me"), told("You paused 3 campaigns at ", "3 campaigns"), "one was not paused");
        assert_eq!(line(1, "me"), told("You paused 3 campaigns at ", "1 campaign"));
        assert!(line(3, "you").is_some_and(|(words, _)| !words.starts_with("You ")));
        assert_eq!(line(0, "me"), None, "each runs again");
    }
}
