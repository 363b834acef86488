//! Users of one customer on the pages: nothing of one user on a list of another, and the limit, the pause, the erasure and
//! the keys of one.

use super::actions::shown_key;
use super::browser::{Browser, Site};
use super::double_clicks::filled_in;
use crate::in_process::engine::items;
use crate::in_process::{json_of, respond};
use crate::spending::running_of;
use crate::world::{campaign, id_of};
use http::StatusCode;
use lambda_http::{Body, Request};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::serve::PostResponseWork;
use tokio::time::{Duration, advance};

pub(super) const ADA: &str = "ada@example.com";
pub(super) const USERS: &str = "/dashboard/users";
const LIMIT: &str = "/dashboard/users/limit";
const ERASE: &str = "/dashboard/users/erase";
/// A limit of 100 USD a day that asks nobody.
pub(super) const FORM: &str = "currency=USD&daily=100&creates_per_day=20&lifetime=&per_change=&approve_above=";

/// A user, and what names what is of it.
pub(super) struct Shop {
    pub(super) name: &'static str,
    campaign: String,
    campaign_name: String,
    connection: String,
    account: String,
}

impl Shop {
    /// A page with what is of this user.
    pub(super) fn on(&self, page: &str) -> String {
        format!("{page}{}external_ref={}", if page.contains('?') { '&' } else { '?' }, self.name)
    }

    /// The page of this user.
    fn page(&self) -> String {
        self.on(&format!("{USERS}/one"))
    }

    /// Whether a text names this user, or something of it.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let Shop { name, campaign, campaign_name, connection, account } = self;
        [*name, campaign, campaign_name, connection, account].iter().any(|own| text.contains(*own))
    }
}

/// Makes a key, and two users with an ad account and a campaign each, which spends money.
pub(super) async fn two_shops(ada: &mut Browser<'_>) -> (String, [Shop; 2]) {
    let key = ada.begin_work().await;
    ada.connect("alpha_ads").await;
    let site = ada.site;
    let (_, listed) = site.request(&key, "GET", "/v1/connections", &Value::Null).await;
    let mut shops = Vec::new();
    for (connection, name) in listed["connections"].as_array().expect("a list").iter().zip(["shop_a", "shop_b"]) {
        let text = |field: &str| connection[field].as_str().expect("a text").to_owned();
        let path = format!("/v1/connections/{}", text("id"));
        let (status, moved) = site.request(&key, "PATCH", &path, &json!({ "external_ref": name })).await;
        assert_eq!(status, StatusCode::OK, "{moved}");
        let campaign_name = format!("Secret of {name}");
        let campaign = site.create_for(&key, name, &campaign("alpha_ads", &campaign_name)).await;
        shops.push(Shop { name, campaign, campaign_name, connection: text("id"), account: text("remote_account_id") });
    }
    let order = json!({ "platform": "alpha_ads", "seed": 7, "days": 20 });
    site.world.control("POST", "delivery", &order).await;
    (key, shops.try_into().ok().expect("two users"))
}

impl Site {
    /// Creates a campaign in a request that acts for a user, and logs it; returns its id.
    async fn create_for(&self, key: &str, user: &str, body: &Value) -> String {
        advance(Duration::from_secs(1)).await;
        let request = http::Request::builder().method("POST").uri("/v1/campaigns").header("x-api-key", key);
        let request: Request =
            request.header("x-external-ref", user).body(Body::from(body.to_string())).expect("a request");
        let mut response = respond(&self.app, request).await;
        assert_eq!(response.status(), StatusCode::CREATED, "{:?}", response.body());
        PostResponseWork::take_from(&mut response).expect("an entry").run().await;
        id_of(&json_of(response.body()))
    }

    /// Asks for a status of a campaign.
    pub(super) async fn set_status(&self, key: &str, shop: &Shop, status: &str) -> (StatusCode, Value) {
        let path = format!("/v1/campaigns/{}", shop.campaign);
        self.request(key, "PATCH", &path, &json!({ "status": status })).await
    }
}

impl Site {
    /// The budget of a user's campaign if it runs, by the sandbox's books.
    async fn running(&self, shop: &Shop) -> Decimal {
        let listed = self.world.control("GET", "campaigns", &Value::Null).await;
        let all = listed["campaigns"].as_array().expect("a list").iter();
        running_of(all.filter(|one| one["name"] == shop.campaign_name.as_str()))
    }

