//! What ends the tokens of an assistant: its own sign-out, a person, Stop, the deletion of its key, a disabled account.

use super::{REVOKE, Stage, TOKEN, consent, exchange_form, form, person, refresh_form, tokens};
use serde_json::{Value, json};
use shared::assistants::{sign_out, sign_out_of_person};
use shared::domain::{KeyId, PersonId, Scope, SignOutReason};
use std::sync::Arc;

impl Stage {
    /// Asserts that neither token works, in this process, which knows them, and in a new one.
    async fn ended(&self, tokens: &super::Tokens) {
        let new = Stage { app: Arc::new(self.world.straight()), world: crate::spending::with_key(&self.world, "") };
        for stage in [self, &new] {
            assert_eq!(stage.mcp(&tokens.access).await, 401);
            assert_eq!(stage.refused(TOKEN, &refresh_form(&tokens.refresh, &[])).await, "invalid_grant");
        }
    }

    async fn sign_out(&self, key: &KeyId) {
        let account = self.app.store.account(self.customer(), self.app.clock.now()).await;
        let keys = account.expect("a store").expect("an account").keys;
        let (store, record, now) = (&self.app.store, self.record(key).await, self.app.clock.now());
        sign_out(store, self.customer(), &record, &keys, SignOutReason::ByPerson, now).await.expect("a sign-out");
    }
}

#[tokio::test(start_paused = true)]
async fn an_assistant_signs_itself_out_with_either_token() {
    let stage = Stage::new().await;
    for is_access in [true, false] {
        let (key, tokens) = stage.connected().await;
        let (_, other) = stage.connected().await;
        let token = if is_access { &tokens.access } else { &tokens.refresh };
        let foreign = form(&[("token", token), ("client_id", "https://chatgpt.com/oauth/client.json")], &[]);
        stage.ok(REVOKE, &foreign).await;
        assert_eq!(stage.mcp(&tokens.access).await, 200, "another client ends nothing");
        for _ in 0..2 {
            stage.ok(REVOKE, &form(&[("token", token)], &[])).await;
        }
        assert_eq!(stage.signed_out(&key).await, Some("revoked"));
        stage.ended(&tokens).await;
        assert_eq!(stage.mcp(&other.access).await, 200, "another assistant stays");
    }
}

#[tokio::test(start_paused = true)]
async fn a_person_signs_an_assistant_out_and_connects_it_again() {
    let stage = Stage::new().await;
    let (key, before) = stage.connected().await;
    let unused = stage.consent_again(&key).await;
    stage.sign_out(&key).await;
    stage.sign_out(&key).await;
    stage.ended(&before).await;
    assert_eq!(stage.signed_out(&key).await, Some("by_person"), "the first reason stays");
    assert_eq!(stage.refused(TOKEN, &exchange_form(&unused.code, &[])).await, "invalid_grant");
    let events = stage.owner("GET", "/v1/events?type=api_key.rotated", &Value::Null).await.1;
    assert_eq!(events["events"].as_array().map(Vec::len), Some(1), "one end has one event: {events}");
    let consent = stage.consent_again(&key).await;
    let after = tokens(&stage.ok(TOKEN, &exchange_form(&consent.code, &[])).await);
    assert_eq!(stage.mcp(&after.access).await, 200);
    stage.ended(&before).await;
    assert_eq!(stage.signed_out(&key).await, None, "an old token ends nothing");
}

#[tokio::test(start_paused = true)]
async fn a_stopped_key_has_no_usable_token_and_gets_none() {
    let stage = Stage::new().await;
    let (key, tokens) = stage.connected().await;
    let consent = stage.consent().await;
    for id in [&key, &consent.key] {
        assert_eq!(stage.owner("POST", &format!("/v1/api-keys/{id}/stop"), &Value::Null).await.0, 200);
    }
    stage.ended(&tokens).await;
    assert_eq!(stage.refused(TOKEN, &exchange_form(&consent.code, &[])).await, "invalid_grant");
    assert_eq!(stage.signed_out(&key).await, None, "a person may resume it");
    assert_eq!(stage.record(&consent.key).await.code.taken_at, None);
}

#[tokio::test(start_paused = true)]
async fn a_replay_ends_the_tokens_of_a_stopped_key_as_well() {
    let stage = Stage::new().await;
    let (key, first) = stage.connected().await;
    let second = stage.refresh(&first.refresh).await;
    stage.refresh(&second.refresh).await;
    assert_eq!(stage.owner("POST", &format!("/v1/api-keys/{key}/stop"), &Value::Null).await.0, 200);
    assert_eq!(stage.refused(TOKEN, &refresh_form(&first.refresh, &[])).await, "invalid_grant");
    assert_eq!(stage.signed_out(&key).await, Some("token_reused"));
}

#[tokio::test(start_paused = true)]
async fn a_deleted_key_leaves_neither_record_nor_token() {
    let stage = Stage::new().await;
    let (key, tokens) = stage.connected().await;
    let (other, _) = stage.connected().await;
    let path = format!("/v1/api-keys/{key}");
    assert_eq!(stage.owner("DELETE", &path, &Value::Null).await.0, 204);
    stage.ended(&tokens).await;
    let left = stage.app.store.assistants(stage.customer()).await.expect("a store");
    assert_eq!(left.iter().map(|one| &one.key).collect::<Vec<_>>(), [&other]);
    stage.ok(REVOKE, &form(&[("token", &tokens.refresh)], &[])).await;
    assert_eq!(stage.owner("DELETE", &path, &Value::Null).await.0, 404);
}

#[tokio::test(start_paused = true)]
async fn a_disabled_account_gets_no_tokens_and_keeps_its_consents() {
    let stage = Stage::new().await;
    let (key, tokens) = stage.connected().await;
    let (store, customer) = (&stage.app.store, stage.customer());
    assert!(store.set_disabled(customer, true).await.expect("a store"));
    assert_eq!(stage.refused(TOKEN, &refresh_form(&tokens.refresh, &[])).await, "invalid_grant");
    let (is_refused, told) = stage.tool(&tokens.access, "list_accounts", &json!({})).await;
    assert!(is_refused && told.to_string().contains("disabled"), "{told}");
    assert!(store.set_disabled(customer, false).await.expect("a store"));
    assert_eq!(stage.signed_out(&key).await, None);
    stage.refresh(&tokens.refresh).await;
}

#[tokio::test(start_paused = true)]
async fn a_person_who_goes_takes_along_the_assistants_of_their_own() {
    let stage = Stage::new().await;
    let (_, of_ada) = stage.connected().await;
    let bob = PersonId("bob".to_owned());
    let consent = consent(&stage.app, stage.customer(), Scope::Campaigns, &bob).await;
    let of_bob = tokens(&stage.ok(TOKEN, &exchange_form(&consent.code, &[])).await);
    let now = stage.app.clock.now();
    let ended = async || sign_out_of_person(&stage.app.store, stage.customer(), &bob, now).await.expect("a store");
    assert_eq!((ended().await, ended().await), (1, 0), "it may be repeated");
    assert_eq!(stage.signed_out(&consent.key).await, Some("by_person"));
    stage.ended(&of_bob).await;
    assert_eq!(stage.mcp(&of_ada.access).await, 200);
    assert_eq!(person(), PersonId("ada".to_owned()));
    let keys = stage.owner("GET", "/v1/api-keys", &Value::Null).await.1;
    let id = json!(consent.key.0);
    assert!(keys["api_keys"].as_array().expect("a list").iter().any(|key| key["id"] == id), "the key stays: {keys}");
}
