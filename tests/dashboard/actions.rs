//! The actions of a person on the pages, and attacks on them.

use super::browser::{Browser, ORIGIN, Site};
use crate::in_process::respond;
use http::StatusCode;
use lambda_http::{Body, Request};
use serde_json::{Value, json};
use shared::domain::Platform;
use std::collections::BTreeSet;
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const ACTIONS: [&str; 55] = [
    "/dashboard/keys",
    "/dashboard/keys/rotate",
    "/dashboard/keys/delete",
    "/dashboard/keys/stop",
    "/dashboard/keys/resume",
    "/dashboard/connections",
    "/dashboard/connections/sync",
    "/dashboard/connections/label",
    "/dashboard/connections/defaults",
    "/dashboard/connections/remove",
    "/dashboard/campaigns",
    "/dashboard/campaigns/preview",
    "/dashboard/campaigns/change",
    "/dashboard/campaigns/change/preview",
    "/dashboard/campaigns/delete",
    "/dashboard/campaigns/undo",
    "/dashboard/campaigns/many",
    "/dashboard/campaigns/pause-all",
    "/dashboard/campaigns/status",
    "/dashboard/campaigns/views",
    "/dashboard/activity/cancel",
    "/dashboard/activity/undo",
    "/dashboard/keys/free",
    "/dashboard/keys/revert",
    "/dashboard/agents",
    "/dashboard/agents/limit",
    "/dashboard/agents/sign-out",
    "/dashboard/connect/consent",
    "/dashboard/approvals/approve",
    "/dashboard/approvals/decide",
    "/dashboard/approvals/reject",
    "/dashboard/users/limit",
    "/dashboard/users/remove-limit",
    "/dashboard/users/free",
    "/dashboard/users/pause",
    "/dashboard/users/resume",
    "/dashboard/users/erase",
    "/dashboard/webhooks",
    "/dashboard/webhooks/change",
    "/dashboard/webhooks/status",
    "/dashboard/webhooks/resume",
    "/dashboard/webhooks/rotate",
    "/dashboard/webhooks/test",
    "/dashboard/webhooks/replay",
    "/dashboard/webhooks/delete",
    "/dashboard/billing/checkout",
    "/dashboard/billing/portal",
    "/dashboard/settings/people/invite",
    "/dashboard/settings/people/withdraw",
    "/dashboard/settings/people/remove",
    "/dashboard/settings/people/role",
    "/dashboard/settings/reporting",
    "/dashboard/settings/time-zone",
    "/dashboard/settings/redirect-uris",
    "/dashboard/settings/redirect-uris/remove",
];
const NEW_KEY: &str = "name=Reporting&scopes=read&expires=";

/// The key on a page.
pub(super) fn shown_key(page: &str) -> Option<String> {
    let start = page.find("uac_live_").into_iter().find(|at| page[*at..].len() >= 69)?;
    let digits: String = page[start..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    (digits.len() == 69).then_some(digits)
}

impl Browser<'_> {
    /// Submits a form and follows the redirect; returns the text of the page.
    pub(super) async fn submit(&mut self, path: &str, form: &str) -> String {
        let page = self.post(path, form).await.to().to_owned();
        let shown = self.get(&page).await;
        assert_eq!(shown.status, StatusCode::OK, "{page}: {}", shown.text);
        shown.text
    }

    /// Connects a platform; returns the page that the person comes back to.
    pub(super) async fn connect(&mut self, platform: &str) -> String {
        let account = self.open_account(platform).await;
        self.connect_to(platform, account).await
    }

    /// Opens an ad account at a platform.
    pub(super) async fn open_account(&self, platform: &str) -> String {
        let order = json!({ "platform": platform, "currency": "USD" });
        let opened = self.site.world.control("POST", "accounts", &order).await;
        opened["account"]["id"].as_str().expect("an id").to_owned()
    }

    /// The same with an ad account that exists.
    pub(super) async fn connect_to(&mut self, platform: &str, account: String) -> String {
        let back = self.consent_to(platform, account).await;
        self.get(&back).await.text
    }

    /// Consents, and leaves the page to which that leads. That page reads the ad account.
    pub(super) async fn consent_to(&mut self, platform: &str, account: String) -> String {
        let consent = self.post("/dashboard/connections", &format!("platform={platform}")).await.to().to_owned();
        let callback = self.site.world.consent(&consent, &[account]).await;
        let back = self.get(&callback).await;
        assert_eq!(back.status, StatusCode::FOUND, "{}", back.text);
        let back = back.headers["location"].to_str().expect("an address");
        back.trim_start_matches(ORIGIN).to_owned()
    }
}

