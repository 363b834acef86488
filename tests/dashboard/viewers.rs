//! People who only look: every action, every page that is a form, and every endpoint that changes something refuses them.

use super::browser::{Browser, Site};
use super::team::{ADA, BOB, INVITE, REMOVE, SETTINGS};
use crate::in_process::engine::items;
use crate::in_process::respond;
use http::StatusCode;
use lambda_http::{Body, Request};
use serde_json::Value;
use shared::auth::{Mode, SessionCaller};
use shared::domain::{KeyId, Role};
use shared::routes::{Authentication, Endpoint, ROUTES, Route};
use std::collections::BTreeMap;

const CYD: &str = "cyd@example.com";
/// What everybody may do: begin and end a session, and keep views of their own.
const OPEN: [&str; 3] = ["/dashboard/sign-in", "/dashboard/sign-out", "/dashboard/campaigns/views"];
/// The pages that are only forms, or lead to one.
const FORMS: [&str; 8] = [
    "/dashboard/agents/limit",
    "/dashboard/campaigns/change/preview",
    "/dashboard/campaigns/many",
    "/dashboard/campaigns/new",
    "/dashboard/campaigns/pause-all",
    "/dashboard/campaigns/preview",
    "/dashboard/connections/remove",
    "/dashboard/users/limit",
];

/// What the forms name.
struct Named {
    connection: String,
    account: String,
    campaign: String,
    key: String,
    /// A person who is neither the viewer nor an owner.
    person: String,
}

/// A form of an action that does something for a member. A new action needs its row.
fn form(action: &str, named: &Named) -> String {
    let Named { connection, account, campaign, key, person } = named;
    let create = format!(
        "idempotency_key=1&name=Spring&goal=WEBSITE_TRAFFIC&budget_amount=25.50&budget_period=DAILY&start_at=&end_at=\
         &targets=ALPHA%3A{account}"
    );
    let of = |id: &str| format!("id={id}");
    match action.trim_start_matches("/dashboard/") {
        "keys" => "name=Reporting&scopes=read&scopes=write&expires=".to_owned(),
        "keys/rotate" | "keys/delete" | "keys/stop" | "keys/resume" => of(key),
        "keys/free" => format!("id={key}&campaign={campaign}"),
        "keys/revert" => format!("id={key}&idempotency_key=6&changes=change_1"),
        "agents" => format!("name=Agent&daily=5&per_change=&currency=USD&connections={connection}"),
        "agents/limit" => format!("id={key}&daily=5&per_change=&currency=USD&connections={connection}"),
        "agents/sign-out" => of(key),
        "connect/consent" => "decision=allow&may=read".to_owned(),
        "connections" => "platform=beta_ads".to_owned(),
        "connections/sync" => String::new(),
        "connections/label" => format!("id={connection}&label=Mine"),
        "connections/defaults" => format!("id={connection}&categories=ISSUES_ELECTIONS_POLITICS"),
        "connections/remove" => of(connection),
        "campaigns" | "campaigns/preview" => create,
        "campaigns/change" | "campaigns/change/preview" => format!("id={campaign}&back=one&name=Summer&was_name=One"),
        "campaigns/delete" => of(campaign),
        "campaigns/many" | "campaigns/status" | "campaigns/pause-all" => {
            format!("idempotency_key=2&ids={campaign}&status=PAUSED")
        }
        "campaigns/undo" | "activity/cancel" | "activity/undo" => "id=change_1".to_owned(),
        "approvals/approve" | "approvals/reject" | "approvals/decide" => "id=change_1".to_owned(),
        "users/limit" => "external_ref=shop42&daily=5&currency=USD".to_owned(),
        "users/remove-limit" | "users/pause" | "users/resume" => "external_ref=shop42".to_owned(),
        "users/free" => format!("external_ref=shop42&campaign={campaign}"),
        "users/erase" => "external_ref=shop42&typed=shop42".to_owned(),
        "webhooks" => "url=https%3A%2F%2Fexample.com%2Fhook&all=yes".to_owned(),
        "webhooks/change" | "webhooks/status" | "webhooks/resume" | "webhooks/rotate" | "webhooks/test"
        | "webhooks/replay" | "webhooks/delete" => "id=we_1&status=DISABLED".to_owned(),
        "billing/checkout" => "plan=pro&idempotency_key=3".to_owned(),
        "billing/portal" => "idempotency_key=4".to_owned(),
        "settings/people/invite" => "idempotency_key=5&role=MEMBER".to_owned(),
        "settings/people/withdraw" => of("hash"),
        "settings/people/remove" => of(person),
        "settings/people/role" => format!("id={person}&role=VIEWER"),
        "settings/reporting" => "reporting=EUR".to_owned(),
        "settings/time-zone" => "time_zone=Europe%2FBerlin".to_owned(),
        "settings/redirect-uris" => "uri=https%3A%2F%2Fexample.com%2Fcb".to_owned(),
        "settings/redirect-uris/remove" => of("uri"),
        other => panic!("{other} has no row: what does a viewer see of it?"),
    }
}

/// Ada's account with a campaign, a member and a viewer.
async fn stage(site: &Site) -> (Browser<'_>, Browser<'_>, Named) {
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let campaign = site.create(&key, "One").await;
    ada.with_member(CYD).await;
    let bob = ada.with_viewer(BOB).await;
    let now = site.app.clock.now();
    let connection = site.app.store.connections(ada.customer(), now).await.expect("connections").remove(0);
    let account = site.app.store.account(ada.customer(), now).await.expect("a store").expect("an account");
    let named = Named {
        account: connection.account_id().to_owned(),
        connection: connection.id.0,
        campaign,
        key: account.keys.all()[0].id.0.clone(),
        person: ada.person(CYD).await.id.0,
    };
    (ada, bob, named)
}

