//! Monthly budgets that the service holds. The sandbox's books say what was spent and which budgets were set.

mod console;
mod crashes;
mod keys;
mod people;
mod wire;

use super::{Stage, is_paused};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, sleep};

pub(super) const ENVELOPED: [(&str, &str); 1] = [("x-api-shape", "enveloped")];

/// A campaign with a monthly budget.
pub(super) struct MonthlyCampaign {
    pub(super) id: String,
    remote: String,
    name: &'static str,
    zone: TimeZone,
}

impl Stage {
    /// Creates a campaign with a monthly budget, and activates it.
    pub(super) async fn monthly_campaign(
        &self,
        platform: Platform,
        name: &'static str,
        amount: i64,
    ) -> MonthlyCampaign {
        let listed = self.ask(200, "GET", "/v1/connections", &Value::Null).await;
        let mut connections = listed["connections"].as_array().expect("a list").iter();
        let account = connections.find(|one| one["platform"] == platform.as_str()).expect("a connection");
        let body = json!({"platform": platform.as_upper(), "organization_id": account["remote_account_id"], "name": name,
            "goal": "WEBSITE_TRAFFIC", "budget_amount": amount, "budget_period": "MONTHLY"});
        let made = self.ask(201, "POST", "/v1/campaigns", &body).await;
        let made = &made["data"];
        assert_eq!((&made["budget_amount"], &made["budget_period"]), (&json!(amount), &json!("MONTHLY")), "{made}");
        assert_eq!((&made["budget_held_by"], &made["status"]), (&json!("service"), &json!("PAUSED")), "{made}");
        assert_eq!((&made["pacing"]["spent"], &made["pacing"]["remaining"]), (&json!(0), &json!(amount)), "{made}");
        let id = made["id"].as_str().expect("an id").to_owned();
        self.patch_month(200, &id, &json!({"status": "ACTIVE"})).await;
        let insights = self.ask(200, "GET", &format!("/v1/campaigns/{id}/insights"), &Value::Null).await;
        let zone = TimeZone::get(insights["time_zone"].as_str().expect("a zone")).expect("a zone");
        let flat = self.ask(200, "GET", &format!("/v1/campaigns/{id}"), &Value::Null).await;
        assert_eq!((&flat["budget_period"], &flat["pacing"]["amount"]), (&json!("DAILY"), &json!(amount)), "{flat}");
        let remote = flat["remote_id"].as_str().expect("an id").to_owned();
        MonthlyCampaign { id, remote, name, zone }
    }

    pub(super) async fn patch_month(&self, status: u16, id: &str, body: &Value) -> Value {
        let answer = self.send("PATCH", &format!("/v1/campaigns/{id}"), &ENVELOPED, body).await;
        assert_eq!(answer.status, status, "PATCH {id} {body}: {}", answer.body);
        answer.body
    }

    pub(super) async fn read_month(&self, id: &str) -> Value {
        let answer = self.send("GET", &format!("/v1/campaigns/{id}"), &ENVELOPED, &Value::Null).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body["data"].clone()
    }

    fn today(&self, monthly: &MonthlyCampaign) -> Date {
        monthly.zone.to_datetime(self.world.clock.now()).date()
    }

    /// Waits until the account's next day begins, and lets maintenance look.
    pub(super) async fn next_day(&self, monthly: &MonthlyCampaign) -> Date {
        let tomorrow = self.today(monthly).tomorrow().expect("a day");
        let midnight = tomorrow.to_zoned(monthly.zone.clone()).expect("a time").timestamp();
        sleep(Duration::try_from(midnight.duration_since(self.world.clock.now())).expect("ahead")).await;
        self.minutes(4).await;
        tomorrow
    }

    async fn spend(&self, monthly: &MonthlyCampaign, platform: Platform, day: Date, spend: Decimal) {
        let order = json!({"platform": platform.as_str(), "campaign_id": monthly.remote, "date": day.to_string(),
            "spend": spend.round_dp(2).to_string(), "impressions": 1000, "clicks": 50});
        self.world.control("POST", "delivery", &order).await;
    }

