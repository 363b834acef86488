//! Another role at once: viewers in the settings, their invitations, and what they may do for themselves.

use super::browser::Site;
use super::team::{ADA, BOB, INVITE, REMOVE, ROLE, SETTINGS, shown_link};
use http::StatusCode;
use serde_json::json;
use shared::domain::Role;

#[tokio::test(start_paused = true)]
async fn a_role_that_changes_holds_from_the_next_request_on() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = ada.with_member(BOB).await;
    let uri = |name: &str| format!("uri=https%3A%2F%2Fexample.com%2F{name}");
    let add = "/dashboard/settings/redirect-uris";
    bob.submit(add, &uri("one")).await;
    let consent = bob.post("/dashboard/connections", "platform=alpha_ads").await.to().to_owned();
    let naming = ada.naming(BOB).await;
    let told = ada.submit(ROLE, &format!("{naming}&role=VIEWER")).await;
    assert!(told.contains("bob@example.com is a viewer now.") && told.contains("API keys that they know"), "{told}");
    assert_eq!(bob.post(add, &uri("two")).await.status, StatusCode::FORBIDDEN);
    // The consent that the member began connects nothing for the viewer.
    let order = json!({ "platform": "alpha_ads", "currency": "USD" });
    let account =
        site.world.control("POST", "accounts", &order).await["account"]["id"].as_str().expect("an id").to_owned();
    let callback = site.world.consent(&consent, &[account]).await;
    bob.get(&callback).await;
    assert!(bob.get("/dashboard/connections").await.text.contains("No ad account is connected yet"));
    let page = bob.get(SETTINGS).await.text;
    assert!(page.contains("You are a viewer.") && page.contains("ask <bdi>ada@example.com</bdi>"), "{page}");
    assert!(page.contains("https://example.com/one") && !page.contains("https://example.com/two"), "{page}");
    assert!(page.contains("Leave this account") && page.contains("Sign out everywhere"), "{page}");
    for action in [INVITE, ROLE, add] {
        assert!(!page.contains(&format!("action=\"{action}\"")), "{action}: {page}");
    }
    ada.submit(ROLE, &format!("{naming}&role=MEMBER")).await;
    assert!(bob.submit(add, &uri("two")).await.contains("https://example.com/two"));
}

#[tokio::test(start_paused = true)]
async fn a_viewer_is_invited_leaves_and_signs_out_everywhere() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = ada.with_viewer(BOB).await;
    assert_eq!(bob.person(BOB).await.role, Role::Viewer);
    let link = ada.invite("7&role=VIEWER").await;
    assert!(site.browser().get(&link).await.text.contains("Sign in to join it as a viewer."));
    let other = ada.submit(INVITE, "idempotency_key=7&role=MEMBER").await;
    assert!(other.contains("The invitation for a member is made. Its link works until"), "{other}");
    let other = shown_link(&other).expect("a link").to_owned();
    assert!(
        site.browser().get(&other).await.text.contains("Sign in to join it as a member."),
        "each role has its link"
    );
    let owner = ada.submit(INVITE, "idempotency_key=8&role=OWNER").await;
    assert!(owner.contains("Choose one of them"), "{owner}");
    let mut phone = site.signed_in(BOB).await;
    assert_eq!(phone.post("/dashboard/sign-out", "sessions=all").await.to(), "/dashboard/sign-in");
    assert!(!bob.is_signed_in().await);
    let mut bob = site.signed_in(BOB).await;
    let own = bob.naming(BOB).await;
    assert_eq!(bob.post(REMOVE, &own).await.to(), "/dashboard/sign-in");
    assert_eq!((ada.people().await.len(), ada.owners().await), (1, vec![ADA.to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn the_last_owner_becomes_no_viewer() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.with_viewer(BOB).await;
    let own = ada.naming(ADA).await;
    let refused = ada.submit(ROLE, &format!("{own}&role=VIEWER")).await;
    assert!(refused.contains("at least one owner"), "{refused}");
    ada.submit(ROLE, &format!("{}&role=OWNER", ada.naming(BOB).await)).await;
    let now = ada.submit(ROLE, &format!("{own}&role=VIEWER")).await;
    assert!(now.contains("ada@example.com is a viewer now."), "{now}");
    assert_eq!(ada.post(ROLE, &format!("{own}&role=OWNER")).await.status, StatusCode::FORBIDDEN);
    assert_eq!(ada.owners().await, [BOB]);
}
