use super::*;
use crate::domain::Moment;
use crate::platforms::fake::{marker, prepare};
use crate::platforms::fixtures;
use http::StatusCode;
use serde_json::{Value, json};

fn account(currency: &str) -> AdAccount {
    fixtures::account(Platform::Gamma, currency, "UTC")
}

fn draft(goal: Goal, amount: &str, period: BudgetPeriod) -> CampaignDraft {
    CampaignDraft { budget_period: period, ..fixtures::draft(goal, amount) }
}

fn errors(account: &AdAccount, draft: &CampaignDraft) -> Vec<String> {
    match prepare(&Gamma, account, draft) {
        Ok(_) => Vec::new(),
        Err(error) => {
            assert_eq!((error.kind, error.platform), (Kind::Validation, Some(Platform::Gamma)));
            error.details.into_iter().map(|detail| detail.field).collect()
        }
    }
}

#[test]
fn a_create_is_disabled_and_keeps_the_budget_in_the_campaign() {
    let (account, draft) = (account("USD"), draft(Goal::WebsiteTraffic, "75.10", BudgetPeriod::Daily));
    let mut sent = prepare(&Gamma, &account, &draft).unwrap().json();
    let text = sent.to_string();
    assert!(text.contains(r#""budget":75.1,"#), "a number, digit by digit: {text}");
    sent.as_object_mut().unwrap().remove("budget");
    let expected = json!({
        "advertiser_id": "7000000000000000001", "request_id": marker().number().to_string(), "campaign_name": "Winter",
        "objective_type": "TRAFFIC", "budget_mode": "BUDGET_MODE_DAY", "budget_optimize_on": false,
        "operation_status": "DISABLE",
    });
    assert_eq!(sent, expected);
}

#[test]
fn each_goal_has_its_objective_and_related_fields() {
    let account = account("USD");
    for (goal, expected) in [
        (Goal::WebsiteTraffic, ["TRAFFIC", "", ""]),
        (Goal::Reach, ["REACH", "", ""]),
        (Goal::BrandAwareness, ["REACH", "", ""]),
        (Goal::Conversions, ["WEB_CONVERSIONS", "WEBSITE", ""]),
        (Goal::Sales, ["WEB_CONVERSIONS", "WEBSITE", ""]),
        (Goal::Leads, ["LEAD_GENERATION", "", ""]),
        (Goal::AppPromotion, ["APP_PROMOTION", "", "APP_INSTALL"]),
    ] {
        let draft = draft(goal, "100", BudgetPeriod::Lifetime);
        let body = prepare(&Gamma, &account, &draft).unwrap().json();
        let sent = ["objective_type", "sales_destination", "app_promotion_type"].map(|field| match body.get(field) {
            Some(value) => value.as_str().unwrap(),
            None => "",
        });
        assert_eq!(sent, expected, "{goal:?}");
        assert_eq!(body["budget_mode"], "BUDGET_MODE_TOTAL");
    }
}

#[test]
fn dates_that_the_service_holds_are_not_sent_and_a_lifetime_needs_no_end() {
    let account = account("USD");
    let mut draft = draft(Goal::Reach, "100", BudgetPeriod::Lifetime);
    let body = |draft: &CampaignDraft| prepare(&Gamma, &account, draft).unwrap().body.get().to_owned();
    let without = body(&draft);
    draft.end_at = Moment::parse("2026-12-31");
    draft.start_at = Moment::parse("2026-12-01T09:00:00Z");
    assert_eq!(body(&draft), without);
}

#[test]
fn a_daily_budget_has_a_minimum_and_the_decimals_of_its_currency() {
    for (currency, amount, fits) in [
        ("USD", "50.00", true),
        ("USD", "49.99", false),
        ("USD", "50.001", false),
        ("JPY", "5000", true),
        ("JPY", "5000.5", false),
        ("JPY", "4999", false),
        // TikTok's own minimum is not known here.
        ("EUR", "20.00", true),
        ("EUR", "19.99", false),
        ("KWD", "20.125", true),
        ("USD", "0", false),
    ] {
        let found = errors(&account(currency), &draft(Goal::Reach, amount, BudgetPeriod::Daily));
        assert_eq!(found.is_empty(), fits, "{amount} {currency}");
        assert!(fits || found == ["budget_amount"]);
    }
    for (currency, amount, fits) in [
        ("USD", "50", true),
        ("USD", "49.99", false),
        ("USD", "9999999.99", true),
        ("USD", "10000000", false),
        ("JPY", "4999", false),
        ("JPY", "1000000000", false),
        ("EUR", "1", true),
    ] {
        let total = draft(Goal::Reach, amount, BudgetPeriod::Total);
        assert_eq!(errors(&account(currency), &total).is_empty(), fits, "{amount} {currency} in all");
    }
}

#[test]
fn all_faults_are_reported_together() {
    let mut draft = draft(Goal::Reach, "1.001", BudgetPeriod::Monthly);
    draft.name = "⭐".into();
    assert_eq!(errors(&account("USD"), &draft), ["budget_period", "budget_amount", "name"]);
}

#[test]
fn a_budget_is_sent_to_the_last_digit() {
    let account = account("EUR");
    for amount in ["5000", "1234567890123.45", "12345678901234567.89", "123456789012345678901234567.89"] {
        let prepared = prepare(&Gamma, &account, &draft(Goal::Reach, amount, BudgetPeriod::Total)).unwrap();
        assert!(prepared.body.get().contains(&format!(r#""budget":{amount},"#)), "{}", prepared.body);
    }
}

fn read(data: &Value) -> Result<PlatformCampaign, Error> {
    let draft = draft(Goal::Sales, "75.10", BudgetPeriod::Total);
    let body = json!({"code": 0, "data": data}).to_string().into();
    let response = OutboundResponse { status: StatusCode::OK, headers: HeaderMap::new(), body };
    Gamma.read_created(&account("USD"), &prepare(&Gamma, &account("USD"), &draft).unwrap(), &response)
}

#[test]
fn a_created_campaign_is_the_draft_with_an_id() {
    let data = json!({"campaign_id": "5", "operation_status": "DISABLE", "create_time": "2026-03-01 12:00:00"});
    let campaign = read(&data).unwrap();
    assert_eq!((campaign.remote_id.as_str(), campaign.status), ("5", CampaignStatus::Paused));
    assert_eq!((campaign.goal, campaign.budget_period), (Some(Goal::Sales), Some(BudgetPeriod::Total)));
    assert_eq!(campaign.budget_amount, Some(Decimal::new(7_510, 2)));
    assert_eq!(campaign.total_spend_amount, Some(Decimal::ZERO));
    assert_eq!(campaign.created_at, Some("2026-03-01T12:00:00Z".parse().unwrap()));
    assert_eq!(serde_json::from_str::<Value>(&campaign.raw).unwrap(), data);
}

#[test]
fn a_created_campaign_has_the_values_that_came_back() {
    let data = json!({
        "campaign_id": "5", "advertiser_id": account("USD").id, "campaign_name": "Other", "operation_status": "DISABLE",
        "objective_type": "TRAFFIC", "budget_mode": "BUDGET_MODE_DAY", "budget": 60.5,
    });
    let campaign = read(&data).unwrap();
    assert_eq!((campaign.name.as_str(), campaign.status), ("Other", CampaignStatus::Paused));
    assert_eq!(campaign.budget_amount, Some(Decimal::new(605, 1)));
    assert_eq!((campaign.goal, campaign.budget_period), (Some(Goal::Sales), Some(BudgetPeriod::Daily)));
    assert_eq!(campaign.total_spend_amount, Some(Decimal::ZERO));
}

#[test]
fn an_answer_without_off_is_active_and_without_an_id_is_an_error() {
    for data in [
        json!({"campaign_id": "5"}),
        json!({"campaign_id": "5", "operation_status": "ENABLE"}),
        json!({"campaign_id": 5, "operation_status": 7, "create_time": 8}),
    ] {
        assert_eq!(read(&data).unwrap().status, CampaignStatus::Active, "{data}");
    }
    for data in [json!({}), json!({"campaign_id": "x"}), json!([]), json!(null)] {
        assert!(read(&data).is_err(), "{data}");
    }
}
