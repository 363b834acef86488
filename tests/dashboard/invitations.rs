//! Invitations: a link of the operator leads a person to an existing customer.

use super::browser::{SESSION, Site};
use http::StatusCode;
use shared::auth::CustomerToken;
use shared::domain::{CustomerId, Invitation, Role};
use tokio::time::{Duration, advance};

/// An invitation to a customer, and the path of its link.
async fn invite_to(site: &Site, customer: CustomerId) -> (Invitation, String) {
    let token = CustomerToken::generate(customer).expect("a token");
    let (hash, created_at) = (token.hash(), site.app.clock.now());
    let invitation = Invitation { hash, created_at, inviter: None, role: Role::Member, invitee: None };
    site.app.store.put_invitation(customer, &invitation).await.expect("a store");
    (invitation, format!("/dashboard/sign-in?invitation={}", token.reveal()))
}

/// The path of a link to the customer of the world.
async fn invite(site: &Site) -> String {
    invite_to(site, site.world.customer).await.1
}

#[tokio::test(start_paused = true)]
async fn an_invitation_works_for_one_person() {
    let site = Site::new().await;
    let link = invite(&site).await;
    let mut browser = site.browser();
    let page = browser.get(&link).await;
    assert!(page.text.contains("invites you"), "a look at the page, as of a mail scanner, uses up nothing");
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
async fn the_page_names_the_account_that_invites_to_the_holder_of_the_link() {
    let site = Site::new().await;
    let customer = site.signed_in("owner+1@example.com").await.customer();
    let (_, link) = invite_to(&site, customer).await;
    let mut browser = site.browser();
    let page = browser.get(&link).await.text;
    assert!(page.contains("owner+1@example.com") || page.contains("owner&#43;1@example.com"), "{page}");
    assert!(page.contains(&customer.to_string()), "{page}");
    let (link, secret) = link.split_at(link.len() - 43);
    for other in [format!("{link}{}", "A".repeat(43)), format!("{link}{}", &secret[1..]), link.to_owned()] {
        let refused = browser.get(&other).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{other}");
        assert!(!refused.text.contains("owner") && !refused.text.contains(&customer.to_string()), "{}", refused.text);
    }
}

#[tokio::test(start_paused = true)]
async fn a_person_with_another_customer_keeps_it() {
    let site = Site::new().await;
    let own = site.signed_in("ada@example.com").await.customer();
    let link = invite(&site).await;
    let refused = site.browser().sign_in_from(&link, "ada@example.com").await;
    assert!(refused.status == StatusCode::CONFLICT && refused.text.contains("another account"), "{}", refused.text);
    assert_eq!(site.signed_in("ada@example.com").await.customer(), own);
    let mut bob = site.browser();
    assert_eq!(bob.sign_in_from(&link, "bob@example.com").await.to(), "/dashboard", "it was not used up");
}

#[tokio::test(start_paused = true)]
async fn an_invitation_ends_after_a_day_and_cannot_be_guessed() {
    let site = Site::new().await;
    let link = invite(&site).await;
    advance(Duration::from_secs(24 * 60 * 60)).await;
    assert_eq!(site.browser().get(&link).await.status, StatusCode::CONFLICT);
    assert_eq!(site.browser().sign_in_from(&link, "ada@example.com").await.status, StatusCode::CONFLICT);
    for link in ["/dashboard/sign-in?invitation=guess", "/dashboard/sign-in?invitation="] {
        assert_eq!(site.browser().get(link).await.status, StatusCode::CONFLICT, "{link}");
        assert_eq!(site.browser().post(link, "").await.status, StatusCode::CONFLICT, "{link}");
    }
    assert_eq!(site.customers().await, 1, "a refused person gets no customer either");
}

#[tokio::test(start_paused = true)]
async fn a_withdrawn_invitation_is_invalid_even_during_the_sign_in() {
    let site = Site::new().await;
    let store = &site.app.store;
    let customer = site.world.customer;
    let now = site.app.clock.now();
    let (invitation, link) = invite_to(&site, customer).await;
    let (other, _) = invite_to(&site, customer).await;
    assert_eq!(store.invitations(customer, now).await.expect("a store").len(), 2);
    let mut browser = site.browser();
    let page = browser.begin(&link).await;
    let callback = site.at_issuer(&page, "ada@example.com").await;
    assert!(store.withdraw_invitation(customer, &invitation.hash, now).await.expect("a store"));
    assert!(!store.withdraw_invitation(customer, &invitation.hash, now).await.expect("a store"), "again");
    let refused = browser.get(&callback).await;
    assert!(refused.status == StatusCode::CONFLICT && refused.text.contains("withdrawn"), "{}", refused.text);
    assert_eq!(store.invitations(customer, now).await.expect("a store"), [other]);
    assert_eq!(site.customers().await, 1, "a refused person gets no customer either");
}