    /// The daily budget in the books; `None` while the campaign is paused.
    pub(super) async fn daily_budget(&self, monthly: &MonthlyCampaign) -> Option<Decimal> {
        let (status, budget) = self.in_books(monthly.name).await;
        let amount = || budget.parse::<Decimal>().expect("an amount").normalize();
        (!is_paused(&status)).then(amount)
    }

    /// Waits until the first day of the account's next month, and lets maintenance look.
    pub(super) async fn next_month(&self, monthly: &MonthlyCampaign) -> Date {
        let first = self.today(monthly).last_of_month().tomorrow().expect("a day");
        let begin = first.to_zoned(monthly.zone.clone()).expect("a time").timestamp();
        sleep(Duration::try_from(begin.duration_since(self.world.clock.now())).expect("ahead")).await;
        self.minutes(4).await;
        first
    }

    /// Spends more than 310 before the first look, and lets maintenance pause the campaigns.
    pub(super) async fn spend_the_month(&self, all: &[&MonthlyCampaign], platform: Platform) {
        for monthly in all {
            self.spend(monthly, platform, self.today(monthly), Decimal::from(400)).await;
        }
        self.minutes(3).await;
        for monthly in all {
            assert_eq!(self.daily_budget(monthly).await, None, "{} is paused", monthly.name);
        }
    }

    pub(super) async fn changes_of(&self, monthly: &MonthlyCampaign) -> Vec<Value> {
        let path = format!("/v1/changes?campaign_id={}&limit=100", monthly.id);
        let list = self.ask(200, "GET", &path, &Value::Null).await;
        list["changes"].as_array().expect("a list").clone()
    }
}

/// The even share of a day's month.
pub(super) fn share(amount: i64, day: Date) -> Decimal {
    (Decimal::from(amount) / Decimal::from(day.days_in_month())).trunc_with_scale(2).normalize()
}

