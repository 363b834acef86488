//! Campaigns as they were kept last, for pages whose platforms do not answer. No platform is asked.

use super::kept::KeptCampaigns;
use super::overview::{CampaignRow, kept_overview};
use super::state::{KnownAccounts, changed};
use crate::client::accounts::{Connection, connections};
use crate::client::api::Api;
use crate::client::session::SignedIn;
use crate::kit::connections::is_fault_of;
use crate::kit::known_campaign::SeenCampaign;
use jiff::Timestamp;
use shared::serve::WebRequest;
use shared::store::{KeptOverview, OverviewPart};
use std::collections::HashMap;

/// A campaign with its numbers.
#[derive(Clone, Debug)]
pub(crate) struct KeptCampaign {
    pub(crate) row: CampaignRow,
    pub(crate) read_at: Timestamp,
    /// When its numbers were read; `None` if they are not known.
    pub(crate) numbers_at: Option<Timestamp>,
    /// Whether the last reading of its ad account has failed.
    pub(crate) has_failed: bool,
}

/// The campaign with this id; `None` if it is not kept.
pub(crate) async fn kept_campaign(request: &WebRequest, person: &SignedIn, id: &str) -> Option<KeptCampaign> {
    let api = Api::new(request, person);
    let (kept, connections) = tokio::join!(kept_overview(request, person.customer()), connections(&api));
    of(&connections.ok()?, &kept, id, request.now)
}

fn of(connections: &[Connection], kept: &KeptOverview, id: &str, now: Timestamp) -> Option<KeptCampaign> {
    let KnownAccounts { accounts, rows } = KnownAccounts::of(connections, kept, &Vec::new(), now);
    let row = rows.into_iter().find(|row| row.campaign.id.to_string() == id)?;
    let account = accounts.into_iter().find(|account| account.connection == row.connection)?;
    Some(KeptCampaign {
        row,
        read_at: account.read_at?,
        numbers_at: account.numbers_at,
        has_failed: account.problem.is_some(),
    })
}

/// All campaigns that are kept, as people have changed them since, by their ids, each with the time of its reading.
pub(crate) async fn kept_with_times(request: &WebRequest, person: &SignedIn) -> HashMap<String, SeenCampaign> {
    seen(&kept_overview(request, person.customer()).await)
}

fn seen(kept: &KeptOverview) -> HashMap<String, SeenCampaign> {
    let mut known = HashMap::new();
    for part in kept.parts.iter().filter(|part| part.part == OverviewPart::Campaigns) {
        let Some((at, json)) = &part.rows else { continue };
        let rows = KeptCampaigns::read(json).into_iter().flat_map(|read| read.rows);
        let current = rows.filter_map(|campaign| changed(campaign, kept, *at));
        known.extend(current.map(|campaign| {
            let problem = part.problem.as_deref();
            let is_silent = problem.is_some_and(|problem| is_fault_of(campaign.id.platform(), problem));
            (campaign.id.to_string(), SeenCampaign { campaign, at: *at, is_silent })
        }));
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::accounts::tests::known;
    use crate::kit::campaign::tests::campaign;
    use shared::domain::CampaignStatus;
    use shared::store::KeptPart;

    #[test]
    fn a_kept_campaign_says_when_it_was_read_and_what_failed_since() {
        let at: Timestamp = "2026-11-30T02:58:00Z".parse().unwrap();
        let kept = |problem: Option<&str>| {
            let rows = KeptCampaigns::write([campaign("alpha_1_2", CampaignStatus::Active)].iter(), false);
            let part = KeptPart {
                part: OverviewPart::Campaigns,
                connection: "conn_1".to_owned(),
                tried_at: at,
                rows: Some((at, rows)),
                problem: problem.map(str::to_owned),
            };
            KeptOverview { parts: vec![part], changes: Vec::new() }
        };
        let read = |problem, id| {
            let now = "2026-11-30T09:00:00Z".parse().unwrap();
            of(&[known("alpha_ads", "1")], &kept(problem), id, now)
        };
        let silent = read(Some("No answer."), "alpha_1_2").unwrap();
        assert_eq!((silent.read_at, silent.has_failed, silent.numbers_at), (at, true, None));
        assert_eq!(silent.row.campaign.name, "Spring");
        assert!(!read(None, "alpha_1_2").unwrap().has_failed && read(None, "alpha_1_3").is_none());
        let is_silent = |problem| seen(&kept(problem))["alpha_1_2"].is_silent;
        assert!(is_silent(Some("Google Ads does not answer.")));
        assert!(!is_silent(Some("This is our fault.")) && !is_silent(None));
    }
}
