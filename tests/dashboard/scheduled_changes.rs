//! Scheduled changes with a form, their cancellation, activations that wait for a start, and "Pause everything".

use super::browser::{Browser, Site};
use super::double_clicks::filled_in;
use crate::world::campaign;
use http::StatusCode;
use jiff::SignedDuration;
use serde_json::json;
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const ACTIVITY: &str = "/dashboard/activity";
const CANCEL: &str = "/dashboard/activity/cancel";
const CHANGE: &str = "/dashboard/campaigns/change";
const DELETE: &str = "/dashboard/campaigns/delete";
const PREVIEW: &str = "/dashboard/campaigns/change/preview";
const PAUSE_ALL: &str = "/dashboard/campaigns/pause-all";

/// A time as the field sends it, and as the pages show it.
pub(super) struct Time {
    pub(super) typed: String,
    pub(super) shown: String,
}

impl Site {
    pub(super) fn ahead(&self, minutes: i64) -> Time {
        let at = self.app.clock.now() + SignedDuration::from_mins(minutes);
        let typed = at.strftime("%Y-%m-%dT%H:%M").to_string();
        let text = at.strftime("%-d %b %Y, %H:%M UTC");
        Time { shown: format!("<time datetime=\"{typed}:00Z\">{text}</time>"), typed }
    }

    /// Runs maintenance every minute for this time.
    pub(super) async fn minutes(&self, minutes: u64) {
        for _ in 0..minutes {
            advance(Duration::from_secs(60)).await;
            maintenance::run(&self.app).await.expect("maintenance runs to its end");
        }
    }
}

impl Browser<'_> {
    /// Submits a form a second later, within the rate limit; returns the text of the page that it leads to.
    pub(super) async fn send_form(&mut self, path: &str, form: &str) -> String {
        advance(Duration::from_secs(1)).await;
        self.submit(path, form).await
    }

    /// A new key that may create campaigns.
    pub(super) async fn key(&mut self) -> String {
        let made = self.submit("/dashboard/keys", "name=K&scopes=read&scopes=write&expires=").await;
        super::actions::shown_key(&made).expect("a key")
    }

    /// The text of a page, read a second later.
    pub(super) async fn text(&mut self, path: &str) -> String {
        advance(Duration::from_secs(1)).await;
        let page = self.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        page.text
    }
}

pub(super) fn page_of(id: &str) -> String {
    format!("/dashboard/campaigns/one?id={id}")
}

#[tokio::test(start_paused = true)]
async fn a_change_is_applied_at_the_time_of_the_form() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    let Time { typed, shown } = site.ahead(60);
    let form = format!("id={id}&back=one&was_name=A&name=B&apply_at={typed}");
    let preview = ada.send_form(PREVIEW, &form).await;
    assert!(preview.contains("Would be changed"), "{preview}");
    assert!(
        preview.contains("<h3><bdi>Google Ads: ") && preview.contains(")</bdi> <span class=\"badge"),
        "its name: {preview}"
    );
    assert!(preview.contains(&format!("makes exactly this change, at {shown}.")), "{preview}");
    assert!(preview.contains(&format!("value=\"{typed}\"")), "the form below has the time: {preview}");
    let page = ada.send_form(CHANGE, &form).await;
    assert!(page.contains(&format!("The change is scheduled for {shown}.")), "{page}");
    assert!(page.contains("<h1><bdi>A</bdi></h1>"), "not yet: {page}");
    let rows = ada.rows(&page_of(&id)).await;
    let in_row = shown.split(['<', '>']).nth(2).expect("a time").replace(" UTC", "\u{a0}UTC");
    assert!(rows[0].contains("Name “B”|") && rows[0].contains(&format!("For {in_row}.")), "{rows:?}");
    site.minutes(63).await;
    assert!(ada.text(&page_of(&id)).await.contains("<h1><bdi>B</bdi></h1>"));
    let rows = ada.rows(&page_of(&id)).await;
    assert!(rows[0].contains("Renamed") && !rows[0].contains("Cancel"), "{rows:?}");
}

