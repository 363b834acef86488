//! The fields of a change, by whether the campaign has their new value.

use super::{Action, CampaignValues, Change, ChangeState};
use crate::domain::{CampaignChanges, CampaignDraft, CampaignStatus, Reason};

/// The requested fields of an update, by whether the campaign has their new value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditedFields {
    pub applied: Vec<&'static str>,
    pub missing: Vec<&'static str>,
}

/// The requested fields of a change, by what became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedFields {
    pub applied: Vec<&'static str>,
    pub not_applied: Vec<&'static str>,
    /// Those of which it is not known, or not yet.
    pub unknown: Vec<&'static str>,
}

impl ChangedFields {
    /// The reason of an update with these outcomes, if they say it.
    pub fn reason(&self) -> Option<Reason> {
        match (self.applied.is_empty(), self.not_applied.is_empty(), self.unknown.is_empty()) {
            (_, _, false) => Some(Reason::OutcomeUnknown),
            (false, false, true) => Some(Reason::PartlyApplied),
            (_, _, true) => None,
        }
    }
}

impl EditedFields {
    /// Compares the requested changes with the campaign.
    pub fn of(requested: &CampaignChanges, read: &CampaignValues) -> EditedFields {
        let missing = requested.clone().against(read);
        let status = requested.status.filter(|status| !satisfies(*status, read.status));
        let missing = CampaignChanges { status, ..missing };
        let missing = missing.field_names();
        let (missing, applied) = requested.field_names().into_iter().partition(|field| missing.contains(field));
        EditedFields { applied, missing }
    }

    /// Whether all requested fields are applied.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// Whether any requested field is applied.
    pub fn has_applied(&self) -> bool {
        !self.applied.is_empty()
    }
}

/// Whether a campaign's status fulfils the requested one. A campaign that is activated after its end reads as ENDED,
/// and there are several final statuses.
fn satisfies(requested: CampaignStatus, read: CampaignStatus) -> bool {
    requested == read
        || requested == CampaignStatus::Active && read == CampaignStatus::Ended
        || requested.is_final() && read.is_final()
}

impl Action {
    /// The names of the requested fields; none for a removal.
    pub fn field_names(&self) -> Vec<&'static str> {
        match self {
            Action::Create(new) => draft_fields(&new.draft),
            Action::Update(changes) => changes.field_names(),
            Action::Delete => Vec::new(),
        }
    }
}

fn draft_fields(draft: &CampaignDraft) -> Vec<&'static str> {
    let CampaignDraft { name: _, goal: _, budget_amount: _, budget_period: _, start_at, end_at, defaults: _ } = draft;
    let optional = [start_at.map(|_| "start_at"), end_at.map(|_| "end_at")];
    ["name", "goal", "budget_amount", "budget_period"].into_iter().chain(optional.into_iter().flatten()).collect()
}

impl Change {
    /// The requested fields, by what became of them.
    pub fn changed_fields(&self) -> ChangedFields {
        let requested = self.action.field_names();
        match (&self.state, &self.action, &self.after) {
            (ChangeState::Applied, ..) => ChangedFields { applied: requested, ..ChangedFields::default() },
            (ChangeState::Failed(_), ..) => ChangedFields { not_applied: requested, ..ChangedFields::default() },
            (ChangeState::PartlyApplied(_), Action::Update(changes), Some(after)) => {
                let EditedFields { applied, missing } = EditedFields::of(changes, after);
                ChangedFields { applied, not_applied: missing, unknown: Vec::new() }
            }
            (ChangeState::PartlyApplied(_) | ChangeState::Sending, ..) => {
                ChangedFields { unknown: requested, ..ChangedFields::default() }
            }
            (
                ChangeState::Scheduled
                | ChangeState::AwaitingApproval
                | ChangeState::Canceled(_)
                | ChangeState::Rejected(_)
                | ChangeState::Expired,
                ..,
            ) => ChangedFields::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{BudgetPeriod, Currency, Goal};

    fn values(name: &str, status: CampaignStatus) -> CampaignValues {
        let draft = CampaignDraft::new(name.into(), Goal::Sales, 50.into(), BudgetPeriod::Lifetime);
        CampaignValues { status, ..CampaignValues::of_draft(&draft, Currency::from_code("USD").unwrap()) }
    }

    fn all_fields() -> CampaignChanges {
        CampaignChanges {
            name: Some("New".into()),
            status: Some(CampaignStatus::Active),
            budget_amount: Some(60.into()),
            budget_period: Some(BudgetPeriod::Total),
            ..CampaignChanges::default()
        }
    }

    fn status_fields(requested: CampaignStatus, read: CampaignStatus) -> EditedFields {
        let changes = CampaignChanges { status: Some(requested), ..CampaignChanges::default() };
        EditedFields::of(&changes, &values("Old", read))
    }

    #[test]
    fn only_requested_fields_are_named() {
        let old = values("Old", CampaignStatus::Paused);
        let fields = EditedFields::of(&all_fields(), &old);
        assert_eq!(fields.missing, ["name", "status", "budget_amount"]);
        assert_eq!(fields.applied, ["budget_period"], "TOTAL and LIFETIME are the same");
        let half = CampaignValues { name: "New".into(), budget_amount: Some("60.00".parse().unwrap()), ..old.clone() };
        let fields = EditedFields::of(&all_fields(), &half);
        assert_eq!((fields.applied, fields.missing), (vec!["name", "budget_amount", "budget_period"], vec!["status"]));
        assert_eq!(EditedFields::of(&CampaignChanges::default(), &old), EditedFields::default());
    }

    #[test]
    fn a_status_is_applied_when_the_read_status_satisfies_it() {
        use CampaignStatus::{Active, Archived, Ended, Paused, ScheduledForDeletion};
        for (requested, read) in [(Active, Active), (Active, Ended), (Archived, ScheduledForDeletion), (Paused, Paused)]
        {
            assert!(status_fields(requested, read).is_complete(), "{requested:?} {read:?}");
        }
        for (requested, read) in [(Active, Paused), (Paused, Ended), (Paused, Archived), (Archived, Active)] {
            assert!(!status_fields(requested, read).is_complete(), "{requested:?} {read:?}");
        }
    }
}