/// A month passes on platforms that spend as much as their rules allow, and on some that spend their budgets.
#[tokio::test(start_paused = true)]
async fn a_monthly_budget_spends_its_amount_and_no_more() {
    let amount = 3_100;
    for (platform, factor, least) in
        [(Platform::Alpha, 200, 90), (Platform::Beta, 100, 90), (Platform::Epsilon, 125, 90)]
    {
        let stage = Stage::connected(&[platform]).await;
        let monthly = stage.monthly_campaign(platform, "Monthly", amount).await;
        stage.minutes(2).await;
        let mut day = stage.today(&monthly);
        let first = day.first_of_month();
        let (mut spent, mut budgets) = (Decimal::ZERO, Vec::new());
        // To the end of the next month.
        loop {
            if let Some(daily) = stage.daily_budget(&monthly).await {
                let spend = daily * Decimal::new(factor, 2);
                spent += spend.round_dp(2);
                stage.spend(&monthly, platform, day, spend).await;
                budgets.push(daily);
            }
            day = stage.next_day(&monthly).await;
            if day.day() == 1 {
                println!("{platform}: {spent} of {amount} spent, budgets {budgets:?}");
                assert!(spent <= Decimal::from(amount), "{platform}: {spent} spent, budgets {budgets:?}");
                if day.first_of_month() > first.last_of_month().tomorrow().expect("a day") {
                    let part = spent * Decimal::ONE_HUNDRED / Decimal::from(amount);
                    assert!(part >= Decimal::from(least), "{platform}: {part} % spent, budgets {budgets:?}");
                    break;
                }
                (spent, budgets) = (Decimal::ZERO, Vec::new());
            }
        }
        let read = stage.read_month(&monthly.id).await;
        assert_eq!(read["pacing"]["month"], day.strftime("%Y-%m").to_string(), "{read}");
        let changes = stage.changes_of(&monthly).await;
        let by_schedule = changes.iter().filter(|change| change["executed_by"] == "schedule");
        assert!(by_schedule.clone().all(|change| change["state"] != "failed"), "{changes:?}");
        assert!(by_schedule.count() > 5, "{changes:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_spent_month_is_paused_until_the_next_unless_a_person_pauses() {
    let platform = Platform::Alpha;
    let stage = Stage::connected(&[platform]).await;
    let resumed = stage.monthly_campaign(platform, "Resumed", 310).await;
    let kept = stage.monthly_campaign(platform, "Kept", 310).await;
    let day = stage.today(&resumed);
    stage.spend_the_month(&[&resumed, &kept], platform).await;
    for monthly in [&resumed, &kept] {
        assert_eq!(stage.daily_budget(monthly).await, None, "{}", monthly.name);
        let refused = stage.patch_month(409, &monthly.id, &json!({"status": "ACTIVE"})).await;
        assert!(refused["error"]["message"].as_str().is_some_and(|text| text.contains("monthly budget")), "{refused}");
        let read = stage.read_month(&monthly.id).await;
        assert_eq!((&read["pacing"]["spent"], &read["pacing"]["remaining"]), (&json!(400), &json!(0)), "{read}");
    }
    let paused = stage.patch_month(200, &kept.id, &json!({"status": "PAUSED"})).await;
    assert_eq!(paused["data"]["status"], "PAUSED", "{paused}");
    let mut day = day;
    while stage.today(&resumed).month() == day.month() {
        day = stage.next_day(&resumed).await;
        if day.day() == 1 {
            break;
        }
        assert_eq!(stage.daily_budget(&resumed).await, None, "{day}");
    }
    assert_eq!(stage.daily_budget(&resumed).await, Some(share(310, day)), "the even share of the new month");
    assert_eq!(stage.daily_budget(&kept).await, None, "a person has paused it");
    stage.patch_month(200, &kept.id, &json!({"status": "ACTIVE"})).await;
}

#[tokio::test(start_paused = true)]
async fn a_pause_of_a_spent_month_is_retried_until_it_is_read() {
    for platform in Platform::ALL {
        let stage = Stage::connected(&[platform]).await;
        let monthly = stage.monthly_campaign(platform, "Monthly", 3_100).await;
        stage.fault(platform, "update", "ignored", 1_000).await;
        // Before the first look.
        stage.spend(&monthly, platform, stage.today(&monthly), Decimal::from(4_000)).await;
        for _ in 0..20 {
            stage.minutes(1).await;
            let changes = stage.changes_of(&monthly).await;
            let is_told = |change: &&Value| {
                let is_pause = change["kind"] == "update" && change["requested"]["status"] == "PAUSED";
                is_pause && change["state"] == "applied"
            };
            assert_eq!(changes.iter().find(is_told), None, "{platform}");
        }
        assert_ne!(stage.daily_budget(&monthly).await, None, "{platform}: nothing was done");
        // A reset would forget what was spent.
        stage.fault(platform, "update", "ignored", 0).await;
        stage.minutes(5).await;
        assert_eq!(stage.daily_budget(&monthly).await, None, "{platform}: it is paused");
    }
}

#[tokio::test(start_paused = true)]
async fn another_change_of_the_budget_ends_the_monthly_budget() {
    let platform = Platform::Beta;
    let stage = Stage::connected(&[platform]).await;
    let id = stage.campaign(platform, "Foreign").await;
    stage.schedule(&id, 3600, &json!({"budget_amount": 77})).await;
    let missing = stage.patch_month(400, &id, &json!({"budget_period": "MONTHLY"})).await;
    assert!(missing["error"]["message"].as_str().is_some_and(|text| text.contains("budget_amount")), "{missing}");
    let begun = stage.patch_month(200, &id, &json!({"budget_period": "MONTHLY", "budget_amount": 930})).await;
    assert_eq!((&begun["data"]["budget_amount"], &begun["data"]["pacing"]["daily_now"]), (&json!(930), &json!(50)));
    let again = stage.patch_month(200, &id, &json!({"budget_period": "MONTHLY", "budget_amount": 930})).await;
    assert_eq!(again["data"]["budget_amount"], 930, "{again}");
    stage.ask(400, "PATCH", &format!("/v1/campaigns/{id}"), &json!({"budget_amount": 60})).await;
    stage.minutes(5).await;
    let monthly = stage.read_month(&id).await;
    assert_ne!(monthly["pacing"]["daily_now"], 50, "{monthly}");
    stage.minutes(60).await;
    // The next look finds the budget of the scheduled change.
    sleep(Duration::from_hours(24)).await;
    stage.minutes(5).await;
    let ended = stage.read_month(&id).await;
    assert_eq!((&ended["budget_amount"], &ended["budget_period"]), (&json!(77), &json!("DAILY")), "{ended}");
    assert_eq!(ended.get("pacing"), None, "{ended}");
    let path = format!("/v1/changes?campaign_id={id}&state=canceled");
    let told = stage.ask(200, "GET", &path, &Value::Null).await;
    let told = &told["changes"][0];
    assert_eq!(told["requested"], json!({"budget_amount": 930, "budget_period": "MONTHLY"}), "{told}");
    assert!(told["error"]["message"].as_str().is_some_and(|text| text.contains("was changed on Meta")), "{told}");
}

#[tokio::test(start_paused = true)]
async fn another_period_ends_a_monthly_budget_and_small_amounts_are_refused() {
    let platform = Platform::Alpha;
    let stage = Stage::connected(&[platform]).await;
    let monthly = stage.monthly_campaign(platform, "Ended", 620).await;
    let small = stage.patch_month(400, &monthly.id, &json!({"budget_amount": 30})).await;
    assert!(small["error"]["message"].as_str().is_some_and(|text| text.contains("at least 31")), "{small}");
    let raised = stage.patch_month(200, &monthly.id, &json!({"budget_amount": 930})).await;
    assert_eq!(raised["data"]["budget_amount"], 930, "{raised}");
    let ended = stage.patch_month(200, &monthly.id, &json!({"budget_amount": 12, "budget_period": "DAILY"})).await;
    assert_eq!((&ended["data"]["budget_amount"], &ended["data"]["budget_period"]), (&json!(12), &json!("DAILY")));
    stage.minutes(30).await;
    assert_eq!(stage.daily_budget(&monthly).await, Some(Decimal::from(12)));
    let changes = stage.changes_of(&monthly).await;
    let monthly = changes.iter().filter(|change| change["requested"]["budget_period"] == "MONTHLY").count();
    assert_eq!(monthly, 2, "the create and the raise: {changes:?}");
}

/// A spent month has paused a campaign, and would activate it on the first. The undo of its activation ends that, too.
#[tokio::test(start_paused = true)]
async fn undoing_a_bulk_activation_keeps_the_next_month_paused() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    let monthly = stage.monthly_campaign(Platform::Beta, "Month", 310).await;
    stage.patch_month(200, &monthly.id, &json!({"status": "PAUSED"})).await;
    let active = json!({"status": "ACTIVE", "all": true});
    let activated = stage.ask(202, "POST", "/v1/campaigns/status", &active).await;
    stage.spend(&monthly, Platform::Beta, stage.today(&monthly), Decimal::from(400)).await;
    stage.minutes(70).await;
    assert_eq!(stage.daily_budget(&monthly).await, None, "the month is spent");
    let undo = format!("/v1/changes/{}/undo", activated["bulk_id"].as_str().expect("an id"));
    stage.ask(202, "POST", &undo, &Value::Null).await;
    stage.minutes(5).await;
    stage.next_month(&monthly).await;
    assert_eq!(stage.daily_budget(&monthly).await, None, "it was paused by its undo");
}