impl Site {
    async fn with_key(&self, key: &str, path: &str) -> (StatusCode, Value) {
        let request = http::Request::builder().uri(path).header("x-api-key", key);
        let request: Request = request.body(Body::Empty).expect("a request");
        let response = respond(&self.app, request).await;
        let status = response.status();
        (status, serde_json::from_slice(response.body()).unwrap_or_default())
    }
}

#[tokio::test(start_paused = true)]
async fn no_action_works_without_a_session_or_from_another_site() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut stranger = site.browser();
    let known: BTreeSet<&str> = dashboard::actions().filter(|path| !path.ends_with("/sign-in")).collect();
    let tried: BTreeSet<&str> = ACTIONS.into_iter().chain(["/dashboard/sign-out"]).collect();
    assert_eq!(tried, known, "an action is missing in the list, or gone");
    for path in ACTIONS {
        let sent_away = stranger.post(path, NEW_KEY).await;
        assert!(sent_away.to().starts_with("/dashboard/sign-in"), "{path}");
        let refused = ada.post_with(path, NEW_KEY, &[("sec-fetch-site", "cross-site")]).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}");
    }
    assert!(ada.get("/dashboard/keys").await.text.contains("No keys yet"));
}

#[tokio::test(start_paused = true)]
async fn a_new_key_is_shown_once_and_to_its_session_only() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = site.signed_in("bob@example.com").await;
    assert_eq!(ada.post("/dashboard/keys", NEW_KEY).await.to(), "/dashboard/keys");
    // Another session cannot open the sealed key, even with the cookie.
    let stolen = ada.cookies["__Host-notice"].clone();
    bob.cookies.insert("__Host-notice".to_owned(), stolen);
    assert_eq!(shown_key(&bob.get("/dashboard/keys").await.text), None);
    let keys = ada.get("/dashboard/keys").await.text;
    assert_eq!(keys.matches(" checked").count(), 1, "{keys}");
    assert!(keys.contains("value=\"read\" checked"), "a new key only reads unless a person ticks more: {keys}");
    let key = shown_key(&keys).expect("a key");
    assert_eq!(shown_key(&ada.get("/dashboard/keys").await.text), None, "once");
    let (status, me) = site.with_key(&key, "/v1/customer/me").await;
    assert_eq!((status, &me["email"]), (StatusCode::OK, &ADA.into()));
    assert_eq!(site.with_key(&key, "/v1/billing/portal").await.0, StatusCode::METHOD_NOT_ALLOWED);
    let listed = site.with_key(&key, "/v1/api-keys").await.1;
    assert_eq!(listed["api_keys"][0]["scopes"], json!(["read"]), "the scopes of the form");

    let id = listed["api_keys"][0]["id"].as_str().expect("an id");
    let replaced = shown_key(&ada.submit("/dashboard/keys/rotate", &format!("id={id}")).await).expect("a key");
    assert_eq!(site.with_key(&key, "/v1/customer/me").await.0, StatusCode::UNAUTHORIZED, "the old secret");
    assert_eq!(site.with_key(&replaced, "/v1/customer/me").await.0, StatusCode::OK);
}

#[tokio::test(start_paused = true)]
async fn a_key_for_campaigns_alone_is_a_choice_of_the_form() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let page = ada.get("/dashboard/keys").await.text;
    assert!(page.contains("value=\"read\" checked"), "only reading is ticked at first: {page}");
    for scope in ["write", "billing", "campaigns"] {
        assert!(page.contains(&format!("value=\"{scope}\">")), "{scope}: {page}");
    }
    let made = ada.submit("/dashboard/keys", "name=Tool&scopes=campaigns&expires=").await;
    let key = shown_key(&made).expect("a key");
    assert_eq!(site.with_key(&key, "/v1/campaigns").await.0, StatusCode::OK);
    assert_eq!(site.with_key(&key, "/v1/customer/me").await.0, StatusCode::FORBIDDEN);
}

