use super::*;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use serde_json::{Value, json};

/// 1 is a plain account, 2 a manager of 1, 3 and others; 4 is closed, 5 disabled, 6 in gold, 7 forbidden, 11 a manager
/// that says it is closed.
fn world(request: &ReceivedRequest) -> ScriptedResponse {
    let customer = |id: &str, rest: Value| {
        let mut row = json!({"id": id, "descriptiveName": format!("c{id}"), "currencyCode": "EUR",
            "timeZone": "Europe/Berlin", "status": "ENABLED"});
        row.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        row
    };
    let one = |row: Value| ok(json!({"results": [{"customer": row}], "fieldMask": "x"}));
    let path = request.line.split(' ').nth(1).unwrap();
    let id = path.split('/').nth(3).unwrap_or_default();
    let of_clients = request.body["query"].as_str().is_some_and(|query| query.contains("FROM customer_client"));
    match id {
        "" => {
            let names = ["2", "1", "4", "5", "6", "7"].map(|id| format!("customers/{id}"));
            ok(json!({"resourceNames": names}))
        }
        "2" | "11" if of_clients => {
            let clients = [
                customer("3", json!({"currencyCode": "JPY", "timeZone": "Asia/Tokyo"})),
                customer("1", json!({})),
                customer("8", json!({"manager": true})),
                customer("9", json!({"hidden": true})),
                customer("10", json!({"status": "CLOSED"})),
            ];
            let rows = clients.map(|client| json!({"customerClient": client}));
            ok(json!({"results": rows}))
        }
        "2" => one(customer("2", json!({"manager": true}))),
        "11" => one(customer("11", json!({"manager": true, "status": "CLOSED"}))),
        "4" => one(customer("4", json!({"status": "CLOSED"}))),
        "5" => (403, include_str!("../fixtures/errors/customer-not-enabled.json").to_owned()),
        "6" => one(customer("6", json!({"currencyCode": "XAU"}))),
        "7" => (403, include_str!("../fixtures/errors/user-permission-denied.json").to_owned()),
        id => one(customer(id, json!({}))),
    }
}

async fn reached(
    response: impl FnMut(&ReceivedRequest) -> ScriptedResponse + Send + 'static,
) -> Result<Vec<AdAccount>, Error> {
    let session = Fake::new(response).session();
    accounts(&session.call, &session.token).await
}

#[tokio::test]
async fn managers_are_opened_up_and_what_cannot_hold_campaigns_is_left_out() {
    let found = reached(world).await.unwrap();
    let seen: Vec<(&str, Option<&str>)> =
        found.iter().map(|account| (account.id.as_str(), account.manager_id.as_deref())).collect();
    assert_eq!(seen, [("1", None), ("3", Some("2"))], "once each, directly where that is possible");
    assert_eq!((found[1].currency.code(), found[1].time_zone.as_str()), ("JPY", "Asia/Tokyo"));
    assert_eq!(found[0].name, "c1");
}

#[tokio::test]
async fn a_refusal_shows_when_it_leaves_nothing() {
    let error = reached(only(&["customers/7"])).await.unwrap_err();
    assert_eq!((error.kind, error.platform), (Kind::Forbidden, Some(Platform::Alpha)));
    assert_eq!(reached(only(&["customers/5"])).await.unwrap(), [], "a disabled account is none, and no error");
    assert_eq!(reached(only(&[])).await.unwrap(), []);
    let error = reached(only(&["customers/1;2"])).await.unwrap_err();
    assert_eq!(error.kind, Kind::PlatformFailed);
}

fn only(names: &'static [&'static str]) -> impl FnMut(&ReceivedRequest) -> ScriptedResponse {
    move |request: &ReceivedRequest| {
        let listed = request.line.contains("listAccessibleCustomers");
        if listed { ok(json!({"resourceNames": names})) } else { world(request) }
    }
}

#[tokio::test]
async fn a_manager_is_walked_whatever_its_status_says() {
    let found = reached(only(&["customers/11", "customers/4"])).await.unwrap();
    let seen: Vec<(&str, Option<&str>)> =
        found.iter().map(|account| (account.id.as_str(), account.manager_id.as_deref())).collect();
    assert_eq!(seen, [("1", Some("11")), ("3", Some("11"))], "closed clients stay out");
}

#[tokio::test]
async fn a_malformed_customer_costs_none_of_the_others() {
    let malformed = |request: &ReceivedRequest| {
        let of_clients = request.body["query"].as_str().is_some_and(|query| query.contains("FROM customer_client"));
        if !of_clients {
            return only(&["customers/2"])(request);
        }
        let plain = json!({"id": 3, "descriptiveName": 7, "currencyCode": "JPY", "status": "ENABLED", "manager": null});
        let manager = json!({"id": "8", "currencyCode": "JPY", "status": "ENABLED", "manager": "true"});
        let hidden = json!({"id": "9", "currencyCode": "JPY", "status": "ENABLED", "hidden": true});
        let nameless = json!({"currencyCode": "JPY", "status": "ENABLED"});
        let clients = [plain, manager, hidden, nameless, json!(7), json!(null)];
        let rows = clients.into_iter().map(|client| json!({"customerClient": client}));
        let rows: Vec<Value> = rows.chain([json!(null)]).collect();
        ok(json!({"results": rows}))
    };
    let found = reached(malformed).await.unwrap();
    let ids: Vec<&str> = found.iter().map(|account| account.id.as_str()).collect();
    assert_eq!(ids, ["3"]);
}

#[tokio::test]
async fn a_failure_at_one_customer_fails_the_call_so_that_none_is_forgotten() {
    let failing = |request: &ReceivedRequest| {
        if request.line.contains("/customers/4/") { (503, String::new()) } else { world(request) }
    };
    let error = reached(failing).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true));
    let expired = |_: &ReceivedRequest| (401, include_str!("../fixtures/errors/oauth-token-expired.json").to_owned());
    assert_eq!(reached(expired).await.unwrap_err().kind, Kind::TokenExpired);
}
