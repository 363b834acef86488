use super::super::tests::{DAILY, LIFETIME, account, decimal};
use super::*;
use crate::domain::Moment;
use crate::platforms::engine::create::with_read_back;
use crate::platforms::fake::marker;
use crate::platforms::fixtures;
use bytes::Bytes;
use http::StatusCode;
use serde_json::{Value, json};

const ENTITY: &str = "urn:li:organization:2414183";
const GROUP: &str = "urn:li:sponsoredCampaignGroup:601234567";

fn now() -> Timestamp {
    "2026-11-20T12:00:00.75Z".parse().unwrap()
}

fn draft(goal: Goal, budget_period: BudgetPeriod) -> CampaignDraft {
    let end_at = budget_period.is_whole_run().then(|| Moment::parse("2026-12-31").unwrap());
    let name = "Winter \"24\" Zürich".to_owned();
    CampaignDraft { name, budget_period, end_at, ..fixtures::aimed_draft(goal, "100.5") }
}

fn at(start: Option<&str>, end: Option<&str>) -> CampaignDraft {
    let moment = |text: &str| Moment::parse(text).unwrap();
    let draft = draft(Goal::Sales, BudgetPeriod::Daily);
    CampaignDraft { start_at: start.map(moment), end_at: end.map(moment), ..draft }
}

fn prepare_in(account: &AdAccount, draft: &CampaignDraft, now: Timestamp) -> Result<PreparedCreate, Error> {
    Delta.prepare_create(&CreateInput { account, draft, marker: &marker(), now })
}

fn sent(draft: &CampaignDraft) -> Value {
    let prepared = prepare_in(&account(), draft, now()).unwrap();
    let prepared = prepared.with_field(&["campaignGroup"], GROUP).unwrap();
    prepared.with_field(&["associatedEntity"], ENTITY).unwrap().json()
}

fn errors(draft: &CampaignDraft) -> Vec<String> {
    let error = prepare_in(&account(), draft, now()).unwrap_err();
    assert_eq!((error.kind, error.platform), (Kind::Validation, Some(Platform::Delta)));
    error.details.into_iter().map(|detail| detail.field).collect()
}

#[test]
fn a_draft_says_whether_it_is_political() {
    let draft = draft(Goal::Sales, BudgetPeriod::Daily);
    let with = |special_ad_categories: Option<Vec<String>>| {
        let defaults = draft.defaults.clone().map(|aimed| CampaignDefaults { special_ad_categories, ..aimed });
        sent(&CampaignDraft { defaults, ..draft.clone() })["politicalIntent"].clone()
    };
    for none in [None, Some(Vec::new())] {
        assert_eq!(with(none), "NOT_POLITICAL");
    }
    assert_eq!(with(Some(vec![CampaignDefaults::POLITICS.to_owned()])), "POLITICAL");
}

#[test]
fn a_draft_is_sent_in_the_published_form_and_paused() {
    let expected = json!({
        "account": "urn:li:sponsoredAccount:512345678",
        "campaignGroup": GROUP,
        "name": "Winter \"24\" Zürich",
        "type": "SPONSORED_UPDATES",
        "objectiveType": "WEBSITE_VISIT",
        "costType": "CPM",
        "optimizationTargetType": "MAX_CLICK",
        "associatedEntity": ENTITY,
        "status": "PAUSED",
        "dailyBudget": {"amount": "100.50", "currencyCode": "USD"},
        "runSchedule": {"start": 1_795_176_120_000_i64},
        "locale": {"country": "US", "language": "en"},
        "targetingCriteria": {"include": {"and": [
            {"or": {"urn:li:adTargetingFacet:locations": ["urn:li:geo:103644278"]}},
            {"or": {"urn:li:adTargetingFacet:interfaceLocales": ["urn:li:locale:en_US"]}},
        ]}},
        "offsiteDeliveryEnabled": false,
        "politicalIntent": "NOT_POLITICAL",
    });
    assert_eq!(sent(&draft(Goal::WebsiteTraffic, BudgetPeriod::Daily)), expected);
}

#[test]
fn without_country_and_language_the_refusal_says_where_they_are_set() {
    let draft = CampaignDraft { defaults: None, ..draft(Goal::Leads, BudgetPeriod::Daily) };
    let error = prepare_in(&account(), &draft, now()).unwrap_err();
    let [detail] = error.details.as_slice() else { panic!("{error:?}") };
    assert_eq!(detail.field, "campaign_defaults");
    assert!(detail.rule.to_string().contains("PATCH /v1/connections/{id}"), "{}", detail.rule);
}

#[test]
fn every_goal_has_an_objective_and_conversions_have_that_of_sales() {
    let cases = [
        (Goal::BrandAwareness, "BRAND_AWARENESS", "CPM"),
        (Goal::Reach, "BRAND_AWARENESS", "CPM"),
        (Goal::WebsiteTraffic, "WEBSITE_VISIT", "CPM"),
        (Goal::Leads, "LEAD_GENERATION", "CPM"),
        (Goal::Sales, "WEBSITE_CONVERSION", "CPM"),
        (Goal::Conversions, "WEBSITE_CONVERSION", "CPM"),
    ];
    assert_eq!(cases.map(|(goal, ..)| goal), CAPABILITIES.goals);
    for (goal, objective, cost) in cases {
        let sent = sent(&draft(goal, BudgetPeriod::Daily));
        assert_eq!((&sent["objectiveType"], &sent["costType"]), (&json!(objective), &json!(cost)), "{goal:?}");
    }
}