    /// The records that name a user, or something of it.
    fn records_of(&self, shop: &Shop) -> Vec<String> {
        let records = items(&self.world.database).into_iter().map(|item| item.to_string());
        records.filter(|record| shop.is_in(record)).collect()
    }
}

impl Browser<'_> {
    /// Sets the limit of a user in the form of its page.
    pub(super) async fn set_limit(&mut self, shop: &Shop, own: &str) -> String {
        let page = self.text(&shop.on(LIMIT)).await;
        let form = filled_in(&page, LIMIT, "the limit</button>", own);
        self.submit(LIMIT, &form).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_name_that_no_user_has_shows_nothing_of_the_account() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (_, shops) = two_shops(&mut ada).await;
    for page in ["campaigns", "activity", "approvals", "insights", "usage"] {
        let page = format!("/dashboard/{page}");
        for path in [page.clone(), format!("{page}/csv")] {
            let wrong = ada.get(&format!("{path}?external_ref=%3Cb%3E")).await;
            assert_eq!(wrong.status, StatusCode::NOT_FOUND, "{path}");
            assert!(shops.iter().all(|shop| !shop.is_in(&wrong.text)), "{path}: {}", wrong.text);
        }
        let unknown = ada.text(&format!("{page}?external_ref=shop_c")).await;
        assert!(unknown.contains("shop_c") && shops.iter().all(|shop| !shop.is_in(&unknown)), "{page}: {unknown}");
    }
    for path in
        [format!("{USERS}/one?external_ref=shop_c"), format!("{USERS}/one"), format!("{LIMIT}?external_ref=a/b")]
    {
        assert_eq!(ada.get(&path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    let cursor = ada.text(&format!("{USERS}?cursor=wrong")).await;
    assert!(cursor.contains("role=\"alert\"") && shops.iter().all(|shop| !shop.is_in(&cursor)), "{cursor}");
    // Nothing of another customer.
    let mut eve = site.signed_in("eve@example.com").await;
    assert!(eve.text(USERS).await.contains("No user yet"));
    assert_eq!(eve.get(&shops[0].page()).await.status, StatusCode::NOT_FOUND);
    let refused = eve.submit_to_page("/dashboard/users/pause", &shops[0], USERS).await;
    assert!(refused.contains("There is no such user.") && refused.contains("role=\"alert\""), "{refused}");
}

impl Browser<'_> {
    /// Submits a form about a user of somebody else, and shows the notice on another page.
    async fn submit_to_page(&mut self, path: &str, shop: &Shop, page: &str) -> String {
        self.post(path, &format!("external_ref={}", shop.name)).await.to();
        self.text(page).await
    }
}

#[tokio::test(start_paused = true)]
async fn users_are_listed_and_their_labels_are_escaped() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    assert!(ada.text(USERS).await.contains("No user yet"));
    let (key, shops) = two_shops(&mut ada).await;
    let label = json!({ "label": "<script>alert(1)</script>" });
    assert_eq!(site.request(&key, "PUT", "/v1/users/shop_a", &label).await.0, StatusCode::OK);
    assert_eq!(site.request(&key, "PUT", "/v1/users/alone", &json!({})).await.0, StatusCode::OK);
    for page in [ada.text(USERS).await, ada.text(&shops[0].page()).await] {
        assert!(!page.contains("<script>alert") && page.contains("&#60;script&#62;alert(1)"), "{page}");
    }
    let listed = ada.text(USERS).await;
    let rows: Vec<&str> = listed.split("<tr><th scope=\"row\">").skip(1).collect();
    assert_eq!(rows.len(), 3, "{listed}");
    for (row, (name, accounts)) in rows.iter().zip([("alone", 0), ("shop_a", 1), ("shop_b", 1)]) {
        assert!(row.contains(&format!("external_ref={name}\"><bdi>{name}</bdi>")), "{row}");
        assert!(row.contains(&format!("class=\"number\">{accounts}</td>")), "{row}");
    }
    let connections = ada.text("/dashboard/connections").await;
    assert!(connections.contains("User <a href=\"/dashboard/users/one?external_ref=shop_a\">"), "{connections}");
}

#[tokio::test(start_paused = true)]
async fn the_limit_of_a_user_is_set_freed_and_taken_away() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (key, [shop, _]) = two_shops(&mut ada).await;
    assert!(ada.text(&shop.page()).await.contains("No limit. Only the limits of API keys apply."));
    let refused = ada.set_limit(&shop, &FORM.replace("daily=100", "daily=lots")).await;
    assert!(refused.contains("id=\"daily-error\">Write a number") && refused.contains("value=\"lots\""), "{refused}");
    let saved = ada.set_limit(&shop, FORM).await;
    assert!(saved.contains("The limit is saved.") && saved.contains("0.00 of 100.00 USD, 100.00 left"), "{saved}");
    // The limit counts for a person, too.
    ada.send_form("/dashboard/campaigns/change", &format!("id={}&back=one&status=ACTIVE", shop.campaign)).await;
    let page = ada.text(&format!("{}&read=all", shop.page())).await;
    assert!(page.contains("50.00 of 100.00 USD, 50.00 left") && page.contains("What counts"), "{page}");
    assert!(page.contains(&format!("<bdi>{}</bdi>", shop.campaign_name)), "it runs: {page}");
    let form = filled_in(&page, "/dashboard/users/free", "Stop counting <bdi>", "");
    let freed = ada.submit("/dashboard/users/free", &form).await;
    assert!(
        freed.contains("It does not count any more") && freed.contains("0.00 of 100.00 USD, 100.00 left"),
        "{freed}"
    );
    let lower = ada.set_limit(&shop, &FORM.replace("daily=100", "daily=10")).await;
    assert!(lower.contains("0.00 of 10.00 USD, 10.00 left"), "{lower}");
    advance(Duration::from_secs(10 * 60 + 1)).await;
    let old = ada.text(&shop.on(LIMIT)).await;
    assert!(old.contains("Sign in again") && !old.contains("the limit</button>"), "{old}");
    let form = format!("external_ref=shop_a&{FORM}");
    let again = ada.post(LIMIT, &form).await.to().to_owned();
    assert!(again.starts_with("/dashboard/sign-in?again=yes&return_to=%2Fdashboard%2Fusers%2Flimit"), "{again}");
    for path in ["remove-limit", "free", "resume", "erase"] {
        let sent = ada.post(&format!("{USERS}/{path}"), "external_ref=shop_a&campaign=alpha_1_2").await;
        assert!(sent.to().starts_with("/dashboard/sign-in?again=yes"), "{path}");
    }
    ada.sign_in_from(&again, ADA).await;
    let page = ada.text(&shop.on(LIMIT)).await;
    let form = filled_in(&page, "/dashboard/users/remove-limit", "Remove the limit", "");
    let none = ada.submit("/dashboard/users/remove-limit", &form).await;
    assert!(none.contains("The limit is removed") && none.contains("No limit. Only the limits"), "{none}");
    let several = json!([{"currency": "USD", "daily": 1}, {"currency": "EUR", "daily": 1}]);
    let two = json!({"spending_limit": {"amounts": several}});
    assert_eq!(site.request(&key, "PUT", "/v1/users/shop_a", &two).await.0, StatusCode::OK);
    let page = ada.text(&shop.on(LIMIT)).await;
    assert!(page.contains("several currencies") && !page.contains("Change the limit</button>"), "{page}");
    let kept = ada.submit(LIMIT, &format!("external_ref=shop_a&{FORM}")).await;
    assert!(kept.contains("several currencies"), "the form would drop one: {kept}");
}

