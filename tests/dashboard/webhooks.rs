//! The page "Webhooks": endpoints, their secrets and their deliveries.

use super::browser::{Browser, Site};
use super::double_clicks::{another_process, at, filled_in};
use crate::in_process::receivers::Behaviour;
use http::StatusCode;
use shared::domain::{DeliveryStatus, WebhookEndpoint, WebhookSecret};
use shared::webhook_secrets::signing_secrets;
use tokio::time::{Duration, advance, sleep};

const ADA: &str = "ada@example.com";
const PAGE: &str = "/dashboard/webhooks";
const CHANGE: &str = "/dashboard/webhooks/change";
const STATUS: &str = "/dashboard/webhooks/status";
const RESUME: &str = "/dashboard/webhooks/resume";
const ROTATE: &str = "/dashboard/webhooks/rotate";
const TEST: &str = "/dashboard/webhooks/test";
const REPLAY: &str = "/dashboard/webhooks/replay";
const DELETE: &str = "/dashboard/webhooks/delete";
const URL: &str = "https://hooks.example.com/a";
const OTHER: &str = "https://hooks.example.com/b";

/// The fields that a person fills in.
fn own(url: &str) -> String {
    format!("url={}&description=Log&events=all&shape=flat", url.replace(':', "%3A").replace('/', "%2F"))
}

/// The secret on a page.
fn shown_secret(page: &str) -> Option<String> {
    let secret: String = page[page.find("whsec_")?..].chars().take_while(|c| *c != '<').collect();
    // Base64 has characters that a page writes as entities.
    let secret = secret.replace("&#43;", "+").replace("&#47;", "/").replace("&#61;", "=");
    WebhookSecret::parse(secret.clone().into()).map(|_| secret)
}

fn page_of(endpoint: &WebhookEndpoint) -> String {
    format!("{PAGE}/one?id={}", endpoint.id)
}

fn id(endpoint: &WebhookEndpoint) -> String {
    format!("id={}", endpoint.id)
}

impl Site {
    async fn run_deliveries(&self) {
        deliveries::run(&self.app).await.expect("a run");
    }
}

impl Browser<'_> {
    async fn endpoints(&self) -> Vec<WebhookEndpoint> {
        self.site.app.store.webhook_endpoints(self.customer()).await.expect("a read")
    }

    /// Creates an endpoint by the form of the page; returns it, and the page that shows its secret.
    async fn create(&mut self, url: &str) -> (WebhookEndpoint, String) {
        sleep(Duration::from_millis(5)).await;
        let form = filled_in(&self.get(PAGE).await.text, PAGE, "Create endpoint", &own(url));
        let page = self.submit(PAGE, &form).await;
        (self.endpoints().await.into_iter().next().expect("the newest endpoint"), page)
    }

    /// The secrets of an endpoint that sign now, newest first.
    async fn secrets(&self, endpoint: &WebhookEndpoint) -> Vec<WebhookSecret> {
        let app = &self.site.app;
        let stored = app.store.webhook_endpoint(self.customer(), &endpoint.id).await.expect("a read");
        let stored = stored.expect("an endpoint");
        signing_secrets(app, self.customer(), &stored, app.clock.now()).await.expect("its secrets")
    }

    /// Makes an event, and a first attempt at each of its deliveries.
    async fn event(&mut self) {
        let form =
            filled_in(&self.get("/dashboard/keys").await.text, "/dashboard/keys", "Create key", "name=K&scopes=read");
        let made = self.submit("/dashboard/keys", &form).await;
        assert!(made.contains("Key created. Copy it now."), "{made}");
        sleep(Duration::from_secs(1)).await;
        self.site.run_deliveries().await;
    }
}

fn key_of(secret: &str) -> Option<[u8; 32]> {
    WebhookSecret::parse(secret.to_owned().into()).expect("a secret").key()
}

