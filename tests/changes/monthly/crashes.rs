//! Processes that die between two writes of a monthly budget, and two concurrent ones. Meta's writes are its POSTs.

use super::wire::Wire;
use super::{ENVELOPED, MonthlyCampaign, Stage, share};
use crate::in_process::respond;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, sleep, timeout};

const PLATFORM: Platform = Platform::Beta;
/// A process that is still waiting after this time is dead.
const DEAD: Duration = Duration::from_secs(50);

impl Stage {
    /// A request of a process that may die before it answers.
    async fn crashing_request(&self, wire: &Wire, headers: &[(&str, &str)], method: &str, path: &str, body: &Value) {
        let app = wire.app(&self.world);
        let request = self.world.request(method, path, headers, &body.to_string());
        let _ = timeout(DEAD, respond(&app, request)).await;
    }

    async fn crashing_minute(&self, wire: &Wire) {
        sleep(Duration::from_mins(1)).await;
        let _ = timeout(DEAD, maintenance::run(&wire.app(&self.world))).await;
    }

    /// The changes of the schedule with this status, that were made or wait.
    async fn of_schedule(&self, monthly: &MonthlyCampaign, status: &str) -> Vec<Value> {
        let changes = self.changes_of(monthly).await.into_iter();
        let is_of = |change: &Value| !change["apply_at"].is_null() && change["requested"]["status"] == status;
        changes.filter(|change| is_of(change) && change["state"] != "canceled").collect()
    }

