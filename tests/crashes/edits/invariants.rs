//! Invariants at the end of a run: the history matches the sandbox's books.

use super::books::{Values, Write};
use super::client::{Client, Edit, EditResponse, Sent};
use crate::crashes::events;
use crate::in_process::json_of;
use serde_json::Value;
use shared::store::table_keys;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Checks every invariant; violations are added to the client's history.
pub(super) async fn check(client: &Client) {
    let service = client.environment.start_without_faults();
    let due = client.environment.still_due(&[table_keys::DUE_CHANGE]);
    let path = format!("/v1/changes?campaign_id={}", client.campaign);
    let request = client.environment.request("GET", &path, None, "");
    let listed = json_of(campaigns::handle(Arc::clone(&service.app), request).await.body());
    let changes = listed["changes"].as_array().unwrap_or_else(|| panic!("{listed}")).clone();
    let changes = changes.into_iter().filter(|change| change["kind"] != "create").collect();
    let (sent, writes) = (client.sent(), client.environment.books.writes());
    let invariants = Invariants { client, changes, sent, writes, states: client.environment.books.states() };
    invariants.expect(due.is_empty(), || format!("still due: {due:?}"));
    invariants.every_write_has_a_request();
    for sent in &invariants.sent {
        invariants.no_write_is_repeated(sent);
        invariants.every_write_is_in_the_history(sent);
        if let Some(response) = &sent.response {
            invariants.response_is_true(sent, response);
        }
    }
    for change in &invariants.changes {
        invariants.change_is_true(change);
    }
    events::violations(&client.environment).await.into_iter().for_each(|violation| client.history.report(violation));
}

struct Invariants<'a> {
    client: &'a Client,
    /// The history of the campaign, without its create.
    changes: Vec<Value>,
    sent: Vec<Sent>,
    writes: Vec<Write>,
    /// The books at the beginning, and after each write.
    states: Vec<Values>,
}

