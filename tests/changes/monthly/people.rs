//! Campaigns that a person pauses stay paused: by a request, by "Pause everything", and by canceling an activation.

use super::wire::Wire;
use super::{MonthlyCampaign, Stage, share};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, sleep};

const PLATFORM: Platform = Platform::Alpha;

#[tokio::test(start_paused = true)]
async fn pause_everything_pauses_spent_and_running_monthly_budgets() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let spent = stage.monthly_campaign(PLATFORM, "Spent", 310).await;
    let running = stage.monthly_campaign(PLATFORM, "Running", 930).await;
    stage.spend_the_month(&[&spent], PLATFORM).await;
    let all = json!({"status": "PAUSED", "all": true});
    let paused = stage.ask(202, "POST", "/v1/campaigns/status", &all).await;
    assert_eq!(paused["canceled"].as_array().map(Vec::len), Some(1), "the activation of the next month: {paused}");
    // More money is no activation.
    stage.patch_month(200, &spent.id, &json!({"budget_amount": 6200})).await;
    stage.minutes(15).await;
    for _ in 0..2 {
        for monthly in [&spent, &running] {
            assert_eq!(stage.daily_budget(monthly).await, None, "{}", monthly.name);
        }
        stage.next_month(&spent).await;
    }
    for monthly in [&spent, &running] {
        assert_eq!(stage.daily_budget(monthly).await, None, "{}", monthly.name);
        let changes = stage.changes_of(monthly).await;
        let activated = |change: &&Value| !change["apply_at"].is_null() && change["requested"]["status"] == "ACTIVE";
        assert!(changes.iter().filter(activated).all(|change| change["state"] == "canceled"), "{changes:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_raised_amount_ends_our_pause_but_not_a_concurrent_one_of_a_person() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let resumed = stage.monthly_campaign(PLATFORM, "Resumed", 310).await;
    let paused = stage.monthly_campaign(PLATFORM, "Paused", 310).await;
    stage.spend_the_month(&[&resumed, &paused], PLATFORM).await;
    for monthly in [&resumed, &paused] {
        stage.patch_month(200, &monthly.id, &json!({"budget_amount": 6200})).await;
    }
    // Maintenance decides in one run and makes the step in the next.
    stage.minutes(1).await;
    stage.patch_month(200, &paused.id, &json!({"status": "PAUSED"})).await;
    stage.minutes(15).await;
    assert!(stage.daily_budget(&resumed).await.is_some(), "there is money again");
    assert_eq!(stage.daily_budget(&paused).await, None, "a person has paused it");
    stage.next_month(&paused).await;
    assert_eq!(stage.daily_budget(&paused).await, None, "a person has paused it");
    let read = stage.read_month(&paused.id).await;
    assert_eq!(read["budget_period"], "MONTHLY", "{read}");
}

#[tokio::test(start_paused = true)]
async fn a_pause_together_with_an_amount_stays_paused() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let same = stage.monthly_campaign(PLATFORM, "Same", 310).await;
    let more = stage.monthly_campaign(PLATFORM, "More", 310).await;
    stage.spend_the_month(&[&same, &more], PLATFORM).await;
    for (monthly, amount) in [(&same, 310), (&more, 6200)] {
        let body = json!({"status": "PAUSED", "budget_amount": amount, "budget_period": "MONTHLY"});
        stage.patch_month(200, &monthly.id, &body).await;
    }
    stage.minutes(15).await;
    stage.next_month(&same).await;
    for monthly in [&same, &more] {
        assert_eq!(stage.daily_budget(monthly).await, None, "a person has paused {}", monthly.name);
        assert_eq!(stage.read_month(&monthly.id).await["budget_period"], "MONTHLY");
    }
}