#[tokio::test(start_paused = true)]
async fn a_key_with_a_limit_is_made_in_plain_words() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let keys = ada.get("/dashboard/keys").await.text;
    assert!(keys.contains("Make one under Agents") && !keys.contains("name=\"connections\""), "one form: {keys}");
    let page = ada.get("/dashboard/agents").await.text;
    assert!(page.contains("Most that it may run, a day") && page.contains("Google Ads may spend twice"), "{page}");
    let connection = page.split("name=\"connections\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    let connection = connection.expect("an ad account to tick");
    let form = format!("name=Agent&daily=120.50&per_change=&currency=USD&connections={connection}");
    let refused = ada.submit("/dashboard/keys", &form.replace("120.50", "a lot")).await;
    assert!(refused.contains("role=\"alert\"") && refused.contains("a lot"), "{refused}");
    assert!(refused.contains("<a href=\"#daily\">Write a number, such as 250.</a>"), "{refused}");
    assert!(refused.contains("<title>Error: Agents") && refused.contains("aria-invalid=\"true\""), "{refused}");
    assert!(refused.contains(&format!("value=\"{connection}\" checked")), "the form keeps its choice");
    let made = ada.submit("/dashboard/keys", &form).await;
    let key = shown_key(&made).expect("a key");
    assert!(made.contains("campaigns, may run up to 120.50 USD a day"), "{made}");
    let limits = site.with_key(&key, "/v1/limits").await.1;
    assert_eq!((&limits["amounts"][0]["daily"]["left"], &limits["connections"]), (&json!(120.5), &json!([connection])));
    assert_ne!(key, own);
}

#[tokio::test(start_paused = true)]
async fn a_key_needs_a_sign_in_of_the_last_ten_minutes() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let listed = ada.submit("/dashboard/keys", NEW_KEY).await;
    assert!(shown_key(&listed).is_some());
    advance(Duration::from_secs(10 * 60 + 1)).await;
    assert!(ada.get("/dashboard/keys").await.text.contains("Sign in again"));
    for (path, form) in [("/dashboard/keys", NEW_KEY), ("/dashboard/keys/rotate", "id=key_default")] {
        let again = ada.post(path, form).await.to().to_owned();
        assert_eq!(again, "/dashboard/sign-in?again=yes&return_to=%2Fdashboard%2Fkeys");
    }
    let now = site.app.clock.now();
    let account = site.app.store.account(ada.customer(), now).await.expect("a read").expect("an account");
    assert_eq!(account.keys.all().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn only_the_last_key_with_write_cannot_be_deleted() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.submit("/dashboard/keys", "name=A&scopes=read&scopes=write&expires=30").await;
    ada.submit("/dashboard/keys", "name=B&scopes=read&expires=").await;
    let now = site.app.clock.now();
    let keys = site.app.store.account(ada.customer(), now).await.expect("a read").expect("an account").keys;
    let id = |name: &str| keys.all().iter().find(|key| key.name == name).expect("a key").id.0.clone();
    let kept = ada.submit("/dashboard/keys/delete", &format!("id={}", id("A"))).await;
    assert!(kept.contains("No other valid key has the scope write"), "{kept}");
    let deleted = ada.submit("/dashboard/keys/delete", &format!("id={}", id("B"))).await;
    assert!(deleted.contains("is deleted. Requests with it"), "{deleted}");
    let gone = ada.submit("/dashboard/keys/delete", &format!("id={}", id("B"))).await;
    assert!(gone.contains("role=\"alert\""), "{gone}");
}

#[tokio::test(start_paused = true)]
async fn a_person_connects_names_and_removes_accounts_of_their_own_only() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = site.signed_in("bob@example.com").await;
    let page = ada.connect("alpha_ads").await;
    assert!(page.contains("Connected."), "{page}");
    let now = site.app.clock.now();
    let connection = site.app.store.connections(ada.customer(), now).await.expect("connections").remove(0).id.0;
    let hostile = "%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    let page = ada.submit("/dashboard/connections/label", &format!("id={connection}&label={hostile}")).await;
    assert!(page.contains("&#60;script&#62;alert(1)") && !page.contains("<script>alert"), "{page}");
    let page = ada.submit("/dashboard/connections/sync", "").await;
    assert!(page.contains("The connection works."), "{page}");
    for action in ["label", "remove"] {
        let path = format!("/dashboard/connections/{action}");
        let page = bob.submit(&path, &format!("id={connection}&label=Mine")).await;
        assert!(page.contains("role=\"alert\""), "{action}: {page}");
    }
    let removal = format!("/dashboard/connections/remove?id={connection}");
    assert!(ada.text("/dashboard/connections").await.contains(&format!("href=\"{removal}\"")));
    let page = ada.text(&removal).await;
    assert!(page.contains("Nothing is running or waiting there."), "{page}");
    assert_eq!(bob.get(&removal).await.status, StatusCode::NOT_FOUND);
    let page = ada.submit("/dashboard/connections/remove", &format!("id={connection}")).await;
    assert!(page.contains("No ad account is connected yet"), "{page}");
}

