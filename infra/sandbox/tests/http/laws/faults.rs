//! Faults: what the platform says, what it does, and which requests they hit.

use super::{Change, on_each_platform};
use crate::oauth_client::{Call, Renewal};
use serde_json::json;

const OPERATIONS: [&str; 9] = ["create", "list", "get", "update", "delete", "token", "refresh", "revoke", "accounts"];

#[tokio::test(start_paused = true)]
async fn an_error_hits_its_own_operation_once_and_nothing_is_done() {
    on_each_platform(|session| async move {
        let sample = session.sample;
        let account = session.account();
        let id = session.create(account, "Sale").await;
        for operation in OPERATIONS {
            session.fault(operation, "error").await;
        }
        let before = session.books().await;
        if sample.has_report_operation {
            session.accept(&(sample.report)(account, &id, ["2026-03-01", "2026-03-02"], false)).await;
        }
        if let Some(prepare) = sample.prepare {
            session.accept(&prepare(account)).await;
        }
        let calls = [
            (sample.create)(account, "Other"),
            session.list(),
            (sample.get)(account, &id),
            Call::get(sample.account_list.to_owned()),
            session.update(&id, Change::Name("New")),
            (sample.delete)(account, &id),
        ];
        let [failed, token_failed] = sample.words.failed;
        for call in &calls {
            assert_eq!(session.refusal(call).await, failed, "{} {}", call.method, call.path);
        }
        let revoked = sample.oauth.revoke(&session.server, "never").await;
        assert!([failed, token_failed].contains(&session.words(&revoked).as_str()), "{}", revoked.text);
        let code = sample.oauth.code(&session.server, &[], &[]).await;
        let exchanged = sample.oauth.exchange(&session.server, &code, &[]).await;
        assert_eq!(session.words(&exchanged), token_failed);
        if sample.oauth.renewal != Renewal::Nothing {
            let renewed = sample.oauth.refresh(&session.server, &session.renewal).await;
            assert_eq!(session.words(&renewed), token_failed);
            sample.oauth.tokens(&sample.oauth.refresh(&session.server, &session.renewal).await);
        }
        assert_eq!(session.books().await, before);
        sample.oauth.tokens(&sample.oauth.exchange(&session.server, &code, &[]).await);
        for call in &calls {
            session.accept(call).await;
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_throttle_has_the_platforms_own_form() {
    on_each_platform(|session| async move {
        let words = &session.sample.words;
        session.fault("list", "throttle").await;
        let response = session.send(&session.list()).await.unwrap();
        assert_eq!(session.words(&response), words.throttled[0]);
        if let Some((header, part)) = words.wait {
            assert!(response.headers[header].contains(part), "{:?}", response.headers);
        }
        assert_eq!(response.headers.get("retry-after"), None, "no platform has it");
        session.fault("token", "throttle").await;
        let oauth = &session.sample.oauth;
        let response = oauth.exchange(&session.server, &oauth.code(&session.server, &[], &[]).await, &[]).await;
        assert_eq!(session.words(&response), words.throttled[1]);
        session.accept(&session.list()).await;
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_revoked_grant_is_invalid_until_a_new_consent() {
    on_each_platform(|session| async move {
        let (oauth, words) = (&session.sample.oauth, &session.sample.words);
        let id = session.create(session.account(), "Sale").await;
        let get = (session.sample.get)(session.account(), &id);
        session.fault("get", "revoked").await;
        assert_eq!(session.refusal(&get).await, words.revoked_token);
        let mut session = session;
        if oauth.renewal != Renewal::Nothing {
            let response = oauth.refresh(&session.server, &session.renewal).await;
            assert_eq!(session.words(&response), words.dead_renewal);
            (session.access, session.renewal) = oauth.connect(&session.server).await;
            session.fault("refresh", "revoked").await;
            let response = oauth.refresh(&session.server, &session.renewal).await;
            assert_eq!(session.words(&response), words.dead_renewal);
            assert_eq!(session.refusal(&get).await, words.revoked_token);
        }
        (session.access, _) = oauth.connect(&session.server).await;
        session.accept(&get).await;
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn drop_executes_nothing_and_drop_after_executes_the_request() {
    on_each_platform(|session| async move {
        let create = |name: &str| (session.sample.create)(session.account(), name);
        session.fault("create", "drop").await;
        assert!(session.send(&create("Lost")).await.is_none());
        session.fault("create", "garbage").await;
        assert!(session.send(&create("Spoiled")).await.is_some());
        assert!(session.books().await.is_empty());
        session.fault("create", "drop_after").await;
        assert!(session.send(&create("Unheard")).await.is_none());
        assert_eq!(session.names().await, ["Unheard"]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_ignored_write_is_confirmed_and_not_made() {
    on_each_platform(|session| async move {
        let id = session.create(session.account(), "Sale").await;
        let before = session.books().await;
        let (rename, delete) =
            (session.update(&id, Change::Name("New")), (session.sample.delete)(session.account(), &id));
        session.fault("update", "ignored").await;
        let confirmed = session.accept(&rename).await;
        assert!(!confirmed.text.contains("\"New\""), "a response shows the campaign as it was: {}", confirmed.text);
        session.fault("delete", "ignored").await;
        session.accept(&delete).await;
        assert_eq!((session.books().await, session.names().await), (before, vec!["Sale".to_owned()]));
        session.accept(&rename).await;
        session.accept(&delete).await;
        let book = &session.books().await[0];
        assert_eq!((&book["name"], &book["status"]), (&json!("New"), &json!(session.sample.statuses[2])));
    })
    .await;
}
