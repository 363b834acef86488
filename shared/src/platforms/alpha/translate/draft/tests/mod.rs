mod dates;

use super::super::tests::{account, amount};
use super::*;
use crate::domain::{BudgetPeriod, CampaignDraft, CampaignStatus, Currency, Moment};
use crate::error::Kind;
use crate::platforms::alpha::{Alpha, CAPABILITIES};
use crate::platforms::fake::prepare;
use crate::platforms::fixtures;
use http::StatusCode;
use serde_json::{Value, json};

pub(super) fn draft(goal: Goal, budget_period: BudgetPeriod) -> CampaignDraft {
    let end_at = budget_period.is_whole_run().then(|| Moment::parse("2026-12-31").unwrap());
    let name = "Winter \"24\" \\ Zürich".to_owned();
    CampaignDraft { name, budget_period, end_at, ..fixtures::draft(goal, "12.50") }
}

fn errors(draft: &CampaignDraft) -> Vec<(String, String)> {
    let error = prepare(&Alpha, &account(), draft).unwrap_err();
    assert_eq!(error.kind, Kind::Validation);
    error.details.into_iter().map(|detail| (detail.field, detail.rule.to_string())).collect()
}

pub(super) fn fields(draft: &CampaignDraft) -> Vec<String> {
    errors(draft).into_iter().map(|(field, _)| field).collect()
}

/// The published form of a create, written out.
fn expected(channel: &str, bidding: &str, budget: Value, end: Option<&str>) -> Value {
    let mut campaign = json!({
        "resourceName": "customers/1234567890/campaigns/-2",
        "name": "Winter \"24\" \\ Zürich",
        "status": "PAUSED",
        "advertisingChannelType": channel,
        "campaignBudget": "customers/1234567890/campaignBudgets/-1",
        "containsEuPoliticalAdvertising": "DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING",
        "networkSettings": {
            "targetGoogleSearch": channel == "SEARCH",
            "targetSearchNetwork": false,
            "targetContentNetwork": channel == "DISPLAY",
            "targetPartnerSearchNetwork": false,
        },
    });
    campaign[bidding] = json!({});
    if let Some(end) = end {
        campaign["endDateTime"] = json!(end);
    }
    let mut create = json!({
        "resourceName": "customers/1234567890/campaignBudgets/-1",
        "deliveryMethod": "STANDARD",
        "explicitlyShared": false,
    });
    for (key, value) in budget.as_object().unwrap() {
        create[key] = value.clone();
    }
    json!({
        "mutateOperations": [
            {"campaignBudgetOperation": {"create": create}},
            {"campaignOperation": {"create": campaign}},
        ],
        "responseContentType": "MUTABLE_RESOURCE",
    })
}

#[test]
fn a_draft_says_whether_it_is_political_advertising() {
    let with = |special_ad_categories: Option<Vec<String>>| {
        let defaults = Some(CampaignDefaults { special_ad_categories, ..CampaignDefaults::default() });
        let draft = CampaignDraft { defaults, ..draft(Goal::Sales, BudgetPeriod::Daily) };
        let request = prepare(&Alpha, &account(), &draft).unwrap().json();
        request["mutateOperations"][1]["campaignOperation"]["create"]["containsEuPoliticalAdvertising"].clone()
    };
    for none in [None, Some(Vec::new())] {
        assert_eq!(with(none), "DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING");
    }
    let politics = vec![CampaignDefaults::POLITICS.to_owned()];
    assert_eq!(with(Some(politics)), "CONTAINS_EU_POLITICAL_ADVERTISING");
}

