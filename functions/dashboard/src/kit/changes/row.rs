//! A change as a row of a table.

use super::added::Added;
use super::budget;
use super::latest_values;
use super::on_its_way::{is_tried, outcome_word};
use super::undone::{Undone, undone_by};
use super::words::{change_lines, field_word};
use crate::kit::addresses::{approval, campaign, key_activity};
use crate::kit::leap::mark;
use crate::kit::people;
use crate::kit::text::{isolated, readable};
use crate::kit::words::of_change;
use jiff::{SignedDuration, Timestamp};
use shared::domain::{
    Action, Approval, Approver, CampaignChanges, CampaignId, Change, ChangeState, ChangeStatus, ChangedFields, Person,
    PersonId, Requester,
};

/// Who does the steps of a monthly budget.
const MONTHLY: &str = "Monthly budget";
/// The outcome of a pause that a stop did not need.
const GOES_ON: &str = "Goes on";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangeRow {
    pub(crate) time: String,
    /// A line for each thing that the change does.
    pub(crate) what: Vec<String>,
    /// The campaign's name, or else whose it is.
    pub(crate) campaign: String,
    /// Whether its name is known.
    pub(crate) is_named: bool,
    /// The address of the campaign's page; `None` for one that was never created.
    pub(crate) path: Option<String>,
    /// The campaign's id, and a list with its changes alone.
    pub(crate) campaign_id: Option<String>,
    pub(crate) only: Option<String>,
    pub(crate) platform: &'static str,
    pub(crate) account: String,
    pub(crate) who: String,
    /// The activity of the API key; `None` for a person.
    pub(crate) key: Option<String>,
    requested_by: Requester,
    /// Whether the person is known not to belong to the account any more.
    pub(crate) is_former: bool,
    /// The class of the badge.
    pub(crate) tone: &'static str,
    pub(crate) outcome: &'static str,
    /// The reasons and the details of the outcome.
    pub(crate) details: Vec<String>,
    /// `10 times the budget`: the mark of one that waits for a person.
    pub(crate) leap: Option<String>,
    /// The change and the version of its campaign as it was when somebody asked, which the button that approves it sends.
    pub(crate) approve: Option<(String, String)>,
    /// The page on which a person decides on it.
    pub(crate) decide: Option<String>,
    /// The sum that the change adds to the running budgets: `+1,200.00 USD a day`.
    pub(crate) adds: Option<String>,
    /// The id of a change that can be canceled.
    pub(crate) cancel: Option<String>,
    /// The id of a change that can be undone.
    pub(crate) undo: Option<String>,
    /// That it was undone.
    pub(crate) undone: Option<Undone>,
    /// The page of the bulk change that it is a part of, in a list that shows such a change as one.
    pub(crate) bulk: Option<String>,
}

/// The rows of changes. A campaign that a change has not read has its name from another one of them.
pub(crate) fn rows(changes: &[Change], now: Timestamp) -> Vec<ChangeRow> {
    rows_for(changes, None, now)
}

/// The rows of changes for the person who looks.
pub(crate) fn rows_for(changes: &[Change], me: Option<&PersonId>, now: Timestamp) -> Vec<ChangeRow> {
    let row = |(at, change): (usize, &Change)| {
        let newer = changes.get(..at).unwrap_or_default();
        ChangeRow {
            undo: can_be_undone(change, newer).then(|| change.id.to_string()),
            undone: undo_of(change, newer).map(|undo| Undone::by(undo, me, now)),
            ..ChangeRow::of(change, name(change, changes), now)
        }
    };
    changes.iter().enumerate().map(row).collect()
}

/// The undo of a change. One who gives a campaign its former values for another reason undoes nothing.
fn undo_of<'a>(change: &Change, newer: &'a [Change]) -> Option<&'a Change> {
    let is_own = !change.is_held && !change.is_step;
    undone_by(change, newer).filter(|undo| is_own && undo.only_if.is_some())
}

/// Whether a person can undo a change, as far as the list tells: no newer change has set the same. What the service did to
/// keep a date or a month has no undo of its own.
fn can_be_undone(change: &Change, newer: &[Change]) -> bool {
    let Some(inverse) = change.inverse().filter(|_| !change.is_held && !change.is_step) else { return false };
    let is_overtaken = |other: &Change| {
        let is_same = other.campaign == change.campaign && other.state == ChangeState::Applied;
        is_same && sets_same(&other.action, &inverse.only_if)
    };
    !newer.iter().any(is_overtaken)
}

