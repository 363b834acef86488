//! Campaigns as they were kept last, for pages whose platforms do not answer. No platform is asked.

use super::kept::{KeptCampaigns, read_days};
use super::overview::{CampaignRow, kept_overview};
use super::refresh::part_of;
use super::state::{KnownAccounts, changed};
use crate::client::accounts::{Connection, connections};
use crate::client::api::Api;
use crate::client::session::SignedIn;
use crate::kit::connections::is_fault_of;
use crate::kit::known_campaign::SeenCampaign;
use crate::kit::range::Range;
use crate::kit::report::ReportedDays;
use jiff::Timestamp;
use shared::domain::CampaignId;
use shared::serve::WebRequest;
use shared::store::{KeptOverview, OverviewPart};
use std::collections::HashMap;

/// A campaign with its numbers.
#[derive(Debug)]
pub(crate) struct KeptCampaign {
    pub(crate) row: CampaignRow,
    /// Its ad account with its number, for people.
    pub(crate) account: String,
    /// When its platform answered last.
    pub(crate) answered_at: Timestamp,
    /// What it did by day in the two weeks before; `None` if that is not known.
    pub(crate) reported: Option<ReportedDays>,
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
    let account = row.account_in(&accounts)?;
    let connection = connections.iter().find(|known| known.id.0 == row.connection)?;
    Some(KeptCampaign {
        account: connection.full_name(),
        reported: reported(connection, kept, &row.campaign.id),
        answered_at: account.answered_at().or(account.read_at)?,
        has_failed: account.problem.is_some(),
        row,
    })
}

/// What a campaign did in the two weeks before the day on which its numbers were read.
fn reported(connection: &Connection, kept: &KeptOverview, campaign: &CampaignId) -> Option<ReportedDays> {
    let (at, json) = part_of(kept, OverviewPart::Days, &connection.id.0)?.rows.as_ref()?;
    let mut reading = read_days(json, &connection.id)?;
    reading.rows.retain(|id, _| id == campaign);
    let range = Range::fortnight(connection.today(*at));
    let sums = reading.sums(range.period());
    let zone = connection.report_zone().iana_name().unwrap_or("UTC").to_owned();
    let (platform, currency) = (connection.platform, connection.currency?);
    Some(ReportedDays { platform, currency, zone, range, days: sums.by_day(range), total: sums.total })
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
    use crate::client::readings::kept::write_days;
    use crate::client::readings::reading::Reading;
    use crate::client::readings::reading::tests::{days, insights, row};
    use crate::kit::campaign::tests::campaign;
    use crate::kit::total::Total;
    use jiff::SignedDuration;
    use rust_decimal::Decimal;
    use shared::domain::{CampaignStatus, Currency};
    use shared::store::KeptPart;

    #[test]
    fn a_kept_campaign_has_the_days_that_were_read() {
        let at: Timestamp = "2026-11-30T02:58:00Z".parse().unwrap();
        let part = |part, rows| KeptPart {
            part,
            connection: "conn_1".to_owned(),
            tried_at: at,
            rows: Some((at, rows)),
            problem: Some("No answer.".to_owned()),
        };
        let rows = vec![row("alpha_1_2", "2026-11-28", Some(7_000)), row("alpha_1_3", "2026-11-28", Some(100))];
        let days = write_days(&Reading::of(insights("1", rows), days("2026-11-16", "2026-11-30")));
        let campaigns = KeptCampaigns::write([campaign("alpha_1_2", CampaignStatus::Active)].iter(), false);
        let parts = vec![part(OverviewPart::Campaigns, campaigns), part(OverviewPart::Days, days)];
        let kept = KeptOverview { parts, changes: Vec::new() };
        let known = Connection { currency: Currency::from_code("USD"), ..known("alpha_ads", "1") };
        let read = of(&[known], &kept, "alpha_1_2", at + SignedDuration::from_hours(20)).unwrap();
        let reported = read.reported.unwrap();
        assert_eq!((reported.days.len(), reported.range.to.to_string()), (14, "2026-11-29".to_owned()));
        assert_eq!(reported.total.spend, Total::of(Some(Decimal::from(70))), "the other campaign is not in it");
    }

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
        assert_eq!((silent.answered_at, silent.has_failed, silent.reported.is_none()), (at, true, true));
        assert_eq!(silent.row.campaign.name, "Spring");
        assert!(!read(None, "alpha_1_2").unwrap().has_failed && read(None, "alpha_1_3").is_none());
        let is_silent = |problem| seen(&kept(problem))["alpha_1_2"].is_silent;
        assert!(is_silent(Some("Google Ads does not answer.")));
        assert!(!is_silent(Some("This is our fault.")) && !is_silent(None));
    }
}