#[test]
fn every_goal_and_period_is_sent_in_the_published_form() {
    let kinds = [
        (Goal::WebsiteTraffic, "SEARCH", "targetSpend"),
        (Goal::Leads, "SEARCH", "maximizeConversions"),
        (Goal::Conversions, "SEARCH", "maximizeConversions"),
        (Goal::Sales, "SEARCH", "maximizeConversionValue"),
        (Goal::BrandAwareness, "DISPLAY", "manualCpm"),
        (Goal::Reach, "DISPLAY", "manualCpm"),
    ];
    let daily = || json!({"amountMicros": "12500000", "period": "DAILY"});
    let whole_run = || json!({"totalAmountMicros": "12500000", "period": "CUSTOM_PERIOD"});
    let mut checked = 0;
    for (goal, channel, bidding) in kinds {
        for period in CAPABILITIES.budget_periods.iter().copied() {
            if period.is_whole_run() && channel == "DISPLAY" {
                assert_eq!(fields(&draft(goal, period)), ["budget_period"], "{goal:?}");
                continue;
            }
            let (budget, end) =
                if period.is_whole_run() { (whole_run(), Some("2026-12-31 23:59:59")) } else { (daily(), None) };
            let (account, draft) = (account(), draft(goal, period));
            let sent = prepare(&Alpha, &account, &draft).unwrap().json();
            assert_eq!(sent, expected(channel, bidding, budget, end), "{goal:?} {period:?}");
            checked += 1;
        }
    }
    assert_eq!(checked, 14, "six goals daily, four of them for the whole run in two words");
    for goal in Goal::ALL {
        let offered = CAPABILITIES.goals.contains(&goal);
        assert_eq!(campaign(goal).is_some(), offered, "the table and the mapping agree on {goal:?}");
    }
}

#[test]
fn all_faults_of_a_draft_are_reported_together() {
    let mut draft = draft(Goal::AppPromotion, BudgetPeriod::Monthly);
    draft.name = "ü".repeat(128);
    draft.budget_amount = amount("1.234");
    draft.start_at = Moment::parse("2026-12-01T09:00:00.5Z");
    draft.end_at = Moment::parse("2026-10-25T01:30:00Z");
    assert_eq!(fields(&draft), ["goal", "budget_period", "budget_amount", "name", "start_at", "end_at"]);
}

#[test]
fn a_lifetime_budget_needs_an_end() {
    for period in [BudgetPeriod::Lifetime, BudgetPeriod::Total] {
        let draft = CampaignDraft { end_at: None, ..draft(Goal::Sales, period) };
        let message = format!("is required with a {} budget on Google Ads", period.as_str());
        assert_eq!(errors(&draft), [("end_at".to_owned(), message)]);
    }
}

#[test]
fn a_daily_budget_below_the_minimum_names_the_minimum() {
    let with = |text| CampaignDraft { budget_amount: amount(text), ..draft(Goal::Sales, BudgetPeriod::Daily) };
    let message = "must be at least 1 EUR a day on Google Ads".to_owned();
    assert_eq!(errors(&with("0.99")), [("budget_amount".to_owned(), message)]);
    assert!(prepare(&Alpha, &account(), &with("1")).is_ok());
    assert_eq!(fields(&with("0")), ["budget_amount"]);
    assert_eq!(fields(&with("9300000000000")), ["budget_amount"], "more micros than the platform's integer holds");
    let lifetime = CampaignDraft { budget_amount: amount("0.01"), ..draft(Goal::Sales, BudgetPeriod::Total) };
    assert!(prepare(&Alpha, &account(), &lifetime).is_ok(), "the minimum is one of a day");
}

#[test]
fn a_currency_without_decimals_takes_whole_amounts_only() {
    let yen = AdAccount { currency: Currency::from_code("JPY").unwrap(), ..account() };
    let draft = draft(Goal::Sales, BudgetPeriod::Daily);
    assert_eq!(prepare(&Alpha, &yen, &draft).unwrap_err().details[0].field, "budget_amount");
    let draft = CampaignDraft { budget_amount: amount("500"), ..draft };
    let sent = prepare(&Alpha, &yen, &draft).unwrap().json();
    assert_eq!(sent["mutateOperations"][0]["campaignBudgetOperation"]["create"]["amountMicros"], "500000000");
}

