//! What a key did is reverted with one form: every campaign is as it was before, but what somebody else has changed since.

use super::browser::{Browser, Site};
use super::double_clicks::filled_in;
use crate::world::campaign;
use http::StatusCode;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const CHANGE: &str = "/dashboard/campaigns/change";
pub(super) const PAGE: &str = "/dashboard/keys/one";
pub(super) const REVERT: &str = "/dashboard/keys/revert";
const STATUS: &str = "/dashboard/campaigns/status";
const PLATFORMS: [&str; 3] = ["alpha_ads", "beta_ads", "zeta_ads"];
/// Campaigns of each platform before the key does anything.
const EACH: usize = 4;

impl Site {
    /// Every campaign in the sandbox's books, by its name: whether it runs, and its budget.
    pub(super) async fn in_books(&self) -> BTreeMap<String, (bool, Decimal)> {
        let mut books = BTreeMap::new();
        for platform in PLATFORMS {
            let known = self.world.control("GET", &format!("campaigns?platform={platform}"), &Value::Null).await;
            for one in known["campaigns"].as_array().expect("a list") {
                let text = |name: &str| one[name].as_str().map_or_else(|| one[name].to_string(), str::to_owned);
                let runs = !["PAUSED", "DISABLE"].contains(&text("status").as_str());
                let budget: Decimal = text("budget").parse().expect("an amount");
                books.insert(text("name"), (runs, budget.normalize()));
            }
        }
        books
    }

    pub(super) async fn patched(&self, key: &str, id: &str, body: &Value) {
        // The slot of the request before is free again.
        advance(Duration::from_mins(1)).await;
        let (status, answer) = self.request(key, "PATCH", &format!("/v1/campaigns/{id}"), body).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }

    /// Stops a key, and lets maintenance pause what it runs.
    async fn stop(&self, ada: &mut Browser<'_>, id: &str) {
        ada.send_form("/dashboard/keys/stop", &format!("id={id}")).await;
        for _ in 0..3 {
            advance(Duration::from_mins(1)).await;
            maintenance::run(&self.app).await.expect("maintenance runs to its end");
        }
    }
}

/// The ticked boxes of the page.
pub(super) fn ticks(page: &str) -> String {
    let boxes = page.split("name=\"changes\" value=\"").skip(1).filter_map(|rest| rest.split('"').next());
    boxes.map(|changes| format!("changes={changes}")).collect::<Vec<_>>().join("&")
}

/// The id of the key, in the filter of its activity.
pub(super) async fn key_id(ada: &mut Browser<'_>, name: &str) -> String {
    let page = ada.text("/dashboard/activity").await;
    let options = page.split("<select id=\"api_key_id\"").nth(1).expect("the filter");
    let before = options.split(&format!("\">{name}</option>")).next().expect("the key");
    before.rsplit("value=\"").next().expect("a value").to_owned()
}

/// Campaigns that run on several platforms, made by an own key.
pub(super) async fn running(site: &Site, ada: &mut Browser<'_>) -> Vec<String> {
    for platform in PLATFORMS {
        ada.connect(platform).await;
    }
    let own = ada.key().await;
    let mut ids = Vec::new();
    for platform in PLATFORMS {
        for number in 0..EACH {
            advance(Duration::from_secs(1)).await;
            let id = site.create_as(&own, &campaign(platform, &format!("{platform} {number}"))).await;
            // The last of each platform stays paused.
            if number + 1 < EACH {
                site.patched(&own, &id, &json!({"status": "ACTIVE"})).await;
            }
            ids.push(id);
        }
    }
    ids
}

#[tokio::test(start_paused = true)]
async fn what_a_stopped_key_did_is_reverted_but_for_others_changes() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let ids = running(&site, &mut ada).await;
    let before = site.in_books().await;
    let page = ada.send_form("/dashboard/keys", "name=Wild&scopes=read&scopes=write&expires=").await;
    let wild = super::actions::shown_key(&page).expect("a key");
    for id in &ids {
        site.patched(&wild, id, &json!({"budget_amount": 160})).await;
        site.patched(&wild, id, &json!({"status": "ACTIVE", "budget_amount": 275})).await;
    }
    for platform in PLATFORMS {
        advance(Duration::from_secs(1)).await;
        let made = site.create_as(&wild, &campaign(platform, &format!("Made on {platform}"))).await;
        site.patched(&wild, &made, &json!({"status": "ACTIVE"})).await;
    }
    ada.send_form(CHANGE, &format!("id={}&back=one&budget_amount=120&was_budget_amount=275", ids[0])).await;
    let id = key_id(&mut ada, "Wild").await;
    site.stop(&mut ada, &id).await;
    assert!(site.in_books().await.values().all(|(runs, _)| !runs), "all that the key ran is paused");

    ada.sign_in_from("/dashboard/sign-in?again=yes", ADA).await;
    let page = ada.text(&format!("{PAGE}?id={id}&wait=all")).await;
    assert_eq!(page.matches("name=\"changes\"").count(), ids.len() - 1, "one was changed since: {page}");
    assert!(page.contains(&format!("{ADA} changed it after: ")) && page.contains("120.00 USD a day"), "{page}");
    assert!(page.contains("This activates <span data-number=\"activates\">8 campaigns</span> again"), "{page}");
    assert!(page.contains("0.00 → 400.00 USD a day: 400.00 USD more"), "{page}");
    let form = filled_in(&page, REVERT, "Revert the ticked campaigns", &ticks(&page));
    let outcome = ada.send_form(REVERT, &form).await;
    assert!(outcome.contains("Reverted 11."), "{outcome}");
    let mut expected = before.clone();
    expected.insert("alpha_ads 0".to_owned(), (false, Decimal::from(120)));
    for platform in PLATFORMS {
        expected.insert(format!("Made on {platform}"), (false, Decimal::from(50)));
    }
    assert_eq!(site.in_books().await, expected, "all are as before, but the one");

    let again = ada.send_form(REVERT, &form).await;
    assert!(again.contains("Reverted 11."), "the same change: {again}");
    let nothing = ada.text(&format!("{PAGE}?id={id}&wait=all")).await;
    assert!(nothing.contains("There is nothing to revert in this time."), "{nothing}");
    assert_eq!(site.in_books().await, expected, "a second press changes nothing");
    let undo = filled_in(&outcome, STATUS, "Undo: restore 11 campaigns", "");
    ada.send_form(STATUS, &undo).await;
    let undone = site.in_books().await;
    assert_eq!(undone["alpha_ads 1"], (false, Decimal::from(275)), "the revert has an undo");
}

