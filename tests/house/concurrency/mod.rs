//! A flood of any path stops neither the payment provider's webhooks nor maintenance: a simulation of the limits in
//! `template.yaml` under AWS's rules, in virtual time. Every flooding request arrives before the others of its
//! millisecond, and holds its function for as long as the function's timeout allows.

mod aws;
mod deployment;

use super::template::{DASHBOARD_PATHS, GREEDY_PATH};
use aws::{Account, RATE_PER_CONCURRENCY};
use deployment::{DEFAULT_ROUTE, Deployment};
use shared::routes::ROUTES;
use webhooks::EVENT_TIMEOUT;

const WEBHOOK: &str = "POST /v1/billing/webhook";
const MAINTENANCE: &str = "MaintenanceFunction";

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
/// A run of maintenance may last five minutes, so the sixth minute is like every later one.
const FLOOD: u64 = 7 * MINUTE;
/// Requests in a millisecond: five times what API Gateway admits to all APIs of an account.
const FLOOD_RATE: u64 = 50;
/// Two events a second are 172,800 a day.
const EVENT_INTERVAL: u64 = SECOND / 2;
/// An event with a changed subscription: docs/costs.md.
const EVENT_DURATION: u64 = 500;
/// A forged event costs a millisecond of CPU, which takes 15 at 128 MB: `MemorySize` in `template.yaml`.
const FORGED_DURATION: u64 = 15;
/// Waits before the provider delivers an event again. It promises three days with exponential backoff, and no intervals;
/// these end after 63 hours.
const RETRY_WAITS: [u64; 6] = [HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR, 32 * HOUR];

/// Refused requests during a flood.
#[derive(Debug, Default, PartialEq, Eq)]
struct Refused {
    events: u64,
    maintenance: u64,
}

/// The requests of a flood: their route, their number in a millisecond, and the duration of each.
struct Flood<'a> {
    route: &'a str,
    per_ms: u64,
    duration: u64,
}

fn deployed() -> Deployment {
    Deployment::read()
}

/// Floods a route while events and maintenance arrive at their normal rate.
fn simulate(deployment: &Deployment, flood: &Flood<'_>, event_duration: u64) -> Refused {
    let mut account = Account::new(deployment);
    let (flooded, webhook) = (Account::path(deployment, flood.route), Account::path(deployment, WEBHOOK));
    let mut refused = Refused::default();
    for now in 0..FLOOD {
        account.request(flooded, now, flood.per_ms, flood.duration);
        if now % EVENT_INTERVAL == 0 && account.request(webhook, now, 1, event_duration) == 0 {
            refused.events += 1;
        }
        if now % MINUTE == 0 && !account.invoke(deployment, MAINTENANCE, now) {
            refused.maintenance += 1;
        }
    }
    refused
}

/// Floods a route with requests that last as long as they may; every event lasts as long as it may, too.
fn flood(deployment: &Deployment, route: &str) -> Refused {
    let (per_ms, duration) = (FLOOD_RATE, deployment.limits_of(route).timeout_ms);
    let longest_event = u64::try_from(EVENT_TIMEOUT.as_millis()).expect("a duration");
    simulate(deployment, &Flood { route, per_ms, duration }, longest_event)
}

#[test]
fn a_flood_of_another_path_stops_no_webhook_and_no_maintenance() {
    let deployment = deployed();
    let unrouted = [DEFAULT_ROUTE.to_owned(), format!("ANY {GREEDY_PATH}")];
    let routes = ROUTES.iter().map(|route| format!("{} {}", route.method, route.path)).chain(unrouted);
    let routes = routes.chain(DASHBOARD_PATHS.map(|path| format!("ANY {path}")));
    let routes: Vec<String> = routes.filter(|route| route != WEBHOOK).collect();
    assert_eq!(routes.len() + 1, deployment.routes.len());
    for route in routes {
        assert_eq!(flood(&deployment, &route), Refused::default(), "{route}");
    }
}

