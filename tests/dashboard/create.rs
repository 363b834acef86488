//! The page that creates a campaign: a row for each ad account, errors at their fields, copies, and outcomes that are not
//! known at once.

use super::browser::{Browser, Site};
use super::double_clicks::filled_in;
use http::StatusCode;
use jiff::ToSpan;
use jiff::tz::TimeZone;
use serde_json::json;
use shared::domain::Plan;
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const PAGE: &str = "/dashboard/campaigns/new";
const CREATE: &str = "/dashboard/campaigns";
const PREVIEW: &str = "/dashboard/campaigns/preview";

impl Browser<'_> {
    /// Connects platforms on a plan; returns the targets of the form.
    async fn targets(&mut self, plan: Plan, platforms: &[&str]) -> Vec<String> {
        let now = self.site.app.clock.now();
        self.site.app.store.set_plan(self.customer(), plan, now).await.expect("a write");
        for platform in platforms {
            self.connect(platform).await;
        }
        let connections = self.site.app.store.connections(self.customer(), now).await.expect("connections");
        let target = |platform: &&str| {
            let one = connections.iter().find(|one| one.platform.as_str() == *platform).expect("a connection");
            format!("{}:{}", one.platform.as_upper(), one.account_id())
        };
        platforms.iter().map(target).collect()
    }

    /// The form of the page with what a person fills in.
    async fn create_form(&mut self, own: &str) -> String {
        advance(Duration::from_secs(1)).await;
        let page = self.get(PAGE).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        filled_in(&page.text, CREATE, "Create campaign", &format!("name=Spring&goal=WEBSITE_TRAFFIC&{own}"))
    }

    async fn campaigns(&mut self) -> String {
        advance(Duration::from_secs(1)).await;
        self.get(CREATE).await.text
    }
}

/// The form without a tick, and without the budget of an account.
fn none_of(form: &str, target: &str) -> String {
    form.replace("targets=", "others=").replace(&format!("budget_amount.{target}=0.5"), "")
}

pub(super) fn count(list: &str) -> usize {
    list.matches("<th scope=\"row\"><a href=\"/dashboard/campaigns/one?").count()
}

