//! A customer's own name for an ad account: on every page, with the platform's name beside it.

use super::browser::{Browser, Site};

const ADA: &str = "ada@example.com";
const RENAME: &str = "/dashboard/connections/label";
const OWN: &str = "Main shop, US";

impl Browser<'_> {
    /// The connection, and the name and the number that the platform gives its account.
    async fn connected(&self) -> (String, String, String) {
        let now = self.site.app.clock.now();
        let mut all = self.site.app.store.connections(self.customer(), now).await.expect("connections");
        let connection = all.remove(0);
        let account = connection.account.expect("an account");
        (connection.id.0, account.name, account.id)
    }
}

#[tokio::test(start_paused = true)]
async fn an_account_has_the_customers_own_name_on_every_page() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let campaign = site.create(&key, "Spring").await;
    let (id, name, number) = ada.connected().await;
    // A reading from before the new name.
    ada.get("/dashboard/campaigns").await;
    let told = ada.submit(RENAME, &format!("id={id}&label=+Main+shop%2C+US+")).await;
    assert!(
        told.contains(&format!("The account is called “{OWN}” here. Google Ads still calls it “{name}”.")),
        "{told}"
    );
    assert!(told.contains(&format!("<strong><bdi>{OWN}</bdi></strong>")), "{told}");
    assert!(told.contains(&format!("<bdi>{name}, {number}, USD</bdi>")), "the platform's name is beside it: {told}");
    let form = ada.get(&format!("/dashboard/connections?edit={id}")).await.text;
    assert!(form.contains(&format!("value=\"{OWN}\"")), "{form}");
    let both = format!("{OWN} ({name}, {number})");
    for page in ["/dashboard/campaigns/new", "/dashboard/agents", &format!("/dashboard/campaigns/one?id={campaign}")] {
        let shown = ada.get(page).await.text;
        assert!(shown.contains(&both), "{page}: {shown}");
    }
    for page in ["/dashboard/campaigns", "/dashboard/activity"] {
        let shown = ada.get(page).await.text;
        assert!(shown.contains(OWN), "{page}: {shown}");
    }
    let removal = ada.get(&format!("/dashboard/connections/remove?id={id}")).await.text;
    assert!(removal.contains(OWN), "{removal}");
}

#[tokio::test(start_paused = true)]
async fn an_empty_name_gives_the_account_that_of_its_platform_back() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let (id, name, number) = ada.connected().await;
    ada.submit(RENAME, &format!("id={id}&label=Mine")).await;
    let told = ada.submit(RENAME, &format!("id={id}&label=+")).await;
    assert!(told.contains(&format!("The account has the name that Google Ads gives it: “{name}”.")), "{told}");
    assert!(told.contains(&format!("<bdi>{number}, USD</bdi>")) && !told.contains("Mine"), "{told}");
}

#[tokio::test(start_paused = true)]
async fn a_name_is_kept_out_of_other_accounts_and_markup() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let (id, name, _) = ada.connected().await;
    let mut eve = site.signed_in("eve@example.com").await;
    let refused = eve.submit(RENAME, &format!("id={id}&label=Eve")).await;
    assert!(refused.contains("role=\"alert\""), "{refused}");
    let long = ada.submit(RENAME, &format!("id={id}&label={}", "x".repeat(256))).await;
    assert!(long.contains("role=\"alert\""), "{long}");
    assert!(ada.get("/dashboard/connections").await.text.contains(&format!("<strong><bdi>{name}</bdi></strong>")));
    ada.submit(RENAME, &format!("id={id}&label=%3Cscript%3Ealert(1)%3C%2Fscript%3E")).await;
    for page in ["/dashboard/connections", "/dashboard/campaigns/new", "/dashboard/agents"] {
        let shown = ada.get(page).await.text;
        assert!(shown.contains("&#60;script&#62;") && !shown.contains("<script>alert"), "{page}: {shown}");
    }
}
