//! A key that went wild is stopped and reverted with one form: the sandbox's books have what was before it.

use super::actions::shown_key;
use super::browser::Site;
use super::double_clicks::filled_in;
use super::revert::{PAGE, REVERT, key_id, running, ticks};
use http::StatusCode;
use rust_decimal::Decimal;
use serde_json::{Value, json};

const ADA: &str = "ada@example.com";
const BOTH: &str = "Stop it and revert the ticked campaigns";

#[tokio::test(start_paused = true)]
async fn a_wild_key_is_stopped_and_reverted_with_one_form() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let ids = running(&site, &mut ada).await;
    let before = site.in_books().await;
    let page = ada.send_form("/dashboard/keys", "name=Wild&scopes=read&scopes=write&expires=").await;
    let wild = shown_key(&page).expect("a key");
    for id in &ids {
        site.patched(&wild, id, &json!({"status": "ACTIVE", "budget_amount": 275})).await;
    }
    ada.send_form("/dashboard/campaigns/change", &format!("id={}&back=one&status=PAUSED", ids[0])).await;
    let id = key_id(&mut ada, "Wild").await;
    let address = format!("{PAGE}?id={id}&wait=all");
    ada.sign_in_from("/dashboard/sign-in?again=yes", ADA).await;
    let page = ada.text(&address).await;
    assert!(page.contains("Stays paused: ada@example.com paused it."), "{page}");
    assert!(page.contains("11 of these campaigns run now, with budgets of "), "{page}");
    let form = filled_in(&page, REVERT, BOTH, &format!("{}&stop=yes", ticks(&page)));
    let outcome = ada.send_form(REVERT, &form).await;
    assert!(outcome.contains("class=\"notice outcome good\""), "{outcome}");
    assert!(outcome.contains("is stopped, and refused from now on. The ticked campaigns get"), "{outcome}");
    assert!(
        outcome.contains("Reverted 12.")
            && outcome.contains("See “\u{2068}Wild\u{2069}”: what it did, and what runs now"),
        "{outcome}"
    );
    let mut expected = before.clone();
    expected.insert("alpha_ads 0".to_owned(), (false, Decimal::from(50)));
    assert_eq!(site.in_books().await, expected, "all are as before, but the one that a person has paused");
    assert_eq!(site.request(&wild, "GET", "/v1/campaigns", &Value::Null).await.0, StatusCode::UNAUTHORIZED);
    // One number of those that run, and what was seen of each, without a word of a pause that nobody has asked for.
    let after = ada.text(&address).await;
    assert!(after.contains(" campaigns reverted by you at "), "{after}");
    assert!(after.contains("<span class=\"badge good\">Reverted</span>"), "{after}");
    assert!(!after.contains("Goes on") && !after.contains("not needed"), "{after}");
    assert!(ada.text("/dashboard/keys").await.contains(" of its campaigns run now, with budgets of "));
    let activity = ada.text("/dashboard/activity").await;
    assert!(activity.contains("Stop of “\u{2068}Wild\u{2069}”<br>") && activity.contains(" go on"), "{activity}");
    assert!(activity.contains("See the key</a>") && !activity.contains(">Canceled</span>"), "{activity}");
    // Sent again, it stops nothing twice, and finds all as before.
    let again = ada.send_form(REVERT, &form).await;
    assert!(again.contains("is stopped, and refused") && !again.contains("notice outcome bad"), "{again}");
    assert_eq!(site.in_books().await, expected);
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_reverted_is_named_in_amber_and_the_key_is_stopped() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let (one, other) = (site.create(&key, "One").await, site.create(&key, "Other").await);
    for id in [&one, &other] {
        site.patched(&key, id, &json!({"status": "ACTIVE"})).await;
    }
    let id = key_id(&mut ada, "Nightly").await;
    ada.sign_in_from("/dashboard/sign-in?again=yes", ADA).await;
    let page = ada.text(&format!("{PAGE}?id={id}&since=all&wait=all")).await;
    let form = filled_in(&page, REVERT, BOTH, &format!("{}&stop=yes", ticks(&page)));
    // The platform refuses one of the pauses, and asks to slow down, so nothing is reverted yet.
    let fault = json!({ "platform": "alpha_ads", "operation": "update", "fault": "throttle", "times": 1 });
    site.world.control("POST", "faults", &fault).await;
    let outcome = ada.send_form(REVERT, &form).await;
    assert!(outcome.contains("class=\"notice outcome part\""), "amber: {outcome}");
    assert!(outcome.contains("2 of 2 campaigns are not reverted:"), "{outcome}");
    assert!(outcome.contains("Google Ads asks us to slow down."), "{outcome}");
    let running = site.in_books().await.values().filter(|(runs, _)| *runs).count();
    assert_eq!(running, 1, "the pause that was refused is tried again");
    assert_eq!(site.request(&key, "GET", "/v1/campaigns", &Value::Null).await.0, StatusCode::UNAUTHORIZED);
}