#[tokio::test(start_paused = true)]
async fn a_secret_is_shown_once_and_to_its_session_only() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = site.signed_in("bob@example.com").await;
    let empty = ada.get(PAGE).await.text;
    assert!(empty.contains("A webhook is a message that we send") && empty.contains("href=\"/v1/docs\""), "{empty}");
    let form = filled_in(&empty, PAGE, "Create endpoint", &own(URL));
    let one = ada.post(PAGE, &form).await.to().to_owned();
    assert!(one.starts_with("/dashboard/webhooks/one?id=we_"), "{one}");
    bob.cookies.insert("__Host-notice".to_owned(), ada.cookies["__Host-notice"].clone());
    assert_eq!(shown_secret(&bob.get(PAGE).await.text), None);
    let page = ada.get(&one).await.text;
    let secret = shown_secret(&page).expect("a secret");
    let endpoint = ada.endpoints().await.remove(0);
    assert_eq!(ada.secrets(&endpoint).await[0].key(), key_of(&secret));
    for path in [one.as_str(), PAGE, "/dashboard", "/dashboard/keys"] {
        let later = ada.get(path).await.text;
        assert!(!later.contains("whsec_") && !later.contains(&endpoint.secrets.current.0), "{later}");
    }
    let list = ada.get(PAGE).await.text;
    assert!(list.contains(URL) && list.contains("data-label=\"Events\">All<") && list.contains("Enabled"), "{list}");
}

#[tokio::test(start_paused = true)]
async fn a_double_click_creates_one_endpoint_and_both_pages_show_its_secret() {
    let site = Site::new().await;
    let (one, two) = (another_process(&site), another_process(&site));
    let mut ada = site.signed_in(ADA).await;
    let form = filled_in(&ada.get(PAGE).await.text, PAGE, "Create endpoint", &own(URL));
    let (mut first, mut second) = (at(&one, &ada), at(&two, &ada));
    let (a, b) = tokio::join!(first.submit(PAGE, &form), second.submit(PAGE, &form));
    let secret = shown_secret(&a).expect("a secret");
    assert_eq!(shown_secret(&b).as_ref(), Some(&secret), "both pages show the same secret");
    let endpoints = ada.endpoints().await;
    assert_eq!(endpoints.len(), 1);
    assert_eq!(ada.secrets(&endpoints[0]).await[0].key(), key_of(&secret));
    advance(Duration::from_secs(60)).await;
    assert_eq!(shown_secret(&ada.submit(PAGE, &form).await), Some(secret.clone()), "sent again later");
    // After its deletion the same form creates it anew, with another secret.
    ada.submit(DELETE, &id(&endpoints[0])).await;
    let anew = shown_secret(&ada.submit(PAGE, &form).await).expect("a secret");
    assert!(anew != secret && ada.endpoints().await.len() == 1);
}

#[tokio::test(start_paused = true)]
async fn a_double_click_on_replace_replaces_once_and_a_second_tab_is_told() {
    let site = Site::new().await;
    let (one, two) = (another_process(&site), another_process(&site));
    let mut ada = site.signed_in(ADA).await;
    let create = filled_in(&ada.get(PAGE).await.text, PAGE, "Create endpoint", &own(URL));
    let old = shown_secret(&ada.submit(PAGE, &create).await).expect("a secret");
    let endpoint = ada.endpoints().await.remove(0);
    let page = page_of(&endpoint);
    let form = filled_in(&ada.get(&page).await.text, ROTATE, "Replace secret", "");
    let other_tab = filled_in(&ada.get(&page).await.text, ROTATE, "Replace secret", "");
    let (mut first, mut second) = (at(&one, &ada), at(&two, &ada));
    let (a, b) = tokio::join!(first.submit(ROTATE, &form), second.submit(ROTATE, &form));
    let new = shown_secret(&a).expect("a secret");
    assert!(shown_secret(&b).as_ref() == Some(&new) && new != old, "{b}");
    let signing: Vec<_> = ada.secrets(&endpoint).await.iter().map(WebhookSecret::key).collect();
    assert_eq!(signing, [key_of(&new), key_of(&old)], "the old one signs, too");
    for (path, stale) in [(ROTATE, &other_tab), (PAGE, &create)] {
        let told = ada.submit(path, stale).await;
        assert!(told.contains("was replaced meanwhile") && shown_secret(&told).is_none(), "{told}");
    }
    let signing: Vec<_> = ada.secrets(&endpoint).await.iter().map(WebhookSecret::key).collect();
    assert_eq!(signing, [key_of(&new), key_of(&old)]);
    advance(Duration::from_secs(60)).await;
    let next = filled_in(&ada.get(&page).await.text, ROTATE, "Replace secret", "");
    assert!(shown_secret(&ada.submit(ROTATE, &next).await).is_some(), "the next form replaces it again");
}

