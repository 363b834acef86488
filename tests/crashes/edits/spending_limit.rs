//! Updates and removals for a user with a spending limit, by a key with one and by a key without: the running budgets never
//! exceed the smaller limit, and at the end of a run only they are reserved, with each that has one.

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
/// What may run a day: what the largest update asks for, and less than [`Edit::Others`].
const DAILY: i64 = 60;
/// A limit with room for every request.
const WIDE: i64 = 1_000;
/// Requests that could run more together than each alone.
const FOLLOWED: [(Edit, Edit); 4] = [
    (Edit::Everything, Edit::Others),
    (Edit::Others, Edit::Status),
    (Edit::Status, Edit::Others),
    (Edit::Everything, Edit::Removal),
];

/// Who has a limit in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limited {
    Nobody,
    /// The user of the connection; the key of the client has none.
    User,
    /// The key of the client and the user, both the same.
    KeyAndUser,
    /// Both, and that of the user decides.
    WideKeyAndUser,
    /// Both, and that of the key decides.
    KeyAndWideUser,
}

impl Limited {
    fn daily_of_key(self) -> Option<i64> {
        match self {
            Limited::Nobody | Limited::User => None,
            Limited::KeyAndUser | Limited::KeyAndWideUser => Some(DAILY),
            Limited::WideKeyAndUser => Some(WIDE),
        }
    }

    fn daily_of_user(self) -> Option<i64> {
        match self {
            Limited::Nobody => None,
            Limited::User | Limited::KeyAndUser | Limited::WideKeyAndUser => Some(DAILY),
            Limited::KeyAndWideUser => Some(WIDE),
        }
    }
}

/// Gives the user of the connection its limit, and makes the key with a limit, with a rule for approval that may be null.
/// The environment's further requests are those of that key.
pub(super) async fn set_limits(environment: &mut Environment, limited: Limited, approval: &Value) -> Option<KeyId> {
    let daily = limited.daily_of_user()?;
    let service = environment.start_without_faults();
    let request = environment.request("GET", "/v1/connections", None, "");
    let listed = json_of(connections::handle(Arc::clone(&service.app), request).await.body());
    let id = &listed["connections"][0]["id"];
    let connection = format!("/v1/connections/{}", id.as_str().expect("an id"));
    let of_user = json!({"spending_limit": {"amounts": [{"currency": "USD", "daily": daily}]}});
    let user = format!("/v1/users/{USER}");
    let moved = json!({"external_ref": USER});
    for (method, path, body) in [("PATCH", &connection, moved), ("PUT", &user, of_user)] {
        let request = environment.request(method, path, None, &body.to_string());
        let set = connections::handle(Arc::clone(&service.app), request).await;
        assert_eq!(set.status(), 200, "{:?}", set.body());
    }
    let daily = limited.daily_of_key()?;
    let body = json!({"name": "Agent", "scopes": ["campaigns"], "spending_limit": {
        "connections": [id], "amounts": [{"currency": "USD", "daily": daily}], "approval": approval}});
    let request = environment.request("POST", "/v1/api-keys", None, &body.to_string());
    let made = json_of(api_keys::handle(Arc::clone(&service.app), request).await.body());
    made["api_key"].as_str().unwrap_or_else(|| panic!("{made}")).clone_into(&mut environment.in_process.api_key);
    Some(KeyId(made["id"].as_str().expect("an id").to_owned()))
}

/// Checks the laws of the limit of the user, and of that of the key if it has one; violations are added to the client's
/// history.
pub(super) async fn check(client: &Client, key: Option<&KeyId>) {
    let environment = &client.environment;
    let store = &environment.start_without_faults().app.store;
    let campaign = CampaignId::parse(&client.campaign).expect("a campaign");
    let of_user = Spender::User(ExternalRef::parse(USER).expect("a name"));
    let spenders: Vec<Spender> = key.cloned().map(Spender::Key).into_iter().chain([of_user]).collect();
    let state = store.spending_state(environment.customer, &spenders, Some(&campaign)).await.expect("a read");
    assert_eq!(state.spendings.as_slice().len(), spenders.len(), "a spending each: {state:?}");
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
    limited: Limited,
    (edit, next): (Edit, Edit),
    phase: u64,
    faults: &[BTreeMap<usize, Fault>],
) -> EditSchedule {
    let (policy, phase) = (EditPolicy::Continues(next), Duration::from_secs(phase));
    EditSchedule { platform, edit, policy, phase, faults: faults.to_vec(), limited, keeps_log: false }
}

/// Each fault at each point of a request, which another one follows at once.
fn each_point(platform: Platform, limited: Limited) {
    Runs::of(&format!("points of a limit, {limited:?}"), platform.as_str(), 1, |runs| {
        for edits in FOLLOWED {
            let base = runs.run(schedule(platform, limited, edits, 1, &[BTreeMap::new()]));
            runs.points += base.points[0].len();
            for (point, fault) in each(&base.points[0]) {
                let faults = [BTreeMap::from([(point, fault)])];
                runs.run_in_rotation(|phase| schedule(platform, limited, edits, phase, &faults));
            }
        }
    });
}

/// The same, and after an unknown outcome each fault at each point of the next process.
fn limited_on(platform: Platform, limited: Limited) {
    each_point(platform, limited);
    Runs::of(&format!("points after a limit's unknown outcome, {limited:?}"), platform.as_str(), PAIRS, |runs| {
        for edits in FOLLOWED {
            let base = schedule(platform, limited, edits, 1, &[BTreeMap::new()]).run();
            for sent in writes(&base.points[0]) {
                let first = BTreeMap::from([(sent, Fault::KilledAfter)]);
                let both = [first.clone(), BTreeMap::new()];
                let Some(base) = runs.begin(schedule(platform, limited, edits, 1, &both)) else { continue };
                runs.points += base.points[1].len();
                for (point, fault) in each(&base.points[1]) {
                    let faults = [first.clone(), BTreeMap::from([(point, fault)])];
                    runs.run_in_rotation(|phase| schedule(platform, limited, edits, phase, &faults));
                }
            }
        }
    });
}

/// Limits of a key and of a user of which one has room for everything.
fn smaller_on(platform: Platform) {
    [Limited::WideKeyAndUser, Limited::KeyAndWideUser].into_iter().for_each(|limited| each_point(platform, limited));
}

/// The tests of each platform.
macro_rules! limited {
    ($platform:expr) => {
        use crate::crashes::edits::spending_limit::{Limited, limited_on, smaller_on};

        #[test]
        fn running_budgets_stay_within_the_limits_despite_crashes() {
            limited_on($platform, Limited::KeyAndUser);
        }

        #[test]
        fn the_limit_of_a_user_holds_for_a_key_without_one_despite_crashes() {
            limited_on($platform, Limited::User);
        }

        #[test]
        fn the_smaller_of_two_limits_holds_despite_crashes() {
            smaller_on($platform);
        }
    };
}
use limited;

crate::platforms::each_platform! { limited }