impl Invariants<'_> {
    fn expect(&self, holds: bool, violation: impl FnOnce() -> String) {
        if !holds {
            self.client.history.report(format!("{}; the books: {:?}", violation(), self.states));
        }
    }

    /// Maintenance reads only.
    fn every_write_has_a_request(&self) {
        for write in &self.writes {
            let is_of_request = self.sent.iter().any(|sent| sent.process.name() == write.process);
            self.expect(is_of_request, || format!("a write of no request: {write:?}"));
        }
    }

    /// The numbers of a request's writes.
    fn writes_of(&self, sent: &Sent) -> Vec<usize> {
        (0..self.writes.len()).filter(|number| self.writes[*number].process == sent.process.name()).collect()
    }

    /// The requested fields that a request's own writes have changed to the requested value.
    fn changed_by(&self, sent: &Sent) -> BTreeSet<&'static str> {
        let is_changed = |number: usize, field: &str| {
            !sent.edit.holds(field, &self.states[number]) && sent.edit.holds(field, &self.states[number + 1])
        };
        let writes = self.writes_of(sent);
        sent.edit.fields().into_iter().filter(|field| writes.iter().any(|number| is_changed(*number, field))).collect()
    }

    /// The changes that a request has left, together with the others that have its key.
    fn changes_of(&self, sent: &Sent) -> Vec<&Value> {
        let is_attempt = |other: &&Sent| other.is_keyed && sent.is_keyed || other.request_id == sent.request_id;
        let attempts: Vec<&Sent> = self.sent.iter().filter(is_attempt).collect();
        let is_of_attempt =
            |change: &&Value| attempts.iter().any(|one| change["request_id"] == one.request_id.as_str());
        self.changes.iter().filter(is_of_attempt).collect()
    }

    /// The changes that a response names.
    fn changes_in(&self, response: &EditResponse) -> Vec<&Value> {
        let is_named = |change: &&Value| response.change_ids.iter().any(|id| change["id"] == id.as_str());
        self.changes.iter().filter(is_named).collect()
    }

    /// One request writes each field at most once.
    fn no_write_is_repeated(&self, sent: &Sent) {
        let writes = self.writes_of(sent);
        let calls: BTreeSet<&str> = writes.iter().map(|number| self.writes[*number].call.as_str()).collect();
        let is_once = calls.len() == writes.len() && writes.len() <= sent.edit.fields().len();
        self.expect(is_once, || format!("{} wrote more than once: {calls:?}", sent.process.name()));
    }

    /// What a request has changed at the platform, its change says.
    fn every_write_is_in_the_history(&self, sent: &Sent) {
        let mut changed = self.changed_by(sent);
        changed.retain(|field| !self.is_lost(sent, field));
        let told: BTreeSet<&str> =
            self.changes_of(sent).into_iter().flat_map(|change| applied(sent.edit, change)).collect();
        self.expect(changed.iter().all(|field| told.contains(field)), || {
            format!(
                "{} changed {changed:?}, and the history tells {told:?}: {:?}",
                sent.process.name(),
                self.changes_of(sent)
            )
        });
    }

    /// Whether a field of a request was overwritten by a request that has not read it before: that one crashed, too, or
    /// the platform applied it late. Nobody has seen the field then (docs/limits.md).
    fn is_lost(&self, sent: &Sent, field: &str) -> bool {
        let overwrites = |number: usize| {
            sent.edit.holds(field, &self.states[number]) && !sent.edit.holds(field, &self.states[number + 1])
        };
        let others = self.sent.iter().filter(|other| other.request_id != sent.request_id);
        others.filter(|other| self.writes_of(other).into_iter().any(overwrites)).any(|other| {
            let changes = self.changes_of(other);
            let has_seen = |change: &&Value| {
                let before = &change["before"];
                !before.is_null() && sent.edit.holds(field, &Values::of(before, "budget_amount"))
            };
            !changes.iter().any(has_seen)
        })
    }

    fn change_is_true(&self, change: &Value) {
        let Some(sent) = self.sent.iter().find(|sent| change["request_id"] == sent.request_id.as_str()) else {
            return self.expect(false, || format!("a change of no request: {change}"));
        };
        let expect = |holds: bool, what: &str| self.expect(holds, || format!("{what}: {change}"));
        let states = &self.states[sent.writes_before..];
        let held = |field: &str| states.iter().any(|values| sent.edit.holds(field, values));
        let applied = applied(sent.edit, change);
        match change["state"].as_str().expect("a state") {
            "applied" => {
                expect(sent.edit.fields().into_iter().all(held), "an applied field was never in the books");
            }
            "partly_applied" => {
                expect(
                    !applied.is_empty() && applied.iter().all(|field| held(field)),
                    "an applied field is not in the books",
                );
                expect(applied.len() < sent.edit.fields().len(), "partly applied, and nothing is missing");
            }
            "failed" => expect(!change["error"].is_null(), "a failure without an error"),
            _ => expect(false, "not final"),
        }
        self.values_are_true(sent, change);
    }

    /// The campaign before a change is as the books were between the request and its first write, and that after it as
    /// they were later.
    fn values_are_true(&self, sent: &Sent, change: &Value) {
        let first_write = self.writes_of(sent).first().copied().unwrap_or(self.writes.len());
        let told = |name: &str| (!change[name].is_null()).then(|| Values::of(&change[name], "budget_amount"));
        if let Some(before) = told("before") {
            // A later attempt under a key reads the campaign later.
            let last = if sent.is_keyed { self.states.len() - 1 } else { first_write };
            let is_true = self.states[sent.writes_before..=last].contains(&before);
            self.expect(is_true, || format!("before is wrong: {change}"));
        }
        if let Some(after) = told("after") {
            let is_true = self.states[sent.writes_before..].contains(&after);
            self.expect(is_true, || format!("after is wrong: {change}"));
            let is_complete = change["state"] != "applied" || sent.edit.is_complete(&after);
            self.expect(is_complete, || format!("after lacks an applied field: {change}"));
        }
    }

    fn response_is_true(&self, sent: &Sent, response: &EditResponse) {
        let expect = |holds: bool, what: &str| self.expect(holds, || format!("{what}: {response:?}"));
        let changes = if response.is_replay { self.changes_in(response) } else { self.changes_of(sent) };
        let ids: Vec<&str> = changes.iter().filter_map(|change| change["id"].as_str()).collect();
        // The store may have kept the record of a change of which nothing was sent.
        let is_kept = sent.met_store_fault() && response.change_ids.is_empty() && self.writes_of(sent).is_empty();
        // What an attempt has left to do, a later one does as another change.
        let is_attempt = sent.is_keyed && response.change_ids.iter().all(|id| ids.contains(&id.as_str()));
        expect(response.change_ids == ids || is_kept || is_attempt, &format!("the history has {changes:?}"));
        let is_in_books = self.states.iter().any(|values| sent.edit.is_complete(values));
        let is_removed = self.states.iter().any(|values| values.status == "REMOVED");
        if response.is_success() {
            expect(is_in_books, "a success that is not in the books");
            // The response has said so, but the store did not learn it, and the platform no longer shows it.
            let is_lost = sent.met_store_fault() && self.changed_by(sent).iter().any(|field| self.is_lost(sent, field));
            let is_applied = |change: &&&Value| change["state"] == "applied";
            let is_told = changes.iter().all(|change| is_applied(&change))
                || sent.is_keyed && changes.iter().any(|change| is_applied(&change));
            expect(is_lost || is_told, "a success that is not applied");
            expect(sent.edit == Edit::Removal || self.names_values(sent, response), "a response with other values");
        }
        expect(response.status != 404 || is_removed, "not found, and in the books");
        let responses = self.sent.iter().filter_map(|sent| sent.response.as_ref());
        let is_repeated = responses.filter(|other| !other.is_replay).any(|other| other.text == response.text);
        // A replay may be of a response that no client has received.
        let all_received = self.sent.iter().all(|sent| sent.response.is_some());
        expect(!response.is_replay || is_repeated || !all_received, "a replay of no earlier response");
        for field in response.fields_called_applied() {
            let is_held = self.states.iter().any(|values| sent.edit.holds(&field, values));
            expect(is_held, "a field called applied is not in the books");
        }
    }

    /// Whether the campaign in a response has the requested values.
    fn names_values(&self, sent: &Sent, response: &EditResponse) -> bool {
        let campaign = json_of(response.text.as_bytes());
        sent.edit.is_complete(&Values::of(&campaign, "budget_amount"))
    }
}

/// The fields that a change calls applied; the status for a removal.
fn applied(edit: Edit, change: &Value) -> Vec<&str> {
    if edit == Edit::Removal {
        return if change["state"] == "applied" { vec!["status"] } else { Vec::new() };
    }
    let fields = change["applied_fields"].as_array().into_iter().flatten().filter_map(Value::as_str);
    fields.filter(|field| *field != "budget_period").collect()
}
