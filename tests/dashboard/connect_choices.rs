//! What the page chooses from the start when a person connects an assistant, and what it tells of a form that is wrong.

use super::actions::shown_key;
use super::browser::{Browser, Site};
use super::connect::{AGENTS, CHANGE, CONSENT, LOOPBACK, address, claude_code, form};
use super::double_clicks::filled_in;
use serde_json::json;
use shared::domain::ExternalRef;
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";

impl Browser<'_> {
    /// Connects an ad account in a currency; returns the id of its connection.
    async fn connect_in(&mut self, platform: &str, currency: &str) -> String {
        let order = json!({ "platform": platform, "currency": currency });
        let opened = self.site.world.control("POST", "accounts", &order).await;
        self.connect_to(platform, opened["account"]["id"].as_str().expect("an id").to_owned()).await;
        let connections = self.site.app.store.connections(self.customer(), self.site.app.clock.now()).await;
        let known = connections.expect("a read").into_iter();
        let is_in = |code: &str| code == currency;
        let mut known = known.filter(|one| one.account.as_ref().is_some_and(|account| is_in(account.currency.code())));
        known.next().expect("a connection").id.0
    }

    async fn asked_by_claude_code(&mut self) -> String {
        self.asked(&address(&claude_code(), LOOPBACK, &[])).await.text
    }
}

/// The form of the page with what a person fills in, and these ad accounts ticked.
fn ticking(page: &str, own: &str, ids: &[&String]) -> String {
    let ticked: String = ids.iter().map(|id| format!("&connections={id}")).collect();
    filled_in(page, CONSENT, "value=\"allow\"", &format!("{own}{ticked}"))
}

/// The error beside a field.
fn error_of(page: &str, field: &str) -> Option<String> {
    let text = page.split(&format!("id=\"{field}-error\">")).nth(1)?;
    text.split('<').next().map(str::to_owned)
}

#[tokio::test(start_paused = true)]
async fn only_look_is_chosen_first_and_then_what_it_had() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let first = ada.asked_by_claude_code().await;
    assert!(first.contains("It asks to see and to change campaigns."), "{first}");
    assert!(first.contains("value=\"read\" checked") && !first.contains("value=\"campaigns\" checked"), "{first}");
    ada.post(CONSENT, &form(&first, CHANGE)).await.to();
    let again = ada.asked_by_claude_code().await;
    assert!(again.contains("value=\"campaigns\" checked") && again.contains("value=\"120.50\""), "{again}");
}

#[tokio::test(start_paused = true)]
async fn all_errors_are_told_at_once_beside_their_fields() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let page = ada.asked_by_claude_code().await;
    let wrong = CHANGE.replace("120.50", "1%2C205").replace("creates_per_day=3", "creates_per_day=many");
    let shown = ada.submit(CONSENT, &ticking(&page, &format!("{wrong}&external_ref=a+b"), &[])).await;
    for field in ["connections", "daily", "creates_per_day", "external_ref"] {
        assert!(error_of(&shown, field).is_some_and(|error| error.ends_with('.')), "{field}: {shown}");
        assert!(shown.contains(&format!("<li><a href=\"#{field}\">")), "{field} in the list: {shown}");
    }
    assert!(shown.contains("value=\"1,205\"") && shown.contains("value=\"many\"") && shown.contains("value=\"a b\""));
    let focused = shown.split(" autofocus").next().and_then(|before| before.rsplit('<').next());
    assert!(focused.is_some_and(|input| input.contains("name=\"connections\"")), "the first of them: {shown}");
    assert_eq!(shown.matches(" autofocus").count(), 1, "{shown}");
    assert!(site.assistants(&ada).await.1.is_empty(), "nothing is made");
}

