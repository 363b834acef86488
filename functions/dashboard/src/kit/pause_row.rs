//! The campaigns of a stopped key, each with what was observed of its pause.

use crate::kit::aftermath::Aftermath;
use crate::kit::campaign::status_word;
use crate::kit::changes::{ChangeRow, rows};
use crate::kit::known_campaign::SeenCampaign;
use crate::kit::money::budget_of;
use crate::kit::text::when;
use crate::kit::words::{self, of_change};
use jiff::Timestamp;
use shared::domain::{CampaignStatus, Change, ChangeState, ChangeStatus, PersonId};
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

/// What was observed of the campaigns of a key, and who looks.
#[derive(Clone, Copy)]
pub(crate) struct Observed<'a> {
    /// The campaigns as they were read last.
    pub(crate) kept: &'a HashMap<String, SeenCampaign>,
    /// What was reverted, and what others did.
    pub(crate) after: &'a Aftermath<'a>,
    pub(crate) me: &'a PersonId,
    pub(crate) now: Timestamp,
}

/// The rows, and how many more there are.
pub(crate) fn pause_rows(pauses: &[Change], of: Observed<'_>) -> (Vec<PauseRow>, usize) {
    let Observed { kept, after, now, .. } = of;
    let shown = &pauses[..pauses.len().min(SHOWN)];
    let row = |(change, mut row): (&Change, ChangeRow)| {
        let known = row.campaign_id.as_ref().and_then(|id| kept.get(id));
        if let Some(seen) = known {
            row.name_campaign(&seen.campaign.name);
        }
        let (badge, seen) = match (&change.state, &row.campaign_id) {
            (ChangeState::Canceled(None), Some(id)) => of.without_pause(id, change.platform.display_name()),
            (ChangeState::Applied, Some(id)) if after.is_reverted(id) || after.is_reverting(id) => {
                of.without_pause(id, change.platform.display_name())
            }
            _ => observed(change, known, now),
        };
        PauseRow { campaign: row.campaign, path: row.path, platform: row.platform, badge, seen }
    };
    (shown.iter().zip(rows(shown, now)).map(row).collect(), pauses.len() - shown.len())
}

/// Class and text of a badge, and what was seen.
type Seen = ((&'static str, &'static str), String);

impl Observed<'_> {
    /// A campaign whose pause was canceled, or that was reverted after it: what it is now, and no word of the pause.
    fn without_pause(self, campaign: &str, platform: &str) -> Seen {
        let Observed { after, me, now, .. } = self;
        if after.is_reverting(campaign) {
            return (("warn", "Being reverted"), format!("{platform} has not confirmed it yet."));
        }
        let is_reverted = after.is_reverted(campaign);
        let Some((status, budget, at)) = self.newest(campaign) else {
            let badge = if is_reverted { ("good", "Reverted") } else { ("plain", "Not paused") };
            return (badge, String::new());
        };
        let state = match after.paused_by(campaign, me) {
            Some(who) if status == CampaignStatus::Paused => format!("paused by {who}"),
            _ => status_word(status).to_lowercase(),
        };
        let badge = if is_reverted { ("good", "Reverted") } else { ("plain", status_word(status)) };
        (badge, format!("{budget}, {state}. Seen {}.", when(at, now)))
    }

    /// Status and budget of a campaign by what was read last: by a change, or by a reading.
    fn newest(self, campaign: &str) -> Option<(CampaignStatus, String, Timestamp)> {
        let Observed { kept, after, now, .. } = self;
        let seen = kept.get(campaign);
        match after.found_after(campaign, seen, now) {
            Some((values, at)) => {
                Some((values.status, budget_of(values.budget_amount, values.currency, values.budget_period), at))
            }
            None => seen.map(|SeenCampaign { campaign, at, .. }| (campaign.status_at(now), campaign.budget(), *at)),
        }
    }
}

