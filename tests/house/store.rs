//! Responses of the real store that the embedded engine never gives.

use crate::faults::fake_store::{self, StoreResponse};
use crate::world::World;
use shared::auth::ApiKey;
use shared::clock::Clock;
use shared::domain::{CustomerId, Plan, RedirectUri, RegisteredUri};
use shared::error::Kind;
use shared::store::{Registration, Store};
use std::sync::mpsc::Receiver;

const DONE: StoreResponse = ("200 OK", "{}");
/// A conflict of a transaction on the second item.
const IN_THE_WAY: StoreResponse = (
    "400 Bad Request",
    r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled",
        "CancellationReasons":[{"Code":"None"},{"Code":"TransactionConflict","Message":"Transaction is ongoing"}]}"#,
);
/// The same conflict for a single write.
const CONFLICT: StoreResponse = (
    "400 Bad Request",
    r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException",
        "message":"Transaction is ongoing for the item"}"#,
);

/// A store that gives these responses in order, and the requests to it.
fn telling(world: &World, responses: Vec<StoreResponse>) -> (Store, Receiver<String>) {
    let mut responses = responses.into_iter();
    let (endpoint, asked) = fake_store::start(move |_| responses.next());
    let mut aws = world.gateway.config.aws.clone();
    aws.dynamodb_endpoint = Some(endpoint);
    (Store::new(aws.dynamodb_client(), "table"), asked)
}

fn customer(world: &World) -> CustomerId {
    ApiKey::parse(&world.gateway.api_key).expect("a key").customer()
}

#[tokio::test]
async fn a_conflicting_transaction_is_retried_a_bounded_number_of_times() {
    let world = World::start().await;
    let uri = RedirectUri::parse("https://example.com/cb").expect("a URI");
    let registered = RegisteredUri { uri, created_at: Clock::system().now() };

    let (store, asked) = telling(&world, vec![IN_THE_WAY, IN_THE_WAY, DONE]);
    let done = store.register_redirect_uri(customer(&world), &registered).await.expect("an outcome");
    assert_eq!((done, asked.try_iter().count()), (Registration::Registered, 3));

    let (store, asked) = telling(&world, vec![IN_THE_WAY; 6]);
    let error = store.register_redirect_uri(customer(&world), &registered).await.expect_err("a refusal");
    assert_eq!((error.kind, error.retryable, asked.try_iter().count()), (Kind::RateLimited, true, 6));
    assert!(error.retry_after.is_some());
}

#[tokio::test]
async fn a_write_that_conflicts_with_a_transaction_is_retried() {
    let world = World::start().await;
    let (store, asked) = telling(&world, vec![CONFLICT, DONE]);
    assert!(store.set_disabled(customer(&world), true).await.expect("an outcome"));
    assert_eq!(asked.try_iter().count(), 2);
}

#[tokio::test]
async fn the_log_names_the_reason_of_a_store_failure_without_the_response() {
    let world = World::start().await;
    let refused = (
        "400 Bad Request",
        r#"{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"no table","x":"canary"}"#,
    );
    let (store, _asked) = telling(&world, vec![refused]);
    let error = store.set_plan(customer(&world), Plan::Pro, Clock::system().now()).await.expect_err("no table");
    let source = error.source.expect("a source").to_string();
    assert!(source.contains("ResourceNotFoundException: no table") && !source.contains("canary"), "{source}");
}