#[tokio::test(start_paused = true)]
async fn a_refused_time_stays_in_the_form() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    for typed in [site.ahead(-60).typed, "tomorrow".to_owned()] {
        let page = ada.send_form(CHANGE, &format!("id={id}&back=one&was_name=A&name=B&apply_at={typed}")).await;
        assert!(page.contains("role=\"alert\"") && page.contains("apply_at"), "{typed}: {page}");
        assert!(page.contains(&format!("value=\"{typed}\"")) && page.contains("value=\"B\""), "{typed}: {page}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_scheduled_change_is_canceled_once_and_only_by_its_customer() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = site.signed_in("bob@example.com").await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    let Time { typed, shown } = site.ahead(60);
    for (path, form) in [(CHANGE, "back=one&status=ACTIVE"), (DELETE, "back=one")] {
        let page = ada.send_form(path, &format!("id={id}&{form}&apply_at={typed}")).await;
        assert!(page.contains(&format!("The change is scheduled for {shown}.")), "{path}: {page}");
    }
    let of_campaign = filled_in(&ada.text(&page_of(&id)).await, CANCEL, "Cancel this change", "");
    let stolen = bob.send_form(CANCEL, &of_campaign.replace("campaign=", "list=")).await;
    assert!(stolen.contains("role=\"alert\""), "{stolen}");
    assert_eq!(ada.rows(&format!("{ACTIVITY}?state=scheduled")).await.len(), 2);
    let page = ada.send_form(CANCEL, &of_campaign).await;
    assert!(page.contains("The change is canceled: nothing more is sent") && page.contains("id=\"values\""), "{page}");
    let again = ada.send_form(CANCEL, &of_campaign).await;
    assert!(again.contains("role=\"alert\"") && again.contains("The change is canceled. Only a change"), "{again}");
    let waiting = format!("{ACTIVITY}?state=scheduled");
    let of_list = filled_in(&ada.text(&waiting).await, CANCEL, "Cancel this change", "");
    advance(Duration::from_secs(1)).await;
    assert_eq!(ada.post(CANCEL, &of_list).await.to(), waiting, "the same filter");
    assert!(ada.rows(&waiting).await.is_empty());
    site.minutes(63).await;
    assert!(ada.text(&page_of(&id)).await.contains("Paused"), "nothing is made");
}

#[tokio::test(start_paused = true)]
async fn an_activation_before_a_held_start_waits_for_it() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("beta_ads").await;
    let key = ada.key().await;
    let Time { typed, shown } = site.ahead(60);
    let mut body = campaign("beta_ads", "Early");
    body["start_at"] = json!(format!("{typed}:00Z"));
    let id = site.create_as(&key, &body).await;
    let page = ada.text(&page_of(&id)).await;
    assert!(page.contains(&format!("<dd>{shown}, held by this service</dd>")), "{page}");
    let page = ada.send_form(CHANGE, &format!("id={id}&back=one&status=ACTIVE")).await;
    assert!(page.contains(&format!("The campaign starts at {shown}, and the change waits for that.")), "{page}");
    assert!(ada.rows(&page_of(&id)).await[0].contains("Activate|"), "{page}");
    site.minutes(63).await;
    assert!(ada.text(&page_of(&id)).await.contains("<span class=\"badge good\">Active</span>"));
}

