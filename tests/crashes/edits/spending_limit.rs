//! Updates and removals by a key with a spending limit, for a user with the same limit: the running budgets never exceed the
//! limits, and at the end of a run only they are reserved, with both.

use super::client::{Client, Edit};
use super::schedule::{EditPolicy, EditSchedule};
use super::writes;
use crate::crashes::environment::Environment;
use crate::crashes::events;
use crate::crashes::runs::{PAIRS, Runs, Scheduled, each};
use crate::in_process::faults::Fault;
use crate::in_process::json_of;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::spending::Spender;
use shared::domain::{CampaignId, ExternalRef, KeyId, Platform};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The user of the connection.
const USER: &str = "shop42";
/// What the key may run a day, and the user: what the largest update asks for, and less than [`Edit::Others`].
const DAILY: i64 = 60;
/// Requests that could run more together than each alone.
const FOLLOWED: [(Edit, Edit); 4] = [
    (Edit::Everything, Edit::Others),
    (Edit::Others, Edit::Status),
    (Edit::Status, Edit::Others),
    (Edit::Everything, Edit::Removal),
];

/// Makes a key with a limit, and maybe a rule for approval, and gives the user of the connection the same limit. The
/// environment's further requests are those of the key.
pub(super) async fn use_limited_key(environment: &mut Environment, approval: &Value) -> KeyId {
    let service = environment.start_without_faults();
    let request = environment.request("GET", "/v1/connections", None, "");
    let listed = json_of(connections::handle(Arc::clone(&service.app), request).await.body());
    let body = json!({"name": "Agent", "scopes": ["campaigns"], "spending_limit": {
        "connections": [listed["connections"][0]["id"]], "amounts": [{"currency": "USD", "daily": DAILY}],
        "approval": approval}});
    let connection = format!("/v1/connections/{}", listed["connections"][0]["id"].as_str().expect("an id"));
    let of_user = json!({"spending_limit": {"amounts": [{"currency": "USD", "daily": DAILY}]}});
    let user = format!("/v1/users/{USER}");
    let moved = json!({"external_ref": USER});
    for (method, path, body) in [("PATCH", &connection, moved), ("PUT", &user, of_user)] {
        let request = environment.request(method, path, None, &body.to_string());
        let set = connections::handle(Arc::clone(&service.app), request).await;
        assert_eq!(set.status(), 200, "{:?}", set.body());
    }
    let request = environment.request("POST", "/v1/api-keys", None, &body.to_string());
    let made = json_of(api_keys::handle(Arc::clone(&service.app), request).await.body());
    made["api_key"].as_str().unwrap_or_else(|| panic!("{made}")).clone_into(&mut environment.in_process.api_key);
    KeyId(made["id"].as_str().expect("an id").to_owned())
}

/// Checks the laws of the limit; violations are added to the client's history.
pub(super) async fn check(client: &Client, key: &KeyId) {
    let environment = &client.environment;
    let store = &environment.start_without_faults().app.store;
    let campaign = CampaignId::parse(&client.campaign).expect("a campaign");
    let spenders = [Spender::Key(key.clone()), Spender::User(ExternalRef::parse(USER).expect("a name"))];
    let state = store.spending_state(environment.customer, &spenders, Some(&campaign)).await.expect("a read");
    assert_eq!(state.spendings.as_slice().len(), 2, "a spending each: {state:?}");
    let states = client.environment.books.states();
    let expect = |holds: bool, what: &str| {
        if !holds {
            client.history.report(format!("{what}: {state:?}; the books: {states:?}"));
        }
    };
    let running = |values: &super::books::Values| if values.status == "ACTIVE" { values.budget } else { Decimal::ZERO };
    expect(states.iter().all(|values| running(values) <= Decimal::from(DAILY)), "more runs than the limit admits");
    expect(state.turn.change.is_none(), "a change has the turn still");
    events::violations(environment).await.iter().for_each(|violation| expect(false, violation));
    let last = states.last().map_or(Decimal::ZERO, running);
    // A part of an update counts until the day is over: the campaign may have run before it was read.
    let is_changed = states.iter().any(|values| *values != states[0]);
    for spending in state.spendings.iter() {
        let contribution = spending.contributions.get(&campaign);
        expect(contribution.is_none_or(|one| one.pending.is_none()), "a change is under way still");
        let daily = contribution.map_or(Decimal::ZERO, |one| one.daily);
        expect(daily >= last, "less counts than runs");
        let counted = contribution.map_or(Decimal::ZERO, |one| one.counted_daily(environment.now()));
        expect(is_changed || counted.is_zero(), "something counts, and nothing was applied");
    }
}

fn schedule(
    platform: Platform,
    (edit, next): (Edit, Edit),
    phase: u64,
    faults: &[BTreeMap<usize, Fault>],
) -> EditSchedule {
    let (policy, phase) = (EditPolicy::Continues(next), Duration::from_secs(phase));
    EditSchedule { platform, edit, policy, phase, faults: faults.to_vec(), is_limited: true, keeps_log: false }
}

/// Each fault at each point of a request, which another one follows at once; and after an unknown outcome each fault at
/// each point of the next process.
fn limited_on(platform: Platform) {
    Runs::of("points of a limited key", platform.as_str(), 1, |runs| {
        for edits in FOLLOWED {
            let base = runs.run(schedule(platform, edits, 1, &[BTreeMap::new()]));
            runs.points += base.points[0].len();
            for (point, fault) in each(&base.points[0]) {
                let faults = [BTreeMap::from([(point, fault)])];
                runs.run_in_rotation(|phase| schedule(platform, edits, phase, &faults));
            }
        }
    });
    Runs::of("points after a limited key's unknown outcome", platform.as_str(), PAIRS, |runs| {
        for edits in FOLLOWED {
            let base = schedule(platform, edits, 1, &[BTreeMap::new()]).run();
            for sent in writes(&base.points[0]) {
                let first = BTreeMap::from([(sent, Fault::KilledAfter)]);
                let clean = BTreeMap::new();
                let Some(base) = runs.begin(schedule(platform, edits, 1, &[first.clone(), clean])) else { continue };
                runs.points += base.points[1].len();
                for (point, fault) in each(&base.points[1]) {
                    let faults = [first.clone(), BTreeMap::from([(point, fault)])];
                    runs.run_in_rotation(|phase| schedule(platform, edits, phase, &faults));
                }
            }
        }
    });
}

/// The test of each platform.
macro_rules! limited {
    ($platform:expr) => {
        #[test]
        fn running_budgets_stay_within_the_limit_despite_crashes() {
            crate::crashes::edits::spending_limit::limited_on($platform);
        }
    };
}
use limited;

crate::platforms::each_platform! { limited }
