//! A change as a row of a table.

use super::wire::{Change, ChangeList, Requester};
use super::words::{field_word, state_word, what};
use crate::client::accounts::platform_name;
use crate::client::people;
use crate::kit::addresses::{approval, campaign, key_activity};
use crate::kit::words::message;
use crate::pages::layout::readable;
use jiff::Timestamp;
use shared::domain::{Person, PersonId};

/// A person whose address is not known.
const A_PERSON: &str = "a person";

/// A row.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) time: String,
    /// A line for each thing that the change does.
    pub(crate) what: Vec<String>,
    /// The campaign's name.
    pub(crate) campaign: String,
    /// The address of the campaign's page; `None` for one that was never created.
    pub(crate) path: Option<String>,
    pub(crate) platform: String,
    pub(crate) account: String,
    pub(crate) who: String,
    /// The activity of the API key; `None` for a person.
    pub(crate) key: Option<String>,
    /// The person's id; `None` for a key.
    pub(crate) person: Option<PersonId>,
    /// Whether the person is known not to belong to the account any more.
    pub(crate) is_former: bool,
    /// The class of the badge.
    pub(crate) tone: &'static str,
    pub(crate) outcome: String,
    /// The reasons and the details of the outcome.
    pub(crate) details: Vec<String>,
    /// The page on which a person decides on it.
    pub(crate) decide: Option<String>,
    /// The id of a change that can be canceled.
    pub(crate) cancel: Option<String>,
}

impl ChangeList {
    /// The rows of this page.
    pub(crate) fn rows(&self) -> Vec<Row> {
        self.changes.iter().map(|change| Row::of(change, self.name_of(change))).collect()
    }

    /// The name of a change's campaign. One that this change has not read may have been read for another one.
    fn name_of<'a>(&'a self, change: &'a Change) -> &'a str {
        let same = |other: &&Change| other.campaign_id.is_some() && other.campaign_id == change.campaign_id;
        let read = change.name().or_else(|| self.changes.iter().filter(same).find_map(Change::name));
        let told = || change.requested.name.as_deref().or(change.campaign_id.as_deref());
        read.or_else(told).unwrap_or("a campaign")
    }
}

impl Row {
    /// Names the person by the people of the account. A change keeps the address that they had then.
    pub(crate) fn name_person(&mut self, people: &[Person]) {
        let Some(id) = &self.person else { return };
        let known = people.iter().find(|person| person.id == *id);
        self.is_former = known.is_none();
        if self.who == A_PERSON {
            self.who = known.map_or_else(|| "A former member".to_owned(), people::name_of);
        }
    }

    fn of(change: &Change, name: &str) -> Row {
        let is_key = change.requested_by.kind == "api_key";
        Row {
            time: time(change.created_at),
            what: what(change),
            campaign: name.to_owned(),
            path: change.campaign_id.as_deref().map(campaign),
            platform: platform_name(&change.platform).to_owned(),
            account: change.organization_id.clone(),
            who: who(&change.requested_by),
            key: is_key.then(|| key_activity(&change.requested_by.id)),
            person: (!is_key).then(|| PersonId(change.requested_by.id.clone())),
            is_former: false,
            tone: tone(&change.state),
            outcome: state_word(&change.state),
            details: details(change),
            decide: (change.state == "awaiting_approval").then(|| approval(&change.id)),
            cancel: (change.state == "scheduled").then(|| change.id.clone()),
        }
    }
}

/// A time that is broken before the hour alone.
fn time(at: Timestamp) -> String {
    readable(at).replace(" UTC", "\u{a0}UTC")
}

fn who(requester: &Requester) -> String {
    match (&requester.name, requester.kind.as_str()) {
        (Some(name), _) => name.clone(),
        (None, "api_key") => requester.id.clone(),
        (None, _) => A_PERSON.to_owned(),
    }
}

/// The class of a state's badge.
pub(crate) fn tone(state: &str) -> &'static str {
    match state {
        "applied" => "good",
        "failed" => "bad",
        "partly_applied" | "unknown" | "awaiting_approval" => "warn",
        _ => "plain",
    }
}

fn details(change: &Change) -> Vec<String> {
    let mut details = match change.state.as_str() {
        "unknown" => vec!["The platform is read until it is known.".to_owned()],
        "partly_applied" => parts(change),
        "scheduled" | "awaiting_approval" => {
            change.apply_at.map(|at| format!("For {}.", time(at))).into_iter().collect()
        }
        _ => Vec::new(),
    };
    if let Some(by) = &change.approved_by {
        details.push(format!("Approved by {}.", who(by)));
    }
    if let Some(error) = &change.error {
        details.push(message(&error.message));
        let reported = error.platform_error.as_ref().map(|reported| &reported.message);
        let reported = reported.filter(|message| !error.message.contains(*message));
        details.extend(reported.map(|message| format!("{} says: {message}", platform_name(&change.platform))));
    }
    details
}

