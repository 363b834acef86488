//! Consent pages, and the accounts that a consent covers.

use super::{Session, on_each_platform};
use crate::client::REDIRECT;
use crate::oauth_client::Renewal;
use serde_json::json;

#[tokio::test(start_paused = true)]
async fn the_consent_page_has_a_form_with_every_account() {
    on_each_platform(|session| async move {
        let page = session.server.get(&session.sample.oauth.authorize(&[])).await;
        assert_eq!(page.status, 200);
        for part in [&["<form method=\"post\">"], session.sample.accounts, session.sample.words.page].concat() {
            assert!(page.text.contains(part), "{part}: {}", page.text);
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_consent_redirects_with_its_state_whether_approved_or_denied() {
    on_each_platform(|session| async move {
        let (oauth, words) = (&session.sample.oauth, &session.sample.words);
        let approved = session.server.submit(&oauth.authorize(&[]), &[("decision", "approve")]).await.redirect();
        assert_eq!(approved["state"], "st&te");
        assert!(approved.contains_key(oauth.names.code), "{approved:?}");
        let denied = session.server.submit(&oauth.authorize(&[]), &[("decision", "deny")]).await;
        assert_eq!((denied.status, &denied.headers["location"]), (302, &format!("{REDIRECT}{}", words.denied)));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_unverified_request_is_never_redirected() {
    on_each_platform(|session| async move {
        for (name, value, status) in session.sample.words.untrusted {
            let address = session.sample.oauth.authorize(&[(name, value)]);
            for response in
                [session.server.get(&address).await, session.server.submit(&address, &[("decision", "approve")]).await]
            {
                assert_eq!((response.status, response.headers.get("location")), (*status, None), "{name}={value}");
            }
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_invalid_decision_or_account_is_an_error_page() {
    on_each_platform(|session| async move {
        let address = session.sample.oauth.authorize(&[]);
        for pairs in [
            &[("decision", "maybe")][..],
            &[("account", session.account())],
            &[("decision", "approve"), ("decision", "deny")],
            &[("decision", "approve"), ("account", "1")],
            &[("decision", "approve"), ("account", session.account()), ("account", "1")],
        ] {
            let response = session.server.submit(&address, pairs).await;
            assert_eq!((response.status, response.headers.get("location")), (400, None), "{pairs:?}");
        }
        let twice = session.server.get(&format!("{address}&redirect_uri=https://app.example/cb")).await;
        assert_eq!(twice.status, 400);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn one_consent_connects_ten_usd_accounts() {
    on_each_platform(|session| async move {
        let mut accounts = Vec::new();
        for _ in 0..10 {
            let (status, opened) = session.control("accounts", json!({ "currency": "USD" })).await;
            assert_eq!((status, &opened["account"]["currency"]), (201, &json!("USD")));
            accounts.push(opened["account"]["id"].as_str().unwrap().to_owned());
        }
        let accounts: Vec<&str> = accounts.iter().map(String::as_str).collect();
        let (access, _) = session.sample.oauth.connect_to(&session.server, &accounts).await;
        let session = Session { access, ..session };
        for account in accounts {
            session.accept(&(session.sample.list)(account)).await;
        }
        assert_eq!(session.refusal(&session.list()).await, session.sample.words.foreign_account);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_new_account_needs_a_consent_that_names_it() {
    on_each_platform(|session| async move {
        let sample = session.sample;
        let [currency, id] = sample.new_account;
        let (status, opened) = session.control("accounts", json!({ "currency": currency })).await;
        assert_eq!(
            (status, &opened["account"]["id"], &opened["account"]["currency"]),
            (201, &json!(id), &json!(currency))
        );
        let (status, _) = session.control("accounts", json!({ "currency": sample.unknown_currency })).await;
        assert_eq!(status, 400);
        let list = (sample.list)(id);
        assert_eq!(session.refusal(&list).await, sample.words.foreign_account);
        let (access, _) = sample.oauth.connect_to(&session.server, &[id]).await;
        Session { access, ..session }.accept(&list).await;
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn grants_lose_access_to_an_account_and_regain_it() {
    on_each_platform(|session| async move {
        let access = async |account: &str, access: &str| {
            session.control("access", json!({ "account": account, "access": access })).await.0
        };
        for _ in 0..2 {
            assert_eq!(access(session.account(), "lost").await, 200);
            assert_ne!(session.refusal(&session.list()).await, "");
            session.accept(&(session.sample.list)(session.sample.accounts[1])).await;
        }
        for _ in 0..2 {
            assert_eq!(access(session.account(), "regained").await, 200);
            session.accept(&session.list()).await;
        }
        assert_eq!(access("5", "lost").await, 404);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_code_works_once_for_its_client_and_redirect_uri() {
    on_each_platform(|session| async move {
        let (oauth, words) = (&session.sample.oauth, &session.sample.words);
        let code = oauth.code(&session.server, &[], &[]).await;
        for (name, value, expected) in words.bad_exchanges {
            let response = oauth.exchange(&session.server, &code, &[(name, value)]).await;
            assert_eq!(session.words(&response), *expected, "{name}={value}");
        }
        let (access, renewal) = oauth.tokens(&oauth.exchange(&session.server, &code, &[]).await);
        let again = oauth.exchange(&session.server, &code, &[]).await;
        assert_eq!(session.words(&again), words.used_code);
        // A reused code may be stolen, so the reuse revokes its tokens.
        if oauth.renewal != Renewal::Nothing {
            let response = oauth.refresh(&session.server, &renewal).await;
            assert_eq!(session.words(&response), words.dead_renewal);
        }
        let session = Session { access, ..session };
        assert_eq!(session.refusal(&session.list()).await, words.revoked_token);
    })
    .await;
}