/// Whether an action sets one of these values, too.
pub(super) fn sets_same(action: &Action, values: &CampaignChanges) -> bool {
    match action {
        Action::Create(_) => false,
        Action::Update(other) => {
            let is_status = other.status.is_some() && values.status.is_some();
            let is_budget = other.names_budget() && values.names_budget();
            is_status || is_budget || other.name.is_some() && values.name.is_some()
        }
        Action::Delete => true,
    }
}

/// The name of a change's campaign, as far as these changes have it.
fn name(change: &Change, changes: &[Change]) -> Option<String> {
    let is_same = |other: &&Change| other.campaign.is_some() && other.campaign == change.campaign;
    let read = name_read(change).or_else(|| changes.iter().filter(is_same).find_map(name_read));
    read.or_else(|| requested_name(&change.action)).map(str::to_owned)
}

/// What stands for a name that is not known: `a campaign of Meta: Nordic Shop`.
fn unnamed(platform: &str, account: &str) -> String {
    format!("a campaign of {platform}: {account}")
}

fn name_read(change: &Change) -> Option<&str> {
    latest_values(change).map(|values| values.name.as_str())
}

fn requested_name(action: &Action) -> Option<&str> {
    match action {
        Action::Create(new) => Some(&new.draft.name),
        Action::Update(changes) => changes.name.as_deref(),
        Action::Delete => None,
    }
}

impl ChangeRow {
    /// Names the ad account, and with it a campaign whose name is not known.
    pub(crate) fn name_account(&mut self, account: String) {
        self.account = account;
        if !self.is_named {
            self.campaign = unnamed(self.platform, &self.account);
        }
    }

    /// Names a campaign whose name the changes do not have.
    pub(crate) fn name_campaign(&mut self, name: &str) {
        if !self.is_named {
            (self.campaign, self.is_named) = (name.to_owned(), true);
        }
    }

    /// Names the person by the people of the account. A change keeps the address that they had then.
    pub(crate) fn name_person(&mut self, people: &[Person]) {
        let Requester::Person { id, email } = &self.requested_by else { return };
        if self.who == MONTHLY {
            return;
        }
        let known = people.iter().find(|person| person.id == *id);
        self.is_former = known.is_none();
        if email.is_none() {
            self.who = known.map_or_else(|| "A former member".to_owned(), people::name_of);
        }
    }

    fn of(change: &Change, name: Option<String>, now: Timestamp) -> ChangeRow {
        let Change { id, requested_by, platform, account_id, .. } = change;
        let status = change.status(now);
        let is_waiting = status == ChangeStatus::AwaitingApproval;
        ChangeRow {
            time: time(change.created_at()),
            what: change_lines(change),
            is_named: name.is_some(),
            campaign: name.unwrap_or_else(|| unnamed(platform.display_name(), account_id)),
            path: change.campaign.as_ref().map(|id| campaign(&id.to_string())),
            campaign_id: change.campaign.as_ref().map(CampaignId::to_string),
            only: None,
            platform: platform.display_name(),
            account: account_id.clone(),
            who: if change.is_step { MONTHLY.to_owned() } else { requester_text(requested_by) },
            key: activity_of_key(requested_by).filter(|_| !change.is_step),
            requested_by: requested_by.clone(),
            is_former: false,
            tone: tone(status),
            outcome: if is_let_go_on(change) { GOES_ON } else { outcome_word(change, now) },
            details: details(change, now),
            leap: if is_waiting { leap(change, now) } else { None },
            approve: is_waiting.then(|| (id.to_string(), Approval::version(*id, change.values_before()))),
            decide: is_waiting.then(|| approval(&id.to_string())),
            adds: Added::of(change, now).map(|added| format!("+{}", added.words())),
            undo: None,
            undone: None,
            bulk: None,
            cancel: (status == ChangeStatus::Scheduled).then(|| id.to_string()),
        }
    }
}

/// The mark of a change that makes the budget many times what it was when it was asked for.
fn leap(change: &Change, now: Timestamp) -> Option<String> {
    let before = change.values_before()?;
    mark(before, &change.values_after(Some(before), now)?)
}

/// A time in a narrow column: no line break before `UTC`.
fn time(at: Timestamp) -> String {
    readable(at).replace(" UTC", "\u{a0}UTC")
}

/// The name of who asked for a change, as the change has it.
pub(crate) fn requester_text(requester: &Requester) -> String {
    match requester {
        Requester::ApiKey { name, .. } => name.clone(),
        Requester::Person { email, .. } => email.clone().unwrap_or_else(|| "a person".to_owned()),
    }
}