#[test]
fn without_the_reserves_a_flood_stops_webhooks_and_maintenance() {
    let without = |function: &str| {
        let mut deployment = deployed();
        deployment.functions.get_mut(function).expect("a function").reserve = None;
        flood(&deployment, "GET /v1/billing/return")
    };
    let refused = without("WebhooksFunction");
    assert!(refused.events > 100 && refused.maintenance == 0, "{refused:?}");
    let refused = without(MAINTENANCE);
    assert!(refused.maintenance > 1 && refused.events == 0, "{refused:?}");

    // One function for all of billing, with and without the reserve.
    for reserve in [Some(20), None] {
        let mut deployment = deployed();
        deployment.routes.insert(WEBHOOK.to_owned(), "BillingFunction".to_owned());
        deployment.functions.get_mut("BillingFunction").expect("a function").reserve = reserve;
        let refused = flood(&deployment, "GET /v1/billing/return");
        assert!(refused.events > 100, "{reserve:?}: {refused:?}");
    }
}

#[test]
fn forged_events_up_to_the_routes_throttle_stop_no_webhook() {
    let deployment = deployed();
    let (throttle, reserve) =
        (deployment.throttles[WEBHOOK], deployment.limits_of(WEBHOOK).reserve.expect("a reserve"));
    assert!(throttle.rate <= reserve * RATE_PER_CONCURRENCY, "Lambda would refuse what API Gateway lets in");
    let forged = throttle.rate * FORGED_DURATION / SECOND;
    let real = EVENT_DURATION / EVENT_INTERVAL + 1;
    assert!(forged + real <= reserve, "{forged} forged and {real} real events do not fit into {reserve} processes");

    // A fifth of the throttle is left to the provider.
    let (mut account, path) = (Account::new(&deployment), Account::path(&deployment, WEBHOOK));
    let interval = SECOND * 5 / (throttle.rate * 4);
    let mut refused = 0;
    for now in 0..FLOOD {
        if now % interval == 0 {
            account.request(path, now, 1, FORGED_DURATION);
        }
        refused += u64::from(now % EVENT_INTERVAL == 0 && account.request(path, now, 1, EVENT_DURATION) == 0);
    }
    assert_eq!(refused, 0);
}

#[test]
fn a_larger_flood_of_forged_events_stops_nothing_else() {
    let deployment = deployed();
    let flood = Flood { route: WEBHOOK, per_ms: FLOOD_RATE, duration: FORGED_DURATION };
    let refused = simulate(&deployment, &flood, EVENT_DURATION);
    assert_eq!(refused.maintenance, 0);

    let mut account = Account::new(&deployment);
    let (webhook, other) = (Account::path(&deployment, WEBHOOK), Account::path(&deployment, "GET /v1/campaigns"));
    for now in 0..FLOOD {
        account.request(webhook, now, flood.per_ms, flood.duration);
        assert_eq!(account.request(other, now, u64::from(now % 10 == 0), SECOND), u64::from(now % 10 == 0), "{now} ms");
    }
}

#[test]
fn after_a_flood_of_forged_events_the_providers_retries_deliver_all() {
    let deployment = deployed();
    for flood in [MINUTE, 10 * HOUR, 30 * HOUR] {
        let mut attempts: Vec<u64> = Vec::new();
        for sent in (0..flood).step_by(usize::try_from(EVENT_INTERVAL).expect("an interval")) {
            // The flood refuses every attempt that it can.
            let mut times = RETRY_WAITS.iter().scan(sent, |at, wait| {
                *at += wait;
                Some(*at)
            });
            attempts.push(times.find(|at| *at >= flood).expect("an attempt after the flood"));
        }
        attempts.sort_unstable();
        let mut account = Account::new(&deployment);
        let path = Account::path(&deployment, WEBHOOK);
        let refused = attempts.iter().filter(|at| account.request(path, **at, 1, EVENT_DURATION) == 0).count();
        assert_eq!(refused, 0, "of {} events after {} h", attempts.len(), flood / HOUR);
    }
}
