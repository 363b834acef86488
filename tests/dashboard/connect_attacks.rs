//! Attacks on the page on which a person connects an assistant.

use super::browser::{ORIGIN, Site};
use super::connect::{AGENTS, CHANGE, CONSENT, COOKIE, LOOPBACK, address, answered, claude_code, form, registration};
use super::double_clicks::{another_process, at};
use http::StatusCode;
use serde_json::json;
use shared::assistants::clients;
use shared::domain::CodeOutcome;
use tokio::time::{Duration, advance};
use url::Url;

const ADA: &str = "ada@example.com";
/// A client with a document.
const CLIENT: &str = "https://client.example/oauth/client.json";
const CALLBACK: &str = "https://client.example/callback";

impl Site {
    /// Publishes the document of the client.
    fn publish(&self, name: &str, redirect_uri: &str) {
        let document = json!({
            "client_id": CLIENT,
            "client_name": name,
            "redirect_uris": [redirect_uri],
            "token_endpoint_auth_method": "none",
        });
        self.world.receivers.publish(CLIENT, &document);
    }
}

#[tokio::test(start_paused = true)]
async fn two_clicks_on_allow_make_one_key_and_one_code() {
    let site = Site::new().await;
    let (one, two) = (another_process(&site), another_process(&site));
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let page = ada.asked(&address(&claude_code(), LOOPBACK, &[])).await.text;
    let form = form(&page, CHANGE);
    let (mut first, mut second) = (at(&one, &ada), at(&two, &ada));
    let (a, b) = tokio::join!(first.post(CONSENT, &form), second.post(CONSENT, &form));
    let codes = [site.code(a.to()).await, site.code(b.to()).await];
    assert_eq!(codes[0], codes[1]);
    // Sent once more after the answer was lost.
    advance(Duration::from_secs(120)).await;
    assert_eq!(site.code(ada.post(CONSENT, &form).await.to()).await, codes[0]);
    let (assistants, keys) = site.assistants(&ada).await;
    assert_eq!((assistants.len(), keys.len()), (1, 1));
    let now = site.app.clock.now();
    let CodeOutcome::Taken(taken) = assistants[0].take_code(&codes[0].id, now) else {
        panic!("its minute begins anew")
    };
    assert!(site.app.store.put_assistant(ada.customer(), Some(&assistants[0]), &taken).await.expect("a write"));
    // Once it is taken, no click sends it again: that would look like a theft.
    ada.asked(&address(&claude_code(), LOOPBACK, &[])).await;
    let again = ada.post(CONSENT, &form).await;
    assert_eq!(again.status, StatusCode::CONFLICT, "{}", again.text);
    assert!(again.text.contains("You have decided on this already"), "{}", again.text);
}

#[tokio::test(start_paused = true)]
async fn allow_needs_the_own_site_and_a_recent_sign_in() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let page = ada.asked(&address(&claude_code(), LOOPBACK, &[])).await.text;
    let form = form(&page, CHANGE);
    for headers in [&[("sec-fetch-site", "cross-site")][..], &[("origin", "https://evil.example")], &[]] {
        assert_eq!(ada.post_with(CONSENT, &form, headers).await.status, StatusCode::FORBIDDEN, "{headers:?}");
    }
    advance(Duration::from_secs(10 * 60 + 1)).await;
    let sign_in = ada.post(CONSENT, &form).await.to().to_owned();
    assert!(sign_in.starts_with("/dashboard/sign-in?again=yes"), "{sign_in}");
    let old = ada.get(CONSENT).await.text;
    assert!(old.contains("Sign in again") && !old.contains("value=\"allow\""), "{old}");
    assert!(site.assistants(&ada).await.1.is_empty(), "nothing is made");
    assert_eq!(ada.sign_in_from(&sign_in, ADA).await.to(), CONSENT);
    let kept = ada.get(CONSENT).await.text;
    assert!(kept.contains("nothing is sent yet") && kept.contains("value=\"120.50\""), "{kept}");
    assert!(
        ada.post_with(
            CONSENT,
            &form.replace("decision=allow", "decision=refuse"),
            &[("sec-fetch-site", "same-origin")]
        )
        .await
        .to()
        .contains("error=access_denied")
    );
}

