//! API calls.

use super::{CANCEL, SESSION, SUCCESS, error, form_with, text};
use crate::client::{TestServer, form};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sandbox::STRIPE_KEY;
use serde_json::{Value, json};

#[tokio::test]
async fn only_the_secret_key_authenticates() {
    let server = TestServer::new().await;
    let none = server.get("/stripe/v1/subscriptions").await;
    assert_eq!(none.status, 401);
    assert!(text(&error(&none)["message"]).starts_with("You did not provide an API key."));
    let wrong = [("authorization", "Bearer sk_test_some_other_key")];
    let wrong = server.send("GET", "/stripe/v1/subscriptions", &wrong, "").await.unwrap();
    assert_eq!(wrong.status, 401);
    assert_eq!(error(&wrong)["message"], "Invalid API Key provided: sk_test_**********_key");
    let basic = format!("Basic {}", STANDARD.encode(format!("{STRIPE_KEY}:")));
    let basic = server.send("GET", "/stripe/v1/subscriptions", &[("authorization", &basic)], "").await.unwrap();
    assert_eq!(basic.status, 200, "{}", basic.text);
}

#[tokio::test]
async fn every_response_names_its_request_and_version() {
    let server = TestServer::new().await;
    let usual = server.stripe("GET", "/subscriptions", "").await;
    assert!(usual.headers["request-id"].starts_with("req_"));
    assert_eq!(usual.headers["stripe-version"], "2026-10-28.endive");
    let older = [("stripe-version", "2025-03-31.basil")];
    let older = server.stripe_with("GET", "/subscriptions", "", &older).await.unwrap();
    assert_eq!((older.status, older.headers["stripe-version"].as_str()), (200, "2025-03-31.basil"));
    let invalid = server.stripe_with("GET", "/subscriptions", "", &[("stripe-version", "newest")]).await.unwrap();
    assert_eq!(invalid.status, 400);
    assert!(text(&error(&invalid)["message"]).contains("newest"));
}

#[tokio::test]
async fn a_session_is_open_until_it_is_paid() {
    let server = TestServer::new().await;
    let session = server.checkout(&[("customer_email", "pat@example.com")]).await;
    assert!(text(&session["id"]).starts_with("cs_test_") && text(&session["id"]).len() <= 66);
    assert_eq!(session["status"], "open");
    assert_eq!(session["payment_status"], "unpaid");
    assert_eq!((&session["subscription"], &session["customer"]), (&Value::Null, &Value::Null));
    assert_eq!(session["client_reference_id"], "cust-7");
    let url = text(&session["url"]).to_owned();
    assert_eq!(url, format!("{}/stripe/pay/{}", server.url(), text(&session["id"])));
    server.click(&url, &[("decision", "pay")]).await;
    let path = format!("/checkout/sessions/{}", text(&session["id"]));
    let paid = server.stripe("GET", &path, "").await.json();
    assert_eq!((&paid["status"], &paid["payment_status"]), (&json!("complete"), &json!("paid")));
    assert_eq!((&paid["url"], &paid["metadata"]["plan"]), (&Value::Null, &json!("pro")));
    let customer = server.stripe("GET", &format!("/customers/{}", text(&paid["customer"])), "").await.json();
    assert_eq!(customer["email"], "pat@example.com");
    let whole = server.stripe("GET", &format!("{path}?expand[]=subscription&expand[]=customer"), "").await.json();
    assert_eq!(whole["subscription"]["id"], paid["subscription"]);
    assert_eq!(whole["customer"]["id"], paid["customer"]);
}

#[tokio::test]
async fn a_period_is_a_month_and_on_the_item_only() {
    let server = TestServer::new().await;
    let subscription = server.buy().await;
    assert_eq!(subscription.get("current_period_end"), None);
    let item = &subscription["items"]["data"][0];
    assert_eq!(item["price"]["id"], "price_pro");
    assert_eq!(item["current_period_start"], subscription["created"]);
    let days = (item["current_period_end"].as_i64().unwrap() - item["current_period_start"].as_i64().unwrap()) / 86_400;
    assert!((28..=31).contains(&days), "{days}");
    assert_eq!(subscription["metadata"], json!({ "account": "cust-7" }));
}

