//! A person connects an assistant: the page, what it gives, and where it leads.

use super::browser::{Browser, ORIGIN, Shown, Site};
use super::double_clicks::filled_in;
use crate::in_process::engine::items;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::StatusCode;
use serde_json::{Value, json};
use shared::auth::ConsentCode;
use shared::domain::{ApiKeyInfo, Assistant, CodeOutcome, RefreshOutcome, Scope};
use std::collections::HashMap;
use tokio::time::{Duration, advance};
use url::Url;
use url::form_urlencoded::Serializer;

const ADA: &str = "ada@example.com";
const CONNECT: &str = "/dashboard/connect";
pub(crate) const CONSENT: &str = "/dashboard/connect/consent";
pub(crate) const AGENTS: &str = "/dashboard/agents";
pub(super) const COOKIE: &str = "__Host-connect";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/// Where a program on the computer of the person listens.
pub(crate) const LOOPBACK: &str = "http://127.0.0.1:50001/callback";
/// What a person fills in.
pub(crate) const CHANGE: &str = "may=campaigns&currency=USD&daily=120.50&creates_per_day=3&approve_activation=yes&lifetime=\
                      &per_change=&approve_above=&decision=allow";
const LOOK: &str =
    "may=read&currency=USD&daily=&creates_per_day=20&lifetime=&per_change=&approve_above=&decision=allow";

/// The `client_id` of a program that has registered itself.
pub(super) fn registration(name: &str, redirect_uri: &str) -> String {
    let metadata = json!({ "n": name, "r": [redirect_uri] }).to_string();
    format!("dcr.{}", URL_SAFE_NO_PAD.encode(metadata))
}

/// The address to which a program leads a person, with other parameters in the places of the usual ones.
pub(crate) fn address(client: &str, redirect_uri: &str, other: &[(&str, &str)]) -> String {
    let usual = [
        ("response_type", "code"),
        ("client_id", client),
        ("redirect_uri", redirect_uri),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("state", "state-1"),
        ("scope", "campaigns"),
        ("resource", "https://service.example/v1/mcp"),
    ];
    let kept = usual.into_iter().filter(|(name, _)| !other.iter().any(|(known, _)| known == name));
    let query = Serializer::new(String::new()).extend_pairs(kept.chain(other.iter().copied())).finish();
    format!("{CONNECT}?{query}")
}

/// The parameters of an answer.
pub(crate) fn answered(to: &str) -> HashMap<String, String> {
    Url::parse(to).expect("an address").query_pairs().into_owned().collect()
}

/// The form of the page with what a person fills in, and every ad account ticked.
pub(crate) fn form(page: &str, own: &str) -> String {
    let accounts = page.split("name=\"connections\" value=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let accounts: String = accounts.map(|id| format!("&connections={id}")).collect();
    filled_in(page, CONSENT, "value=\"allow\"", &format!("{own}{accounts}"))
}

impl Site {
    /// The assistants of the customer of a browser, and their keys.
    pub(super) async fn assistants(&self, of: &Browser<'_>) -> (Vec<Assistant>, Vec<ApiKeyInfo>) {
        let (store, now) = (&self.app.store, self.app.clock.now());
        let account = store.account(of.customer(), now).await.expect("a read").expect("an account");
        let keys = account.keys.all().iter().filter(|key| key.is_of_assistant).cloned().collect();
        (store.assistants(of.customer()).await.expect("a read"), keys)
    }

    /// What a code stands for.
    pub(super) async fn code(&self, to: &str) -> ConsentCode {
        let code = answered(to).remove("code").expect("a code");
        let vault = self.app.vault().expect("a vault");
        ConsentCode::open(vault, &code).await.expect("an answer").expect("a code of ours")
    }
}

impl Browser<'_> {
    /// Follows a program to the page.
    pub(super) async fn asked(&mut self, address: &str) -> Shown {
        let to = self.get(address).await.to().to_owned();
        assert_eq!(to, CONSENT);
        let shown = self.get(CONSENT).await;
        assert_eq!(shown.status, StatusCode::OK, "{}", shown.text);
        shown
    }

    /// Fills in the page; returns where it leads.
    pub(super) async fn allowed(&mut self, address: &str, own: &str) -> String {
        let page = self.asked(address).await.text;
        self.post(CONSENT, &form(&page, own)).await.to().to_owned()
    }
}

pub(crate) fn claude_code() -> String {
    registration("My agent", LOOPBACK)
}