#[tokio::test(start_paused = true)]
async fn a_secret_and_another_url_need_a_recent_sign_in() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (endpoint, page) = ada.create(URL).await;
    let (change, rotate) = (filled_in(&page, CHANGE, "Save", &own(OTHER)), filled_in(&page, ROTATE, "Replace", ""));
    advance(Duration::from_mins(11)).await;
    let page = ada.get(&page_of(&endpoint)).await.text;
    assert!(page.contains("To replace the secret, <a") && page.contains("To change it, <a"), "{page}");
    assert!(ada.get(PAGE).await.text.contains("Sign in again"));
    for (path, form) in [(PAGE, &own(OTHER)), (ROTATE, &rotate), (CHANGE, &change)] {
        let sent_away = ada.post(path, form).await;
        assert!(sent_away.to().starts_with("/dashboard/sign-in?again=yes"), "{path}");
    }
    let endpoints = ada.endpoints().await;
    assert_eq!((endpoints.len(), endpoints[0].url.as_str()), (1, URL));
    assert_eq!(endpoints[0].secrets, endpoint.secrets);
    // Other settings do not.
    let form = filled_in(&page, CHANGE, "Save", "description=&events=some&types=change.late&shape=enveloped");
    let saved = ada.submit(CHANGE, &form).await;
    assert!(saved.contains("The settings are saved.") && saved.contains("change.late"), "{saved}");
    let changed = ada.endpoints().await.remove(0);
    assert_eq!((changed.types.names(), changed.description, changed.url.as_str()), (vec!["change.late"], None, URL));
}

#[tokio::test(start_paused = true)]
async fn a_refused_form_is_shown_again_with_what_is_wrong() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = "url=http%3A%2F%2F10.0.0.1%2F&description=Mine&events=some&types=change.late&shape=enveloped";
    let form = filled_in(&ada.get(PAGE).await.text, PAGE, "Create endpoint", own);
    let refused = ada.submit(PAGE, &form).await;
    assert!(refused.contains("id=\"url-error\"") && refused.contains("value=\"http://10.0.0.1/\""), "{refused}");
    assert!(refused.contains("value=\"change.late\" checked") && refused.contains("value=\"Mine\""), "{refused}");
    let none = filled_in(&refused, PAGE, "Create endpoint", "url=https%3A%2F%2Fa.example%2F&events=some&shape=flat");
    let refused = ada.submit(PAGE, &none).await;
    assert!(refused.contains("Choose an event, or all."), "{refused}");
    assert!(ada.endpoints().await.is_empty());
    let (endpoint, _) = ada.create(URL).await;
    let late = ada.submit(REPLAY, &format!("{}&since=2020-01-01T00%3A00", id(&endpoint))).await;
    assert!(late.contains("id=\"since-error\"") && late.contains("Choose a time of the last 30 days."), "{late}");
}