#[tokio::test(start_paused = true)]
async fn a_user_is_paused_until_a_recent_sign_in_resumes_it() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (key, [shop, other]) = two_shops(&mut ada).await;
    for one in [&shop, &other] {
        assert_eq!(site.set_status(&key, one, "ACTIVE").await.0, StatusCode::OK);
    }
    let page = ada.text(&shop.page()).await;
    let form = filled_in(&page, "/dashboard/users/pause", "Pause <bdi>shop_a</bdi>", "");
    let paused = ada.submit("/dashboard/users/pause", &form).await;
    assert!(paused.contains("The user is paused") && paused.contains("Finding its campaigns"), "{paused}");
    assert!(ada.text(USERS).await.contains("badge bad\">Paused"));
    let path = format!("/v1/campaigns/{}", shop.campaign);
    let (_, raised) = site.request(&key, "PATCH", &path, &json!({ "budget_amount": 60 })).await;
    assert_eq!(raised["reason"], "USER_PAUSED", "{raised}");
    let early = ada.submit("/dashboard/users/resume", "external_ref=shop_a").await;
    assert!(early.contains("is looked at once more") && early.contains("badge bad\">Paused"), "{early}");
    site.minutes(4).await;
    let done = ada.text(&shop.page()).await;
    assert!(done.contains("1 of 1 campaign paused (") && !done.contains("Pause the rest"), "{done}");
    let (_, runs) = site.request(&key, "GET", &format!("/v1/campaigns/{}", other.campaign), &Value::Null).await;
    assert_eq!(runs["status"], "ACTIVE", "of the other user: {runs}");
    advance(Duration::from_mins(10)).await;
    let old = ada.text(&shop.page()).await;
    assert!(old.contains("Sign in again to resume") && !old.contains("users/resume"), "{old}");
    ada.sign_in_from("/dashboard/sign-in?again=yes", ADA).await;
    let resumed = ada.submit("/dashboard/users/resume", "external_ref=shop_a").await;
    assert!(resumed.contains("The user is resumed.") && resumed.contains("Not paused."), "{resumed}");
    assert_eq!(site.set_status(&key, &shop, "ACTIVE").await.0, StatusCode::OK);
}

