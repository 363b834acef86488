//! Changes in plain words. An applied change is in the past tense, every other one is a request.

use super::budget;
use crate::kit::text::readable;
use jiff::Timestamp;
use shared::domain::{
    Action, CampaignChanges, CampaignDraft, CampaignStatus, Change, ChangeKind, ChangeState, ChangeStatus, DateChange,
    Moment,
};

/// What a change does: a line for each thing.
pub(super) fn change_lines(change: &Change) -> Vec<String> {
    let wording = Wording::of(change);
    let lines = match &change.action {
        Action::Create(new) => wording.create(&new.draft),
        Action::Update(changes) => wording.update(changes),
        Action::Delete => vec![wording.verb(None, "Deleted", "Delete").to_owned()],
    };
    if lines.is_empty() { vec![kind_word(change.action.kind()).to_owned()] } else { lines }
}

/// What a change does to its campaign, in a heading: `Activate “Spring”`.
pub(crate) fn headline(change: &Change, campaign: &str) -> String {
    let wording = Wording::of(change);
    match &change.action {
        Action::Create(_) => format!("{} {campaign}", wording.verb(Some("name"), "Created", "Create")),
        Action::Delete => format!("{} {campaign}", wording.verb(None, "Deleted", "Delete")),
        Action::Update(asked) => match asked.status {
            Some(status) => format!("{} {campaign}", wording.status(status)),
            None if asked.names_budget() => {
                format!("{} the budget of {campaign}", wording.verb(Some("budget_amount"), "Changed", "Change"))
            }
            None => format!("{} {campaign}", wording.verb(None, "Changed", "Change")),
        },
    }
}

/// A kind for people.
pub(crate) fn kind_word(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Create => "Created",
        ChangeKind::Update => "Changed",
        ChangeKind::Delete => "Deleted",
    }
}

/// A state for people.
pub(crate) fn state_word(state: ChangeStatus) -> &'static str {
    match state {
        ChangeStatus::Scheduled => "Scheduled",
        ChangeStatus::AwaitingApproval => "Waits for approval",
        ChangeStatus::Sending => "On its way",
        ChangeStatus::Unknown => "Not known yet",
        ChangeStatus::Applied => "Applied",
        ChangeStatus::PartlyApplied => "Partly applied",
        ChangeStatus::Failed => "Not applied",
        ChangeStatus::Canceled => "Canceled",
        ChangeStatus::Rejected => "Rejected",
        ChangeStatus::Expired => "Not approved in time",
    }
}

/// A field of a campaign for people, by its name in the API.
pub(super) fn field_word(field: &str) -> String {
    match field {
        "budget_amount" => "budget".to_owned(),
        "start_at" => "start".to_owned(),
        "end_at" => "end".to_owned(),
        other => other.replace('_', " "),
    }
}

/// A change, and which of its fields the campaign has.
struct Wording<'a> {
    change: &'a Change,
    applied: Vec<&'static str>,
}

impl Wording<'_> {
    fn of(change: &Change) -> Wording<'_> {
        Wording { change, applied: change.changed_fields().applied }
    }

    fn create(&self, draft: &CampaignDraft) -> Vec<String> {
        let name = format!("{} “{}”", self.verb(Some("name"), "Created", "Create"), draft.name);
        let start = draft.start_at.map(|at| format!("Start {}", moment(at)));
        let end = draft.end_at.map(|at| format!("End {}", moment(at)));
        [Some(name), self.budget(), start, end].into_iter().flatten().collect()
    }

    fn update(&self, changes: &CampaignChanges) -> Vec<String> {
        let before = self.change.values_before();
        let start = changes.start_at.map(|to| date("Start", "no start date", to, before.map(|values| values.start_at)));
        let end = changes.end_at.map(|to| date("End", "no end date", to, before.map(|values| values.end_at)));
        let status = changes.status.map(|status| self.status(status).to_owned());
        let name = changes.name.as_deref().map(|name| self.renamed(name));
        [status, name, self.budget(), start, end].into_iter().flatten().collect()
    }

    fn status(&self, status: CampaignStatus) -> &'static str {
        match status {
            CampaignStatus::Active | CampaignStatus::Ended => self.verb(Some("status"), "Activated", "Activate"),
            CampaignStatus::Paused => self.verb(Some("status"), "Paused", "Pause"),
            CampaignStatus::Archived => self.verb(Some("status"), "Deleted", "Delete"),
            CampaignStatus::Draft => "Status Draft",
            CampaignStatus::ScheduledForDeletion => "Status Scheduled for deletion",
            CampaignStatus::Unspecified => "Status Unspecified",
        }
    }

    fn renamed(&self, to: &str) -> String {
        match self.change.values_before().map(|before| before.name.as_str()) {
            Some(from) if from != to => {
                format!("{} “{from}” → “{to}”", self.verb(Some("name"), "Renamed", "Rename"))
            }
            _ => format!("Name “{to}”"),
        }
    }

    fn budget(&self) -> Option<String> {
        let is_applied = self.has_applied("budget_amount") || self.has_applied("budget_period");
        budget::line(self.change, is_applied)
    }

    /// The past of a verb if a field is applied, or all of a change without fields.
    fn verb(&self, field: Option<&str>, past: &'static str, asked: &'static str) -> &'static str {
        let is_applied = field.map_or(self.change.state == ChangeState::Applied, |field| self.has_applied(field));
        if is_applied { past } else { asked }
    }

    fn has_applied(&self, field: &str) -> bool {
        self.applied.contains(&field)
    }
}

/// `End 1 Dec 2026, 09:00 UTC → no end date`. `before` is the date of the campaign, if it was read.
fn date(title: &str, none: &str, to: DateChange, before: Option<Option<Timestamp>>) -> String {
    let shown = |date: Option<Timestamp>| date.map_or_else(|| none.to_owned(), readable);
    let to = shown(to.date());
    match before.map(shown) {
        Some(from) if from != to => format!("{title} {from} → {to}"),
        _ => format!("{title} {to}"),
    }
}

/// A time for people, or a day as it is.
fn moment(moment: Moment) -> String {
    match moment {
        Moment::Instant(at) => readable(at),
        Moment::Day(day) => day.to_string(),
    }
}

#[cfg(test)]
mod tests;
