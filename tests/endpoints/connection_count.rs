//! The number of connections, the records of their ids, and the number of authorizations in progress: exact under
//! concurrency.

use crate::world::{World, id_of};
use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::{join, join_all};
use shared::domain::Plan;

const CONNECTION: &str = "LINK#CONNECTION#";
const CONNECTION_ID: &str = "CONNECTION_ID#";
const GRANT: &str = "LINK#GRANT#";

/// The number that `getCustomer` shows.
async fn count(world: &World) -> u64 {
    let me = world.ask("GET", "/v1/customer/me").expect(200).await.json();
    me["connections_count"].as_u64().expect("a number")
}

#[tokio::test]
async fn the_connection_count_is_exact_under_concurrency() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    let all: Vec<&str> = accounts.iter().map(String::as_str).collect();
    world.connect("alpha_ads", &all).await;
    let ids: Vec<String> = world.connections().await.iter().map(id_of).collect();
    let remove = async |id: &str| {
        let response = world.ask("DELETE", &format!("/v1/connections/{id}")).send().await.expect("a response");
        u16::from(response.status)
    };
    let removals = ids.iter().flat_map(|id| [id, id]).map(|id| remove(id));
    let consents = all.iter().map(|account| world.connect("alpha_ads", std::slice::from_ref(account)));
    let (removals, _) = join(join_all(removals), join_all(consents)).await;
    assert!(removals.iter().all(|status| [204, 404, 409, 429].contains(status)), "{removals:?}");
    let connections = world.items(CONNECTION).await;
    assert_eq!(count(&world).await, connections.len() as u64);
    assert_eq!(world.items(CONNECTION_ID).await.len(), connections.len());
    for grant in world.items(GRANT).await {
        let id = &grant["grant_id"];
        let users = connections.iter().filter(|connection| connection["grant_id"] == *id).count();
        assert_eq!(grant["connections"], AttributeValue::N(users.to_string()), "{id:?}");
    }
}

#[tokio::test]
async fn no_more_authorizations_are_in_progress_than_the_plan_has_connections() {
    let world = World::start().await;
    world.set_plan(Plan::Starter).await;
    for _ in 0..3 {
        world.authorize("alpha_ads").await;
    }
    let refused = world.ask("GET", "/v1/connections/beta_ads/authorize").expect(429).await;
    let wait: u64 = refused.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
    assert!((1..=1_800).contains(&wait), "{wait}");
    assert!(refused.text.contains("3 authorizations in progress"), "{}", refused.text);
    let pending = id_of(&world.connections().await[0]);
    // Begins a new burst.
    world.set_plan(Plan::Starter).await;
    world.ask("DELETE", &format!("/v1/connections/{pending}")).expect(204).await;
    world.authorize("beta_ads").await;
}

#[tokio::test]
async fn the_bound_of_authorizations_in_progress_holds_under_concurrency() {
    let world = World::start().await;
    world.set_plan(Plan::Pro).await;
    let asked =
        join_all((0..50).map(|_| async {
            world.ask("GET", "/v1/connections/alpha_ads/authorize").send().await.expect("a response")
        }));
    let responses = asked.await;
    let statuses: Vec<u16> = responses.iter().map(|response| u16::from(response.status)).collect();
    assert!(statuses.iter().all(|status| [200, 429, 503, 504].contains(status)), "{statuses:?}");
    let begun = statuses.iter().filter(|status| **status == 200).count();
    let refused = responses.iter().filter(|response| response.text.contains("25 authorizations in progress")).count();
    // A machine that is busy with other things may not answer all of them in time. Where it does, 25 are refused.
    assert!(begun > 0 && refused <= 25, "{begun} begun, {refused} refused");
    let in_progress = world.connections().await.len();
    assert!((begun..=25).contains(&in_progress), "{in_progress} in progress, {begun} told");
    // Begins a new burst.
    world.set_plan(Plan::Pro).await;
    for _ in in_progress..25 {
        world.authorize("alpha_ads").await;
    }
    world.ask("GET", "/v1/connections/alpha_ads/authorize").expect(429).await;
}