fn observed(pause: &Change, known: Option<&SeenCampaign>, now: Timestamp) -> Seen {
    let settled = || pause.settled_at.map_or_else(String::new, |at| format!(" {}", when(at, now)));
    match (&pause.state, pause.sent_at) {
        (ChangeState::Applied | ChangeState::PartlyApplied(_), _) => {
            (("good", "Paused"), format!("Seen paused{}.", settled()))
        }
        (ChangeState::Canceled(None), _) => (("plain", "Not paused"), String::new()),
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
    use crate::kit::aftermath::tests::{budget, key};
    use crate::kit::campaign::tests::campaign;
    use crate::kit::changes::sample::person;
    use crate::kit::changes::sample::{at, now, update};
    use shared::domain::{Action, CampaignChanges, CampaignId, CampaignValues, ChangeError, Requester};

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
        let (after, me) = (Aftermath::default(), PersonId("p".to_owned()));
        let pause_rows = |pauses: &[Change], kept: &HashMap<String, SeenCampaign>| {
            super::pause_rows(pauses, Observed { kept, after: &after, me: &me, now: now() })
        };
        let (rows, more) = pause_rows(&pauses, &kept(false));
        let told: Vec<(&str, String)> =
            rows.iter().map(|row| (row.badge.1, row.seen.replace(crate::kit::text::TODAY, ""))).collect();
        assert_eq!(more, 0);
        let sent = "Sent at 1 Dec 2026, 08:59 UTC.";
        let last = "It was active when it was seen last, at 1 Dec 2026, 08:50 UTC.";
        assert_eq!(told[0], ("On its way", format!("{sent} Google Ads has not confirmed it yet. {last}")));
        let silent = pause_rows(&pauses, &kept(true)).0.remove(0).seen;
        assert!(silent.contains("UTC. Google Ads is silent. It was active"), "its last reading has failed: {silent}");
        assert_eq!(told[1], ("Waits", "Its pause is sent within a minute.".to_owned()));
        assert_eq!(told[2], ("Paused", "Seen paused at 1 Dec 2026, 08:59 UTC.".to_owned()));
        assert_eq!(told[3], ("Not paused", String::new()));
        assert_eq!(told[4], ("On its way", format!("{sent} Google Ads has not confirmed it yet.")));
        assert_eq!(rows[5].badge, ("bad", "Not paused"));
        let many = vec![pause(1, ChangeState::Applied, true); 60];
        assert_eq!(pause_rows(&many, &HashMap::new()).1, 10);
    }

    #[test]
    fn what_was_reverted_says_what_it_has_now_and_who_paused_it() {
        let bot = || Requester::ApiKey { id: key(), name: "Wild".to_owned() };
        let raised = |number| budget("2026-12-01T08:00:00Z", number, bot(), [51, 276]);
        let back = |number| budget("2026-12-01T08:12:00Z", number, person(None), [276, 51]);
        let is_paused = |values: Option<CampaignValues>| {
            values.map(|values| CampaignValues { status: CampaignStatus::Paused, ..values })
        };
        let paused_by_hand = Change {
            action: Action::Update(CampaignChanges::of_status(CampaignStatus::Paused)),
            only_if: None,
            after: is_paused(raised(2).after),
            ..budget("2026-12-01T08:05:00Z", 2, person(None), [276, 276])
        };
        let back_of_paused = Change { before: is_paused(back(2).before), after: is_paused(back(2).after), ..back(2) };
        let open = Change { state: ChangeState::Scheduled, after: None, settled_at: None, ..back(3) };
        let changes = [open, back_of_paused, back(1), paused_by_hand, raised(1), raised(2), raised(3), raised(4)];
        let after = Aftermath::of(&key(), &changes, now());
        let (kept, me) = (HashMap::new(), PersonId("p".to_owned()));
        let mut pauses: Vec<Change> = (2..=5).map(|number| pause(number, ChangeState::Canceled(None), false)).collect();
        pauses.insert(0, pause(1, ChangeState::Applied, true));
        let (rows, _) = pause_rows(&pauses, Observed { kept: &kept, after: &after, me: &me, now: now() });
        let told: Vec<(&str, String)> =
            rows.iter().map(|row| (row.badge.1, row.seen.replace(crate::kit::text::TODAY, ""))).collect();
        let row = |badge, seen: &str| (badge, seen.to_owned());
        assert_eq!(
            told,
            [
                row("Reverted", "51.00 USD a day, active. Seen at 1 Dec 2026, 08:12 UTC."),
                row("Reverted", "51.00 USD a day, paused by you. Seen at 1 Dec 2026, 08:12 UTC."),
                row("Being reverted", "Google Ads has not confirmed it yet."),
                row("Active", "276.00 USD a day, active. Seen at 1 Dec 2026, 08:00 UTC."),
                row("Not paused", ""),
            ]
        );
    }
}
