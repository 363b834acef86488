//! A flood of any path stops neither the payment provider's webhooks nor maintenance, by the figures in
//! `template.yaml`.
//!
//! - API Gateway counts a request against its route's throttle first, then against the account's:
//!   <https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html>.
//! - A function with reserved concurrency can use exactly its reserve; all others share the rest. Ten requests a second
//!   for each unit of concurrency are the limit, however short they are:
//!   <https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html>.

use super::template::{self, GREEDY_PATH, TEMPLATE, default_of};
use webhooks::EVENT_TIMEOUT;

const WEBHOOK: &str = "POST /v1/billing/webhook";
const WEBHOOKS: &str = "WebhooksFunction";
const TOKEN: &str = "POST /v1/oauth2/token";
const REVOKE: &str = "POST /v1/oauth2/revoke";

/// Lambda's default limit of an account.
const ACCOUNT_CONCURRENCY: u64 = 1_000;
/// Requests a second for each unit of concurrency.
const RATE_PER_CONCURRENCY: u64 = 10;
/// API Gateway's default limit of an account, in requests a second.
const ACCOUNT_RATE: u64 = 10_000;

/// Two events a second are 172,800 a day.
const EVENTS_PER_S: u64 = 2;
/// A forged event costs a millisecond of CPU, which takes 15 at 128 MB: `MemorySize` in `template.yaml`.
const FORGED_MS: u64 = 15;
/// Time in which a request waits for a platform: docs/costs.md.
const REQUEST_MS: u64 = 1_500;

/// The reserved concurrency of a function.
fn reserve(function: &str) -> Option<u64> {
    let lines = template::resources()[function].join("\n");
    number_after(&lines, "ReservedConcurrentExecutions: !If [ReservesConcurrency, ")
}

/// The throttle of a route of its own, in requests a second, and its burst.
fn throttle(route: &str) -> (u64, u64) {
    let (_, settings) = TEMPLATE.split_once(&format!("\"{route}\": {{ ")).expect("a throttle");
    let value = |name: &str| number_after(settings, &format!("{name}: ")).expect("a number");
    (value("ThrottlingRateLimit"), value("ThrottlingBurstLimit"))
}

fn number_after(text: &str, prefix: &str) -> Option<u64> {
    text.split_once(prefix)?.1.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The concurrency that functions without a reserve share.
fn unreserved() -> u64 {
    let resources = template::resources();
    ACCOUNT_CONCURRENCY - resources.keys().filter_map(|name| reserve(name)).sum::<u64>()
}

#[test]
fn webhooks_share_no_concurrency_and_no_throttle_with_another_path() {
    let routes = template::routes();
    let of_webhooks: Vec<_> = routes.iter().filter(|route| route.function == WEBHOOKS).collect();
    assert_eq!(of_webhooks.len(), 1, "{of_webhooks:?}");
    assert_eq!(format!("{} {}", of_webhooks[0].method, of_webhooks[0].path), WEBHOOK);
    let reserve = reserve(WEBHOOKS).expect("a reserve");
    let (rate, burst) = throttle(WEBHOOK);
    assert!(rate.max(burst) <= reserve * RATE_PER_CONCURRENCY, "Lambda would refuse what API Gateway admits");
    let longest = EVENTS_PER_S * EVENT_TIMEOUT.as_secs();
    assert!(longest <= reserve, "{longest} events that take as long as they may do not fit into {reserve} processes");
}

#[test]
fn forged_events_up_to_the_routes_throttle_leave_room_for_real_ones() {
    let forged = (throttle(WEBHOOK).0 * FORGED_MS).div_ceil(1_000);
    let real = EVENTS_PER_S * EVENT_TIMEOUT.as_secs();
    assert!(forged + real <= reserve(WEBHOOKS).expect("a reserve"), "{forged} forged and {real} real events");
}

#[test]
fn maintenance_has_a_process_for_every_run_that_may_overlap() {
    let lines = template::resources()["MaintenanceFunction"].join("\n");
    assert!(lines.contains("ScheduleExpression: rate(1 minute)"), "{lines}");
    let timeout = number_after(&lines, "\n      Timeout: ").expect("a timeout");
    assert!(reserve("MaintenanceFunction").expect("a reserve") >= timeout.div_ceil(60));
    assert!(template::routes().iter().all(|route| route.function != "MaintenanceFunction"), "no caller reaches it");
}

#[test]
fn a_flood_of_one_path_fits_into_the_account() {
    let rate: u64 = default_of("ThrottlingRateLimit").parse().expect("a number");
    assert!(rate * REQUEST_MS / 1_000 <= unreserved(), "a steady flood takes all that functions share");
    let all = rate + throttle(WEBHOOK).0 + throttle(&format!("ANY {GREEDY_PATH}")).0;
    assert!(all <= ACCOUNT_RATE, "one flooded route takes what API Gateway admits to others");
}

#[test]
fn tokens_of_assistants_fit_into_their_reserve() {
    let tokens = [TOKEN, REVOKE].map(throttle);
    let lambda = reserve("AssistantsFunction").expect("a reserve") * RATE_PER_CONCURRENCY;
    let (rate, burst) = tokens.iter().fold((0, 0), |(rates, bursts), (rate, burst)| (rates + rate, bursts + burst));
    assert!(rate.max(burst) <= lambda, "{rate} a second, {burst} at once, of {lambda}");
    let routes = template::routes();
    let own = routes.iter().filter(|route| route.function == "AssistantsFunction");
    let own: Vec<String> = own.map(|route| format!("{} {}", route.method, route.path)).collect();
    let all = [TOKEN, REVOKE].map(|post| [post.to_owned(), post.replace("POST", "OPTIONS")]).concat();
    assert_eq!(own, all, "no other path takes its processes");
}

#[test]
fn unknown_paths_leave_half_of_their_function_to_the_usage_log() {
    let (rate, burst) = throttle(&format!("ANY {GREEDY_PATH}"));
    let lambda = reserve("UsageLogsFunction").expect("a reserve") * RATE_PER_CONCURRENCY;
    assert!(rate.max(burst) <= lambda / 2, "{rate} a second, {burst} at once, of {lambda}");
    assert!(reserve("DocsFunction").is_some(), "a flood of unknown paths outside /v1 has no limit");
}

#[test]
fn registrations_leave_three_quarters_of_their_function() {
    let (rate, burst) = throttle("POST /v1/oauth2/register");
    let lambda = reserve("DocsFunction").expect("a reserve") * RATE_PER_CONCURRENCY;
    assert!(rate.max(burst) <= lambda / 4, "{rate} a second, {burst} at once, of {lambda}");
}