#[tokio::test(start_paused = true)]
async fn a_revert_needs_a_recent_sign_in_and_is_of_one_customer() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let made = site.create(&key, "A").await;
    site.patched(&key, &made, &json!({"budget_amount": 60})).await;
    let id = key_id(&mut ada, "Nightly").await;
    let page = ada.text(&format!("{PAGE}?id={id}&since=all&wait=all")).await;
    assert!(page.contains("Revert alone: the key still works") && page.contains("checked"), "{page}");
    let form = filled_in(&page, REVERT, "Revert the ticked campaigns", &ticks(&page));
    let unticked = form.split('&').filter(|field| !field.starts_with("changes=")).collect::<Vec<_>>().join("&");
    assert!(ada.send_form(REVERT, &unticked).await.contains("tick at least one campaign"));
    // Without the script: the sums are for what is ticked, and the tick that is taken away stays away.
    let row = page.split("name=\"row\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a row");
    let count = format!("id={id}&since=all&count=yes&row={}", row.replace(' ', "+"));
    let counted = ada.post(REVERT, &count).await.to().to_owned();
    let counted = ada.text(counted.trim_end_matches("#total")).await;
    assert!(counted.contains("for the 0 that were ticked when this was counted"), "{counted}");
    assert!(!counted.contains(" checked") && counted.contains("name=\"changes\""), "{counted}");
    assert_eq!(site.in_books().await["A"].1, Decimal::from(60), "a count reverts nothing");
    let mut bob = site.signed_in("bob@example.com").await;
    let others = bob.post(REVERT, &form).await.to().to_owned();
    assert_eq!(bob.get(&others).await.status, StatusCode::NOT_FOUND, "a key of another customer");
    advance(Duration::from_secs(10 * 60 + 1)).await;
    let old = ada.text(&format!("{PAGE}?id={id}&since=all&wait=all")).await;
    assert!(old.contains("sign in once more") && old.contains("Revert the ticked campaigns</button>"), "{old}");
    let sign_in = ada.post(REVERT, &form).await.to().to_owned();
    assert!(sign_in.starts_with("/dashboard/sign-in?again=yes"), "{sign_in}");
    let back = ada.sign_in_from(&sign_in, ADA).await.to().to_owned();
    let kept = ada.text(&back).await;
    assert!(kept.contains("<button>Revert what was ticked</button>"), "{kept}");
    assert_eq!(site.in_books().await["A"].1, Decimal::from(60), "a sign-in reverts nothing");
    let rows = ada.rows("/dashboard/activity").await;
    assert!(rows[0].contains("Budget 50.00 → 60.00 USD a day") && rows[0].contains("Undo of"), "{rows:?}");
    assert!(!rows[1].contains("Undo of"), "a create has no undo: {rows:?}");
}

#[tokio::test(start_paused = true)]
async fn a_row_of_the_activity_undoes_its_change() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let made = site.create(&key, "A").await;
    site.patched(&key, &made, &json!({"budget_amount": 60})).await;
    site.patched(&key, &made, &json!({"budget_amount": 70})).await;
    let page = ada.text("/dashboard/activity?kind=update").await;
    assert_eq!(page.matches("action=\"/dashboard/activity/undo\"").count(), 1, "only the newest: {page}");
    let undo = filled_in(&page, "/dashboard/activity/undo", "Undo", "");
    let undone = ada.send_form("/dashboard/activity/undo", &undo).await;
    assert!(undone.contains("Undone. Saved: budget 70.00 to 60.00 USD.") && undone.contains("Filter"), "{undone}");
    assert_eq!(site.in_books().await["A"].1, Decimal::from(60));
}