#[tokio::test(start_paused = true)]
async fn the_currency_is_that_of_the_ticked_accounts() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let dollars = ada.connect_in("alpha_ads", "USD").await;
    let euros = ada.connect_in("beta_ads", "EUR").await;
    let page = ada.asked_by_claude_code().await;
    for (id, code) in [(&dollars, "USD"), (&euros, "EUR")] {
        assert!(page.contains(&format!("data-currency=\"{code}\" name=\"connections\" value=\"{id}\"")), "{page}");
        assert!(page.contains(&format!("<option value=\"{code}\"")), "{page}");
    }
    let refused = ada.submit(CONSENT, &ticking(&page, CHANGE, &[&euros])).await;
    let error = error_of(&refused, "currency").expect("an error");
    assert!(error.starts_with("Meta: ") && error.contains("is in EUR, not in USD. Choose its currency"), "{error}");
    let mixed = ada.submit(CONSENT, &ticking(&refused, CHANGE, &[&euros, &dollars])).await;
    assert!(error_of(&mixed, "currency").is_some_and(|error| error.contains("tick below")), "{mixed}");
    assert!(mixed.contains("name=\"other_currency\" value=\"yes\">"), "{mixed}");
    // The form of a key says the same.
    let agents = ada.get(AGENTS).await.text;
    let own = format!("name=Agent&{}&connections={euros}", CHANGE.replace("&decision=allow", ""));
    let agent = ada.submit(AGENTS, &filled_in(&agents, AGENTS, "Make a limited key", &own)).await;
    assert_eq!(error_of(&agent, "currency"), Some(error));
    // One that only looks has no amount.
    let look = CHANGE.replace("may=campaigns", "may=read");
    assert!(ada.post(CONSENT, &ticking(&mixed, &look, &[&euros])).await.to().starts_with(LOOPBACK));
    let page = ada.asked_by_claude_code().await;
    assert!(page.contains("<option value=\"EUR\" selected"), "the form has the currency of what is ticked: {page}");
    let known = format!("anew=&other_currency=yes&{CHANGE}");
    assert!(ada.post(CONSENT, &ticking(&page, &known, &[&euros, &dollars])).await.to().starts_with(LOOPBACK));
    assert_eq!(site.assistants(&ada).await.1.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_assistant_is_bound_to_a_user_and_stays_so() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.connect_in("alpha_ads", "USD").await;
    let other = ada.connect_in("beta_ads", "EUR").await;
    let made = ada.submit("/dashboard/keys", "name=Nightly&scopes=read&scopes=write&expires=").await;
    let key = shown_key(&made).expect("a key");
    let to_shop = json!({ "external_ref": "shop42" });
    assert_eq!(site.request(&key, "PATCH", &format!("/v1/connections/{own}"), &to_shop).await.0, 200);
    let page = ada.asked_by_claude_code().await;
    let bound = format!("{CHANGE}&external_ref=shop42");
    let refused = ada.submit(CONSENT, &ticking(&page, &bound, &[&own, &other])).await;
    let error = error_of(&refused, "connections").expect("an error");
    assert!(error.starts_with("Meta: ") && error.contains("is no ad account of your user shop42"), "{error}");
    assert!(ada.post(CONSENT, &ticking(&refused, &bound, &[&own])).await.to().starts_with(LOOPBACK));
    let made = site.assistants(&ada).await.1.remove(0);
    assert_eq!(made.external_ref, ExternalRef::parse("shop42"));
    // It is told wherever the assistant is.
    let key_page = format!("/dashboard/keys/one?id={}", made.id.0);
    for place in [AGENTS, key_page.as_str()] {
        let shown = ada.get(place).await.text;
        assert!(shown.contains("only for the user") && shown.contains("<bdi>shop42</bdi>"), "{place}: {shown}");
    }
    let page = ada.asked_by_claude_code().await;
    assert!(page.contains("for your user shop42 alone") && page.contains("value=\"shop42\""), "{page}");
    for (typed, next) in [("shop43", "Write shop42 here"), ("", "Write shop42 here")] {
        let anew = format!("anew={}&{CHANGE}&external_ref={typed}", made.id.0);
        let refused = ada.submit(CONSENT, &ticking(&page, &anew, &[&own])).await;
        let error = error_of(&refused, "external_ref").expect("an error");
        assert!(error.contains("acts for your user shop42") && error.contains(next), "{typed}: {error}");
    }
    let anew = format!("anew={}&{bound}", made.id.0);
    assert!(ada.post(CONSENT, &ticking(&page, &anew, &[&own])).await.to().starts_with(LOOPBACK));
    let after = site.assistants(&ada).await.1;
    assert_eq!((after.len(), &after[0].external_ref), (1, &ExternalRef::parse("shop42")));
}

#[tokio::test(start_paused = true)]
async fn an_old_sign_in_is_renewed_with_one_button() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    advance(Duration::from_secs(10 * 60 + 1)).await;
    let page = ada.asked(&address(&claude_code(), LOOPBACK, &[])).await;
    let again = "/dashboard/sign-in?again=yes&return_to=%2Fdashboard%2Fconnect%2Fconsent";
    let action = format!("<form method=\"post\" action=\"{}\"", again.replace('&', "&#38;"));
    assert!(page.text.contains(&action), "{}", page.text);
    let at_issuer = ada.post(again, "").await.to().to_owned();
    let issuer = at_issuer.split('/').take(3).collect::<Vec<_>>().join("/");
    let policy = page.headers["content-security-policy"].to_str().expect("a policy");
    assert!(policy.contains(&format!("form-action 'self' http://127.0.0.1:50001 {issuer}")), "{policy}: {at_issuer}");
}