/// The same in a sentence for a person: `you`, if it was that person.
pub(crate) fn requester_for(requester: &Requester, me: Option<&PersonId>) -> String {
    match requester {
        Requester::Person { id, .. } if Some(id) == me => "you".to_owned(),
        Requester::ApiKey { name, .. } => isolated(name),
        Requester::Person { .. } => requester_text(requester),
    }
}

fn approver_text(Approver { by, person, request: _ }: &Approver) -> String {
    match person {
        Some(person) => format!("{person}, by the API key {}", requester_text(by)),
        None => requester_text(by),
    }
}

fn activity_of_key(requester: &Requester) -> Option<String> {
    match requester {
        Requester::ApiKey { id, .. } => Some(key_activity(&id.0)),
        Requester::Person { .. } => None,
    }
}

/// Whether it is the pause of a stop that was canceled, as *Stop it and revert* does.
fn is_let_go_on(change: &Change) -> bool {
    change.stops.is_some() && change.state == ChangeState::Canceled(None)
}

/// The class of a state's badge.
fn tone(state: ChangeStatus) -> &'static str {
    match state {
        ChangeStatus::Applied => "good",
        ChangeStatus::Failed => "bad",
        ChangeStatus::PartlyApplied | ChangeStatus::Unknown | ChangeStatus::AwaitingApproval => "warn",
        ChangeStatus::Scheduled
        | ChangeStatus::Sending
        | ChangeStatus::Canceled
        | ChangeStatus::Rejected
        | ChangeStatus::Expired => "plain",
    }
}

fn details(change: &Change, now: Timestamp) -> Vec<String> {
    let mut details = match change.status(now) {
        ChangeStatus::Unknown => vec!["The platform is read until it is known.".to_owned()],
        ChangeStatus::PartlyApplied => parts(change.changed_fields()),
        ChangeStatus::Scheduled if is_tried(change, now) => tried(change),
        ChangeStatus::Scheduled | ChangeStatus::AwaitingApproval => {
            change.apply_at.map(|at| format!("For {}.", time(at))).into_iter().collect()
        }
        ChangeStatus::Sending
        | ChangeStatus::Applied
        | ChangeStatus::Failed
        | ChangeStatus::Canceled
        | ChangeStatus::Rejected
        | ChangeStatus::Expired => Vec::new(),
    };
    if is_let_go_on(change) {
        details.push("A pause of the stop that was not needed, as after a revert.".to_owned());
    }
    details.extend(budget::reason_of_raise(change).map(str::to_owned));
    if let Some(approval) = &change.approval {
        details.push(format!("Approved by {}.", approver_text(&approval.by)));
    }
    if let Some(error) = change.state.error() {
        let said = of_change(change.platform, error);
        // Our sentence may quote the platform already.
        let is_new = |reported: &&String| {
            let reported = reported.trim().trim_end_matches('.');
            !error.message.contains(reported) && !said.contains(reported)
        };
        let reported = error.platform_message.as_ref().filter(is_new);
        if !details.contains(&said) {
            details.push(said.clone());
        }
        details.extend(reported.map(|reported| format!("{} says: {reported}", change.platform.display_name())));
    }
    details
}

/// What is done with a change that its platform has not taken in time.
fn tried(change: &Change) -> Vec<String> {
    // One that was to be sent at once has its time beside it.
    let due = change.apply_at.filter(|at| at.duration_since(change.created_at()) >= SignedDuration::from_mins(1));
    let due = due.map(|at| format!("Due since {}.", time(at)));
    let platform = change.platform.display_name();
    let tried = format!("{platform} has not confirmed it yet. It is tried again for a week.");
    due.into_iter().chain([tried]).collect()
}

