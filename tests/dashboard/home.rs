//! The home page, and the names of keys in their list and in the request log.

use super::actions::shown_key;
use super::browser::Site;
use crate::in_process::respond;
use lambda_http::Body;
use shared::serve::PostResponseWork;

const ADA: &str = "ada@example.com";

impl Site {
    /// Makes a request with a key, and the entry of it in the usage log.
    async fn log_with_key(&self, key: &str, path: &str) {
        let request = http::Request::builder().uri(path).header("x-api-key", key);
        let mut response = respond(&self.app, request.body(Body::Empty).expect("a request")).await;
        PostResponseWork::take_from(&mut response).expect("an entry").run().await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_home_page_shows_the_first_steps_in_order() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let new = ada.get("/dashboard").await.text;
    let at = |page: &str, text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}: {page}"));
    assert!(at(&new, "Connect an ad account") < at(&new, "Create a campaign"), "{new}");
    assert!(at(&new, "Create a campaign") < at(&new, "Create an API key"), "{new}");
    assert_eq!(new.matches("class=\"button\"").count(), 1, "only the next one is filled: {new}");
    assert!(!new.contains("At a glance"), "{new}");
    ada.connect("alpha_ads").await;
    let connected = ada.get("/dashboard?read=all").await.text;
    assert!(connected.contains("At a glance") && connected.contains("All work"), "{connected}");
    assert!(connected.contains("class=\"button\" href=\"/dashboard/campaigns"), "{connected}");
}

#[tokio::test(start_paused = true)]
async fn keys_are_distinguishable_in_the_list_and_in_the_log() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut ends = Vec::new();
    for name in ["Reporting", "Nightly"] {
        let page = ada.submit("/dashboard/keys", &format!("name={name}&scopes=read&expires=")).await;
        assert!(page.contains("Key created. Copy it now."), "{page}");
        let key = shown_key(&page).expect("a key");
        let end = key[key.len() - 4..].to_owned();
        assert!(page.contains(&format!("<code>…{end}</code>")), "{page}");
        ends.push(end);
        site.log_with_key(&key, "/v1/campaigns").await;
    }
    let listed = ada.get("/dashboard/keys").await.text;
    assert!(ends.iter().all(|end| listed.contains(&format!("…{end}"))), "{listed}");
    let log = ada.get("/dashboard/usage").await.text;
    assert!(log.contains("<bdi>Reporting</bdi>") && log.contains("<bdi>Nightly</bdi>"), "{log}");
    for path in ["/campaigns", "/v1/campaigns", "campaigns"] {
        let found = ada.get(&format!("/dashboard/usage?path={path}")).await.text;
        assert!(
            found.contains("<code>/v1/campaigns</code>") && found.contains(&format!("value=\"{path}\"")),
            "{found}"
        );
    }
}