#[tokio::test(start_paused = true)]
async fn there_are_at_most_five_endpoints() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let form = filled_in(&ada.get(PAGE).await.text, PAGE, "Create endpoint", &own(OTHER));
    for number in 0..5 {
        ada.create(&format!("{URL}{number}")).await;
    }
    let page = ada.get(PAGE).await.text;
    assert!(
        page.contains("You have 5 endpoints, the maximum.") && !page.contains("Create endpoint</button>"),
        "{page}"
    );
    let refused = ada.submit(PAGE, &form).await;
    assert!(refused.contains("There are 5 webhook endpoints already. Delete one first."), "{refused}");
    assert_eq!(ada.endpoints().await.len(), 5);
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_of_another_customer_is_not_found() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (endpoint, page) = ada.create(URL).await;
    let rotate = filled_in(&page, ROTATE, "Replace secret", "");
    let mut bob = site.signed_in("bob@example.com").await;
    let page = bob.get(&page_of(&endpoint)).await;
    assert_eq!(page.status, StatusCode::NOT_FOUND, "{}", page.text);
    let form = id(&endpoint);
    assert_eq!(bob.post(RESUME, &form).await.status, StatusCode::NOT_FOUND);
    let since = format!("{form}&since={}", site.ahead(-1_440).typed);
    let change = format!("{form}&{}", own(OTHER));
    for (path, form) in
        [(CHANGE, &change), (STATUS, &form), (ROTATE, &rotate), (TEST, &form), (REPLAY, &since), (DELETE, &form)]
    {
        let told = bob.submit(path, form).await;
        assert!(told.contains("role=\"alert\"") && shown_secret(&told).is_none(), "{path}: {told}");
    }
    assert_eq!(ada.endpoints().await, [endpoint]);
    assert!(site.world.receivers.received(URL).is_empty());
}

#[tokio::test(start_paused = true)]
async fn deliveries_are_shown_filtered_and_sent_again() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (endpoint, _) = ada.create(URL).await;
    let (page, id) = (page_of(&endpoint), id(&endpoint));
    let tested = ada.submit(TEST, &id).await;
    assert!(tested.contains("The test event was accepted: the endpoint answered 204 after 0 ms."), "{tested}");
    assert!(tested.contains("<strong>ping</strong>") && !tested.contains("Send again<span"), "a ping is no event");
    site.world.receivers.set(URL, Behaviour::Says(500, "</pre><script>alert(1)</script>\u{202e}"));
    ada.event().await;
    let shown = ada.get(&page).await.text;
    assert!(shown.contains("<strong>api_key.created</strong>") && shown.contains("On its way"), "{shown}");
    assert!(shown.contains("Next attempt ") && shown.contains("badge bad\">500</span>"), "{shown}");
    assert!(
        !shown.contains("<script>alert") && shown.contains("<bdi>&#60;/pre&#62;&#60;script&#62;alert(1)"),
        "{shown}"
    );
    let refused = ada.submit(TEST, &id).await;
    assert!(refused.contains("was not accepted: The endpoint answered 500.") && refused.contains("role=\"alert\""));
    assert!(!refused.contains("<script>alert"), "{refused}");
    let failed = ada.get(&format!("{page}&status=failed")).await.text;
    assert!(failed.contains("<strong>ping</strong>") && !failed.contains("<strong>api_key.created"), "{failed}");
    let delivered = ada.get(&format!("{page}&status=delivered")).await.text;
    assert_eq!(delivered.matches("<strong>ping</strong>").count(), 1, "{delivered}");

    site.world.receivers.set(URL, Behaviour::Answers(204, None));
    let event = shown.split("name=\"event_id\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    let again = ada.submit(REPLAY, &format!("{id}&event_id={}", event.expect("a button"))).await;
    assert!(again.contains("1 event is sent again."), "{again}");
    sleep(Duration::from_secs(1)).await;
    site.run_deliveries().await;
    let page = ada.get(&page).await.text;
    assert!(!page.contains("warn\">On its way") && !page.contains("Failing"), "{page}");
    let all = ada.submit(REPLAY, &format!("{id}&since={}", site.app.clock.now().strftime("%Y-%m-%dT00%%3A00"))).await;
    assert!(all.contains("1 event is sent again."), "{all}");
}

