//! Forms that are sent twice, at once in two processes or one after the other.

use super::browser::{Browser, Site};
use crate::in_process::engine::{Straight, serve};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use http::StatusCode;
use serde_json::json;
use shared::domain::{ApiKeyInfo, CustomerId};
use tokio::time::{Duration, advance, sleep};

const ADA: &str = "ada@example.com";
const KEYS: &str = "/dashboard/keys";
const ROTATE: &str = "/dashboard/keys/rotate";
const NEW_KEY: &str = "name=Reporting&scopes=read&scopes=write&expires=";

/// A connection to the table that takes time, so that concurrent requests alternate.
#[derive(Clone, Debug)]
struct Slow(Straight);

impl HttpConnector for Slow {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let database = self.0.0.clone();
        HttpConnectorFuture::new(async move {
            sleep(Duration::from_millis(5)).await;
            Ok(serve(&database, &request))
        })
    }
}

/// Another process of the site.
pub(super) fn another_process(site: &Site) -> Site {
    site.over(Slow(Straight(site.world.database.clone())))
}

/// The same browser at another process.
pub(super) fn at<'a>(site: &'a Site, browser: &Browser<'_>) -> Browser<'a> {
    Browser { site, cookies: browser.cookies.clone() }
}

/// The hidden fields of the first form with this action that has the text, followed by what the person fills in.
pub(crate) fn filled_in(page: &str, action: &str, text: &str, own: &str) -> String {
    let forms = page.split("<form ").skip(1).map(|form| form.split("</form>").next().unwrap_or_default());
    let mut forms = forms.filter(|form| form.contains(&format!("action=\"{action}\"")) && form.contains(text));
    let form = forms.next().unwrap_or_else(|| panic!("no form {action} in {page}"));
    let hidden = form.split("<input type=\"hidden\" name=\"").skip(1).map(|field| {
        let (name, rest) = field.split_once("\" value=\"").expect("a value");
        format!("{name}={}", rest.split('"').next().unwrap_or_default())
    });
    hidden.chain((!own.is_empty()).then(|| own.to_owned())).collect::<Vec<_>>().join("&")
}

/// The key on a page.
fn shown_key(page: &str) -> Option<String> {
    let start = page.find("uac_live_").into_iter().find(|at| page[*at..].len() >= 69)?;
    let digits: String = page[start..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    (digits.len() == 69).then_some(digits)
}

impl Site {
    async fn keys(&self, customer: CustomerId) -> Vec<ApiKeyInfo> {
        let account = self.app.store.account(customer, self.app.clock.now()).await.expect("a read");
        account.expect("an account").keys.all().to_vec()
    }
}

impl Browser<'_> {
    /// Sends a form and loads the page that it leads to.
    async fn sent(&mut self, path: &str, form: &str) -> String {
        let page = self.post(path, form).await.to().to_owned();
        let shown = self.get(&page).await;
        assert_eq!(shown.status, StatusCode::OK, "{}", shown.text);
        shown.text
    }

    async fn page(&mut self, path: &str) -> String {
        self.get(path).await.text
    }
}

#[tokio::test(start_paused = true)]
async fn a_double_click_makes_one_key_and_both_pages_show_it() {
    let site = Site::new().await;
    let (one, two) = (another_process(&site), another_process(&site));
    let mut ada = site.signed_in(ADA).await;
    for made in 1..=2 {
        let form = filled_in(&ada.page(KEYS).await, KEYS, "Create key", NEW_KEY);
        let (mut first, mut second) = (at(&one, &ada), at(&two, &ada));
        let (a, b) = tokio::join!(first.sent(KEYS, &form), second.sent(KEYS, &form));
        let key = shown_key(&a).expect("a key on the first page");
        assert_eq!(shown_key(&b).as_ref(), Some(&key), "both pages show the same key");
        let stored = site.keys(ada.customer()).await;
        assert_eq!(stored.len(), made, "one key for each form");
        assert!(stored.iter().any(|one| one.hash == shared::auth::ApiKey::parse(&key).expect("a key").hash()));
    }
}