#[test]
fn a_budget_for_the_whole_run_is_a_total_budget_and_needs_an_end() {
    for period in [BudgetPeriod::Lifetime, BudgetPeriod::Total] {
        let with_end = draft(Goal::Leads, period);
        let sent = sent(&with_end);
        assert_eq!(sent["totalBudget"], json!({"amount": "100.50", "currencyCode": "USD"}));
        assert_eq!(sent["runSchedule"]["end"], json!(1_798_761_599_000_i64), "the day's last second");
        assert!(sent.get("dailyBudget").is_none());
        assert_eq!(errors(&CampaignDraft { end_at: None, ..with_end }), ["end_at"]);
    }
}

#[test]
fn a_campaign_without_a_start_begins_a_little_after_the_request() {
    for now in [now(), "2026-11-20T12:00:25Z".parse().unwrap()] {
        let prepared = prepare_in(&account(), &at(None, None), now).unwrap();
        let start = prepared.json()["runSchedule"]["start"].as_i64().unwrap();
        let lead = start - now.as_millisecond();
        assert!((1_000..600_000).contains(&lead), "{lead}");
        assert_eq!(prepared.campaign.start_at, instant(start));
    }
}

#[test]
fn a_start_that_has_passed_is_refused_and_one_to_come_is_sent_exactly() {
    for past in ["2026-11-20T11:59:59Z", "2026-11-20", "2020-01-01"] {
        assert_eq!(errors(&at(Some(past), None)), ["start_at"], "{past}");
    }
    assert_eq!(
        sent(&at(Some("2026-12-01T09:00:00+01:00"), None))["runSchedule"],
        json!({"start": 1_796_112_000_000_i64})
    );
    assert_eq!(sent(&at(Some("2026-12-01"), None))["runSchedule"], json!({"start": 1_796_083_200_000_i64}));
    assert_eq!(errors(&at(Some("2026-12-01T09:00:00.5Z"), None)), ["start_at"], "finer than a second");
}

#[test]
fn an_end_is_after_the_start_also_when_that_is_now() {
    let cases = [
        (Some("2026-12-02"), "2026-12-01"),
        (None, "2026-11-20T12:00:30Z"),
        (Some("2026-12-01T09:00:00Z"), "2026-12-01T09:00:00Z"),
    ];
    for (start, end) in cases {
        assert_eq!(errors(&at(start, Some(end))), ["end_at"], "{start:?} {end}");
    }
    assert!(sent(&at(None, Some("2026-11-20")))["runSchedule"]["end"].is_i64(), "today's last second");
}

#[test]
fn all_faults_of_a_draft_are_reported_together() {
    let wrong = CampaignDraft {
        goal: Goal::AppPromotion,
        budget_period: BudgetPeriod::Monthly,
        budget_amount: decimal("0.001"),
        ..at(Some("2020-01-01"), Some("2019-01-01"))
    };
    assert_eq!(errors(&wrong), ["goal", "budget_period", "budget_amount", "start_at", "end_at"]);
}

#[test]
fn the_published_minimums_hold_in_dollars_alone() {
    let below = |period, amount| CampaignDraft { budget_amount: decimal(amount), ..draft(Goal::Sales, period) };
    let cases = [(BudgetPeriod::Daily, "9.99", "10"), (BudgetPeriod::Total, "99.99", "100")];
    for (period, low, enough) in cases {
        assert_eq!(errors(&below(period, low)), ["budget_amount"], "{period:?}");
        assert!(prepare_in(&account(), &below(period, enough), now()).is_ok());
        let euros = AdAccount { currency: crate::domain::Currency::from_code("EUR").unwrap(), ..account() };
        assert!(prepare_in(&euros, &below(period, low), now()).is_ok(), "the platform's own minimum holds");
    }
}

fn created() -> PlatformCampaign {
    let prepared = prepare_in(&account(), &draft(Goal::Conversions, BudgetPeriod::Total), now()).unwrap();
    let headers = HeaderMap::from_iter([("x-restli-id".parse().unwrap(), HeaderValue::from_static("141234567"))]);
    let response = OutboundResponse { status: StatusCode::CREATED, headers, body: Bytes::new() };
    Delta.read_created(&account(), &prepared, &response).unwrap()
}

#[test]
fn a_new_campaign_that_is_not_read_back_is_as_drafted() {
    let campaign = created();
    assert_eq!((campaign.status, campaign.goal), (CampaignStatus::Paused, Some(Goal::Conversions)));
    assert_eq!((campaign.budget_amount, campaign.budget_period), (Some(decimal("100.5")), Some(BudgetPeriod::Total)));
    assert_eq!(campaign.total_spend_amount, Some(Decimal::ZERO));
    assert_eq!((campaign.raw.as_str(), campaign.created_at), (r#"{"id":141234567}"#, None));
    assert!(campaign.start_at.is_some());
}

#[test]
fn a_new_campaign_is_told_as_it_was_read_back() {
    let lifetime = &LIFETIME.replace("141234568", "141234567");
    for (raw, status, amount, period) in [
        (DAILY, CampaignStatus::Paused, "12.5", BudgetPeriod::Daily),
        (lifetime, CampaignStatus::Active, "500", BudgetPeriod::Total),
    ] {
        let read = super::super::campaign(&account(), raw).unwrap().unwrap();
        let campaign = with_read_back(created(), Ok(read));
        assert_eq!((campaign.status, campaign.goal), (status, Some(Goal::Conversions)), "the goal is finer here");
        assert_eq!((campaign.budget_amount, campaign.budget_period), (Some(decimal(amount)), Some(period)));
        assert_eq!((campaign.total_spend_amount, campaign.raw.as_str()), (Some(Decimal::ZERO), raw));
        assert!(campaign.created_at.is_some());
    }
}