#[tokio::test(start_paused = true)]
async fn deliveries_have_pages() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (endpoint, _) = ada.create(URL).await;
    for _ in 0..21 {
        sleep(Duration::from_millis(5)).await;
        ada.post(TEST, &id(&endpoint)).await;
    }
    let newest = ada.get(&page_of(&endpoint)).await.text;
    assert_eq!(newest.matches("<strong>ping</strong>").count(), 20);
    let older =
        newest.split("<a href=\"").filter_map(|rest| rest.split('"').next()).find(|path| path.contains("cursor="));
    let older = older.expect("a link").replace("&#38;", "&");
    let rest = ada.get(&older).await.text;
    assert_eq!(rest.matches("<strong>ping</strong>").count(), 1, "{rest}");
    assert!(rest.contains(">Newest</a>") && !rest.contains("rel=\"next\""), "{rest}");
}

#[tokio::test(start_paused = true)]
async fn home_shows_a_failing_endpoint_and_mends_a_disabled_one() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (endpoint, _) = ada.create(URL).await;
    let id = id(&endpoint);
    assert!(!ada.get("/dashboard").await.text.contains("Webhooks that need attention"));
    site.world.receivers.set(URL, Behaviour::Answers(500, None));
    ada.event().await;
    let home = ada.get("/dashboard").await.text;
    assert!(home.contains("Webhooks that need attention") && home.contains("Failing</span>"), "{home}");
    assert!(home.contains("It has accepted nothing since") && home.contains("#deliveries\"") && !home.contains(RESUME));
    site.world.receivers.set(URL, Behaviour::Answers(410, None));
    sleep(Duration::from_mins(7)).await;
    site.run_deliveries().await;
    let home = ada.get("/dashboard").await.text;
    assert!(
        home.contains("Disabled by us") && home.contains("The endpoint answered 410. It misses the events"),
        "{home}"
    );
    assert!(ada.get(&page_of(&endpoint)).await.text.contains("Enable the endpoint first."));
    // What happens meanwhile is missed, until the button sends it.
    site.world.receivers.set(URL, Behaviour::Answers(204, None));
    let before = site.world.receivers.received(URL).len();
    ada.event().await;
    assert_eq!(site.world.receivers.received(URL).len(), before);
    let resumed = ada.submit(RESUME, &id).await;
    assert!(resumed.contains("The endpoint is enabled. 3 events are sent again."), "{resumed}");
    sleep(Duration::from_secs(1)).await;
    site.run_deliveries().await;
    let delivered = site.app.store.deliveries(ada.customer(), &endpoint.id, None, 10).await.expect("a read");
    assert!(delivered.deliveries.iter().all(|one| one.status == DeliveryStatus::Delivered), "{delivered:?}");
    assert_eq!(delivered.deliveries.len(), 3, "both keys, and that the endpoint was disabled");
    assert!(!ada.get("/dashboard").await.text.contains("Webhooks that need attention"));
    // A person who has disabled an endpoint knows it.
    let disabled = ada.submit(STATUS, &format!("{id}&status=disabled")).await;
    assert!(disabled.contains("You have disabled it.") && !disabled.contains(RESUME), "{disabled}");
    assert!(!ada.get("/dashboard").await.text.contains("Webhooks that need attention"));
    assert!(ada.submit(STATUS, &format!("{id}&status=enabled")).await.contains("is enabled and receives"));
    assert!(ada.submit(RESUME, &id).await.contains("The endpoint is enabled."), "an enabled one stays enabled");
    let deleted = ada.submit(DELETE, &id).await;
    assert!(deleted.contains("The endpoint is deleted") && deleted.contains("No endpoints yet."), "{deleted}");
    assert!(ada.submit(DELETE, &id).await.contains("role=\"alert\""));
}
