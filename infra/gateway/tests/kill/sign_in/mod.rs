//! The sign-in of an assistant in a process that is killed at each of its writes, just before it and just after it. Then the
//! person or the program does what a real one does: it sends the same once more, or signs in again.
//!
//! The writes are not listed here: a run that is not killed has shown them all, and each of them was met.

mod stage;
mod store;

use crate::person::{CONSENT, REVOKE, TOKEN, code, exchange_form, refresh_form, text};
use http::StatusCode;
use stage::{Case, Outcome, Stage};

/// Asserts that these families are among what was written: otherwise the store is not watched where it matters.
fn assert_met(writes: &[String], families: &[&str]) {
    println!("{} writes: {writes:?}", writes.len());
    for family in families {
        assert!(writes.iter().any(|write| write.contains(family)), "no write of {family}: {writes:?}");
    }
}

/// Asserts that of all tokens of a case none works, and that a new sign-in gives some that do.
async fn assert_all_ended(stage: &mut Stage, case: &Case, outcome: &Outcome) {
    let all = [case.before.clone(), outcome.tokens()].concat();
    stage.assert_ended(&all).await;
    let new = stage.connect_anew().await;
    assert!(stage.works(&new).await && !stage.is_signed_out().await);
    stage.assert_ended(&all).await;
    assert!(stage.works(&new).await, "what has ended ends nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_consent_that_is_killed_at_any_write_makes_one_key() {
    let mut stage = Stage::new().await;
    let arrange = async |stage: &mut Stage| {
        let form = stage.person.asked(None).await;
        Case { path: CONSENT, form, before: Vec::new() }
    };
    let judge = async |stage: &mut Stage, case: &Case, outcome: Outcome| {
        let first = stage.key().await["id"].clone();
        // A browser that was led away asks no more: its cookie has gone with the answer.
        let led_away = outcome.first.as_ref().unwrap_or(&outcome.again);
        let given = stage.person.tokens(&exchange_form(&code(led_away))).await;
        assert!(stage.works(&given).await);
        // Once more, by a person who goes back in the browser.
        let late = stage.person.send(case.path, &case.form).await.unwrap();
        assert!(!late.status.is_server_error(), "{}", text(&late));
        assert_eq!(stage.key().await["id"], first);
        assert!(stage.works(&given).await);
        let new = stage.connect_anew().await;
        assert!(stage.works(&new).await);
        stage.assert_ended(&[given]).await;
    };
    let writes = stage.at_each_write(arrange, judge).await;
    assert_met(&writes, &["LIMIT", "ASSISTANT"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_that_is_killed_at_any_write_leads_to_one_set_of_tokens() {
    let mut stage = Stage::new().await;
    let arrange = async |stage: &mut Stage| {
        let code = stage.person.allow(None).await;
        Case { path: TOKEN, form: exchange_form(&code), before: Vec::new() }
    };
    let writes = stage.at_each_write(arrange, judge_code).await;
    assert_met(&writes, &["ASSISTANT"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_to_connect_anew_that_is_killed_at_any_write_ends_the_old_tokens() {
    let mut stage = Stage::new().await;
    let arrange = async |stage: &mut Stage| {
        let old = stage.connected().await;
        let key = stage.key().await["id"].as_str().unwrap().to_owned();
        let code = stage.person.allow(Some(&key)).await;
        Case { path: TOKEN, form: exchange_form(&code), before: vec![old] }
    };
    let writes = stage.at_each_write(arrange, judge_code).await;
    assert!(writes.len() > 1, "the mark is replaced, too");
    assert_met(&writes, &["ASSISTANT"]);
}

/// A code that was sent twice. Either the process had died before it took the code, and the second time leads to tokens; or
/// none works.
async fn judge_code(stage: &mut Stage, case: &Case, outcome: Outcome) {
    stage.assert_ended(&case.before).await;
    stage.key().await;
    if outcome.again.status != StatusCode::OK {
        outcome.assert_ended();
        assert!(stage.is_signed_out().await, "the program is told to sign in again, and the page says why");
        return assert_all_ended(stage, case, &outcome).await;
    }
    assert!(outcome.first.is_none(), "one code has led to two answers");
    let [given] = outcome.tokens().try_into().unwrap();
    assert!(stage.works(&given).await && !stage.is_signed_out().await);
    let next = stage.person.tokens(&refresh_form(&given.refresh)).await;
    assert!(stage.works(&next).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refresh_that_is_killed_at_any_write_is_repeated_with_the_same_token() {
    let mut stage = Stage::new().await;
    let arrange = async |stage: &mut Stage| {
        let tokens = stage.connected().await;
        Case { path: TOKEN, form: refresh_form(&tokens.refresh), before: vec![tokens] }
    };
    let judge = async |stage: &mut Stage, _: &Case, outcome: Outcome| {
        assert_eq!(outcome.again.status, StatusCode::OK, "{}", text(&outcome.again));
        for given in outcome.tokens() {
            assert!(stage.works(&given).await);
        }
        let last = outcome.tokens().pop().unwrap();
        let next = stage.person.tokens(&refresh_form(&last.refresh)).await;
        assert!(stage.works(&next).await && !stage.is_signed_out().await);
    };
    let writes = stage.at_each_write(arrange, judge).await;
    assert_met(&writes, &["ASSISTANT"]);
}

/// A form that ends all tokens: whatever died, once it was sent again none works.
async fn judge_end(stage: &mut Stage, case: &Case, outcome: Outcome) {
    if case.path == TOKEN {
        outcome.assert_ended();
    } else {
        assert_eq!(outcome.again.status, StatusCode::OK, "{}", text(&outcome.again));
    }
    assert_all_ended(stage, case, &outcome).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_of_a_token_that_is_killed_at_any_write_ends_all_tokens() {
    let mut stage = Stage::new().await;
    let arrange = async |stage: &mut Stage| {
        let mut before = vec![stage.connected().await];
        for _ in 0..2 {
            let next = stage.person.tokens(&refresh_form(&before.last().unwrap().refresh)).await;
            before.push(next);
        }
        Case { path: TOKEN, form: refresh_form(&before[0].refresh), before }
    };
    let writes = stage.at_each_write(arrange, judge_end).await;
    assert_met(&writes, &["ASSISTANT"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_of_a_code_that_is_killed_at_any_write_ends_all_tokens() {
    let mut stage = Stage::new().await;
    let arrange = async |stage: &mut Stage| {
        let form = exchange_form(&stage.person.allow(None).await);
        let before = vec![stage.person.tokens(&form).await];
        Case { path: TOKEN, form, before }
    };
    let writes = stage.at_each_write(arrange, judge_end).await;
    assert_met(&writes, &["ASSISTANT"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sign_out_of_a_program_that_is_killed_at_any_write_ends_all_tokens() {
    let mut stage = Stage::new().await;
    let arrange = async |stage: &mut Stage| {
        let tokens = stage.connected().await;
        Case { path: REVOKE, form: format!("token={}", tokens.refresh), before: vec![tokens] }
    };
    let writes = stage.at_each_write(arrange, judge_end).await;
    assert_met(&writes, &["ASSISTANT"]);
}
