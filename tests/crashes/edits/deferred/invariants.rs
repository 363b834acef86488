//! Invariants at the end of a run of a scheduled or bulk change.

use super::super::books::{Values, Write};
use super::super::client::{Client, Edit};
use super::schedule::{Received, Request};
use crate::crashes::environment::Environment;
use crate::in_process::json_of;
use serde_json::Value;
use shared::store::table_keys;
use std::sync::Arc;

/// Whether nothing is due any more.
pub(in crate::crashes::edits) fn is_settled(environment: &Environment) -> bool {
    environment.still_due(&[table_keys::DUE_CHANGE, table_keys::DUE_SCHEDULED, table_keys::DUE_BULK]).is_empty()
}

/// What the client has seen.
pub(super) struct Seen<'a> {
    pub(super) received: &'a [Option<Received>],
    /// The response to the request that cancels the change.
    pub(super) canceled: Option<Received>,
    /// The change that the request undoes: it was applied before.
    pub(super) undone: Option<&'a str>,
}

/// Checks every invariant; violations are added to the client's history.
pub(super) async fn check(client: &Client, request: Request, may_be_refused: bool, seen: Seen<'_>) {
    let Seen { received, canceled, undone } = seen;
    let environment = &client.environment;
    let listed = get(client, &format!("/v1/changes?campaign_id={}", client.campaign)).await;
    let changes = listed["changes"].as_array().unwrap_or_else(|| panic!("{listed}"));
    let is_own = |change: &&Value| change["kind"] != "create" && change["id"].as_str() != undone;
    let changes: Vec<Value> = changes.iter().filter(is_own).cloned().collect();
    let (writes, states) = (environment.books.writes(), environment.books.states());
    let invariants = Invariants { client, edit: request.edit(), changes, writes, states };
    invariants.expect(is_settled(environment), || "something is still due".to_owned());
    invariants.each_write_is_made_once();
    invariants.the_change_is_true(request, may_be_refused);
    for received in received.iter().flatten() {
        invariants.response_is_true(request, received);
    }
    if let Some(canceled) = canceled {
        let is_canceled = invariants.changes.iter().any(|change| change["state"] == "canceled");
        invariants.expect((canceled.status == 200) == is_canceled, || format!("wrongly canceled: {canceled:?}"));
    }
    let success = received.iter().flatten().find(|received| received.is_success());
    if let Some(bulk) = success.and_then(|received| received.body["bulk_id"].as_str()) {
        let told = get(client, &format!("/v1/campaigns/status/{bulk}")).await;
        let is_named = |change: &Value| told["accounts"][0]["changes"][0]["id"] == change["id"];
        let is_true = told["settled"] == true && invariants.changes.iter().all(is_named);
        invariants.expect(is_true, || format!("the bulk change is not settled: {told}"));
    }
}

/// The body of a read without faults.
async fn get(client: &Client, path: &str) -> Value {
    let service = client.environment.start_without_faults();
    let request = client.environment.request("GET", path, None, "");
    json_of(campaigns::handle(Arc::clone(&service.app), request).await.body())
}

struct Invariants<'a> {
    client: &'a Client,
    edit: Edit,
    /// The history of the campaign, without its create.
    changes: Vec<Value>,
    writes: Vec<Write>,
    /// The books at the beginning, and after each write.
    states: Vec<Values>,
}

impl Invariants<'_> {
    fn expect(&self, holds: bool, violation: impl FnOnce() -> String) {
        if !holds {
            let Invariants { changes, writes, .. } = self;
            self.client.history.report(format!("{}; the changes: {changes:?}; the writes: {writes:?}", violation()));
        }
    }

    /// Each write changes the books: none repeats what the platform has.
    fn each_write_is_made_once(&self) {
        for (write, states) in self.writes.iter().zip(self.states.windows(2)) {
            self.expect(states[0] != states[1], || format!("a write that changes nothing: {write:?}"));
        }
    }

    /// One change at most. It is applied, and the books have it; or it was canceled, refused or never stored, and they do
    /// not.
    fn the_change_is_true(&self, request: Request, may_be_refused: bool) {
        let change = match self.changes.as_slice() {
            [] => return self.expect(self.writes.is_empty(), || "writes without a change".to_owned()),
            [change] => change,
            _ => return self.expect(false, || "more than one change".to_owned()),
        };
        let (first, last) = (&self.states[0], &self.states[self.writes.len()]);
        let told = |name: &str| (!change[name].is_null()).then(|| Values::of(&change[name], "budget_amount"));
        match change["state"].as_str() {
            Some("canceled") => return self.expect(self.writes.is_empty(), || "canceled, and written".to_owned()),
            Some("failed") if may_be_refused => {
                self.expect(first == last && !change["error"].is_null(), || "refused, and written".to_owned());
            }
            Some("partly_applied") if may_be_refused => {
                let is_part = first != last && !self.edit.is_complete(last) && !change["error"].is_null();
                self.expect(is_part, || "partly refused, and not in the books".to_owned());
            }
            Some("applied") => self.expect(self.edit.is_complete(last), || "applied, and not in the books".to_owned()),
            _ => self.expect(false, || "not applied".to_owned()),
        }
        self.expect(told("before").is_none_or(|before| before == *first), || "before is wrong".to_owned());
        // A campaign that is gone has no values.
        self.expect(told("after").is_none_or(|after| after == *last), || "after is wrong".to_owned());
        let executor = if request.is_bulk() { "bulk" } else { "schedule" };
        self.expect(change["executed_by"] == executor, || "executed by another".to_owned());
    }

    /// A success names the change.
    fn response_is_true(&self, request: Request, received: &Received) {
        if !received.is_success() {
            return;
        }
        let named = match request {
            Request::Bulk | Request::Budgets | Request::Undo => &received.body["changes"][0],
            Request::Scheduled(_) => &received.body["id"],
        };
        let is_found = self.changes.iter().any(|change| change["id"] == *named);
        // Maintenance has read the account of a bulk change, and its response names none of the changes.
        let is_later = request.is_bulk() && named.is_null();
        self.expect(is_found || is_later, || format!("a success of no change: {received:?}"));
    }
}