#[tokio::test(start_paused = true)]
async fn a_person_signs_in_allows_and_lands_at_the_app() {
    let site = Site::new().await;
    site.signed_in(ADA).await.connect("alpha_ads").await;
    let mut ada = site.browser();
    let address = address(&claude_code(), LOOPBACK, &[]);
    assert_eq!(ada.get(&address).await.to(), CONSENT);
    assert!(ada.cookies[COOKIE].starts_with("v1.") && ada.cookies[COOKIE].len() <= 3_800, "sealed");
    let sign_in = ada.get(CONSENT).await.to().to_owned();
    let asks = ada.get(&sign_in).await.text;
    assert!(asks.contains("<h1>Sign in to decide what <bdi>My agent</bdi> may do</h1>"), "{asks}");
    assert!(!ada.get("/dashboard/sign-in").await.text.contains("My agent"), "only on the way to its page");
    assert_eq!(ada.sign_in_from(&sign_in, ADA).await.to(), CONSENT, "back through the sign-in");
    let page = ada.get(CONSENT).await;
    for text in
        ["An app calls itself <strong><bdi>My agent</bdi>", "an app on this device", "just started this here", ADA]
    {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
    let policy = page.headers["content-security-policy"].to_str().expect("a policy");
    assert!(policy.ends_with("form-action 'self' http://127.0.0.1:50001") && policy.contains("frame-ancestors 'none'"));
    assert_eq!(page.headers["x-frame-options"], "DENY");
    let to = ada.post(CONSENT, &form(&page.text, CHANGE)).await.to().to_owned();
    assert!(to.starts_with(&format!("{LOOPBACK}?")), "{to}");
    let answer = answered(&to);
    assert_eq!((answer["state"].as_str(), answer["iss"].as_str(), answer.len()), ("state-1", ORIGIN, 3));
    assert!(!ada.cookies.contains_key(COOKIE), "it is decided");
    let (assistants, keys) = site.assistants(&ada).await;
    let code = site.code(&to).await;
    assert_eq!((code.owner.customer, &code.key), (ada.customer(), &keys[0].id));
    let [one] = assistants.as_slice() else { panic!("{assistants:?}") };
    assert_eq!(
        (&one.code.id, one.code.challenge.as_str(), &one.redirect_uri),
        (&code.id, CHALLENGE, &LOOPBACK.to_owned())
    );
    assert_eq!((one.person.clone(), one.scope, one.code.taken_at), (ada.person(ADA).await.id, Scope::Campaigns, None));
    let spending = site.app.store.spendings(ada.customer(), &shared::domain::ApiKeys::new(keys.clone())).await;
    let limit = spending.expect("a read").remove(0).limit.expect("a limit");
    assert_eq!((limit.amounts[0].daily.to_string().as_str(), limit.creates_per_day), ("120.5", 3));
    assert!(limit.approval.is_some_and(|rule| rule.activation) && limit.connections.len() == 1);
    assert_eq!(keys[0].scopes.iter().copied().collect::<Vec<_>>(), [Scope::Campaigns]);
    let code = &answer["code"];
    let table = items(&site.world.database).into_iter().map(|item| item.to_string()).collect::<String>();
    assert!(!table.contains(code.as_str()), "the table has no code");
}

#[tokio::test(start_paused = true)]
async fn a_person_refuses_and_the_app_hears_it() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    // Also without an ad account, and long after the sign-in.
    advance(Duration::from_secs(11 * 60)).await;
    let page = ada.asked(&address(&claude_code(), LOOPBACK, &[])).await.text;
    let form = filled_in(&page, CONSENT, "value=\"refuse\"", "decision=refuse");
    let answer = answered(ada.post(CONSENT, &form).await.to());
    assert_eq!(
        (answer["error"].as_str(), answer["state"].as_str(), answer["iss"].as_str()),
        ("access_denied", "state-1", ORIGIN)
    );
    assert!(site.assistants(&ada).await.1.is_empty() && !ada.cookies.contains_key(COOKIE));
    assert_eq!(ada.get(CONSENT).await.status, StatusCode::NOT_FOUND, "nothing asks now");
}