#[tokio::test]
async fn an_invalid_session_names_its_parameter() {
    let server = TestServer::new().await;
    let customer = server.stripe("POST", "/customers", "").await.json();
    let customer = text(&customer["id"]);
    let long = "x".repeat(201);
    for (changes, code, param) in [
        (&[("odd", "1")][..], json!("parameter_unknown"), "odd"),
        (&[("line_items[0][amount]", "1")], json!("parameter_unknown"), "line_items[0][amount]"),
        (&[("mode", "-")], json!("parameter_missing"), "mode"),
        (&[("mode", "payment")], Value::Null, "mode"),
        (&[("ui_mode", "hosted")], Value::Null, "ui_mode"),
        (&[("success_url", "-")], json!("parameter_missing"), "success_url"),
        (&[("success_url", "back")], json!("url_invalid"), "success_url"),
        (&[("cancel_url", "")], json!("parameter_invalid_empty"), "cancel_url"),
        (&[("line_items[0][price]", "-")], json!("parameter_missing"), "line_items[0][price]"),
        (&[("line_items[0][price]", "price_x")], json!("resource_missing"), "line_items[0][price]"),
        (&[("line_items[0][quantity]", "-")], json!("parameter_missing"), "line_items[0][quantity]"),
        (&[("line_items[0][quantity]", "0")], Value::Null, "line_items[0][quantity]"),
        (&[("line_items[0][quantity]", "two")], json!("parameter_invalid_integer"), "line_items[0][quantity]"),
        (&[("customer", "cus_x")], json!("resource_missing"), "customer"),
        (&[("customer", customer), ("customer_email", "a@b.example")], Value::Null, "customer_email"),
        (&[("customer_email", "pat")], json!("email_invalid"), "customer_email"),
        (&[("expires_at", "100")], Value::Null, "expires_at"),
        (&[("allow_promotion_codes", "yes")], Value::Null, "allow_promotion_codes"),
        (&[("client_reference_id", &long)], Value::Null, "client_reference_id"),
        (&[("expand[0]", "invoice.lines")], Value::Null, "expand"),
    ] {
        let response = server.stripe("POST", "/checkout/sessions", &form_with(SESSION, changes)).await;
        assert_eq!(response.status, 400, "{changes:?}");
        let error = error(&response);
        assert_eq!((&error["code"], &error["param"]), (&code, &json!(param)), "{error}");
        assert_eq!(error["type"], "invalid_request_error");
    }
}

#[tokio::test]
async fn json_is_rejected_and_encoded_brackets_are_accepted() {
    let server = TestServer::new().await;
    let kind = [("authorization", &*format!("Bearer {STRIPE_KEY}")), ("content-type", "application/json")];
    let json = server.send("POST", "/stripe/v1/customers", &kind, "{\"email\":\"a@b.example\"}").await.unwrap();
    assert_eq!(json.status, 400);
    assert!(text(&error(&json)["message"]).contains("application/x-www-form-urlencoded"));
    let literal =
        "mode=subscription&line_items[0][price]=price_pro&line_items[0][quantity]=1&success_url=http://a.example";
    for body in [literal.to_owned(), literal.replace('[', "%5B").replace(']', "%5D")] {
        assert_eq!(server.stripe("POST", "/checkout/sessions", &body).await.status, 200, "{body}");
    }
}

#[tokio::test]
async fn unknown_ids_and_addresses_are_not_found() {
    let server = TestServer::new().await;
    for (path, what) in [
        ("/customers/cus_x", "customer"),
        ("/checkout/sessions/cs_x", "checkout.session"),
        ("/subscriptions/sub_x", "subscription"),
    ] {
        let response = server.stripe("GET", path, "").await;
        assert_eq!((response.status, error(&response)["code"].as_str()), (404, Some("resource_missing")));
        assert!(text(&error(&response)["message"]).contains(what));
    }
    let nowhere = server.stripe("GET", "/charges", "").await;
    assert_eq!(nowhere.status, 404);
    assert!(text(&error(&nowhere)["message"]).starts_with("Unrecognized request URL (GET: /v1/charges)"));
    let portal = server.stripe("POST", "/billing_portal/sessions", "customer=cus_x").await;
    assert_eq!((portal.status, error(&portal)["param"].as_str()), (400, Some("customer")));
    let portal = server.stripe("POST", "/billing_portal/sessions", "").await;
    assert_eq!(error(&portal)["code"], "parameter_missing");
}