#[tokio::test(start_paused = true)]
async fn a_key_of_one_user_is_made_and_shown_on_the_page_of_keys() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (_, [shop, other]) = two_shops(&mut ada).await;
    let keys = "/dashboard/keys";
    let own = |user: &str| format!("name=Shop&scopes=read&expires=&external_ref={user}");
    let refused = ada.submit(keys, &own("%3Cb%3E")).await;
    assert!(refused.contains("id=\"external_ref-error\"") && refused.contains("value=\"&#60;b&#62;\""), "{refused}");
    let made = ada.submit(keys, &own(shop.name)).await;
    let key = shown_key(&made).expect("a key");
    let shown = "Only for the user <a href=\"/dashboard/users/one?external_ref=shop_a\"><bdi>shop_a</bdi></a>";
    assert_eq!(made.matches(shown).count(), 1, "{made}");
    let (_, listed) = site.request(&key, "GET", "/v1/connections", &Value::Null).await;
    assert!(shop.is_in(&listed.to_string()) && !other.is_in(&listed.to_string()), "{listed}");
    // The limit of a key names connections of its user only.
    let limited = |connection: &str| {
        format!("name=Agent&daily=50&per_change=&currency=USD&external_ref=shop_a&connections={connection}")
    };
    let foreign = ada.submit(keys, &limited(&other.connection)).await;
    assert!(
        foreign.contains("role=\"alert\"") && foreign.contains("is no ad account of your user shop_a"),
        "{foreign}"
    );
    let wrong = ada.submit(keys, &limited(&shop.connection).replace("=shop_a", "=a%20b")).await;
    assert!(wrong.contains("id=\"external_ref-error\""), "{wrong}");
    let agent = ada.submit(keys, &limited(&shop.connection)).await;
    assert_eq!(agent.matches(shown).count(), 2, "{agent}");
}

