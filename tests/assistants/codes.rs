//! A code leads to tokens: once, within a minute, and for the request to which a person has said yes.

use super::{CLIENT, REDIRECT, Stage, TOKEN, exchange_form, person, tokens};
use serde_json::json;
use shared::domain::Scope;

#[tokio::test(start_paused = true)]
async fn a_code_leads_to_tokens_that_work_for_eight_hours() {
    let stage = Stage::new().await;
    let consent = stage.consent().await;
    let resource = [("resource", "https://service.example/v1/mcp"), ("scope", "read write billing")];
    let answer = stage.ok(TOKEN, &exchange_form(&consent.code, &resource)).await;
    assert_eq!(answer["scope"], json!("campaigns"), "what the person has given");
    let access = tokens(&answer).access;
    assert_eq!(stage.mcp(&access).await, 200);
    stage.seconds(8 * 60 * 60 - 10).await;
    assert_eq!(stage.mcp(&access).await, 200);
    stage.seconds(10).await;
    assert_eq!(stage.mcp(&access).await, 401);
}

#[tokio::test(start_paused = true)]
async fn a_code_of_one_who_only_looks_has_the_scope_read() {
    let stage = Stage::new().await;
    let consent = super::consent(&stage.app, stage.customer(), Scope::Read, &person()).await;
    let answer = stage.ok(TOKEN, &exchange_form(&consent.code, &[("scope", "campaigns")])).await;
    assert_eq!(answer["scope"], json!("read"));
    assert_eq!(stage.mcp(&tokens(&answer).access).await, 200);
}

#[tokio::test(start_paused = true)]
async fn a_wrong_request_burns_no_code() {
    let stage = Stage::new().await;
    let consent = stage.consent().await;
    let before = stage.record(&consent.key).await;
    let other_verifier = "a".repeat(43);
    for wrong in [
        ("code_verifier", other_verifier.as_str()),
        ("code_verifier", super::CHALLENGE),
        ("client_id", "https://chatgpt.com/oauth/client.json"),
        ("client_id", "dcr.eyJuIjoiQ2xhdWRlIn0"),
        ("redirect_uri", "https://claude.ai/api/mcp/auth_callback/"),
        ("redirect_uri", "https://claude.com/api/mcp/auth_callback"),
    ] {
        assert_eq!(stage.refused(TOKEN, &exchange_form(&consent.code, &[wrong])).await, "invalid_grant", "{wrong:?}");
    }
    assert_eq!(stage.record(&consent.key).await, before, "nothing is written");
    let answer = stage.ok(TOKEN, &exchange_form(&consent.code, &[])).await;
    assert_eq!(stage.mcp(&tokens(&answer).access).await, 200);
}

#[tokio::test(start_paused = true)]
async fn a_code_that_is_sent_twice_signs_out() {
    let stage = Stage::new().await;
    let consent = stage.consent().await;
    let tokens = tokens(&stage.ok(TOKEN, &exchange_form(&consent.code, &[])).await);
    assert_eq!(stage.mcp(&tokens.access).await, 200);
    let wrong = exchange_form(&consent.code, &[("code_verifier", "a".repeat(43).as_str())]);
    assert_eq!(stage.refused(TOKEN, &wrong).await, "invalid_grant");
    assert_eq!(stage.mcp(&tokens.access).await, 200, "without the verifier nothing ends");
    assert_eq!(stage.refused(TOKEN, &exchange_form(&consent.code, &[])).await, "invalid_grant");
    assert_eq!(stage.signed_out(&consent.key).await, Some("code_reused"));
    assert_eq!(stage.mcp(&tokens.access).await, 401);
    assert_eq!(stage.refused(TOKEN, &super::refresh_form(&tokens.refresh, &[])).await, "invalid_grant");
}

#[tokio::test(start_paused = true)]
async fn a_code_ends_after_a_minute() {
    let stage = Stage::new().await;
    let (early, late) = (stage.consent().await, stage.consent().await);
    stage.seconds(59).await;
    stage.ok(TOKEN, &exchange_form(&early.code, &[])).await;
    stage.seconds(1).await;
    assert_eq!(stage.refused(TOKEN, &exchange_form(&late.code, &[])).await, "invalid_grant");
}

#[tokio::test(start_paused = true)]
async fn a_new_consent_ends_the_tokens_of_the_old_one_with_its_code() {
    let stage = Stage::new().await;
    let (key, old) = stage.connected().await;
    let consent = stage.consent_again(&key).await;
    assert_eq!(stage.mcp(&old.access).await, 200, "until the code is taken");
    let new = tokens(&stage.ok(TOKEN, &exchange_form(&consent.code, &[])).await);
    assert_eq!((stage.mcp(&old.access).await, stage.mcp(&new.access).await), (401, 200));
    assert_eq!(stage.refused(TOKEN, &super::refresh_form(&old.refresh, &[])).await, "invalid_grant");
    assert_eq!(stage.signed_out(&key).await, None, "an old token of a former consent is no replay");
    let newer = stage.refresh(&new.refresh).await;
    assert_eq!(stage.mcp(&newer.access).await, 200);
}

#[tokio::test(start_paused = true)]
async fn old_tokens_work_on_beside_a_consent_that_nobody_finishes() {
    let stage = Stage::new().await;
    let (key, old) = stage.connected().await;
    stage.consent_again(&key).await;
    stage.seconds(60 * 60).await;
    assert_eq!(stage.mcp(&old.access).await, 200);
    let next = stage.refresh(&old.refresh).await;
    assert_eq!(stage.mcp(&next.access).await, 200);
}

#[tokio::test(start_paused = true)]
async fn the_code_of_an_earlier_consent_leads_nowhere() {
    let stage = Stage::new().await;
    let first = stage.consent().await;
    let second = stage.consent_again(&first.key).await;
    assert_eq!(stage.refused(TOKEN, &exchange_form(&first.code, &[])).await, "invalid_grant");
    assert_eq!(stage.signed_out(&first.key).await, None);
    stage.ok(TOKEN, &exchange_form(&second.code, &[])).await;
}

#[tokio::test(start_paused = true)]
async fn a_registered_client_is_known_by_its_whole_registration() {
    let stage = Stage::new().await;
    let key = stage.consent().await.key;
    let mut record = stage.record(&key).await;
    let registration = format!("dcr.{}", "a".repeat(900));
    record.client = shared::domain::ClientKey::of(&registration);
    let seen = stage.record(&key).await;
    assert!(stage.app.store.put_assistant(stage.customer(), Some(&seen), &record).await.expect("a store"));
    let (owner, id) = (super::owner_of(stage.customer()), record.code.id.clone());
    let code = super::sealed(&stage.app, owner, &key, id).await;
    let other = format!("{registration}b");
    for wrong in [CLIENT, other.as_str()] {
        assert_eq!(stage.refused(TOKEN, &exchange_form(&code, &[("client_id", wrong)])).await, "invalid_grant");
    }
    stage.ok(TOKEN, &exchange_form(&code, &[("client_id", &registration), ("redirect_uri", REDIRECT)])).await;
}
