//! The campaigns of a stopped key, each with what was observed of its pause.

use crate::kit::changes::{ChangeRow, rows};
use crate::kit::known_campaign::SeenCampaign;
use crate::kit::text::when;
use crate::kit::words::{self, of_change};
use jiff::Timestamp;
use shared::domain::{Change, ChangeState, ChangeStatus};
use std::collections::HashMap;

/// Most campaigns that the page shows, so that it stays small.
const SHOWN: usize = 50;

/// A campaign.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PauseRow {
    pub(crate) campaign: String,
    pub(crate) path: Option<String>,
    pub(crate) platform: &'static str,
    /// Class and text of the badge.
    pub(crate) badge: (&'static str, &'static str),
    /// The last observation, with its time.
    pub(crate) seen: String,
}

/// The rows, and how many more there are. `kept` are the campaigns as they were read last.
pub(crate) fn pause_rows(
    pauses: &[Change],
    kept: &HashMap<String, SeenCampaign>,
    now: Timestamp,
) -> (Vec<PauseRow>, usize) {
    let shown = &pauses[..pauses.len().min(SHOWN)];
    let row = |(change, mut row): (&Change, ChangeRow)| {
        let known = row.campaign_id.as_ref().and_then(|id| kept.get(id));
        if let Some(seen) = known {
            row.name_campaign(&seen.campaign.name);
        }
        let (badge, seen) = observed(change, known, now);
        PauseRow { campaign: row.campaign, path: row.path, platform: row.platform, badge, seen }
    };
    (shown.iter().zip(rows(shown, now)).map(row).collect(), pauses.len() - shown.len())
}

fn observed(pause: &Change, known: Option<&SeenCampaign>, now: Timestamp) -> ((&'static str, &'static str), String) {
    let settled = || pause.settled_at.map_or_else(String::new, |at| format!(" {}", when(at, now)));
    match (&pause.state, pause.sent_at) {
        (ChangeState::Applied | ChangeState::PartlyApplied(_), _) => {
            (("good", "Paused"), format!("Seen paused{}.", settled()))
        }
        (ChangeState::Canceled(None), _) => {
            (("plain", "Goes on"), "Its pause was not needed, as after a revert.".to_owned())
        }
        (ChangeState::Canceled(Some(why)), _) => (("plain", "Goes on"), words::message(&why.message)),
        (ChangeState::Failed(error), _) => (("bad", "Not paused"), of_change(pause.platform, error)),
        (ChangeState::Scheduled, None) => (("plain", "Waits"), "Its pause is sent within a minute.".to_owned()),
        (ChangeState::Scheduled | ChangeState::Sending, sent) => {
            let badge = if pause.status(now) == ChangeStatus::Unknown { "Not known yet" } else { "On its way" };
            let sent = sent.map_or_else(String::new, |at| format!("Sent {}. ", when(at, now)));
            (("warn", badge), format!("{sent}{}", not_confirmed(pause, known, now)))
        }
        (ChangeState::AwaitingApproval | ChangeState::Rejected(_) | ChangeState::Expired, _) => {
            (("plain", "Goes on"), String::new())
        }
    }
}

/// The last observation of a campaign whose pause is not confirmed. Its platform is silent only if its last reading says so.
fn not_confirmed(pause: &Change, known: Option<&SeenCampaign>, now: Timestamp) -> String {
    let platform = pause.platform.display_name();
    let waits = match known {
        Some(SeenCampaign { is_silent: true, .. }) => format!("{platform} is silent."),
        _ => format!("{platform} has not confirmed it yet."),
    };
    let Some(SeenCampaign { campaign, at, .. }) = known else { return waits };
    let status = campaign.status_word(now).to_lowercase();
    format!("{waits} It was {status} when it was seen last, {}.", when(*at, now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::campaign::tests::campaign;
    use crate::kit::changes::sample::{at, now, update};
    use shared::domain::{CampaignChanges, CampaignId, CampaignStatus, ChangeError};

    fn pause(number: u32, state: ChangeState, sent: bool) -> Change {
        let time = at("2026-12-01T08:59:00Z");
        Change {
            campaign: CampaignId::parse(&format!("alpha_1_{number}")),
            settled_at: (state == ChangeState::Applied).then_some(time),
            sent_at: sent.then_some(time),
            state,
            ..update(CampaignChanges::of_status(CampaignStatus::Paused))
        }
    }

    #[test]
    fn each_campaign_of_a_stop_has_its_own_state() {
        let pauses = [
            pause(1, ChangeState::Sending, true),
            pause(2, ChangeState::Scheduled, false),
            pause(3, ChangeState::Applied, true),
            pause(4, ChangeState::Canceled(None), false),
            pause(5, ChangeState::Scheduled, true),
            pause(6, ChangeState::Failed(ChangeError::default()), true),
        ];
        let seen = at("2026-12-01T08:50:00Z");
        let kept = |is_silent| {
            let campaign = campaign("alpha_1_1", CampaignStatus::Active);
            HashMap::from([("alpha_1_1".to_owned(), SeenCampaign { campaign, at: seen, is_silent })])
        };
        let (rows, more) = pause_rows(&pauses, &kept(false), now());
        let told: Vec<(&str, String)> =
            rows.iter().map(|row| (row.badge.1, row.seen.replace(crate::kit::text::TODAY, ""))).collect();
        assert_eq!(more, 0);
        let sent = "Sent at 1 Dec 2026, 08:59 UTC.";
        let last = "It was active when it was seen last, at 1 Dec 2026, 08:50 UTC.";
        assert_eq!(told[0], ("On its way", format!("{sent} Google Ads has not confirmed it yet. {last}")));
        let silent = pause_rows(&pauses, &kept(true), now()).0.remove(0).seen;
        assert!(silent.contains("UTC. Google Ads is silent. It was active"), "its last reading has failed: {silent}");
        assert_eq!(told[1], ("Waits", "Its pause is sent within a minute.".to_owned()));
        assert_eq!(told[2], ("Paused", "Seen paused at 1 Dec 2026, 08:59 UTC.".to_owned()));
        assert_eq!(told[3].0, "Goes on");
        assert_eq!(told[4], ("On its way", format!("{sent} Google Ads has not confirmed it yet.")));
        assert_eq!(rows[5].badge, ("bad", "Not paused"));
        let many = vec![pause(1, ChangeState::Applied, true); 60];
        assert_eq!(pause_rows(&many, &HashMap::new(), now()).1, 10);
    }
}
