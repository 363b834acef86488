//! What an agent has seen of a campaign in a preview, in the words of the flat shape.

use super::flat::{period_name, status_name};
use super::wire::iso_seconds;
use crate::domain::{Campaign, CampaignChanges, DateChange, sha256_hex};

/// Status, amount and period of the budget, start, end, and name of a campaign, each as the flat shape has it. A part that
/// the campaign does not have is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenCampaign {
    pub status: Option<String>,
    pub budget_amount: Option<String>,
    pub budget_period: Option<String>,
    pub start_at: Option<String>,
    pub end_at: Option<String>,
    /// A mark of the name, which may be long.
    pub name: String,
}

impl SeenCampaign {
    /// What a read of a campaign shows.
    pub fn of(campaign: &Campaign) -> SeenCampaign {
        SeenCampaign {
            status: status_name(campaign.status).map(str::to_owned),
            budget_amount: campaign.budget_amount.map(|amount| amount.normalize().to_string()),
            budget_period: campaign.budget_period.map(|period| period_name(period).to_owned()),
            start_at: campaign.start_at.map(iso_seconds),
            end_at: campaign.end_at.map(iso_seconds),
            name: SeenCampaign::mark(&campaign.name),
        }
    }

    /// The mark of a name.
    pub fn mark(name: &str) -> String {
        sha256_hex(name)[..12].to_owned()
    }

    /// Whether a campaign is as it was seen, for an update. A part that the update names may also have its new value: an
    /// earlier attempt of the same request may have set it.
    pub fn admits_update(&self, current: &SeenCampaign, changes: &CampaignChanges) -> bool {
        let status = changes.status.map(|status| status_name(status).map(str::to_owned));
        let amount = changes.budget_amount.map(|amount| Some(amount.normalize().to_string()));
        let period = changes.budget_period.map(|period| Some(period_name(period).to_owned()));
        let date = |change: Option<DateChange>| change.map(|change| change.date().map(iso_seconds));
        [
            (&self.status, &current.status, status),
            (&self.budget_amount, &current.budget_amount, amount),
            (&self.budget_period, &current.budget_period, period),
            (&self.start_at, &current.start_at, date(changes.start_at)),
            (&self.end_at, &current.end_at, date(changes.end_at)),
        ]
        .into_iter()
        .all(|(seen, current, new)| seen == current || new.as_ref() == Some(current))
    }

    /// Whether a campaign is as it was seen, for a removal: what runs, and under which name.
    pub fn admits_removal(&self, current: &SeenCampaign) -> bool {
        let parts = |seen: &SeenCampaign| {
            let SeenCampaign { status, budget_amount, budget_period, name, .. } = seen.clone();
            (status, budget_amount, budget_period, name)
        };
        parts(self) == parts(current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::CampaignStatus;

    fn seen(status: &str, amount: &str) -> SeenCampaign {
        let text = |text: &str| Some(text.to_owned());
        SeenCampaign { status: text(status), budget_amount: text(amount), ..SeenCampaign::default() }
    }

    #[test]
    fn an_update_admits_what_was_seen_and_its_own_values() {
        let changes = CampaignChanges {
            status: Some(CampaignStatus::Active),
            budget_amount: Some("90.00".parse().unwrap()),
            ..CampaignChanges::default()
        };
        let before = seen("PAUSED", "60");
        for (current, is_admitted) in [
            (seen("PAUSED", "60"), true),
            (seen("PAUSED", "90"), true),
            (seen("ACTIVE", "60"), true),
            (seen("ACTIVE", "90"), true),
            (seen("PAUSED", "70"), false),
            (seen("REMOVED", "60"), false),
            (SeenCampaign { end_at: Some("2026-12-01T00:00:00Z".to_owned()), ..before.clone() }, false),
            (SeenCampaign { budget_period: Some("DAILY".to_owned()), ..before.clone() }, false),
            (SeenCampaign { name: "Other".to_owned(), ..before.clone() }, true),
        ] {
            assert_eq!(before.admits_update(&current, &changes), is_admitted, "{current:?}");
        }
        let cleared = CampaignChanges { end_at: Some(DateChange::Clear), ..CampaignChanges::default() };
        let ending = SeenCampaign { end_at: Some("2026-12-01T00:00:00Z".to_owned()), ..before.clone() };
        assert!(ending.admits_update(&before, &cleared) && !before.admits_update(&ending, &cleared));
    }

    #[test]
    fn a_removal_admits_no_other_name() {
        let before = seen("PAUSED", "60");
        let renamed = SeenCampaign { name: "Other".to_owned(), ..before.clone() };
        let dated = SeenCampaign { start_at: Some("2026-12-01T00:00:00Z".to_owned()), ..before.clone() };
        assert!(before.admits_removal(&dated) && !before.admits_removal(&renamed));
        assert!(!before.admits_removal(&seen("ACTIVE", "60")));
    }
}