#[tokio::test(start_paused = true)]
async fn a_user_is_erased_when_a_person_has_typed_its_name() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (key, [shop, other]) = two_shops(&mut ada).await;
    for one in [&shop, &other] {
        assert_eq!(site.set_status(&key, one, "ACTIVE").await.0, StatusCode::OK);
    }
    let runs = site.running(&other).await;
    let page = ada.text(&shop.page()).await;
    assert!(page.contains("There is no way back.") && page.contains("Its ad account is disconnected"), "{page}");
    let typed = |name: &str| filled_in(&page, ERASE, "Erase <bdi>shop_a</bdi>", &format!("confirm={name}"));
    for wrong in ["", "shop_b", "SHOP_A"] {
        let refused = ada.submit(ERASE, &typed(wrong)).await;
        assert!(refused.contains("id=\"confirm-error\">Write shop_a"), "{wrong}: {refused}");
        assert!(!refused.contains("Being erased"), "{wrong}: {refused}");
    }
    assert_eq!(site.running(&shop).await, runs, "nothing was paused");
    let begun = ada.submit(ERASE, &typed("+shop_a+")).await;
    assert!(begun.contains("The erasure goes on by itself.") && begun.contains("Being erased</span> since"), "{begun}");
    assert!(!begun.contains("users/pause") && !begun.contains("/dashboard/users/limit?"), "{begun}");
    assert!(ada.text(USERS).await.contains("badge bad\">Being erased"));
    let stale = ada.submit("/dashboard/users/pause", "external_ref=shop_a").await;
    assert!(stale.contains("The user is being erased, so nothing of it is changed any more."), "{stale}");
    let stale = ada.submit(LIMIT, &format!("external_ref=shop_a&{FORM}")).await;
    assert!(stale.contains("The user is being erased, so nothing of it is changed any more."), "{stale}");
    site.minutes(6).await;
    assert_eq!((site.running(&shop).await, site.running(&other).await), (Decimal::ZERO, runs));
    site.minutes(60).await;
    assert_eq!(ada.get(&shop.page()).await.status, StatusCode::NOT_FOUND);
    assert_eq!(site.records_of(&shop), Vec::<String>::new());
    let (_, left) = site.request(&key, "GET", &format!("/v1/campaigns/{}", other.campaign), &Value::Null).await;
    assert_eq!((&left["status"], site.running(&other).await), (&json!("ACTIVE"), runs), "of the other user: {left}");
    ada.sign_in_from("/dashboard/sign-in?again=yes", ADA).await;
    let gone = ada.post(ERASE, "external_ref=shop_a&confirm=shop_a").await.to().to_owned();
    assert_eq!(gone, USERS);
    let list = ada.text(USERS).await;
    assert!(list.contains("There is no such user.") && !list.contains("external_ref=shop_a"), "{list}");
}

#[tokio::test(start_paused = true)]
async fn a_page_tells_what_runs_before_it_removes_a_connection() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (key, [shop, other]) = two_shops(&mut ada).await;
    assert_eq!(site.set_status(&key, &shop, "ACTIVE").await.0, StatusCode::OK);
    let page = |shop: &Shop| format!("/dashboard/connections/remove?id={}", shop.connection);
    let runs = ada.text(&page(&shop)).await;
    assert!(runs.contains("<li>1 campaign is active and keeps spending.</li>"), "{runs}");
    let none = ada.text(&page(&other)).await;
    assert!(none.contains("Nothing is running or waiting there."), "{none}");
    let before = site.running(&shop).await;
    let form = filled_in(&runs, "/dashboard/connections/remove", "Remove <bdi>", "");
    let removed = ada.submit("/dashboard/connections/remove", &form).await;
    assert!(removed.contains("The connection is removed."), "{removed}");
    assert_eq!(site.running(&shop).await, before);
    assert!(before > Decimal::ZERO);
    assert_eq!(ada.get(&page(&shop)).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(start_paused = true)]
async fn an_erasure_whose_pause_is_refused_waits_for_a_person() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let (key, [shop, _]) = two_shops(&mut ada).await;
    assert_eq!(site.set_status(&key, &shop, "ACTIVE").await.0, StatusCode::OK);
    let runs = site.running(&shop).await;
    let revoked = json!({"platform": "alpha_ads", "operation": "any", "fault": "revoked", "times": 100_000, "ms": 0});
    site.world.control("POST", "faults", &revoked).await;
    ada.submit(ERASE, "external_ref=shop_a&confirm=shop_a").await;
    site.minutes(60).await;
    let waits = ada.text(&shop.page()).await;
    assert!(waits.contains("Its campaigns are being paused.") && waits.contains("Sign in again to finish"), "{waits}");
    ada.sign_in_from("/dashboard/sign-in?again=yes", ADA).await;
    let page = ada.text(&shop.page()).await;
    let form = filled_in(&page, ERASE, "although something runs</button>", "confirm=shop_a");
    let told = ada.submit(ERASE, &form).await;
    assert!(told.contains("What runs is left running") && !told.contains("Finish although"), "{told}");
    site.minutes(60).await;
    assert_eq!(ada.get(&shop.page()).await.status, StatusCode::NOT_FOUND);
    assert_eq!((site.records_of(&shop), site.running(&shop).await), (Vec::new(), runs), "it runs as it did");
}
