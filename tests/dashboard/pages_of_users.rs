//! Every page, for one of two users: nothing of the other one is on it. A new page without its row here fails.

use super::browser::Site;
use super::users::{ADA, FORM, USERS, two_shops};
use http::StatusCode;
use serde_json::json;
use tokio::time::{Duration, advance};

/// What an address without a user is followed by, for a page that shows one user alone. Empty for a page that takes no user: it
/// is about the whole account, or about one thing that has an id.
fn rows(page: &str) -> &'static [&'static str] {
    match page {
        "/dashboard/campaigns" => &["?read=all", "?status=PAUSED&read=all"],
        "/dashboard/insights" => &["?by=campaign&wait=all", "?by=account&wait=all"],
        "/dashboard/insights/csv" => &["?by=campaign"],
        "/dashboard/months" | "/dashboard/months/csv" | "/dashboard/users/one" => &["?read=all"],
        "/dashboard/activity"
        | "/dashboard/activity/csv"
        | "/dashboard/approvals"
        | "/dashboard/campaigns/csv"
        | "/dashboard/usage"
        | "/dashboard/usage/csv"
        | "/dashboard/users/limit" => &[""],
        // The sign-in, its end and the request of an assistant need no session, and have nothing of an account.
        "/dashboard/sign-in"
        | "/dashboard/callback"
        | "/dashboard"
        | "/dashboard/agents"
        | "/dashboard/agents/limit"
        | "/dashboard/approvals/one"
        | "/dashboard/billing"
        | "/dashboard/campaigns/change/preview"
        | "/dashboard/campaigns/many"
        | "/dashboard/campaigns/new"
        | "/dashboard/campaigns/one"
        | "/dashboard/campaigns/outcome"
        | "/dashboard/campaigns/pause-all"
        | "/dashboard/campaigns/preview"
        | "/dashboard/campaigns/status"
        | "/dashboard/connect"
        | "/dashboard/connect/consent"
        | "/dashboard/connections"
        | "/dashboard/connections/remove"
        | "/dashboard/keys"
        | "/dashboard/keys/one"
        | "/dashboard/settings"
        | "/dashboard/users"
        | "/dashboard/webhooks"
        | "/dashboard/webhooks/one" => &[],
        _ => panic!("{page} is a page and has no row"),
    }
}

/// The request log names nothing of a user in its file.
fn names_its_user(page: &str) -> bool {
    page != "/dashboard/usage/csv"
}

#[tokio::test(start_paused = true)]
async fn a_page_of_one_user_has_nothing_of_another() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (key, shops) = two_shops(&mut ada).await;
    for shop in &shops {
        let saved = ada.set_limit(shop, &format!("{FORM}&approve_activation=yes")).await;
        assert!(saved.contains("The limit is saved."), "{saved}");
        let (status, asked) = site.set_status(&key, shop, "ACTIVE").await;
        assert_eq!((status, &asked["state"]), (StatusCode::ACCEPTED, &json!("awaiting_approval")), "{asked}");
    }
    // A key that is bound to the other user is no choice of a filter.
    let bound = json!({"name": "Key of shop_b", "scopes": ["read"], "external_ref": "shop_b"});
    assert_eq!(site.request(&key, "POST", "/v1/api-keys", &bound).await.0, StatusCode::CREATED);
    for page in dashboard::addresses() {
        for row in rows(page) {
            let address = format!("{page}{row}");
            let all = ada.text(if page.starts_with("/dashboard/users/") { USERS } else { &address }).await;
            assert!(shops.iter().all(|shop| shop.is_in(&all)) || page.contains("/usage"), "{address}: {all}");
            for [own, other] in [[&shops[0], &shops[1]], [&shops[1], &shops[0]]] {
                let shown = ada.text(&own.on(&address)).await;
                assert!(own.is_in(&shown) || !names_its_user(page), "{address}: {shown}");
                assert!(!other.is_in(&shown), "{address} of {}: {shown}", own.name);
            }
        }
    }
    // The requests of each user are on its own log. They have no names, so they are counted.
    let count = |page: &str| page.matches("<td data-label=\"Path\">").count();
    let mut counts = Vec::new();
    for page in ["/dashboard/usage".to_owned(), shops[0].on("/dashboard/usage"), shops[1].on("/dashboard/usage")] {
        counts.push(count(&ada.text(&page).await));
    }
    assert!(counts[1] == 1 && counts[2] == 1 && counts[0] >= 2, "{counts:?}");
}

/// A page that takes a user says so: so the table above cannot call one a page of the whole account.
#[tokio::test(start_paused = true)]
async fn a_page_of_the_whole_account_takes_no_user() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    two_shops(&mut ada).await;
    let (mut with_user, mut others) = (0, 0);
    for page in dashboard::addresses().filter(|page| !["/dashboard/callback", "/dashboard/sign-in"].contains(page)) {
        advance(Duration::from_secs(1)).await;
        let shown = ada.get(&format!("{page}?external_ref=shop_c")).await;
        // A link that reads the page anew keeps its whole address.
        let is_named = shown.text.replace("external_ref=shop_c", "").contains("shop_c");
        if rows(page).is_empty() {
            assert!(!is_named, "{page}: {}", shown.text);
            others += 1;
        } else if shown.status == StatusCode::OK && !page.ends_with("/csv") {
            assert!(is_named, "{page}: {}", shown.text);
            with_user += 1;
        }
    }
    assert!(with_user >= 5 && others >= 15, "{with_user} and {others}");
}