#[tokio::test]
async fn a_deleted_customer_loses_its_subscriptions_and_buys_no_more() {
    let server = TestServer::new().await;
    let subscription = server.buy().await;
    let customer = text(&subscription["customer"]).to_owned();
    let path = format!("/customers/{customer}");
    let deleted = json!({ "id": customer, "object": "customer", "deleted": true });
    assert_eq!(server.stripe("DELETE", &path, "").await.json(), deleted);
    assert_eq!(server.stripe("GET", &path, "").await.json(), deleted, "its history stays");
    assert_eq!(server.stripe("DELETE", &path, "").await.status, 404);
    let listed = server.stripe("GET", &format!("/subscriptions?customer={customer}&status=all"), "").await.json();
    assert_eq!(listed["data"][0]["status"], "canceled");
    let portal = server.stripe("POST", "/billing_portal/sessions", &form(&[("customer", &customer)])).await;
    let session = [
        ("mode", "subscription"),
        ("line_items[0][price]", "price_pro"),
        ("line_items[0][quantity]", "1"),
        ("success_url", "https://example.com/"),
        ("customer", &customer),
    ];
    for refused in [portal, server.stripe("POST", "/checkout/sessions", &form(&session)).await] {
        let error = error(&refused);
        let (code, param) = (error["code"].as_str(), error["param"].as_str());
        assert_eq!((refused.status, code, param), (400, Some("resource_missing"), Some("customer")));
    }
}

#[tokio::test]
async fn subscriptions_are_listed_by_customer_and_status_in_pages() {
    let server = TestServer::new().await;
    let customer = server.stripe("POST", "/customers", &form(&[("email", "a@b.example")])).await.json();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let session = server.checkout(&[("customer", text(&customer["id"]))]).await;
        server.click(text(&session["url"]), &[("decision", "pay")]).await;
        let path = format!("/checkout/sessions/{}", text(&session["id"]));
        ids.insert(0, server.stripe("GET", &path, "").await.json()["subscription"].clone());
    }
    server.buy().await;
    let list = |query: String| {
        let path = format!("/subscriptions?customer={}&{query}", text(&customer["id"]));
        let server = &server;
        async move {
            let page = server.stripe("GET", &path, "").await.json();
            let ids: Vec<Value> = page["data"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect();
            (ids, page["has_more"].as_bool().unwrap())
        }
    };
    assert_eq!(list(String::new()).await, (ids.clone(), false));
    assert_eq!(list("limit=2".to_owned()).await, (ids[..2].to_vec(), true));
    assert_eq!(list(format!("limit=2&starting_after={}", text(&ids[1]))).await, (ids[2..].to_vec(), false));
    assert_eq!(list(format!("limit=1&ending_before={}", text(&ids[2]))).await, (ids[1..2].to_vec(), true));
    server.stripe("DELETE", &format!("/subscriptions/{}", text(&ids[0])), "").await;
    assert_eq!(list("status=active".to_owned()).await, (ids[1..].to_vec(), false));
    assert_eq!(list("status=canceled".to_owned()).await, (ids[..1].to_vec(), false));
    assert_eq!(list("status=all".to_owned()).await, (ids.clone(), false));
    assert_eq!(server.stripe("GET", "/subscriptions?status=odd", "").await.status, 400);
}

#[tokio::test]
async fn a_subscription_changes_its_price_by_item() {
    let server = TestServer::new().await;
    let subscription = server.buy().await;
    let path = format!("/subscriptions/{}", text(&subscription["id"]));
    let item = text(&subscription["items"]["data"][0]["id"]);
    let body = form(&[("items[0][id]", item), ("items[0][price]", "price_enterprise")]);
    let changed = server.stripe("POST", &path, &body).await.json();
    assert_eq!(changed["items"]["data"][0]["price"]["id"], "price_enterprise");
    assert_eq!(server.stripe("POST", &path, "items[0][price]=price_pro").await.status, 400);
    assert_eq!(server.stripe("POST", &path, "items[0][id]=si_x").await.status, 400);
    assert_eq!(server.stripe("POST", &path, "cancel_at_period_end=true").await.json()["cancel_at_period_end"], true);
}

#[tokio::test]
async fn customers_sessions_and_subscriptions_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(Some(folder.path())).await;
    let subscription = server.buy().await;
    let open = server.checkout(&[("success_url", SUCCESS), ("cancel_url", CANCEL)]).await;
    let again = TestServer::start(Some(folder.path())).await;
    assert_eq!(again.subscription(&subscription["id"]).await, subscription);
    assert_eq!(again.stripe("GET", &format!("/checkout/sessions/{}", text(&open["id"])), "").await.json(), open);
    assert!(again.get("/").await.text.contains(text(&subscription["id"])));
}