#[tokio::test(start_paused = true)]
async fn one_that_only_looks_has_a_limit_of_zeros_and_the_scope_read() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let page = ada.asked(&address(&claude_code(), LOOPBACK, &[("scope", "read offline_access")])).await.text;
    assert!(page.contains("value=\"read\" checked"), "{page}");
    ada.post(CONSENT, &form(&page, LOOK)).await.to();
    let (assistants, keys) = site.assistants(&ada).await;
    assert_eq!(
        (assistants[0].scope, keys[0].scopes.iter().copied().collect::<Vec<_>>()),
        (Scope::Read, vec![Scope::Read])
    );
    let spending = site.app.store.spendings(ada.customer(), &shared::domain::ApiKeys::new(keys)).await;
    let limit = spending.expect("a read").remove(0).limit.expect("a limit");
    assert!(limit.amounts.iter().all(|one| one.daily.is_zero()) && limit.creates_per_day == 0);
    assert_eq!(limit.connections.len(), 1, "it names what it sees");
    let page = ada.get(AGENTS).await.text;
    assert!(page.contains("Only looks") && page.contains("Connected by <bdi>ada@example.com</bdi>"), "{page}");
}

#[tokio::test(start_paused = true)]
async fn allow_more_sets_the_limit_and_ends_no_token_until_it_is_taken() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let first = site.code(&ada.allowed(&address(&claude_code(), LOOPBACK, &[]), LOOK).await).await;
    let (before, keys) = site.assistants(&ada).await;
    let CodeOutcome::Taken(taken) = before[0].take_code(&first.id, site.app.clock.now()) else { panic!("a code") };
    assert!(site.app.store.put_assistant(ada.customer(), Some(&before[0]), &taken).await.expect("a write"));
    advance(Duration::from_secs(60)).await;
    // The port of the app is another one each time.
    let again = address(&claude_code(), "http://127.0.0.1:50002/callback", &[]);
    let page = ada.asked(&again).await.text;
    assert!(page.contains("You have connected it before") && page.contains("So far you let it only look."), "{page}");
    let own = format!("anew={}&{CHANGE}", keys[0].id.0);
    let to = ada.post(CONSENT, &form(&page, &own)).await.to().to_owned();
    let second = site.code(&to).await;
    assert_eq!((second.key.clone(), second.id == first.id), (first.key.clone(), false));
    let (after, keys_after) = site.assistants(&ada).await;
    assert_eq!((after.len(), keys_after.len(), &keys_after[0].hash), (1, 1, &keys[0].hash), "the old tokens go on");
    assert_eq!((after[0].scope, after[0].generation), (Scope::Campaigns, taken.generation));
    assert!(keys_after[0].scopes.contains(&Scope::Campaigns));
    let later = site.app.clock.now() + jiff::SignedDuration::from_hours(24);
    assert!(matches!(after[0].refresh(taken.generation, later), RefreshOutcome::Next(_)), "nobody took the new code");
    let spending = site.app.store.spendings(ada.customer(), &shared::domain::ApiKeys::new(keys_after)).await;
    let limit = spending.expect("a read").remove(0).limit.expect("a limit");
    assert_eq!(limit.amounts[0].daily.to_string(), "120.5");
    // Another person, or another app, does not take it over.
    let foreign = registration("My agent", "http://127.0.0.1:50001/other");
    let page = ada.asked(&address(&foreign, "http://127.0.0.1:50001/other", &[])).await.text;
    assert!(!page.contains("You have connected it before"), "{page}");
    let refused = ada.submit(CONSENT, &form(&page, &own)).await;
    assert!(refused.contains("Nothing was changed; choose again."), "{refused}");
    // Another one beside it has a name of its own.
    ada.allowed(&again, &format!("anew=&{CHANGE}")).await;
    let names: Vec<String> = site.assistants(&ada).await.1.into_iter().map(|key| key.name).collect();
    assert_eq!(names, ["My agent 2", "My agent"]);
}

#[tokio::test(start_paused = true)]
async fn a_form_without_an_amount_or_an_account_is_shown_again() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    assert!(ada.asked(&address(&claude_code(), LOOPBACK, &[])).await.text.contains("None is connected yet"));
    ada.connect("alpha_ads").await;
    let page = ada.asked(&address(&claude_code(), LOOPBACK, &[])).await.text;
    let whole = form(&page, CHANGE);
    for (wrong, error) in [
        (whole.replace("daily=120.50", "daily="), "id=\"daily-error\""),
        (whole.replace("may=campaigns&", ""), "id=\"may-error\""),
        (whole.replace("may=campaigns", "may=billing"), "id=\"may-error\""),
        (whole.split("&connections=").next().expect("a form").to_owned(), "id=\"connections-error\""),
    ] {
        let shown = ada.submit(CONSENT, &wrong).await;
        assert!(shown.contains(error) && shown.contains("<bdi>My agent</bdi>"), "{error}: {shown}");
    }
    assert_eq!(ada.post(CONSENT, &whole.replace("idempotency_key=", "other=")).await.to(), CONSENT);
    assert!(site.assistants(&ada).await.1.is_empty());
    assert!(ada.post(CONSENT, &whole).await.to().starts_with(LOOPBACK));
}