impl Stage {
    /// The spent month of a campaign has more money, and its activation breaks: its outcome is unknown.
    async fn with_lost_activation(wire: &Wire, stage: Stage) -> (Stage, MonthlyCampaign) {
        let stage = wire.serves(stage);
        let monthly = stage.monthly_campaign(Platform::Beta, "Lost", 310).await;
        stage.spend_the_month(&[&monthly], Platform::Beta).await;
        stage.patch_month(200, &monthly.id, &json!({"budget_amount": 6200})).await;
        wire.hold_next_write();
        for _ in 0..100 {
            sleep(Duration::from_secs(20)).await;
            stage.maintenance().await;
            let changes = stage.changes_of(&monthly).await;
            let is_lost = |change: &Value| change["requested"]["status"] == "ACTIVE" && change["state"] == "unknown";
            if changes.iter().any(is_lost) {
                return (stage, monthly);
            }
        }
        panic!("no activation: {:?}", stage.changes_of(&monthly).await);
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_activation_does_not_block_a_pause() {
    let with_amount = json!({"status": "PAUSED", "budget_amount": 5000, "budget_period": "MONTHLY"});
    for pause in [json!({"status": "PAUSED"}), with_amount] {
        for made in ["never", "before", "after"] {
            let stage = Stage::connected(&[Platform::Beta]).await;
            let wire = Wire::of(&stage.world);
            let (stage, monthly) = Stage::with_lost_activation(&wire, stage).await;
            if made == "before" {
                wire.release().await;
                assert!(stage.daily_budget(&monthly).await.is_some(), "it was made");
            }
            // The campaign is paused, and may run in a moment: another pause waits.
            let status = if made == "before" { 200 } else { 202 };
            stage.patch_month(status, &monthly.id, &pause).await;
            if made == "after" {
                wire.release().await;
                assert!(stage.daily_budget(&monthly).await.is_some(), "it was made after the pause");
            }
            stage.minutes(15).await;
            assert_eq!(stage.daily_budget(&monthly).await, None, "{pause}, made {made}");
            stage.next_month(&monthly).await;
            assert_eq!(stage.daily_budget(&monthly).await, None, "a person has paused it: {pause}, made {made}");
            let read = stage.read_month(&monthly.id).await;
            assert_eq!(read["budget_period"], "MONTHLY", "its own budget: {pause}, made {made}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_person_may_activate_only_while_the_month_has_budget_left() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let monthly = stage.monthly_campaign(PLATFORM, "Room", 310).await;
    stage.spend_the_month(&[&monthly], PLATFORM).await;
    stage.patch_month(200, &monthly.id, &json!({"status": "PAUSED"})).await;
    stage.patch_month(409, &monthly.id, &json!({"status": "ACTIVE"})).await;
    stage.patch_month(200, &monthly.id, &json!({"budget_amount": 6200})).await;
    stage.minutes(3).await;
    stage.patch_month(200, &monthly.id, &json!({"status": "ACTIVE"})).await;
    stage.patch_month(200, &monthly.id, &json!({"status": "PAUSED"})).await;
    // Less than what is spent.
    stage.patch_month(200, &monthly.id, &json!({"budget_amount": 310})).await;
    stage.minutes(3).await;
    stage.patch_month(409, &monthly.id, &json!({"status": "ACTIVE"})).await;
    stage.next_month(&monthly).await;
    assert_eq!(stage.daily_budget(&monthly).await, None, "a person has paused it");
    stage.patch_month(200, &monthly.id, &json!({"status": "ACTIVE"})).await;
}

/// Maintenance pauses the campaign, and its activation after more money fails for a while.
#[tokio::test(start_paused = true)]
async fn an_activation_after_a_raised_amount_is_retried_until_applied() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let monthly = stage.monthly_campaign(PLATFORM, "Tried", 310).await;
    stage.spend_the_month(&[&monthly], PLATFORM).await;
    stage.patch_month(200, &monthly.id, &json!({"budget_amount": 6200})).await;
    stage.fault(PLATFORM, "update", "error", 100_000).await;
    stage.minutes(30).await;
    assert_eq!(stage.daily_budget(&monthly).await, None, "the platform is down");
    stage.fault(PLATFORM, "update", "error", 0).await;
    stage.minutes(40).await;
    assert!(stage.daily_budget(&monthly).await.is_some(), "nobody has paused it");
    stage.minutes(15).await;
    assert_eq!(stage.changes_of(&monthly).await.iter().filter(|change| change["state"] == "scheduled").count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_scheduled_pause_holds_in_the_next_month() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let monthly = stage.monthly_campaign(PLATFORM, "Scheduled", 310).await;
    stage.spend_the_month(&[&monthly], PLATFORM).await;
    stage.schedule(&monthly.id, 600, &json!({"status": "PAUSED"})).await;
    stage.minutes(15).await;
    let waiting = stage.ask(200, "GET", "/v1/changes?state=scheduled", &Value::Null).await;
    assert_eq!(waiting["changes"], json!([]), "{waiting}");
    stage.next_month(&monthly).await;
    assert_eq!(stage.daily_budget(&monthly).await, None, "a person has paused it");
}

#[tokio::test(start_paused = true)]
async fn a_canceled_activation_or_earlier_pause_keeps_the_next_month_paused() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let canceled = stage.monthly_campaign(PLATFORM, "Canceled", 310).await;
    stage.spend_the_month(&[&canceled], PLATFORM).await;
    let before = stage.monthly_campaign(PLATFORM, "Before", 310).await;
    let waiting = stage.ask(200, "GET", "/v1/changes?state=scheduled", &Value::Null).await;
    let waiting = waiting["changes"][0]["id"].as_str().expect("an id").to_owned();
    stage.ask(200, "POST", &format!("/v1/changes/{waiting}/cancel"), &Value::Null).await;
    stage.spend(&before, PLATFORM, stage.today(&before), Decimal::from(400)).await;
    stage.minutes(1).await;
    stage.patch_month(200, &before.id, &json!({"status": "PAUSED"})).await;
    stage.minutes(20).await;
    let first = stage.next_month(&canceled).await;
    for monthly in [&canceled, &before] {
        assert_eq!(stage.daily_budget(monthly).await, None, "{}", monthly.name);
    }
    // Whoever wants it to run says so, and it has the budget of its day.
    stage.patch_month(200, &canceled.id, &json!({"status": "ACTIVE"})).await;
    stage.minutes(15).await;
    assert_eq!(stage.daily_budget(&canceled).await, Some(share(310, first)));
}

/// A request between a step and the next look finds the budget of the step, and not one that somebody else has set.
#[tokio::test(start_paused = true)]
async fn changing_the_amount_after_a_budget_change_keeps_the_monthly_budget() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let monthly = stage.monthly_campaign(PLATFORM, "Twice", 930).await;
    stage.minutes(3).await;
    for amount in [1240, 1550, 1860] {
        stage.patch_month(200, &monthly.id, &json!({"budget_amount": amount})).await;
        stage.minutes(2).await;
    }
    sleep(Duration::from_hours(1)).await;
    stage.minutes(15).await;
    let read = stage.read_month(&monthly.id).await;
    assert_eq!((&read["budget_amount"], &read["budget_period"]), (&json!(1860), &json!("MONTHLY")), "{read}");
    let daily = stage.daily_budget(&monthly).await.expect("it runs");
    assert!(daily >= share(1860, stage.today(&monthly)), "{daily}");
}

/// Google Ads may spend twice the highest budget of a day, also after a pause, and its report says nothing yet.
#[tokio::test(start_paused = true)]
async fn a_remainder_below_the_daily_minimum_is_kept_until_the_day_is_reported() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let monthly = stage.monthly_campaign(PLATFORM, "Reported late", 6200).await;
    stage.next_month(&monthly).await;
    let daily = stage.daily_budget(&monthly).await.expect("it runs");
    assert!(daily >= Decimal::from(200), "two days of {daily} are more than 300");
    stage.patch_month(200, &monthly.id, &json!({"budget_amount": 300})).await;
    stage.minutes(20).await;
    assert_eq!(stage.daily_budget(&monthly).await, None, "the day may have spent 400");
    let second = stage.next_day(&monthly).await;
    assert_eq!(stage.daily_budget(&monthly).await, None, "its report may not be complete");
    stage.next_day(&monthly).await;
    let left = Decimal::from(300) / Decimal::from(second.days_in_month() - 2);
    assert_eq!(stage.daily_budget(&monthly).await, Some(left.trunc_with_scale(2).normalize()), "it has spent nothing");
}
