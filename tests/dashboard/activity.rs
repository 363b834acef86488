//! The activity: changes by keys and people, and their outcomes.

use super::actions::shown_key;
use super::browser::{Browser, Site};
use crate::in_process::engine::{Straight, serve};
use crate::in_process::{json_of, respond};
use crate::world::campaign;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::result::ConnectorError;
use http::StatusCode;
use lambda_http::{Body, Request};
use serde_json::{Value, json};
use shared::serve::PostResponseWork;
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const ACTIVITY: &str = "/dashboard/activity";
const CHANGE: &str = "/dashboard/campaigns/change";
const SCRIPT: &str = "<script>alert(1)</script>";

/// A table whose index of a campaign's changes does not answer.
#[derive(Clone, Debug)]
struct WithoutHistory(Straight);

impl HttpConnector for WithoutHistory {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let body = String::from_utf8_lossy(request.body().bytes().unwrap_or_default()).into_owned();
        HttpConnectorFuture::ready(if body.contains("campaign_key = :key") {
            Err(ConnectorError::io("the connection broke".into()))
        } else {
            Ok(serve(&self.0.0, &request))
        })
    }
}

impl Site {
    /// Creates a campaign with a key; returns its id.
    pub(super) async fn create(&self, key: &str, name: &str) -> String {
        self.create_as(key, &campaign("alpha_ads", name)).await
    }

    /// Creates a campaign; returns its id.
    pub(super) async fn create_as(&self, key: &str, body: &Value) -> String {
        let request = http::Request::builder().method("POST").uri("/v1/campaigns").header("x-api-key", key);
        let request: Request = request.body(Body::from(body.to_string())).expect("a request");
        let mut response = respond(&self.app, request).await;
        assert_eq!(response.status(), StatusCode::CREATED, "{:?}", response.body());
        PostResponseWork::take_from(&mut response).expect("an entry").run().await;
        json_of(response.body())["id"].as_str().expect("an id").to_owned()
    }
}

impl Browser<'_> {
    /// Connects an ad account and makes a key; returns the key.
    pub(super) async fn begin_work(&mut self) -> String {
        self.connect("alpha_ads").await;
        let page = self.submit("/dashboard/keys", "name=Nightly&scopes=read&scopes=write&expires=").await;
        shown_key(&page).expect("a key")
    }

    /// Sends the form of a campaign's page.
    async fn change(&mut self, id: &str, form: &str) {
        advance(Duration::from_secs(1)).await;
        self.submit(CHANGE, &format!("id={id}&back=one&{form}")).await;
    }

    /// The rows of the table on a page, newest first.
    pub(super) async fn rows(&mut self, page: &str) -> Vec<String> {
        let page = self.get(page).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        assert!(!page.text.contains(SCRIPT), "{}", page.text);
        let table = page.text.split_once("<table class=\"cards activity\">").map_or("", |(_, rest)| rest);
        let section = table.split("</section>").next().unwrap_or_default();
        // The rows of a bulk change follow its entry, in a table of their own.
        let rows = section.split("<tr>").skip(1).filter(|row| !row.starts_with("<th"));
        rows.map(|row| words(row.split("</tr>").next().unwrap_or_default())).collect()
    }
}

/// The text of a row, with a line between its cells.
fn words(row: &str) -> String {
    let row = row.replace("</td>", "|").replace("<br>", " / ");
    let text = row.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    text.collect::<String>().trim().trim_end_matches('|').to_owned()
}

/// The cells of a row after the time.
fn cells(row: &str) -> Vec<&str> {
    row.split('|').skip(1).collect()
}

#[tokio::test(start_paused = true)]
async fn the_activity_lists_changes_of_keys_and_people() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let page = ada.get(ACTIVITY).await.text;
    assert!(page.contains("No activity yet") && !page.contains("<form method=\"get\""), "{page}");
    let key = ada.begin_work().await;
    let id = site.create(&key, &format!("A {SCRIPT}")).await;
    ada.change(&id, "status=ACTIVE").await;
    ada.change(&id, "name=B&was_name=A&budget_amount=60&was_budget_amount=50").await;
    advance(Duration::from_secs(1)).await;
    ada.submit("/dashboard/campaigns/delete", &format!("id={id}")).await;

    let rows = ada.rows(ACTIVITY).await;
    let [removed, changed, activated, created] = rows.as_slice() else { panic!("{rows:?}") };
    let account = id.split('_').nth(1).expect("an account");
    let (old, place) = (
        "A &#60;script&#62;alert(1)&#60;/script&#62;",
        format!("Google Ads: Account 6 in USD ({account}) / Only this campaign"),
    );
    let budget = "Budget 50.00 USD a day";
    assert_eq!(
        cells(created),
        [&format!("Created “{old}” / {budget}"), &format!("{old} / {place}"), "Nightly / API key", "Applied"]
    );
    assert_eq!(cells(activated), ["Activated", &format!("{old} / {place}"), ADA, "Applied"]);
    let what = format!("Renamed “{old}” → “B” / Budget 50.00 → 60.00 USD a day");
    assert_eq!(cells(changed), [what.as_str(), &format!("B / {place}"), ADA, "Applied"]);
    assert_eq!(cells(removed), ["Deleted", &format!("B / {place}"), ADA, "Applied"]);
    let page = ada.get(ACTIVITY).await.text;
    assert_eq!(page.matches(&format!("href=\"/dashboard/campaigns/one?id={id}\"")).count(), 4, "{page}");
    let mut bob = site.signed_in("bob@example.com").await;
    assert!(bob.get(ACTIVITY).await.text.contains("No activity yet"), "of another customer");
}

