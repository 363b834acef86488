//! People of a customer: the list, removal, and the sessions that end when the operator replaces all keys.

use super::browser::Site;
use crate::in_process::respond;
use http::StatusCode;
use shared::auth::{ApiKey, Mode};
use shared::domain::{ApiKeyInfo, ApiKeys, KeyId};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";

#[tokio::test(start_paused = true)]
async fn the_people_of_a_customer_are_listed_with_their_addresses() {
    let site = Site::new().await;
    let customer = site.signed_in(ADA).await.customer();
    let people = site.app.store.people(customer).await.expect("a store");
    let [ada] = people.as_slice() else { panic!("{people:?}") };
    assert_eq!((ada.email.as_deref(), ada.joined_at), (Some(ADA), site.app.clock.now()));
    site.signed_in(ADA).await;
    assert_eq!(site.app.store.people(customer).await.expect("a store").len(), 1, "another sign-in");
}

#[tokio::test(start_paused = true)]
async fn a_removed_person_is_signed_out_and_starts_with_a_new_customer() {
    let site = Site::new().await;
    let store = &site.app.store;
    let now = site.app.clock.now();
    let mut browser = site.signed_in(ADA).await;
    let mut in_progress = site.browser();
    let page = in_progress.begin("/dashboard/sign-in").await;
    let callback = site.at_issuer(&page, ADA).await;
    let customer = browser.customer();
    let person = store.people(customer).await.expect("a store").remove(0).id;
    assert!(!store.remove_person(site.world.customer, &person).await.expect("a store"), "of another customer");
    assert!(store.remove_person(customer, &person).await.expect("a store"));
    assert_eq!(store.end_sessions(customer, Some(&person), now).await.expect("a store").len(), 1);
    assert!(!browser.is_signed_in().await);
    assert!(store.people(customer).await.expect("a store").is_empty());
    assert_eq!(in_progress.get(&callback).await.to(), "/dashboard");
    assert_ne!(in_progress.customer(), customer, "the next sign-in makes a customer of their own");
    assert!(!store.remove_person(customer, &person).await.expect("a store"), "again");
}

#[tokio::test(start_paused = true)]
async fn no_session_begins_for_a_person_who_was_just_removed() {
    let site = Site::new().await;
    let store = &site.app.store;
    let now = site.app.clock.now();
    let browser = site.signed_in(ADA).await;
    let customer = browser.customer();
    let session = store.sessions(customer, None, now).await.expect("a store").remove(0);
    assert!(store.remove_person(customer, &session.person).await.expect("a store"));
    store.end_sessions(customer, Some(&session.person), now).await.expect("a store");
    assert!(!store.begin_session(customer, &session).await.expect("a store"));
    advance(Duration::from_secs(120)).await;
    assert!(!store.touch_session(customer, &session, site.app.clock.now()).await.expect("a store"));
    assert!(store.sessions(customer, None, now).await.expect("a store").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_session_ended_by_the_operator_creates_no_key() {
    let site = Site::new().await;
    let store = &site.app.store;
    let now = site.app.clock.now();
    let browser = site.signed_in(ADA).await;
    let customer = browser.customer();
    // The account as a request of the session has read it when the operator replaces all keys.
    let seen = store.account(customer, now).await.expect("a store").expect("an account");
    assert_eq!(store.end_sessions(customer, None, now).await.expect("a store").len(), 1);
    let key = ApiKey::generate(customer, Mode::Live).expect("a key");
    assert!(store.reset_keys(customer, &key.hash(), key.display(), now).await.expect("a store").is_some());
    let person = shared::domain::PersonId::of("issuer", "subject");
    let (email, role) = (None, shared::domain::Role::Owner);
    let caller =
        shared::auth::SessionCaller { account: seen, person, email, role, mode: Mode::Live, key: None, form: None };
    let body = r#"{"name":"thief","scopes":["read","write"]}"#;
    let request = http::Request::post("/v1/api-keys").header("content-type", "application/json").extension(caller);
    let response = respond(&site.app, request.body(lambda_http::Body::from(body)).expect("a request")).await;
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    let left = store.account(customer, now).await.expect("a store").expect("an account").keys;
    assert_eq!(left.all().len(), 1);
    assert!(left.find(&key.hash(), now).is_some());
}

#[tokio::test(start_paused = true)]
async fn a_new_sign_in_creates_keys_after_the_operator_replaced_them() {
    let site = Site::new().await;
    let store = &site.app.store;
    let now = site.app.clock.now();
    let customer = site.signed_in(ADA).await.customer();
    let key = ApiKey::generate(customer, Mode::Live).expect("a key");
    store.reset_keys(customer, &key.hash(), key.display(), now).await.expect("a store");
    let mut browser = site.browser();
    browser.sign_in_from("/dashboard/sign-in?again=yes", ADA).await;
    browser.post("/dashboard/keys", "name=Mine&scopes=read&scopes=write").await;
    let keys = store.account(customer, now).await.expect("a store").expect("an account").keys;
    assert!(keys.all().iter().any(|key| key.name == "Mine"), "{keys:?}");
}

#[tokio::test(start_paused = true)]
async fn a_replacement_reports_every_key_that_ended() {
    let site = Site::new().await;
    let store = &site.app.store;
    let now = site.app.clock.now();
    let customer = site.world.customer;
    let seen = store.account(customer, now).await.expect("a store").expect("an account").keys;
    let (id, hash, prefix) = (KeyId("key_thief".to_owned()), "h".to_owned(), "uac_live_".to_owned());
    let other = ApiKeyInfo::unlimited(id, "thief", hash, prefix, now);
    let add = |keys: &ApiKeys| keys.with(other.clone()).ok_or(());
    assert_eq!(store.change_keys(customer, seen, now, add).await.expect("a store").map(drop), Ok(()));
    let ended = store.reset_keys(customer, "new", "uac_live_", now).await.expect("a store").expect("an account");
    let names: Vec<_> = ended.all().iter().map(|key| key.name.as_str()).collect();
    assert!(names.len() == 2 && names.contains(&"thief") && names.contains(&"default"), "{names:?}");
}