#[tokio::test(start_paused = true)]
async fn a_form_sent_again_later_makes_no_second_key() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let form = filled_in(&ada.page(KEYS).await, KEYS, "Create key", NEW_KEY);
    let key = shown_key(&ada.sent(KEYS, &form).await).expect("a key");
    advance(Duration::from_secs(60)).await;
    assert_eq!(shown_key(&ada.sent(KEYS, &form).await), Some(key.clone()));
    assert_eq!(site.keys(ada.customer()).await.len(), 1);
    // Another browser has another session, where the form makes another key.
    let mut other = site.signed_in(ADA).await;
    let others = shown_key(&other.sent(KEYS, &form).await).expect("a key");
    assert_ne!(others, key);
    // A changed form is another one.
    let wider = shown_key(&ada.sent(KEYS, &format!("{form}&scopes=billing")).await).expect("a key");
    assert_ne!(wider, key);
    assert_eq!(site.keys(ada.customer()).await.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_deleted_key_stays_invalid_when_its_form_is_sent_again() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let spare = filled_in(&ada.page(KEYS).await, KEYS, "Create key", NEW_KEY);
    ada.sent(KEYS, &spare).await;
    let form = filled_in(&ada.page(KEYS).await, KEYS, "Create key", NEW_KEY);
    let key = shown_key(&ada.sent(KEYS, &form).await).expect("a key");
    let hash = shared::auth::ApiKey::parse(&key).expect("a key").hash();
    let id = site.keys(ada.customer()).await.into_iter().find(|one| one.hash == hash).expect("the key").id;
    advance(Duration::from_secs(5)).await;
    assert!(ada.sent("/dashboard/keys/delete", &format!("id={id}")).await.contains("is deleted. Requests with it"));
    let again = ada.sent(KEYS, &form).await;
    assert_ne!(shown_key(&again), Some(key), "{again}");
    assert!(!site.keys(ada.customer()).await.iter().any(|one| one.hash == hash), "the deleted secret is invalid");
}