/// The fields of a change that was applied in part.
fn parts(ChangedFields { applied, not_applied, unknown }: ChangedFields) -> Vec<String> {
    let parts = [("Applied", applied), ("Not applied", not_applied), ("Not known", unknown)];
    let named = parts.into_iter().filter(|(_, fields)| !fields.is_empty());
    named
        .map(|(title, fields)| {
            let fields: Vec<String> = fields.into_iter().map(field_word).collect();
            format!("{title}: {}.", fields.join(", "))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample::{at, change, create, draft, now, person, update, values};
    use super::*;
    use shared::domain::{CampaignStatus, CampaignValues, ChangeError, KeyId, PersonId, Platform, Role};

    fn renamed() -> Change {
        update(CampaignChanges { name: Some("B".to_owned()), ..CampaignChanges::default() })
    }

    fn row(change: Change) -> ChangeRow {
        rows(&[change], now()).remove(0)
    }

    fn outcome(state: ChangeState) -> (String, Vec<String>) {
        let row = row(Change { state, ..renamed() });
        (format!("{} {}", row.tone, row.outcome), row.details)
    }

    fn key(name: &str) -> Requester {
        Requester::ApiKey { id: KeyId("key_1".to_owned()), name: name.to_owned() }
    }

    #[test]
    fn what_waits_is_marked_where_the_budget_leaps() {
        let raise = |amount: i64, state| {
            let changes = CampaignChanges { budget_amount: Some(amount.into()), ..CampaignChanges::default() };
            row(Change { state, asked: Some(values("A")), ..update(changes) }).leap
        };
        assert_eq!(raise(500, ChangeState::AwaitingApproval).as_deref(), Some("10 times the budget"));
        assert_eq!(raise(499, ChangeState::AwaitingApproval), None);
        assert_eq!(raise(500, ChangeState::Applied), None, "it is decided");
        let asked = Change { state: ChangeState::AwaitingApproval, asked: Some(values("A")), ..renamed() };
        assert_eq!(row(asked).leap, None);
    }

    #[test]
    fn a_row_says_who_did_it() {
        let who = |requested_by| {
            let row = row(Change { requested_by, ..renamed() });
            (row.who, row.key)
        };
        let activity = Some("/dashboard/activity?api_key_id=key_1".to_owned());
        assert_eq!(who(key("Nightly")), ("Nightly".to_owned(), activity));
        assert_eq!(who(person(Some("ada@example.com"))), ("ada@example.com".to_owned(), None));
        assert_eq!(who(person(None)), ("a person".to_owned(), None));
    }

    #[test]
    fn a_row_names_its_person_and_who_has_left() {
        let ada = Person::new(PersonId("p".to_owned()), Some("ada@example.com".to_owned()), Role::Owner, now());
        let named = |requested_by, people: &[Person]| {
            let mut row = row(Change { requested_by, ..renamed() });
            row.name_person(people);
            (row.who, row.is_former)
        };
        let people = std::slice::from_ref(&ada);
        assert_eq!(named(person(None), people), ("ada@example.com".to_owned(), false));
        assert_eq!(named(person(Some("old@example.com")), people), ("old@example.com".to_owned(), false));
        assert_eq!(named(person(None), &[]), ("A former member".to_owned(), true));
        assert_eq!(named(person(Some("ada@example.com")), &[]), ("ada@example.com".to_owned(), true));
        assert_eq!(named(key("Nightly"), &[]), ("Nightly".to_owned(), false));
    }

    #[test]
    fn a_row_has_the_last_known_name_of_the_campaign() {
        let of = |campaign: &str, change: Change| Change { campaign: CampaignId::parse(campaign), ..change };
        let waiting = Change { state: ChangeState::Scheduled, ..of("beta_7_1", renamed()) };
        let read = Change { before: Some(values("A")), ..of("beta_7_1", renamed()) };
        let other = of("beta_7_2", update(CampaignChanges::of_status(CampaignStatus::Paused)));
        let new = Change { campaign: None, platform: Platform::Beta, ..create(draft("B")) };
        let nothing = Change { campaign: None, ..change(Action::Delete) };
        let rows = rows(&[waiting, read, other, new, nothing], now());
        let names: Vec<&str> = rows.iter().map(|row| row.campaign.as_str()).collect();
        assert_eq!(names, ["A", "A", "a campaign of Google Ads: 1", "B", "a campaign of Google Ads: 1"]);
        assert_eq!(rows[0].path.as_deref(), Some("/dashboard/campaigns/one?id=beta_7_1"));
        assert_eq!((rows[3].path.as_deref(), rows[3].platform), (None, "Meta"));
    }

    #[test]
    fn an_outcome_names_its_reason_and_the_fields() {
        let error = |message: &str, reported: &str| ChangeError {
            message: message.into(),
            platform_message: Some(reported.to_owned()),
            ..ChangeError::default()
        };
        let details = vec!["Google Ads refused it: Too low.".to_owned()];
        let failed = ChangeState::Failed(error("Google Ads refused it: Too low.", "Too low."));
        assert_eq!(outcome(failed), ("bad Not applied".to_owned(), details));
        let asked = CampaignChanges { status: Some(CampaignStatus::Active), ..CampaignChanges::default() };
        let asked = CampaignChanges { name: Some("B".to_owned()), budget_amount: Some(60.into()), ..asked };
        let state = ChangeState::PartlyApplied(error("No response.", "Busy"));
        let row = row(Change { state, after: Some(values("B")), ..update(asked) });
        let details = ["Applied: name.", "Not applied: status, budget.", "No response.", "Google Ads says: Busy"];
        assert_eq!((row.tone, row.outcome, row.details), ("warn", "Partly applied", details.map(Into::into).into()));
    }

    #[test]
    fn an_open_outcome_says_what_comes_next() {
        assert_eq!(outcome(ChangeState::Sending), ("plain On its way".to_owned(), Vec::new()));
        let row = |state, now| {
            let apply_at = Some(at("2026-12-02T06:00:00Z"));
            let row = rows(&[Change { state, apply_at, ..renamed() }], now).remove(0);
            (row.tone, row.outcome, row.details)
        };
        let read = vec!["The platform is read until it is known.".to_owned()];
        assert_eq!(row(ChangeState::Sending, at("2026-12-01T09:01:00Z")), ("warn", "Not known yet", read));
        let time = vec!["For 2 Dec 2026, 06:00\u{a0}UTC.".to_owned()];
        assert_eq!(row(ChangeState::Scheduled, now()), ("plain", "Scheduled", time));
        let tried = [
            "Due since 2 Dec 2026, 06:00\u{a0}UTC.",
            "Google Ads has not confirmed it yet. It is tried again for a week.",
        ];
        let due = row(ChangeState::Scheduled, at("2026-12-02T06:00:00Z"));
        assert_eq!(due, ("plain", "On its way", tried.map(str::to_owned).to_vec()), "its time is over");
        assert_eq!(row(ChangeState::Canceled(None), now()), ("plain", "Canceled", Vec::new()));
    }

    #[test]
    fn a_row_says_who_has_undone_it_and_a_later_pause_is_no_undo() {
        let undone = |undo: Change| rows(&[undo, raised(50, 60)], now()).remove(1).undone.map(|undone| undone.path);
        let only_if = Some(CampaignChanges { budget_amount: Some(60.into()), ..CampaignChanges::default() });
        let back = raised(60, 50);
        let path = crate::kit::addresses::outcome(&[back.id]);
        assert_eq!(undone(Change { only_if: only_if.clone(), ..back.clone() }), Some(path));
        assert_eq!(undone(back), None, "somebody has lowered it");
        assert_eq!(undone(Change { only_if, ..raised(60, 55) }), None, "another budget");
    }

    /// An applied change of the budget.
    fn raised(from: u32, to: u32) -> Change {
        let has = |amount: u32| CampaignValues { budget_amount: Some(amount.into()), ..values("A") };
        let asked = CampaignChanges { budget_amount: Some(to.into()), ..CampaignChanges::default() };
        Change { state: ChangeState::Applied, before: Some(has(from)), after: Some(has(to)), ..update(asked) }
    }

    #[test]
    fn only_what_nothing_newer_has_set_can_be_undone() {
        let undo = |changes: &[Change]| -> Vec<bool> {
            rows(changes, now()).into_iter().map(|row| row.undo.is_some()).collect()
        };
        assert_eq!(undo(&[raised(60, 70), raised(50, 60)]), [true, false]);
        let named =
            Change { state: ChangeState::Applied, before: Some(values("A")), after: Some(values("B")), ..renamed() };
        assert_eq!(undo(&[named.clone(), raised(50, 60)]), [true, true], "another field");
        let deleted = Change { state: ChangeState::Applied, ..change(Action::Delete) };
        assert_eq!(undo(&[deleted, named]), [false, false]);
        let failed = Change { state: ChangeState::Failed(ChangeError::default()), ..raised(60, 70) };
        assert_eq!(undo(&[failed, raised(50, 60)]), [false, true]);
        let held = Change { is_held: true, ..raised(50, 60) };
        assert_eq!(undo(&[held]), [false], "the service keeps it");
    }

    #[test]
    fn a_step_names_the_monthly_budget_as_the_one_that_did_it() {
        let step = Change { is_step: true, requested_by: key("default"), ..raised(75, 281) };
        let row = row(step);
        assert_eq!((row.who.as_str(), row.key, row.undo), ("Monthly budget", None, None));
        assert_eq!(row.what, ["Monthly budget: 75.00 → 281.00 USD a day"]);
        assert!(row.details[0].starts_with("What the month had left"), "{:?}", row.details);
        let lowered = self::row(Change { is_step: true, ..raised(281, 75) });
        assert_eq!(lowered.details, Vec::<String>::new());
        let asked = CampaignChanges {
            budget_amount: Some(rust_decimal::Decimal::new(10_322, 2)),
            ..CampaignChanges::default()
        };
        let waits = self::row(Change { is_step: true, before: None, ..update(asked) });
        assert_eq!(waits.what, ["Monthly budget: 103.22 USD a day"], "the campaign was not read");
    }
}