/// The fields of a change that was applied in part.
fn parts(change: &Change) -> Vec<String> {
    let parts = [
        ("Applied", &change.applied_fields),
        ("Not applied", &change.not_applied_fields),
        ("Not known", &change.unknown_fields),
    ];
    let named = parts.into_iter().filter(|(_, fields)| !fields.is_empty());
    named
        .map(|(title, fields)| {
            let fields: Vec<String> = fields.iter().map(|field| field_word(field)).collect();
            format!("{title}: {}.", fields.join(", "))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use shared::domain::Role;

    fn change(state: &str, by: &Value, more: &Value) -> Value {
        let mut json = json!({
            "id": "chg_1", "kind": "update", "state": state, "platform": "BETA", "organization_id": "7", "campaign_id": null,
            "requested": { "name": "B", "status": "PAUSED" }, "before": null, "after": null, "applied_fields": [],
            "not_applied_fields": [], "unknown_fields": [], "requested_by": by, "created_at": "2026-12-01T09:00:00Z",
            "error": null,
        });
        for (name, value) in more.as_object().unwrap() {
            json[name] = value.clone();
        }
        json
    }

    fn rows(changes: &[Value]) -> Vec<Row> {
        let page = json!({ "changes": changes, "pagination": { "next_cursor": null } });
        serde_json::from_str::<ChangeList>(&page.to_string()).unwrap().rows()
    }

    fn row(state: &str, by: &Value, more: &Value) -> Row {
        rows(&[change(state, by, more)]).remove(0)
    }

    fn outcome(state: &str, more: &Value) -> (String, Vec<String>) {
        let row = row(state, &json!({ "type": "person", "id": "p", "name": null }), more);
        (format!("{} {}", row.tone, row.outcome), row.details)
    }

    #[test]
    fn a_row_says_who_did_it() {
        let who = |kind: &str, name: Option<&str>| {
            let row = row("applied", &json!({ "type": kind, "id": "key_1", "name": name }), &json!({}));
            (row.who, row.key)
        };
        let key = Some("/dashboard/activity?api_key_id=key_1".to_owned());
        assert_eq!(who("api_key", Some("Nightly")), ("Nightly".to_owned(), key));
        assert_eq!(who("person", Some("ada@example.com")), ("ada@example.com".to_owned(), None));
        assert_eq!(who("person", None), ("a person".to_owned(), None));
    }

    #[test]
    fn a_row_names_its_person_and_who_has_left() {
        let now = "2026-11-22T12:00:00Z".parse().unwrap();
        let ada = Person::new(PersonId("p".to_owned()), Some("ada@example.com".to_owned()), Role::Owner, now);
        let named = |kind: &str, name: Option<&str>, people: &[Person]| {
            let mut row = row("applied", &json!({ "type": kind, "id": "p", "name": name }), &json!({}));
            row.name_person(people);
            (row.who, row.is_former)
        };
        let people = std::slice::from_ref(&ada);
        assert_eq!(named("person", None, people), ("ada@example.com".to_owned(), false));
        assert_eq!(named("person", Some("old@example.com"), people), ("old@example.com".to_owned(), false));
        assert_eq!(named("person", None, &[]), ("A former member".to_owned(), true));
        assert_eq!(named("person", Some("ada@example.com"), &[]), ("ada@example.com".to_owned(), true));
        assert_eq!(named("api_key", Some("Nightly"), &[]), ("Nightly".to_owned(), false));
    }

    #[test]
    fn a_row_has_the_last_known_name_of_the_campaign() {
        let by = json!({ "type": "person", "id": "p", "name": null });
        let before = json!({ "name": "A", "currency": "USD" });
        let waiting = change("scheduled", &by, &json!({ "campaign_id": "beta_7_1" }));
        let read = change("failed", &by, &json!({ "campaign_id": "beta_7_1", "before": before }));
        let other = change("sending", &by, &json!({ "campaign_id": "beta_7_2", "requested": {} }));
        let create = change("failed", &by, &json!({ "kind": "create" }));
        let nothing = change("failed", &by, &json!({ "requested": {} }));
        let rows = rows(&[waiting, read, other, create, nothing]);
        let names: Vec<&str> = rows.iter().map(|row| row.campaign.as_str()).collect();
        assert_eq!(names, ["A", "A", "beta_7_2", "B", "a campaign"]);
        assert_eq!(rows[0].path.as_deref(), Some("/dashboard/campaigns/one?id=beta_7_1"));
        assert_eq!((rows[3].path.as_deref(), rows[0].platform.as_str()), (None, "Meta"));
    }

    #[test]
    fn an_outcome_names_its_reason_and_the_fields() {
        let error = json!({ "code": "PLATFORM_ERROR", "message": "Meta refused it: Too low.",
            "platform_error": { "message": "Too low." } });
        let details = vec!["Meta refused it: Too low.".to_owned()];
        assert_eq!(outcome("failed", &json!({ "error": error })), ("bad Not applied".to_owned(), details));
        let parts = json!({ "applied_fields": ["name"], "not_applied_fields": ["status", "budget_amount"],
            "error": { "code": "TIMEOUT", "message": "No response.", "platform_error": { "message": "Busy" } } });
        let details = ["Applied: name.", "Not applied: status, budget.", "No response.", "Meta says: Busy"];
        assert_eq!(
            outcome("partly_applied", &parts),
            ("warn Partly applied".to_owned(), details.map(Into::into).into())
        );
    }

    #[test]
    fn an_open_outcome_says_what_comes_next() {
        assert_eq!(outcome("sending", &json!({})), ("plain On its way".to_owned(), Vec::new()));
        let read = vec!["The platform is read until it is known.".to_owned()];
        assert_eq!(outcome("unknown", &json!({})), ("warn Not known yet".to_owned(), read));
        let at = json!({ "apply_at": "2026-12-02T06:00:00Z" });
        let time = vec!["For 2 Dec 2026, 06:00\u{a0}UTC.".to_owned()];
        assert_eq!(outcome("scheduled", &at), ("plain Scheduled".to_owned(), time));
        assert_eq!(outcome("canceled", &at), ("plain Canceled".to_owned(), Vec::new()));
    }
}