#[test]
fn a_name_is_counted_in_bytes() {
    let named = |name: &str| CampaignDraft { name: name.into(), ..draft(Goal::Sales, BudgetPeriod::Daily) };
    assert!(prepare(&Alpha, &account(), &named(&"x".repeat(255))).is_ok());
    assert!(prepare(&Alpha, &account(), &named(&format!("x{}", "ü".repeat(127)))).is_ok(), "255 bytes");
    assert_eq!(fields(&named(&"ü".repeat(128))), ["name"]);
}

fn created(prepared: &PreparedCreate, body: &str) -> Result<PlatformCampaign, Error> {
    let response = OutboundResponse { status: StatusCode::OK, headers: HeaderMap::new(), body: body.to_owned().into() };
    Alpha.read_created(&account(), prepared, &response)
}

#[test]
fn a_created_campaign_carries_what_came_back() {
    let (account, draft) = (account(), draft(Goal::Leads, BudgetPeriod::Total));
    let prepared = prepare(&Alpha, &account, &draft).unwrap();
    let campaign = created(&prepared, include_str!("../../../fixtures/created.json")).unwrap();
    assert_eq!(campaign.id.to_string(), "alpha_1234567890_21234567892");
    assert_eq!((campaign.status, campaign.goal), (CampaignStatus::Paused, Some(Goal::Leads)));
    assert_eq!((campaign.budget_amount, campaign.budget_period), (Some(amount("12.5")), Some(BudgetPeriod::Total)));
    assert_eq!(campaign.total_spend_amount, Some(Decimal::ZERO));
    assert_eq!(campaign.start_at, Some("2026-11-19T23:00:00Z".parse().unwrap()), "as the platform chose it");
    assert_eq!(campaign.end_at, Some("2026-12-31T22:59:59Z".parse().unwrap()));
    let raw: Value = serde_json::from_str(&campaign.raw).unwrap();
    assert_eq!(raw["campaign"]["advertisingChannelType"], "SEARCH");
    assert_eq!(raw["campaignBudget"]["totalAmountMicros"], "12500000");
}

#[test]
fn a_created_campaign_has_the_values_that_came_back() {
    let prepared = prepare(&Alpha, &account(), &draft(Goal::Leads, BudgetPeriod::Total)).unwrap();
    let answer = include_str!("../../../fixtures/created.json");
    let other = answer.replace("\"12500000\"", "\"25000000\"").replace("\"PAUSED\"", "\"ENABLED\"");
    let campaign = created(&prepared, &other).unwrap();
    assert_eq!((campaign.status, campaign.budget_amount), (CampaignStatus::Active, Some(amount("25"))));
}

#[test]
fn names_alone_are_enough_to_know_what_was_created() {
    let (account, draft) = (account(), draft(Goal::Leads, BudgetPeriod::Daily));
    let prepared = prepare(&Alpha, &account, &draft).unwrap();
    let campaign = created(&prepared, include_str!("../../../fixtures/created-names-only.json")).unwrap();
    assert_eq!(campaign.remote_id, "21234567892");
    let names = json!({
        "campaign": {"resourceName": "customers/1234567890/campaigns/21234567892"},
        "campaignBudget": {"resourceName": "customers/1234567890/campaignBudgets/13581"},
    });
    assert_eq!(serde_json::from_str::<Value>(&campaign.raw).unwrap(), names);
}

#[test]
fn an_answer_without_the_campaigns_id_is_not_taken_for_a_success() {
    let (account, draft) = (account(), draft(Goal::Leads, BudgetPeriod::Daily));
    let prepared = prepare(&Alpha, &account, &draft).unwrap();
    for name in ["customers/1234567890/campaigns/-2", "customers/99/campaigns/5", "customers/1234567890/campaigns/"] {
        let response = json!({"mutateOperationResponses": [{"campaignResult": {"resourceName": name}}]}).to_string();
        assert_eq!(created(&prepared, &response).unwrap_err().kind, Kind::PlatformFailed, "{name}");
    }
}
