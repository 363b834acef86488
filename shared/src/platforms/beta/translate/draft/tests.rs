use super::super::tests::{DAILY, account, read};
use super::*;
use crate::domain::Moment;
use crate::platforms::fake::prepare;
use crate::platforms::fixtures;
use http::StatusCode;
use serde_json::{Value, json};

fn draft() -> CampaignDraft {
    fixtures::draft(Goal::Sales, "10.50")
}

fn sent(draft: &CampaignDraft, currency: &str) -> Value {
    prepare(&Beta, &account(currency), draft).unwrap().json()
}

fn errors(draft: &CampaignDraft, currency: &str) -> Vec<String> {
    let error = prepare(&Beta, &account(currency), draft).unwrap_err();
    error.details.into_iter().map(|detail| detail.field).collect()
}

#[test]
fn a_new_campaign_is_paused_and_names_its_special_categories() {
    let expected = json!({"name": "Winter", "objective": "OUTCOME_SALES", "status": "PAUSED",
        "special_ad_categories": [], "bid_strategy": "LOWEST_COST_WITHOUT_CAP", "daily_budget": 1_050});
    assert_eq!(sent(&draft(), "USD"), expected);
    let categories = vec!["HOUSING".to_owned(), "EMPLOYMENT".to_owned()];
    let defaults = CampaignDefaults {
        country: Some("DE".to_owned()),
        special_ad_categories: Some(categories),
        ..CampaignDefaults::default()
    };
    let housing = sent(&CampaignDraft { defaults: Some(defaults), ..draft() }, "USD");
    assert_eq!(housing["special_ad_categories"], json!(["HOUSING", "EMPLOYMENT"]));
    assert_eq!(housing["special_ad_category_country"], json!(["DE"]));
}

#[test]
fn every_goal_has_an_objective_and_comes_back_as_the_nearest_goal() {
    for goal in Goal::ALL {
        let nearest = match goal {
            Goal::Reach => Goal::BrandAwareness,
            Goal::Conversions => Goal::Sales,
            goal => goal,
        };
        assert_eq!(super::super::goal(objective(goal)), Some(nearest), "{goal:?}");
        assert_eq!(sent(&CampaignDraft { goal, ..draft() }, "USD")["objective"], objective(goal));
    }
}

#[test]
fn a_lifetime_budget_goes_without_an_end() {
    for budget_period in [BudgetPeriod::Lifetime, BudgetPeriod::Total] {
        let open = sent(&CampaignDraft { budget_period, ..draft() }, "USD");
        assert_eq!((&open["lifetime_budget"], open.get("daily_budget")), (&json!(1_050), None));
        assert_eq!((open.get("start_time"), open.get("stop_time")), (None, None));
        assert_eq!(open["bid_strategy"], "LOWEST_COST_WITHOUT_CAP");
    }
}

#[test]
fn dates_that_the_service_holds_are_not_sent() {
    let dated = CampaignDraft { start_at: Moment::parse("2026-12-24"), end_at: Moment::parse("2026-12-31"), ..draft() };
    let body = |draft: &CampaignDraft| prepare(&Beta, &account("USD"), draft).unwrap().body;
    assert_eq!(body(&dated).get(), body(&draft()).get());
}

#[test]
fn a_forint_budget_is_counted_in_whole_forints() {
    let forints = CampaignDraft { budget_amount: Decimal::from(3_500), ..draft() };
    let sent = sent(&forints, "HUF");
    assert_eq!(sent["daily_budget"], 3_500, "recorded live, 2026-08: 3500 is 3 500 Ft");
    assert_eq!(sent.get("is_adset_budget_sharing_enabled"), None, "it is for campaigns without a budget");
    let row = DAILY.replace("\"daily_budget\": \"1050\"", "\"daily_budget\": \"3500\"");
    assert_eq!(read(&row, "HUF").budget_amount, Some(Decimal::from(3_500)));
}

#[test]
fn amounts_finer_than_metas_unit_are_refused_on_budget_amount() {
    let of = |amount: &str| CampaignDraft { budget_amount: Decimal::from_str_exact(amount).unwrap(), ..draft() };
    for (amount, currency) in [("1.005", "KWD"), ("10.50", "COP"), ("1.001", "USD"), ("1.5", "JPY"), ("0.99", "EUR")] {
        assert_eq!(errors(&of(amount), currency), ["budget_amount"], "{amount} {currency}");
    }
    for (amount, currency, units) in [("1.05", "KWD", 105), ("10.00", "COP", 10), ("1", "JPY", 1), ("1", "EUR", 100)] {
        assert_eq!(sent(&of(amount), currency)["daily_budget"], units, "{amount} {currency}");
    }
}

#[test]
fn all_faults_are_reported_together_and_none_twice() {
    let wrong = CampaignDraft {
        name: "n".repeat(256),
        budget_amount: Decimal::new(1_005, 3),
        budget_period: BudgetPeriod::Monthly,
        ..draft()
    };
    assert_eq!(errors(&wrong, "KWD"), ["budget_period", "budget_amount", "name"]);
}

#[test]
fn a_created_campaign_is_the_draft_with_its_id() {
    let draft = CampaignDraft { goal: Goal::Conversions, ..draft() };
    let prepared = prepare(&Beta, &account("USD"), &draft).unwrap();
    let body = json!({"id": "77"}).to_string().into();
    let response = OutboundResponse { status: StatusCode::OK, headers: HeaderMap::new(), body };
    let unread = Beta.read_created(&account("USD"), &prepared, &response).unwrap();
    assert_eq!((unread.raw.as_str(), unread.created_at, unread.start_at), (r#"{"id":"77"}"#, None, None));
    assert_eq!((unread.status, unread.goal), (CampaignStatus::Paused, Some(Goal::Conversions)));
    assert_eq!((unread.budget_amount, unread.total_spend_amount), (Some(draft.budget_amount), Some(Decimal::ZERO)));
}