#[tokio::test(start_paused = true)]
async fn each_account_has_a_budget_and_dates_of_its_own() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let targets = ada.targets(Plan::Pro, &["alpha_ads", "beta_ads", "zeta_ads"]).await;
    let [google, meta, reddit] = targets.as_slice() else { panic!("{targets:?}") };
    let day = |days: i64| TimeZone::UTC.to_datetime(site.app.clock.now()).date().saturating_add(days.days());
    let (first, second) = (day(27), day(33));
    let own = format!(
        "budget_amount=20&budget_period=DAILY&start_at=&end_at=&targets={google}&targets={meta}&targets={reddit}\
         &budget_amount.{google}=510&budget_period.{google}=LIFETIME&end_at.{google}={first}\
         &budget_amount.{meta}=620&budget_period.{meta}=LIFETIME&end_at.{meta}={second}\
         &budget_amount.{reddit}=&budget_period.{reddit}="
    );
    let form = ada.create_form(&own).await;
    for _ in 0..2 {
        let done = ada.submit(CREATE, &form).await;
        assert!(done.contains("“Spring” is created."), "{done}");
        assert_eq!(count(&done), 3, "once in each account: {done}");
        assert_eq!(done.matches("\">Open it in ").count(), 3, "a link to each campaign: {done}");
        for budget in ["510.00<small> in all", "620.00<small> in all", "20.00<small> a day"] {
            assert!(done.contains(budget), "{budget}: {done}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_in_one_account_creates_nothing_and_is_shown_at_its_field() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let targets = ada.targets(Plan::Pro, &["alpha_ads", "beta_ads"]).await;
    let [google, meta] = targets.as_slice() else { panic!("{targets:?}") };
    let page = ada.get(PAGE).await.text;
    assert!(
        page.contains("App promotion (not on Google Ads)")
            && page.contains("At least 1.00 USD a day, 31.00 USD a month."),
        "{page}"
    );
    let own = format!("budget_amount=20&budget_period=DAILY&targets={google}&targets={meta}&budget_amount.{meta}=0.5");
    let form = ada.create_form(&own).await;
    let wrong = ada.submit(CREATE, &form).await;
    for text in [
        "<title>Error: New campaign",
        "role=\"alert\" tabindex=\"-1\" autofocus",
        &format!("<a href=\"#budget_amount.{meta}\">"),
        &format!("id=\"budget_amount.{meta}-error\">Meta needs at least 1.00 USD a day.</p>"),
        "value=\"0.5\"",
        &format!("value=\"{google}\" checked"),
    ] {
        assert!(wrong.contains(text), "{text}: {wrong}");
    }
    let goal = ada.submit(CREATE, &form.replace("WEBSITE_TRAFFIC", "APP_PROMOTION").replace("=0.5", "=5")).await;
    assert!(goal.contains(&format!("id=\"targets.{google}-error\">Google Ads does not have this goal.")), "{goal}");
    let none = ada.submit(CREATE, &form.replace("targets=", "others=")).await;
    assert!(none.contains(" or clear its budget.</p>") && none.contains("value=\"0.5\""), "{none}");
    assert!(none.contains("<a href=\"#budget_amount.") && !none.contains("Choose an ad account."), "{none}");
    let empty = none_of(&form, meta);
    assert!(ada.submit(CREATE, &empty).await.contains("Choose an ad account."));
    for address in [CREATE, PREVIEW] {
        let other = ada.submit(address, &form.replace(&format!("targets={meta}"), "others=")).await;
        assert!(other.contains(&format!("id=\"budget_amount.{meta}-error\">Tick Meta")), "{other}");
        assert!(other.contains(&format!("value=\"{google}\" checked")), "{other}");
    }
    assert_eq!(count(&ada.campaigns().await), 0);
}

#[tokio::test(start_paused = true)]
async fn a_plan_with_one_account_at_a_time_keeps_its_rule() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let targets = ada.targets(Plan::Starter, &["alpha_ads", "beta_ads"]).await;
    let page = ada.get(PAGE).await.text;
    assert!(
        page.contains("type=\"radio\"") && page.contains("Your plan creates campaigns in one account at a time."),
        "{page}"
    );
    let own = format!("budget_amount=20&budget_period=DAILY&targets={}&targets={}", targets[0], targets[1]);
    let form = ada.create_form(&own).await;
    for path in [CREATE, "/dashboard/campaigns/preview"] {
        let refused = ada.submit(path, &form).await;
        assert!(refused.contains("Your plan creates campaigns in one ad account at a time. Choose one."), "{refused}");
    }
    assert_eq!(count(&ada.campaigns().await), 0);
}

#[tokio::test(start_paused = true)]
async fn an_unknown_outcome_has_a_page_until_it_is_known() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let targets = ada.targets(Plan::Pro, &["alpha_ads", "beta_ads"]).await;
    let own = format!("budget_amount=20&budget_period=DAILY&targets={}&targets={}", targets[0], targets[1]);
    let form = ada.create_form(&own).await;
    let fault = json!({ "platform": "beta_ads", "operation": "create", "fault": "drop", "times": 1 });
    site.world.control("POST", "faults", &fault).await;
    let outcome = ada.post(CREATE, &form).await.to().to_owned();
    assert!(outcome.starts_with("/dashboard/campaigns/outcome?id=chg_"), "{outcome}");
    let checking = ada.get(&outcome).await.text;
    for text in ["We are checking. This page refreshes itself.", "data-live", "<noscript><meta http-equiv=\"refresh\""]
    {
        assert!(checking.contains(text), "{text}: {checking}");
    }
    let mut bob = site.signed_in("bob@example.com").await;
    assert_eq!(bob.get(&outcome).await.status, StatusCode::NOT_FOUND, "changes of another customer");
    site.minutes(3).await;
    let known = ada.get(&outcome).await.text;
    assert!(!known.contains("data-live") && known.contains("Not applied") && known.contains("Applied"), "{known}");
    let again = ada.get("/dashboard/campaigns/new?draft=yes").await.text;
    assert!(
        again.contains("value=\"Spring\"") && again.contains(&format!("value=\"{}\" checked", targets[1])),
        "{again}"
    );
    let done = ada.submit(CREATE, &form).await;
    assert!(done.contains("“Spring” is created."), "{done}");
    assert_eq!(count(&done), 2, "nothing is created twice: {done}");
}

#[tokio::test(start_paused = true)]
async fn a_campaign_is_copied_into_the_form() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let targets = ada.targets(Plan::Starter, &["alpha_ads"]).await;
    let form = ada.create_form(&format!("budget_amount=20.50&budget_period=DAILY&targets={}", targets[0])).await;
    let done = ada.submit(CREATE, &form).await;
    let id = done.split("/dashboard/campaigns/one?id=").nth(1).and_then(|rest| rest.split('"').next()).expect("an id");
    let copy = ada.get(&format!("{PAGE}?like={id}")).await.text;
    for text in ["value=\"Spring (copy)\"", "value=\"20.50\"", "<option value=\"WEBSITE_TRAFFIC\" selected>"] {
        assert!(copy.contains(text), "{text}: {copy}");
    }
    assert!(copy.contains(&format!("value=\"{}\" checked", targets[0])), "{copy}");
    let gone = ada.get(&format!("{PAGE}?like=alpha_1_2")).await;
    assert!(gone.status == StatusCode::OK && gone.text.contains("The campaign to copy cannot be loaded right now."));
}