#[tokio::test(start_paused = true)]
async fn a_person_sets_the_campaign_defaults_of_an_account() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let now = site.app.clock.now();
    let first = site.app.store.connections(ada.customer(), now).await.expect("connections").remove(0);
    let list = ada.get("/dashboard/connections").await.text;
    let forms = format!("/dashboard/connections?edit={}", first.id);
    assert!(list.contains(&format!("href=\"{forms}\"")) && !list.contains("categories"), "{list}");
    let google = ada.get(&forms).await.text;
    assert!(google.contains("Political advertising in the European Union"), "{google}");
    assert!(!google.contains(r#"name="country""#) && !google.contains("HOUSING"), "Google asks for no more: {google}");
    for platform in ["delta_ads", "beta_ads"] {
        ada.connect(platform).await;
    }
    let now = site.app.clock.now();
    let of = async |platform: Platform| {
        let mut connections = site.app.store.connections(ada.customer(), now).await.expect("connections");
        connections.retain(|connection| connection.platform == platform);
        connections.remove(0)
    };
    let (linkedin, meta, google) = (of(Platform::Delta).await, of(Platform::Beta).await, of(Platform::Alpha).await);
    let politics = "categories=ISSUES_ELECTIONS_POLITICS";
    let save = "/dashboard/connections/defaults";
    let page = ada.submit(save, &format!("id={}&country=de&language=DE", linkedin.id)).await;
    assert!(page.contains("role=\"status\"") && page.contains(r#"name="country" maxlength="2" size="4" value="DE""#));
    let declared = r#"value="ISSUES_ELECTIONS_POLITICS" checked"#;
    for (connection, fields) in [(&google, ""), (&linkedin, "&country=de&language=de")] {
        let page = ada.submit(save, &format!("id={}&{politics}{fields}", connection.id)).await;
        assert_eq!(page.matches(declared).count(), 1, "{fields}: {page}");
    }
    let page = ada.submit(save, &format!("id={}&{politics}&country=&language=", linkedin.id)).await;
    assert_eq!(page.matches("LinkedIn needs a country and a language.").count(), 1, "{page}");
    let page = ada.submit(save, &format!("id={}&country=XX&language=xx", linkedin.id)).await;
    assert!(page.contains("a country in which LinkedIn shows ads") && page.contains("these languages"), "{page}");
    let page = ada.submit(save, &format!("id={}&categories=HOUSING&country=", meta.id)).await;
    assert!(page.contains("Write the country in which the ads are shown."), "{page}");
    let page = ada.submit(save, &format!("id={}&categories=HOUSING&country=us", meta.id)).await;
    assert!(page.contains(r#"value="HOUSING" checked"#), "{page}");
    let now = site.app.clock.now();
    let stored = site.app.store.connections(ada.customer(), now).await.expect("connections");
    let set = |platform| stored.iter().find(|one| one.platform == platform)?.campaign_defaults.clone();
    assert_eq!(set(Platform::Delta).and_then(|defaults| defaults.language).as_deref(), Some("de"));
    for platform in [Platform::Alpha, Platform::Delta] {
        assert!(set(platform).is_some_and(|defaults| defaults.is_political()), "{platform}");
    }
    assert_eq!(set(Platform::Beta).and_then(|defaults| defaults.country).as_deref(), Some("US"));
    let page = ada.submit(save, &format!("id={}&country=&language=", linkedin.id)).await;
    assert!(page.contains("role=\"status\""), "{page}");
    let mut bob = site.signed_in("bob@example.com").await;
    bob.connect("gamma_ads").await;
    let own = site.app.store.connections(bob.customer(), now).await.expect("connections").remove(0);
    let page = bob.get(&format!("/dashboard/connections?edit={}", own.id)).await.text;
    assert!(page.contains("Save the name") && !page.contains(save), "TikTok asks for nothing: {page}");
    let page = bob.submit(save, &format!("id={}&country=FR&language=fr", linkedin.id)).await;
    assert!(page.contains("role=\"alert\""), "{page}");
}

#[tokio::test(start_paused = true)]
async fn a_revoked_connection_is_shown_on_the_home_page() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    assert!(!ada.get("/dashboard").await.text.contains("Connection problems"));
    let fault = json!({ "platform": "alpha_ads", "operation": "refresh", "fault": "revoked", "times": 5 });
    site.world.control("POST", "faults", &fault).await;
    advance(Duration::from_secs(2 * 60 * 60)).await;
    ada.submit("/dashboard/connections/sync", "").await;
    let home = ada.get("/dashboard").await.text;
    assert!(
        home.contains("Connection problems") && home.contains("<p>1 Google Ads account needs attention. <a href"),
        "{home}"
    );
    assert!(home.contains("href=\"/dashboard/connections\">See which accounts</a>"), "{home}");
    let connections = ada.get("/dashboard/connections").await.text;
    assert!(connections.contains("Google Ads ended our access. Reconnect to continue."), "{connections}");
}

#[tokio::test(start_paused = true)]
async fn a_form_that_is_sent_twice_buys_once() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let now = site.app.clock.now();
    let connection = site.app.store.connections(ada.customer(), now).await.expect("connections").remove(0);
    let account = connection.account.expect("an account").id;
    let page = ada.get("/dashboard/campaigns/new").await.text;
    let key = page.split("name=\"idempotency_key\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    let form = format!(
        "idempotency_key={}&name=Spring&goal=WEBSITE_TRAFFIC&budget_amount=25.50&budget_period=DAILY&start_at=&end_at=\
         &targets=ALPHA%3A{account}",
        key.expect("a key")
    );
    let preview = ada.submit("/dashboard/campaigns/preview", &form).await;
    assert!(preview.contains("Would be created") && preview.contains("value=\"25.50\""), "{preview}");
    assert!(preview.contains(key.expect("a key")), "a preview does not use the key: {preview}");
    assert!(ada.get("/dashboard/campaigns/preview").await.text.contains("Would be created"), "a reload");
    assert!(!ada.get("/dashboard/campaigns").await.text.contains("Spring"), "a preview creates nothing");
    for _ in 0..2 {
        let page = ada.submit("/dashboard/campaigns", &form).await;
        assert!(page.contains("is created") && page.contains("25.50<small> a day</small>"), "{page}");
        assert!(page.contains("\">Open the campaign</a>"), "{page}");
        assert_eq!(super::create::count(&page), 1, "{page}");
    }
    let changed = ada.submit("/dashboard/campaigns", &form.replace("25.50", "2550")).await;
    assert!(changed.contains("role=\"alert\"") && !changed.contains("2,550.00"), "{changed}");
    let refused = ada.submit("/dashboard/campaigns", &form.replace("25.50", "1,234").replace("key=", "key=x")).await;
    let ways = "1,234 can be read two ways: write 1234 or 1.234.";
    assert!(refused.contains(ways) && refused.contains("value=\"1,234\""), "{refused}");
    let comma = ada
        .submit(
            "/dashboard/campaigns",
            &form.replace("25.50", "26,50").replace("key=", "key=y").replace("name=", "name=Second "),
        )
        .await;
    assert!(comma.contains("is created") && comma.contains("26.50<small> a day</small>"), "{comma}");
}

#[tokio::test(start_paused = true)]
async fn redirect_uris_are_registered_and_removed() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let page = ada.submit("/dashboard/settings/redirect-uris", "uri=ftp%3A%2F%2Fexample.com%2F").await;
    assert!(page.contains("role=\"alert\"") && page.contains("value=\"ftp://example.com/\""), "{page}");
    let page = ada.submit("/dashboard/settings/redirect-uris", "uri=https%3A%2F%2Fexample.com%2Fcb").await;
    assert!(page.contains("<code>https://example.com/cb</code>"), "{page}");
    let id = page.split("name=\"id\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an id");
    let page = ada.submit("/dashboard/settings/redirect-uris/remove", &format!("id={id}")).await;
    assert!(page.contains("No redirect URI is registered"), "{page}");
}

#[tokio::test(start_paused = true)]
async fn a_reporting_currency_has_a_rate_for_each_other_currency() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let path = "/dashboard/settings/reporting";
    let page = ada.submit(path, "was=&reporting=EUR").await;
    assert!(
        page.contains("Totals are shown in EUR too. Set the rates to it below.") && page.contains(">1 USD in EUR<"),
        "{page}"
    );
    let page = ada.submit(path, "was=EUR&reporting=EUR&rate-USD=0%2C925").await;
    assert!(page.contains("id=\"rate-USD-error\"") && page.contains("value=\"0,925\""), "{page}");
    let page = ada.submit(path, "was=EUR&reporting=EUR&rate-USD=0%2C92").await;
    assert!(page.contains("The rates to EUR are saved.") && page.contains("value=\"0.92\""), "{page}");
    assert!(ada.get("/dashboard/settings").await.text.contains("value=\"0.92\""), "it is stored");
    let page = ada.submit(path, "was=EUR&reporting=USD&rate-USD=0.92").await;
    assert!(page.contains("Your rates to EUR are deleted."), "{page}");
}