impl Site {
    /// The records, and the campaigns by the sandbox's books.
    async fn everything(&self) -> (Vec<String>, Value) {
        let mut records: Vec<String> = items(&self.world.database).into_iter().map(|item| item.to_string()).collect();
        records.sort();
        (records, self.world.control("GET", "campaigns", &Value::Null).await)
    }

    async fn ask_as(&self, caller: &SessionCaller, method: &str, path: &str) -> (StatusCode, String) {
        let request = http::Request::builder().method(method).uri(path).header("content-type", "application/json");
        let mut request: Request = request.body(Body::from("{}")).expect("a request");
        request.extensions_mut().insert(caller.clone());
        let response = respond(&self.app, request).await;
        (response.status(), String::from_utf8_lossy(response.body()).into_owned())
    }
}

#[tokio::test(start_paused = true)]
async fn a_viewer_is_refused_every_action_and_nothing_changes() {
    let site = Site::new().await;
    let (mut ada, mut bob, named) = stage(&site).await;
    let before = site.everything().await;
    for action in dashboard::actions().filter(|action| !OPEN.contains(action)) {
        let refused = bob.post(action, &form(action, &named)).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{action}: {}", refused.text);
        let says = "You have view-only access. An owner can change your role: ada@example.com.";
        assert!(
            refused.text.contains(says) && refused.text.contains("Go to the dashboard"),
            "{action}: {}",
            refused.text
        );
        assert_eq!(site.everything().await, before, "{action}");
    }
    for (action, form) in [(REMOVE, String::new()), (REMOVE, "id=x".to_owned()), (REMOVE, ada.naming(ADA).await)] {
        assert_eq!(bob.post(action, &form).await.status, StatusCode::FORBIDDEN, "{action} {form}");
    }
    // The forms do something for others.
    for action in [
        "/dashboard/connections/label",
        "/dashboard/keys",
        INVITE,
        "/dashboard/settings/redirect-uris",
        "/dashboard/settings/reporting",
        "/dashboard/settings/time-zone",
    ] {
        let before = site.everything().await;
        ada.submit(action, &form(action, &named)).await;
        assert_ne!(site.everything().await, before, "{action}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_viewer_sees_every_page_that_is_not_only_a_form() {
    let site = Site::new().await;
    let (mut ada, mut bob, named) = stage(&site).await;
    for page in dashboard::addresses().filter(|page| !page.ends_with("/sign-in") && !page.ends_with("/callback")) {
        let path = format!(
            "{page}?id={}&external_ref=shop42",
            if page.contains("keys") { &named.key } else { &named.campaign }
        );
        let (seen, shown) = (ada.get(&path).await.status, bob.get(&path).await);
        let expected = if FORMS.contains(&page) { StatusCode::FORBIDDEN } else { seen };
        assert_eq!(shown.status, expected, "{page}: {}", shown.text);
        if shown.text.starts_with("<!doctype html>") {
            let main = shown.text.split("<main").nth(1).expect("a main part");
            let forms = main.matches("method=\"post\"").count();
            assert_eq!(forms, main.matches("class=\"own\"").count(), "{page}: {main}");
        }
    }
    assert!(ada.get(SETTINGS).await.text.contains("<body>"));
    let (mine, home) = (ada.text("/dashboard").await, bob.text("/dashboard").await);
    let looks = "You only look: you see everything here and change nothing. ada@example.com can change that.";
    assert!(home.matches(looks).count() == 1 && !mine.contains("You only look"), "{home}");
}

#[tokio::test(start_paused = true)]
async fn the_api_refuses_a_viewer_whatever_page_asks() {
    let site = Site::new().await;
    let (mut ada, bob, named) = stage(&site).await;
    let now = site.app.clock.now();
    let account = site.app.store.account(ada.customer(), now).await.expect("a store").expect("an account");
    let person = bob.person(BOB).await.id;
    let key = Some(KeyId(named.key.clone()));
    let viewer = SessionCaller { account, person, email: None, role: Role::Viewer, mode: Mode::Live, key, form: None };
    let before = site.everything().await;
    let ids =
        BTreeMap::from([("platform", "beta_ads"), ("external_ref", "shop42"), ("request_id", "x"), ("bulk_id", "x")]);
    // The answer to a message of an agent has a shape of its own, and pages send none.
    let of_people = |route: &&Route| {
        matches!(route.authentication, Authentication::ApiKey(_)) && !matches!(route.endpoint, Endpoint::Mcp(_))
    };
    for route in ROUTES.iter().filter(of_people) {
        let path = match route.path.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?))) {
            Some((before, (name, after))) => {
                let of_connection = route.path.starts_with("/v1/connections");
                let id = if of_connection { &named.connection } else { &named.campaign };
                format!("{before}{}{after}", ids.get(name).copied().unwrap_or(id))
            }
            None => route.path.to_owned(),
        };
        let (status, body) = site.ask_as(&viewer, route.method, &path).await;
        let is_refused = status == StatusCode::FORBIDDEN && body.contains("change nothing in it. An owner");
        assert_eq!(is_refused, route.changes(), "{} {path}: {status} {body}", route.method);
    }
    let of_writes = ROUTES.iter().filter(|route| route.method == "GET" && route.changes());
    let of_writes: Vec<&str> = of_writes.map(|route| route.path).collect();
    assert_eq!(of_writes, ["/v1/connections/{platform}/authorize"]);
    assert_eq!(site.everything().await.1, before.1);
    assert!(ada.get("/dashboard/campaigns").await.text.contains("One"));
}