    /// The month is spent: there is one pause and one activation, which runs the campaign in the next month.
    async fn is_spent_once(&self, monthly: &MonthlyCampaign, when: &str) {
        self.minutes(15).await;
        let daily = self.daily_budget(monthly).await;
        assert_eq!(daily, None, "{when}: {} {:?}", self.read_month(&monthly.id).await, self.changes_of(monthly).await);
        for (status, state) in [("PAUSED", "applied"), ("ACTIVE", "scheduled")] {
            let changes = self.of_schedule(monthly, status).await;
            let states: Vec<&Value> = changes.iter().map(|change| &change["state"]).collect();
            assert_eq!(states, [&json!(state)], "{when}: {status} {changes:?}");
        }
        let first = self.next_month(monthly).await;
        assert_eq!(self.daily_budget(monthly).await, Some(share(310, first)), "{when}: it does not run");
    }
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_crashes_at_any_write_is_applied_once() {
    for writes in 1.. {
        let stage = Stage::connected(&[PLATFORM]).await;
        let monthly = stage.monthly_campaign(PLATFORM, "Cut", 310).await;
        stage.spend(&monthly, PLATFORM, stage.today(&monthly), Decimal::from(400)).await;
        let wire = Wire::that_dies_after(&stage.world, writes);
        for _ in 0..3 {
            stage.crashing_minute(&wire).await;
        }
        stage.is_spent_once(&monthly, &format!("cut after {writes} writes")).await;
        if !wire.is_dead() {
            println!("{writes} writes");
            assert!(writes > 4, "the pause and the activation are stored, begun, sent and settled");
            return;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_daily_budget_that_crashes_at_any_write_is_applied() {
    for writes in 1.. {
        let stage = Stage::connected(&[PLATFORM]).await;
        let monthly = stage.monthly_campaign(PLATFORM, "Cut", 930).await;
        stage.minutes(3).await;
        let wire = Wire::that_dies_after(&stage.world, writes);
        // A create of the last day of a month has no other budget: the amount decides.
        let path = format!("/v1/campaigns/{}", monthly.id);
        let raised = json!({"budget_amount": 1240});
        stage.crashing_request(&wire, &ENVELOPED, "PATCH", &path, &raised).await;
        for _ in 0..3 {
            stage.crashing_minute(&wire).await;
        }
        // Whoever has no answer asks again.
        stage.minutes(3).await;
        stage.patch_month(200, &monthly.id, &raised).await;
        stage.minutes(15).await;
        let read = stage.read_month(&monthly.id).await;
        let daily = stage.daily_budget(&monthly).await.expect("it runs");
        assert_eq!(
            (&read["budget_amount"], &read["budget_period"]),
            (&json!(1240), &json!("MONTHLY")),
            "{writes}: {read}"
        );
        assert_eq!(read["pacing"]["daily_now"].to_string(), daily.to_string(), "{writes}: {read}");
        let even = share(1240, stage.today(&monthly));
        assert!(daily >= even, "{writes}: {daily} is below the even share of {even}");
        if !wire.is_dead() {
            assert!(writes > 4, "the amount and the budget are stored, begun, sent and settled");
            return;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_begin_or_end_of_a_monthly_budget_can_be_retried_after_any_crash() {
    let monthly = json!({"budget_period": "MONTHLY", "budget_amount": 930, "status": "ACTIVE"});
    let daily = json!({"budget_period": "DAILY", "budget_amount": 12, "name": "Ended"});
    for writes in 1.. {
        let stage = Stage::connected(&[PLATFORM]).await;
        let id = stage.campaign(PLATFORM, "Begun").await;
        let path = format!("/v1/campaigns/{id}");
        let mut is_cut = false;
        for (body, budget) in [(&monthly, 930), (&daily, 12)] {
            let wire = Wire::that_dies_after(&stage.world, writes);
            stage.crashing_request(&wire, &ENVELOPED, "PATCH", &path, body).await;
            is_cut |= wire.is_dead();
            stage.minutes(3).await;
            let repeated = stage.patch_month(200, &id, body).await;
            assert_eq!(repeated["data"]["budget_amount"], budget, "{writes}: {repeated}");
            assert_eq!(repeated["data"]["budget_period"], body["budget_period"], "{writes}: {repeated}");
            assert_eq!(repeated["data"]["status"], "ACTIVE", "{writes}: {repeated}");
            stage.minutes(15).await;
        }
        let (status, budget) = stage.in_books("Ended").await;
        assert_eq!((super::is_paused(&status), budget.as_str()), (false, "12.00"), "{writes}");
        if !is_cut {
            assert!(writes > 2, "the budget and the status are stored and sent");
            return;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_create_that_crashes_at_any_write_has_its_monthly_budget() {
    for writes in 1.. {
        let stage = Stage::connected(&[PLATFORM]).await;
        let account = stage.ask(200, "GET", "/v1/connections", &Value::Null).await["connections"][0].clone();
        let body = json!({"platform": "BETA", "organization_id": account["remote_account_id"], "name": "Cut",
            "goal": "WEBSITE_TRAFFIC", "budget_amount": 930, "budget_period": "MONTHLY"});
        let wire = Wire::that_dies_after(&stage.world, writes);
        let headers = [ENVELOPED[0], ("idempotency-key", "once")];
        stage.crashing_request(&wire, &headers, "POST", "/v1/campaigns", &body).await;
        stage.minutes(5).await;
        let again = stage.send("POST", "/v1/campaigns", &headers, &body).await;
        assert_eq!(again.status, 201, "{writes}: {}", again.body);
        assert_eq!(stage.books().await.len(), 1, "{writes}");
        let read = stage.read_month(again.body["data"]["id"].as_str().expect("an id")).await;
        assert_eq!(
            (&read["budget_amount"], &read["budget_period"]),
            (&json!(930), &json!("MONTHLY")),
            "{writes}: {read}"
        );
        if !wire.is_dead() {
            assert!(writes > 2, "the create is stored, sent and settled");
            return;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn concurrent_maintenance_runs_pause_a_spent_month_once() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let monthly = stage.monthly_campaign(PLATFORM, "Twice", 310).await;
    stage.spend(&monthly, PLATFORM, stage.today(&monthly), Decimal::from(400)).await;
    let processes = [Wire::of(&stage.world).app(&stage.world), Wire::of(&stage.world).app(&stage.world)];
    for _ in 0..4 {
        sleep(Duration::from_mins(1)).await;
        let (one, other) = tokio::join!(maintenance::run(&processes[0]), maintenance::run(&processes[1]));
        one.and(other).expect("maintenance runs to its end");
    }
    stage.is_spent_once(&monthly, "two runs at a time").await;
}

/// Meta carries out a pause whose sender has given up, after another attempt was decided: the campaign is found paused, and
/// it is not somebody else who has paused it.
#[tokio::test(start_paused = true)]
async fn the_next_month_ends_a_pause_that_took_effect_late() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let wire = Wire::of(&stage.world);
    let stage = wire.serves(stage);
    let monthly = stage.monthly_campaign(PLATFORM, "Late", 310).await;
    stage.spend(&monthly, PLATFORM, stage.today(&monthly), Decimal::from(400)).await;
    wire.hold_next_write();
    let mut states = Vec::new();
    while !states.ends_with(&[json!("unknown"), json!("scheduled")]) {
        assert!(states.len() < 100, "{states:?}");
        sleep(Duration::from_secs(20)).await;
        stage.maintenance().await;
        states.extend(stage.of_schedule(&monthly, "PAUSED").await.first().map(|pause| pause["state"].clone()));
    }
    wire.release().await;
    stage.is_spent_once(&monthly, "late").await;
}