#[tokio::test(start_paused = true)]
async fn pause_everything_pauses_once_and_shows_the_count() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    assert!(!ada.text("/dashboard/campaigns").await.contains(PAUSE_ALL), "without an ad account");
    let key = ada.begin_work().await;
    let nothing = ada.text(PAUSE_ALL).await;
    assert!(nothing.contains("Nothing to pause right now.") && !nothing.contains("<button class=\"danger\">"));
    for name in ["A", "B", "C"] {
        let id = site.create(&key, name).await;
        if name != "C" {
            ada.send_form(CHANGE, &format!("id={id}&back=one&status=ACTIVE")).await;
        }
    }
    assert!(ada.text("/dashboard/campaigns").await.contains(&format!("href=\"{PAUSE_ALL}\"")));
    let page = ada.text(PAUSE_ALL).await;
    assert!(page.contains(">Pause 2 campaigns</button>"), "{page}");
    assert!(page.contains("<li><bdi>A</bdi></li>") && page.contains("<li><bdi>B</bdi></li>"), "{page}");
    assert!(!page.contains("<bdi>C</bdi>"), "a paused campaign: {page}");
    assert!(page.contains("<a class=\"button quiet\" href=\"/dashboard/campaigns\">Cancel</a>"), "{page}");
    let form = filled_in(&page, PAUSE_ALL, "Pause 2 campaigns", "");
    let first = ada.post(PAUSE_ALL, &form).await.to().to_owned();
    let second = ada.post(PAUSE_ALL, &form).await.to().to_owned();
    assert_eq!(first, second, "a second click pauses nothing more");
    let page = ada.text(&first).await;
    assert!(page.contains("Paused 2.") && page.contains("The platforms have confirmed everything."), "{page}");
    assert_eq!(page.matches("<span class=\"badge good\">Applied</span>").count(), 2, "{page}");
    assert!(ada.text(PAUSE_ALL).await.contains("Nothing to pause right now."));
    let rows = ada.rows(&format!("{ACTIVITY}?state=applied&kind=update")).await;
    assert_eq!(rows.len(), 5, "two activations, and one entry with two pauses: {rows:?}");
    let mut bob = site.signed_in("bob@example.com").await;
    assert_eq!(bob.get(&first).await.status, StatusCode::NOT_FOUND, "of another customer");
    let incomplete = ada.send_form(PAUSE_ALL, "").await;
    assert!(incomplete.contains("The form is incomplete"), "{incomplete}");
}

#[tokio::test(start_paused = true)]
async fn pause_everything_names_an_unreadable_account_and_pauses_it_later() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    ada.send_form(CHANGE, &format!("id={id}&back=one&status=ACTIVE")).await;
    let fault = json!({ "platform": "alpha_ads", "operation": "list", "fault": "error", "times": 50 });
    site.world.control("POST", "faults", &fault).await;
    let page = ada.text(PAUSE_ALL).await;
    assert!(
        page.contains("The active campaigns cannot be counted right now.") && page.contains("role=\"alert\""),
        "{page}"
    );
    let form = filled_in(&page, PAUSE_ALL, "Pause all active campaigns", "");
    let status = ada.post(PAUSE_ALL, &form).await.to().to_owned();
    let page = ada.text(&status).await;
    assert!(page.contains("Paused 0.") && page.contains("The platforms have not confirmed everything yet."), "{page}");
    assert!(page.contains("The campaigns in this ad account could not be read yet."), "{page}");
    site.world.control("POST", "reset", &json!({})).await;
    site.minutes(8).await;
    let page = ada.text(&status).await;
    assert!(page.contains("Paused 1.") && page.contains("The platforms have confirmed everything."), "{page}");
}

#[tokio::test(start_paused = true)]
async fn pause_everything_does_not_count_an_account_without_a_response() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    ada.send_form(CHANGE, &format!("id={id}&back=one&status=ACTIVE")).await;
    ada.connect("beta_ads").await;
    let fault = json!({ "platform": "beta_ads", "operation": "list", "fault": "error", "times": 50 });
    site.world.control("POST", "faults", &fault).await;
    let page = ada.text(PAUSE_ALL).await;
    assert!(page.contains(">Pause at least 1 campaign</button>"), "{page}");
    assert!(page.contains("so their campaigns are not counted") && page.contains("<strong><bdi>Meta: "), "{page}");
    let form = filled_in(&page, PAUSE_ALL, "Pause at least 1 campaign", "");
    let status = ada.post(PAUSE_ALL, &form).await.to().to_owned();
    let page = ada.text(&status).await;
    assert!(page.contains("Paused 1.") && page.contains("The platforms have not confirmed everything yet."), "{page}");
}
