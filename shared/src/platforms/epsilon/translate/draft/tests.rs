use super::super::tests::{account, amount, at};
use super::*;
use crate::platforms::fake::prepare;
use crate::platforms::fixtures;
use http::StatusCode;
use serde_json::{Value, json};

/// A draft that ends where its budget needs an end.
fn draft(goal: Goal, budget_period: BudgetPeriod) -> CampaignDraft {
    let name = "Winter \"24\" \\ Zürich".to_owned();
    let end_at = budget_period.is_whole_run().then(|| Moment::parse("2026-12-31T23:59:59Z").unwrap());
    CampaignDraft { name, budget_period, end_at, ..fixtures::draft(goal, "12.50") }
}

fn sent(draft: &CampaignDraft) -> Value {
    sent_in(&account(), draft)
}

fn sent_in(account: &AdAccount, draft: &CampaignDraft) -> Value {
    let body = prepare(&Epsilon, account, draft).unwrap().json();
    assert_eq!(body.as_array().map(Vec::len), Some(1));
    body[0].clone()
}

fn fields(account: &AdAccount, draft: &CampaignDraft) -> Vec<String> {
    let error = prepare(&Epsilon, account, draft).unwrap_err();
    assert_eq!((error.kind, error.platform), (Kind::Validation, Some(Platform::Epsilon)));
    error.details.into_iter().map(|detail| detail.field).collect()
}

#[test]
fn a_campaign_is_sent_paused_with_exactly_one_cap_in_whole_micros() {
    let shared = json!({
        "ad_account_id": "549755885175",
        "name": "Winter \"24\" \\ Zürich",
        "status": "PAUSED",
        "is_campaign_budget_optimization": true,
    });
    let goals = [
        (Goal::BrandAwareness, "AWARENESS"),
        (Goal::Reach, "AWARENESS"),
        (Goal::WebsiteTraffic, "CONSIDERATION"),
        (Goal::Sales, "SALES"),
        (Goal::Conversions, "SALES"),
        (Goal::Leads, "LEADS"),
    ];
    let periods = [
        (BudgetPeriod::Daily, "daily_spend_cap"),
        (BudgetPeriod::Lifetime, "lifetime_spend_cap"),
        (BudgetPeriod::Total, "lifetime_spend_cap"),
    ];
    for (goal, objective) in goals {
        for (period, cap) in periods {
            let mut expected = shared.clone();
            expected["objective_type"] = json!(objective);
            expected[cap] = json!(12_500_000);
            if period.is_whole_run() {
                expected["end_time"] = json!(1_798_761_599);
            }
            assert_eq!(sent(&draft(goal, period)), expected);
        }
    }
}

#[test]
fn a_budget_for_the_whole_run_needs_an_end() {
    for period in [BudgetPeriod::Lifetime, BudgetPeriod::Total] {
        let endless = CampaignDraft { end_at: None, ..draft(Goal::Sales, period) };
        assert_eq!(fields(&account(), &endless), ["end_at"]);
    }
    let daily = draft(Goal::Sales, BudgetPeriod::Daily);
    assert!(daily.end_at.is_none() && prepare(&Epsilon, &account(), &daily).is_ok());
}

#[test]
fn a_plain_date_is_a_day_in_the_time_zone_of_the_account() {
    let dated = CampaignDraft {
        start_at: Moment::parse("2026-12-01"),
        end_at: Moment::parse("2026-12-31"),
        ..draft(Goal::Sales, BudgetPeriod::Daily)
    };
    for (time_zone, start, end) in [
        ("America/Los_Angeles", "2026-12-01T08:00:00Z", "2027-01-01T07:59:59Z"),
        ("Asia/Tokyo", "2026-11-30T15:00:00Z", "2026-12-31T14:59:59Z"),
        ("UTC", "2026-12-01T00:00:00Z", "2026-12-31T23:59:59Z"),
        ("Mars/Olympus", "2026-12-01T00:00:00Z", "2026-12-31T23:59:59Z"),
    ] {
        let account = AdAccount { time_zone: time_zone.into(), ..account() };
        let sent = sent_in(&account, &dated);
        assert_eq!(sent["start_time"], at(start).as_second(), "{time_zone}");
        assert_eq!(sent["end_time"], at(end).as_second(), "{time_zone}");
    }
}

#[test]
fn an_instant_goes_out_as_it_is_in_the_hour_that_a_zone_repeats() {
    let account = AdAccount { time_zone: "Europe/Berlin".into(), ..account() };
    let repeated = "2026-10-25T01:30:00Z";
    let dated = CampaignDraft { start_at: Moment::parse(repeated), ..draft(Goal::Sales, BudgetPeriod::Daily) };
    let sent = sent_in(&account, &dated);
    assert_eq!(sent["start_time"], at(repeated).as_second());
}

