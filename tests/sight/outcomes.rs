//! Outcomes for which the erasure of a user waits (D169): nothing is erased while money is open.

use super::erasure::ERASE;
use super::{Stage, draft};
use crate::in_process::engine::{Straight, client_over, operation};
use crate::in_process::network::Network;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use serde_json::{Value, json};
use shared::changes::continue_erasure;
use shared::domain::{Change, ChangeId, ExternalRef};
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, Instant, sleep};
use uuid::Uuid;

impl Stage {
    /// A create of which nobody learns what became of it until [`Stage::recover`].
    async fn create_in_doubt(&self, user: Option<&str>, body: &Value) {
        for (operation, fault, times) in [("create", "drop_after", 1), ("list", "error", 100_000)] {
            let fault =
                json!({"platform": "alpha_ads", "operation": operation, "fault": fault, "times": times, "ms": 1_000});
            self.world.control("POST", "faults", &fault).await;
        }
        let unknown = super::ask(&self.app, &self.world, user, "POST", "/v1/campaigns", body).await;
        assert!(unknown.status >= 500, "{unknown:?}");
    }

    async fn recover(&self) {
        self.world.control("POST", "reset", &json!({})).await;
    }

    /// Erases the first user without a pause, because nothing can be listed.
    async fn erase(&self) {
        let leaving = self.ask_for_all("DELETE", &format!("{ERASE}&leave_running=true"), &Value::Null).await;
        assert_eq!(leaving.body["erasure"]["state"], "closing", "{leaving:?}");
    }

    /// The erasure waits for one outcome.
    async fn waits(&self) {
        let waits = self.state().await.expect("a user that waits");
        let number = waits["waits_for"].as_array().map(Vec::len);
        assert_eq!((&waits["state"], number), (&json!("closing"), Some(1)), "{waits}");
    }

    /// The erasure ends once outcomes can be read again.
    async fn ends(&self) {
        self.recover().await;
        self.minutes(120).await;
        assert_eq!((self.state().await, self.left_of(&self.users[0])), (None, Vec::new()));
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_erased_while_an_outcome_is_unknown() {
    let stage = Stage::new().await;
    stage.create_in_doubt(Some(stage.users[0].name), &draft("In doubt")).await;
    stage.erase().await;
    stage.minutes(30).await;
    stage.waits().await;
    let connected = stage.ask("GET", "/v1/connections", &Value::Null).await;
    assert_eq!(connected.body["connections"].as_array().map(Vec::len), Some(2), "{connected:?}");
    stage.ends().await;
}

/// No index of the user has a change from before its ad account was the user's.
#[tokio::test(start_paused = true)]
async fn an_outcome_from_before_the_account_was_the_users_is_waited_for() {
    let stage = Stage::new().await;
    let listed = stage.ask("GET", "/v1/connections?platform=alpha_ads", &Value::Null).await;
    let id = listed.body["connections"][0]["id"].as_str().expect("an id").to_owned();
    let give = async |user: Value| {
        let update = json!({"external_ref": user});
        let given = stage.ask_for_all("PATCH", &format!("/v1/connections/{id}"), &update).await;
        assert_eq!(given.status, 200, "{given:?}");
    };
    give(Value::Null).await;
    let mut body = draft("Of nobody");
    body["connection_id"] = json!(id);
    stage.create_in_doubt(None, &body).await;
    give(json!(stage.users[0].name)).await;
    stage.erase().await;
    stage.minutes(30).await;
    stage.waits().await;
    stage.ends().await;
}

/// The table, and what is called: each operation with its index.
#[derive(Clone, Debug)]
struct Calls(Straight, Arc<Mutex<Vec<String>>>);

impl HttpConnector for Calls {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let body: Value = serde_json::from_slice(request.body().bytes().unwrap_or_default()).unwrap_or_default();
        let call = format!("{} {}", operation(&request), body["IndexName"].as_str().unwrap_or_default());
        self.1.lock().expect("the calls").push(call);
        self.0.call(request)
    }
}

/// What it costs does not grow with other users, nor with what the user has, of which each change is read once.
#[tokio::test(start_paused = true)]
async fn a_look_at_an_open_outcome_reads_nothing_but_that() {
    let stage = Stage::new().await;
    let (store, customer, own) = (&stage.app.store, stage.world.customer, &stage.users[0]);
    stage.create_in_doubt(Some(own.name), &draft("In doubt")).await;
    // More than a page, before the change in doubt.
    let waiting = store.change(customer, ChangeId::parse(&own.waiting).expect("an id")).await;
    let waiting = waiting.expect("a read").expect("a change");
    let now = stage.world.clock.now();
    for number in 0..150 {
        let id = ChangeId::new(now, Uuid::from_u128(7), number);
        store.schedule_change(&Change { id, ..waiting.clone() }, None, now).await.expect("a write");
    }
    stage.erase().await;
    stage.minutes(10).await;
    stage.waits().await;
    sleep(Duration::from_secs(61)).await;
    let calls = Arc::new(Mutex::new(Vec::new()));
    let table = client_over(Calls(Straight(stage.world.database.clone()), Arc::clone(&calls)));
    let app = Arc::new(stage.world.app(table, Arc::new(Network(stage.world.sandbox.clone()))));
    let user = ExternalRef::parse(own.name).expect("a name");
    let until = Instant::now() + Duration::from_secs(60);
    continue_erasure(&app, customer, &user, until).await.expect("a look");
    let calls = calls.lock().expect("the calls").clone();
    assert!(calls.contains(&"BatchGetItem ".to_owned()), "it looked: {calls:?}");
    let of_indexes: Vec<&String> = calls.iter().filter(|call| !call.ends_with(' ')).collect();
    assert!(of_indexes.is_empty(), "{calls:?}");
    stage.ends().await;
}
