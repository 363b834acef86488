//! Invitations: a link of the operator leads a person to an existing customer.

use super::browser::{SESSION, Site};
use http::StatusCode;
use shared::digest::sha256_hex;
use shared::domain::CustomerId;
use tokio::time::{Duration, advance};

/// The path of a link to the customer of the world.
async fn invite(site: &Site, secret: &str) -> String {
    let customer: CustomerId = site.world.customer;
    let stored = site.app.store.put_invitation(&sha256_hex(secret), customer, site.app.clock.now()).await;
    stored.expect("a store");
    format!("/dashboard/sign-in?invitation={secret}")
}

#[tokio::test(start_paused = true)]
async fn an_invitation_lets_one_person_join_the_customer() {
    let site = Site::new().await;
    let link = invite(&site, "one").await;
    let mut browser = site.browser();
    let page = browser.get(&link).await;
    assert!(page.text.contains("invited"), "a look at the page, as of a mail scanner, uses up nothing");
    assert_eq!(browser.sign_in_from(&link, "ada@example.com").await.to(), "/dashboard");
    assert_eq!(browser.customer(), site.world.customer);
    assert_eq!(site.signed_in("ada@example.com").await.customer(), site.world.customer);
    let mut second = site.browser();
    let refused = second.sign_in_from(&link, "eve@example.com").await;
    assert!(refused.status == StatusCode::CONFLICT && refused.text.contains("new one"), "{}", refused.text);
    assert!(!second.cookies.contains_key(SESSION));
    assert_eq!(site.customers().await, 1, "a refused person gets no customer either");
}

#[tokio::test(start_paused = true)]
async fn a_person_with_another_customer_keeps_it() {
    let site = Site::new().await;
    let own = site.signed_in("ada@example.com").await.customer();
    let link = invite(&site, "two").await;
    let refused = site.browser().sign_in_from(&link, "ada@example.com").await;
    assert!(refused.status == StatusCode::CONFLICT && refused.text.contains("another account"), "{}", refused.text);
    assert_eq!(site.signed_in("ada@example.com").await.customer(), own);
    let mut bob = site.browser();
    assert_eq!(bob.sign_in_from(&link, "bob@example.com").await.to(), "/dashboard", "it was not used up");
}

#[tokio::test(start_paused = true)]
async fn an_invitation_ends_after_a_day_and_cannot_be_guessed() {
    let site = Site::new().await;
    let link = invite(&site, "three").await;
    advance(Duration::from_secs(24 * 60 * 60)).await;
    for link in [link.as_str(), "/dashboard/sign-in?invitation=guess", "/dashboard/sign-in?invitation="] {
        let refused = site.browser().sign_in_from(link, "ada@example.com").await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{link}");
    }
}