#[tokio::test(start_paused = true)]
async fn of_two_replacements_at_once_one_page_shows_a_valid_key() {
    let site = Site::new().await;
    let (one, two) = (another_process(&site), another_process(&site));
    let mut ada = site.signed_in(ADA).await;
    let create = filled_in(&ada.page(KEYS).await, KEYS, "Create key", NEW_KEY);
    ada.sent(KEYS, &create).await;
    let id = site.keys(ada.customer()).await[0].id.clone();
    for is_concurrent in [true, false] {
        advance(Duration::from_secs(5)).await;
        let tab = |page: &str| filled_in(page, ROTATE, id.0.as_str(), "");
        // Two tabs, each with a form of its own.
        let forms = [tab(&ada.page(KEYS).await), tab(&ada.page(KEYS).await)];
        let (mut first, mut second) = (at(&one, &ada), at(&two, &ada));
        let pages = if is_concurrent {
            let (a, b) = tokio::join!(first.sent(ROTATE, &forms[0]), second.sent(ROTATE, &forms[1]));
            [a, b]
        } else {
            [first.sent(ROTATE, &forms[0]).await, second.sent(ROTATE, &forms[1]).await]
        };
        let shown: Vec<String> = pages.iter().filter_map(|page| shown_key(page)).collect();
        assert_eq!(shown.len(), 1, "{pages:?}");
        let hash = shared::auth::ApiKey::parse(&shown[0]).expect("a key").hash();
        assert_eq!(site.keys(ada.customer()).await[0].hash, hash, "the key on the page is valid");
        let other = pages.iter().find(|page| shown_key(page).is_none()).expect("the other page");
        assert!(other.contains("was replaced meanwhile") && other.contains("role=\"alert\""), "{other}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_double_click_on_replace_shows_one_valid_key_on_both_pages() {
    let site = Site::new().await;
    let (one, two) = (another_process(&site), another_process(&site));
    let mut ada = site.signed_in(ADA).await;
    let create = filled_in(&ada.page(KEYS).await, KEYS, "Create key", NEW_KEY);
    let old = shown_key(&ada.sent(KEYS, &create).await).expect("a key");
    let id = site.keys(ada.customer()).await[0].id.clone();
    let form = filled_in(&ada.page(KEYS).await, ROTATE, id.0.as_str(), "");
    let (mut first, mut second) = (at(&one, &ada), at(&two, &ada));
    let (a, b) = tokio::join!(first.sent(ROTATE, &form), second.sent(ROTATE, &form));
    let (a, b) = (shown_key(&a), shown_key(&b));
    assert!(a.is_some() && a == b && a != Some(old.clone()), "{a:?} {b:?}");
    // Sent again later, the form of the first creation shows nothing: its key was replaced.
    let stale = ada.sent(KEYS, &create).await;
    assert_eq!(shown_key(&stale), None, "{stale}");
    assert!(stale.contains("was replaced meanwhile"), "{stale}");
    let hash = shared::auth::ApiKey::parse(&a.expect("a key")).expect("a key").hash();
    assert_eq!(site.keys(ada.customer()).await.iter().map(|one| one.hash.clone()).collect::<Vec<_>>(), [hash]);
}

#[tokio::test(start_paused = true)]
async fn a_double_click_on_register_registers_one_redirect_uri() {
    let site = Site::new().await;
    let (one, two) = (another_process(&site), another_process(&site));
    let ada = site.signed_in(ADA).await;
    let form = "uri=https%3A%2F%2Fexample.com%2Fback";
    let (mut first, mut second) = (at(&one, &ada), at(&two, &ada));
    let path = "/dashboard/settings/redirect-uris";
    let (a, b) = tokio::join!(first.sent(path, form), second.sent(path, form));
    for page in [a, b] {
        assert!(page.contains("The redirect URI is registered.") && !page.contains("role=\"alert\""), "{page}");
    }
    assert_eq!(site.app.store.redirect_uris(ada.customer()).await.expect("a read").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_double_click_on_upgrade_leads_to_one_checkout() {
    let site = Site::new().await;
    let (one, two) = (another_process(&site), another_process(&site));
    let mut ada = site.signed_in(ADA).await;
    let (path, portal) = ("/dashboard/billing/checkout", "/dashboard/billing/portal");
    let page = ada.page("/dashboard/billing").await;
    for (path, text) in [(path, "Upgrade to Pro"), (portal, "portal")] {
        let form = filled_in(&page, path, text, "");
        let (mut first, mut second) = (at(&one, &ada), at(&two, &ada));
        let (a, b) = tokio::join!(first.post(path, &form), second.post(path, &form));
        assert!(a.to().starts_with("http://sandbox/stripe/"), "{a:?}");
        assert_eq!(a.to(), b.to(), "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_double_click_on_create_makes_one_campaign() {
    let site = Site::new().await;
    let (one, two) = (another_process(&site), another_process(&site));
    let mut ada = site.signed_in(ADA).await;
    let consent = ada.post("/dashboard/connections", "platform=alpha_ads").await.to().to_owned();
    let opened = site.world.control("POST", "accounts", &json!({ "platform": "alpha_ads", "currency": "USD" })).await;
    let account = opened["account"]["id"].as_str().expect("an id").to_owned();
    let callback = site.world.consent(&consent, std::slice::from_ref(&account)).await;
    ada.get(&callback).await;
    let target = format!("targets=ALPHA%3A{account}");
    let own =
        format!("name=Summer&goal=WEBSITE_TRAFFIC&budget_amount=25.50&budget_period=DAILY&start_at=&end_at=&{target}");
    let page = ada.page("/dashboard/campaigns/new").await;
    let form = filled_in(&page, "/dashboard/campaigns", "Create campaign", &own);
    let (mut first, mut second) = (at(&one, &ada), at(&two, &ada));
    let path = "/dashboard/campaigns";
    tokio::join!(first.sent(path, &form), second.sent(path, &form));
    let list = ada.page("/dashboard/campaigns").await;
    assert_eq!(super::create::count(&list), 1, "{list}");
}