#[tokio::test(start_paused = true)]
async fn every_request_shows_a_page_and_no_error_redirects() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let client = claude_code();
    for other in [&[("prompt", "none")][..], &[("scope", "write billing")], &[("max_age", "0")]] {
        let page = ada.asked(&address(&client, LOOPBACK, other)).await.text;
        assert!(page.contains("value=\"read\" checked"), "the least is chosen, {other:?}: {page}");
    }
    for (name, wrong) in [
        ("response_type", "token"),
        ("code_challenge_method", "plain"),
        ("code_challenge", ""),
        ("client_id", ""),
        ("redirect_uri", ""),
        ("resource", "https://service.example/v1/mcp/"),
        ("resource", "https://evil.example/v1/mcp"),
    ] {
        let refused = site.browser().get(&address(&client, LOOPBACK, &[(name, wrong)])).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{name}={wrong}: {}", refused.text);
    }
    let twice = format!("{}&redirect_uri=https%3A%2F%2Fevil.example%2F", address(&client, LOOPBACK, &[]));
    assert_eq!(ada.get(&twice).await.status, StatusCode::BAD_REQUEST);
    // The client decides on redirects, and its page says so.
    for elsewhere in [
        "https://evil.example/callback",
        "http://127.0.0.1:50001/other",
        "http://localhost:50001/callback",
        "javascript:alert(1)",
    ] {
        ada.get(&address(&client, elsewhere, &[])).await;
        let refused = ada.get(CONSENT).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{elsewhere}: {}", refused.text);
        assert!(refused.text.contains("nothing was sent to it") && !refused.headers.contains_key("location"));
        assert_eq!(ada.post(CONSENT, CHANGE).await.to(), CONSENT, "and nothing is allowed");
    }
    assert!(site.assistants(&ada).await.1.is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_altered_or_an_old_request_is_a_page() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let page = ada.asked(&address(&claude_code(), LOOPBACK, &[])).await.text;
    let (form, cookie) = (form(&page, CHANGE), ada.cookies[COOKIE].clone());
    for altered in [format!("{cookie}x"), cookie[1..].to_owned(), "v1.k1.a.b".to_owned(), String::new()] {
        ada.cookies.insert(COOKIE.to_owned(), altered);
        for shown in [ada.get(CONSENT).await, ada.post(CONSENT, &form).await] {
            assert_eq!(shown.status, StatusCode::NOT_FOUND, "{}", shown.text);
            assert!(shown.text.contains("No app asks here now"), "{}", shown.text);
        }
    }
    ada.cookies.insert(COOKIE.to_owned(), cookie);
    advance(Duration::from_secs(15 * 60)).await;
    assert_eq!(ada.get(CONSENT).await.status, StatusCode::NOT_FOUND);
    assert!(site.assistants(&ada).await.1.is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_name_of_an_app_is_text_that_hides_nothing() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let name = "\u{202e}edualC\u{200b}<script>alert(1)</script>\"><img src=x>";
    let forged = ada.get(&address(&registration(name, LOOPBACK), LOOPBACK, &[])).await.to().to_owned();
    assert_eq!(ada.get(&forged).await.status, StatusCode::BAD_REQUEST, "a registration has no such name");
    let metadata = json!({ "client_name": name, "redirect_uris": [LOOPBACK] }).to_string();
    let client = clients::register(metadata.as_bytes()).expect("a client").client_id;
    let page = ada.asked(&address(&client, LOOPBACK, &[])).await.text;
    assert!(!page.contains("<script>alert") && !page.contains("<img src"), "{page}");
    assert!(!page.contains('\u{202e}') && !page.contains('\u{200b}'), "{page}");
    let long = registration(&"a".repeat(10_000), LOOPBACK);
    let refused = ada.get(&address(&long, LOOPBACK, &[])).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "too long for a cookie");
    assert!(ada.allowed(&address(&client, LOOPBACK, &[]), CHANGE).await.starts_with(LOOPBACK));
    assert!(!ada.get(AGENTS).await.text.contains("<script>alert"));
}

#[tokio::test(start_paused = true)]
async fn a_document_is_read_for_a_person_alone() {
    let site = Site::new().await;
    site.publish("Example", CALLBACK);
    let mut ada = site.browser();
    let address = address(CLIENT, CALLBACK, &[]);
    assert_eq!(ada.get(&address).await.to(), CONSENT);
    let sign_in = ada.get(CONSENT).await.to().to_owned();
    ada.post(CONSENT, CHANGE).await;
    assert!(site.world.receivers.read().is_empty(), "nobody is signed in");
    ada.sign_in_from(&sign_in, ADA).await;
    let page = ada.get(CONSENT).await.text;
    assert!(page.contains("<bdi>client.example</bdi> says: this is <strong><bdi>Example</bdi></strong>"), "{page}");
    assert_eq!(site.world.receivers.read(), [CLIENT]);
}

#[tokio::test(start_paused = true)]
async fn what_the_page_has_shown_counts() {
    let site = Site::new().await;
    site.publish("Example", CALLBACK);
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let page = ada.asked(&address(CLIENT, CALLBACK, &[])).await.text;
    site.publish("Another", "https://client.example/elsewhere");
    advance(Duration::from_secs(9 * 60)).await;
    let to = ada.post(CONSENT, &form(&page, CHANGE)).await.to().to_owned();
    assert!(to.starts_with(CALLBACK), "{to}");
    let (assistants, keys) = site.assistants(&ada).await;
    assert_eq!((assistants[0].client_name.as_str(), keys[0].name.as_str()), ("Example", "Example"));
    // Another request of the same browser is shown before anything is allowed to it.
    let page = ada.asked(&address(&claude_code(), LOOPBACK, &[])).await.text;
    let form = form(&page, CHANGE);
    let evil = registration("Evil", "https://evil.example/callback");
    ada.get(&address(&evil, "https://evil.example/callback", &[])).await;
    assert_eq!(ada.post(CONSENT, &form).await.to(), CONSENT);
    let shown = ada.get(CONSENT).await.text;
    assert!(shown.contains("Another app has asked meanwhile") && shown.contains("<bdi>Evil</bdi>"), "{shown}");
    assert_eq!(ada.post(CONSENT, &form).await.to(), CONSENT, "also once it was shown");
    assert_eq!(site.assistants(&ada).await.1.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_state_stays_one_value_of_the_answer() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let state = "a&code=evil&iss=https://evil.example#x\r\nSet-Cookie: a=b";
    let to = ada.allowed(&address(&claude_code(), LOOPBACK, &[("state", state)]), CHANGE).await;
    let pairs: Vec<(String, String)> = Url::parse(&to).expect("an address").query_pairs().into_owned().collect();
    assert_eq!(pairs.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["code", "state", "iss"]);
    assert_eq!((pairs[1].1.as_str(), pairs[2].1.as_str()), (state, ORIGIN));
    let without = address(&claude_code(), LOOPBACK, &[]).replace("&state=state-1", "");
    assert!(!answered(&ada.allowed(&without, CHANGE).await).contains_key("state"));
}