#[tokio::test(start_paused = true)]
async fn filters_of_the_activity_exclude_changes() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    site.create(&key, "B").await;
    ada.change(&id, "status=ACTIVE").await;
    let page = ada.get(ACTIVITY).await.text;
    let by_key =
        page.split("<a href=\"").find(|rest| rest.contains("api_key_id=")).and_then(|rest| rest.split('"').next());
    let by_key = by_key.expect("a link").to_owned();
    for (query, found) in [("", 3), ("?kind=create&state=", 2), ("?state=applied&kind=update", 1), ("?state=failed", 0)]
    {
        assert_eq!(ada.rows(&format!("{ACTIVITY}{query}")).await.len(), found, "{query}");
    }
    assert_eq!(ada.rows(&by_key).await.len(), 2);
    assert_eq!(ada.rows(&format!("{ACTIVITY}?campaign_id={id}")).await.len(), 2);
    let of_one = ada.get(&format!("{ACTIVITY}?campaign_id={id}&kind=delete")).await.text;
    assert!(of_one.contains(&format!("name=\"campaign_id\" value=\"{id}\"")), "the form keeps the campaign: {of_one}");
    assert!(of_one.contains("No changes match."), "{of_one}");
    // By the name of a campaign, and by days, which the file and the pages keep.
    let only = format!("{ACTIVITY}?campaign_id={id}");
    assert_eq!(ada.get(&format!("{ACTIVITY}?campaign=a&read=all&from=&to=")).await.to(), only);
    let unknown = ada.get(&format!("{ACTIVITY}?campaign=Winter")).await.text;
    assert!(unknown.contains("No campaign has “<bdi>Winter</bdi>” in its name"), "{unknown}");
    let today = site.app.clock.now().strftime("%Y-%m-%d").to_string();
    let days = ada.get(&format!("{ACTIVITY}?from={today}&to={today}")).await.text;
    assert!(days.contains(&format!("/dashboard/activity/csv?from={today}&#38;to={today}")), "{days}");
    assert_eq!(ada.rows(&format!("{ACTIVITY}?from={today}&to={today}")).await.len(), 3);
    assert!(ada.rows(&format!("{ACTIVITY}?to=2020-01-01")).await.is_empty());
    let refused = ada.get(&format!("{ACTIVITY}?state=perhaps")).await.text;
    assert!(refused.contains("role=\"alert\"") && refused.contains("must be one of"), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn a_long_history_has_pages() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    for number in 1..=25 {
        ada.change(&id, &format!("name=A{number}&was_name=A")).await;
    }
    assert_eq!(ada.rows(ACTIVITY).await.len(), 25);
    let page = ada.get(ACTIVITY).await.text;
    assert!(!page.contains(">Newest</a>"), "{page}");
    let older =
        page.split("<a href=\"").find(|link| link.contains(">Older</a>")).and_then(|link| link.split('"').next());
    let older = older.expect("a link").replace("&#38;", "&");
    assert!(ada.rows(&older).await.concat().contains("Created “A”"));
    let last = ada.get(&older).await.text;
    assert!(last.contains(">Newest</a>") && !last.contains(">Older</a>"), "{last}");
}

#[tokio::test(start_paused = true)]
async fn a_refused_change_has_its_reason() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    site.create(&key, "B").await;
    ada.change(&id, "name=B&was_name=A").await;
    let rows = ada.rows(&format!("{ACTIVITY}?state=failed")).await;
    let [refused] = rows.as_slice() else { panic!("{rows:?}") };
    let [what, _, who, outcome] = cells(refused)[..] else { panic!("{refused}") };
    assert_eq!((what, who), ("Rename “A” → “B”", ADA));
    assert!(outcome.starts_with("Not applied / ") && outcome.contains("name"), "{outcome}");
}

#[tokio::test(start_paused = true)]
async fn an_unknown_outcome_says_that_it_will_be_reconciled() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    // The platform may still apply a request that it has not refused.
    let fault = json!({ "platform": "alpha_ads", "operation": "update", "fault": "drop", "times": 1 });
    site.world.control("POST", "faults", &fault).await;
    let answered = ada.post(CHANGE, &format!("id={id}&back=list&status=ACTIVE")).await;
    let outcome = answered.to().to_owned();
    let checking = ada.get(&outcome).await.text;
    assert!(
        checking.contains("We are checking. This page refreshes itself.") && checking.contains("data-live"),
        "{checking}"
    );
    advance(Duration::from_secs(60)).await;
    let rows = ada.rows(&format!("{ACTIVITY}?state=unknown")).await;
    let [unknown] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!(cells(unknown)[0], "Activate");
    assert!(unknown.ends_with("Not known yet / The platform is read until it is known."), "{unknown}");
}

#[tokio::test(start_paused = true)]
async fn the_page_of_a_campaign_has_its_latest_changes() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    site.create(&key, "B").await;
    for number in 1..=10 {
        ada.change(&id, &format!("name=A{number}&was_name=A")).await;
    }
    let path = format!("/dashboard/campaigns/one?id={id}");
    let rows = ada.rows(&path).await;
    assert_eq!(rows.len(), 10, "{rows:?}");
    assert_eq!(cells(&rows[0])[..2], ["Renamed “A9” → “A10”", ADA]);
    assert!(rows[0].contains("|Applied\nUndo of "), "{rows:?}");
    let page = ada.get(&path).await.text;
    assert!(page.contains(&format!("href=\"{ACTIVITY}?campaign_id={id}\">All activity for this campaign")), "{page}");

    let broken = site.over(WithoutHistory(Straight(site.world.database.clone())));
    let mut ada = Browser { site: &broken, cookies: ada.cookies.clone() };
    let page = ada.get(&path).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text.contains("A10") && page.text.contains("Last changed"), "{}", page.text);
    assert!(page.text.contains("The changes of this campaign cannot be shown now."), "{}", page.text);
}