#[test]
fn times_are_sent_in_unix_seconds_and_a_day_is_one_in_utc() {
    let dated = CampaignDraft {
        start_at: Moment::parse("2026-12-01T09:00:00+01:00"),
        end_at: Moment::parse("2026-12-31"),
        ..draft(Goal::Sales, BudgetPeriod::Daily)
    };
    let sent = sent(&dated);
    assert_eq!((&sent["start_time"], &sent["end_time"]), (&json!(1_796_112_000), &json!(1_798_761_599)));
    assert_eq!(at("2026-12-31T23:59:59Z").as_second(), 1_798_761_599);
}

#[test]
fn dates_that_the_platform_cannot_hold_are_refused_on_their_field() {
    let dated = |start, end| CampaignDraft {
        start_at: Moment::parse(start),
        end_at: Moment::parse(end),
        ..draft(Goal::Sales, BudgetPeriod::Daily)
    };
    assert_eq!(fields(&account(), &dated("2026-12-02", "2026-12-01")), ["end_at"]);
    assert_eq!(fields(&account(), &dated("2026-12-01T10:00:00.5Z", "2026-12-02")), ["start_at"]);
    assert_eq!(fields(&account(), &dated("1969-12-31", "2026-12-02")), ["start_at"]);
    assert!(prepare(&Epsilon, &account(), &dated("2026-12-01", "2026-12-01")).is_ok(), "one whole day");
}

#[test]
fn apps_and_months_are_not_offered_and_all_faults_are_reported_together() {
    assert_eq!(fields(&account(), &draft(Goal::AppPromotion, BudgetPeriod::Daily)), ["goal"]);
    let bad = CampaignDraft {
        budget_amount: amount("1.005"),
        end_at: Moment::parse("1960-01-01"),
        ..draft(Goal::AppPromotion, BudgetPeriod::Monthly)
    };
    assert_eq!(fields(&account(), &bad), ["goal", "budget_period", "budget_amount", "end_at"]);
}

#[test]
fn money_is_exact_or_refused() {
    let with = |text| CampaignDraft { budget_amount: amount(text), ..draft(Goal::Sales, BudgetPeriod::Daily) };
    assert_eq!(sent(&with("0.01"))["daily_spend_cap"], 10_000, "no smallest budget is published");
    assert_eq!(fields(&account(), &with("0")), ["budget_amount"]);
    assert_eq!(fields(&account(), &with("9300000000000")), ["budget_amount"], "more micros than an integer holds");
    let yen = AdAccount { currency: Currency::from_code("JPY").unwrap(), ..account() };
    assert_eq!(fields(&yen, &with("12.50")), ["budget_amount"]);
}

fn created(data: &str) -> Result<PlatformCampaign, Error> {
    let (account, draft) = (account(), draft(Goal::Reach, BudgetPeriod::Total));
    let body = format!(r#"{{"items":[{{"data":{data},"exceptions":[]}}]}}"#).into();
    let response = OutboundResponse { status: StatusCode::OK, headers: HeaderMap::new(), body };
    Epsilon.read_created(&account, &prepare(&Epsilon, &account, &draft).unwrap(), &response)
}

#[test]
fn a_new_campaign_is_told_as_the_platform_returns_it() {
    let response: Value = serde_json::from_str(include_str!("../../fixtures/created.json")).unwrap();
    let data = response["items"][0]["data"].to_string();
    let campaign = created(&data).unwrap();
    assert_eq!(campaign.id.to_string(), "epsilon_549755885175_626744528401");
    assert_eq!((campaign.status, campaign.goal), (CampaignStatus::Paused, Some(Goal::Reach)));
    assert_eq!((campaign.budget_amount, campaign.budget_period), (Some(amount("10")), Some(BudgetPeriod::Daily)));
    assert_eq!(campaign.total_spend_amount, Some(Decimal::ZERO));
    assert_eq!(campaign.start_at, Some(at("2025-11-20T00:00:00Z")));
    assert_eq!(campaign.created_at, Some(at("2025-11-20T00:00:01Z")));
    assert_eq!((campaign.updated_at, campaign.raw), (Some(at("2025-11-20T00:00:02Z")), data));
}

#[test]
fn an_id_alone_is_enough_to_know_what_was_created() {
    let campaign = created(r#"{"id":"7"}"#).unwrap();
    assert_eq!((campaign.remote_id.as_str(), campaign.raw.as_str()), ("7", r#"{"id":"7"}"#));
    assert_eq!((campaign.start_at, campaign.created_at), (None, None));
    for data in ["{}", r#"{"id":null}"#, r#"{"id":"x"}"#, r#"{"id":7}"#, "[]"] {
        assert_eq!(created(data).unwrap_err().kind, Kind::PlatformFailed, "{data}");
    }
}