#[tokio::test(start_paused = true)]
async fn a_person_signs_out_an_assistant_on_its_page() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let code = site.code(&ada.allowed(&address(&claude_code(), LOOPBACK, &[]), CHANGE).await).await;
    let fresh = ada.get(AGENTS).await.text;
    assert!(fresh.contains("The app has not come back yet") && !fresh.contains("Signed out</span>"), "{fresh}");
    let (before, keys) = site.assistants(&ada).await;
    let CodeOutcome::Taken(taken) = before[0].take_code(&code.id, site.app.clock.now()) else { panic!("a code") };
    assert!(site.app.store.put_assistant(ada.customer(), Some(&before[0]), &taken).await.expect("a write"));
    let page = ada.get(AGENTS).await.text;
    for text in [
        "Connected by <bdi>ada@example.com</bdi>",
        "a name that nobody has checked, at an app on this device",
        "Last used: never",
        "/v1/mcp</code>",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let form = filled_in(&page, "/dashboard/agents/sign-out", "Sign out", "");
    let shown = ada.submit("/dashboard/agents/sign-out", &form).await;
    assert!(
        shown.contains("is signed out: it sees and changes nothing from now on.")
            && shown.contains("a person has signed it out"),
        "{shown}"
    );
    let (after, keys_after) = site.assistants(&ada).await;
    assert!(after[0].signed_out.is_some() && keys_after[0].hash != keys[0].hash, "its tokens have ended");
    assert!(!shown.contains("action=\"/dashboard/agents/sign-out\""), "{shown}");
    // Neither an agent with a key, nor one of another account.
    let (_, listed) = site.request(&own, "GET", "/v1/api-keys", &Value::Null).await;
    assert!(listed["api_keys"].as_array().expect("a list").iter().any(|key| key["assistant"] == json!(true)));
    let mut eve = site.signed_in("eve@example.com").await;
    assert_eq!(eve.post("/dashboard/agents/sign-out", &form).await.status, StatusCode::NOT_FOUND);
    // It comes back with its limit.
    let page = ada.asked(&address(&claude_code(), LOOPBACK, &[])).await.text;
    assert!(page.contains("anew (120.50 USD a day") && page.contains("value=\"120.50\""), "{page}");
    let agents = ada.get(AGENTS).await.text;
    assert!(agents.contains("href=\"/dashboard/agents?open=assistant#sign-in\">Connect again"), "{agents}");
    let removal = filled_in(&agents, "/dashboard/keys/delete", "Remove <bdi>My agent</bdi>", "");
    let removed = ada.submit("/dashboard/keys/delete", &removal).await;
    assert!(removed.contains("is removed. What it did stays in Activity."), "{removed}");
    let (left, keys_left) = site.assistants(&ada).await;
    assert!(left.is_empty() && keys_left.is_empty(), "its record ends with its key");
}

#[tokio::test(start_paused = true)]
async fn a_person_may_come_back_as_somebody_else() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let page = ada.asked(&address(&claude_code(), LOOPBACK, &[])).await.text;
    let form = filled_in(&page, "/dashboard/sign-out", "Sign in as somebody else", "");
    let sign_in = ada.post("/dashboard/sign-out", &form).await.to().to_owned();
    assert_eq!(sign_in, "/dashboard/sign-in?return_to=%2Fdashboard%2Fconnect%2Fconsent");
    assert_eq!(ada.sign_in_from(&sign_in, "bob@example.com").await.to(), CONSENT);
    let shown = ada.get(CONSENT).await.text;
    assert!(shown.contains("bob@example.com") && shown.contains("<bdi>My agent</bdi>"), "{shown}");
    let elsewhere = ada.post("/dashboard/sign-out", "return_to=https%3A%2F%2Fevil.example").await;
    assert_eq!(elsewhere.to(), "/dashboard/sign-in?return_to=%2Fdashboard");
}
