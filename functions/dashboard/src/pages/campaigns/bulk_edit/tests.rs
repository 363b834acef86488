//! Tests of the page that changes many campaigns.

use super::selection::MAX_CAMPAIGNS;
use super::*;
use crate::kit::campaign_sample as sample;
use rust_decimal::Decimal;
use shared::domain::CampaignStatus;
use shared::envelope::query::pairs;

const HOSTILE: &str = "<script>alert('\"')</script>";

fn ticked(query: &str) -> Selection {
    Selection::read(&pairs(Some(query)))
}

fn campaign(number: usize, budget: &str) -> (String, Result<Campaign, Refusal>) {
    let id = format!("beta_120300400500600_12030040050060{number:02}");
    let campaign = Campaign {
        account_id: "1".to_owned(),
        name: HOSTILE.to_owned(),
        status: CampaignStatus::Active,
        budget_amount: Some(Decimal::from_str_exact(budget).unwrap()),
        ..sample::campaign(&id)
    };
    (id, Ok(campaign))
}

fn shown(query: &str, campaigns: Vec<(String, Result<Campaign, Refusal>)>) -> String {
    let ids: String = campaigns.iter().map(|(id, _)| format!("&ids={id}")).collect();
    let ticked = ticked(&format!("{query}{ids}"));
    let (plan, error) = match ticked.action() {
        Ok(action) => (action.map(|action| (action, BulkPreview::of(action, campaigns, &Unread::default()))), None),
        Err(error) => (None, Some(error)),
    };
    page(Layout::signed_out("Change campaigns"), ticked, plan, &[], error).render().unwrap()
}

#[test]
fn each_campaign_counts_once_and_there_are_at_most_fifty() {
    assert_eq!(ticked("ids=a&ids=b&ids=a&ids=&do=pause").ids, ["a", "b"]);
    assert!(ticked("do=pause").refusal().is_some());
    let many = |count: usize| ticked(&(0..count).map(|id| format!("ids={id}&")).collect::<String>());
    assert!(many(50).refusal().is_none() && many(51).refusal().is_some());
}

#[test]
fn the_form_has_exactly_what_the_page_shows() {
    let html = shown("do=budget&percent=%2B10&list=status%3DACTIVE", vec![campaign(1, "10"), campaign(2, "12.5")]);
    for text in [
        r#"name="budget" value="beta_120300400500600_1203004005006001 10 11""#,
        r#"name="budget" value="beta_120300400500600_1203004005006002 12.5 13.75""#,
        "Change the budgets of 2 campaigns by +10%",
        "22.50 to 24.75 USD a day",
        "13.75 USD a day",
        r#"href="/dashboard/campaigns?status=ACTIVE""#,
    ] {
        assert!(html.contains(text), "{text}: {html}");
    }
    assert!(!html.contains("<script>alert"), "{html}");
}

#[test]
fn a_budget_that_does_not_fit_stops_all_until_it_is_left_out() {
    let html = shown("do=budget&percent=10", vec![campaign(1, "10"), campaign(2, "10.05")]);
    assert!(html.contains("11.055 USD, and USD has 2 decimals"), "{html}");
    assert!(!html.contains("name=\"budget\""), "no form: {html}");
    let left = "/dashboard/campaigns/many?ids=beta_120300400500600_1203004005006001&#38;do=budget&#38;percent=10";
    assert!(html.contains(left), "{html}");
}

#[test]
fn a_wrong_percentage_keeps_the_choice() {
    let html = shown("do=budget&percent=1%2C5", vec![campaign(1, "10")]);
    assert!(html.contains("Write a percentage with a dot") && html.contains(r#"value="1,5""#), "{html}");
    assert!(html.contains("name=\"do\" value=\"budgets\"") && html.contains("name=\"ids\""), "{html}");
}

#[test]
fn the_field_that_is_filled_in_says_what_is_done_with_budgets() {
    for (query, action) in [
        ("do=budgets&percent=%2B10&amount=", "budget"),
        ("do=budgets&percent=&amount=50", "set"),
        ("do=budgets", "budgets"),
        ("do=pause&percent=5", "pause"),
    ] {
        assert_eq!(ticked(query).action, action, "{query}");
    }
    assert!(ticked("do=budgets&percent=5&amount=50").action().is_err());
    let html = shown("do=budgets", vec![campaign(1, "10")]);
    assert!(html.contains("New budgets for this campaign") && !html.contains("method=\"post\""), "{html}");
    assert!(!shown("do=activate", vec![campaign(1, "10")]).contains("New budgets"), "nothing else is asked");
}

#[test]
fn a_full_page_is_small() {
    let html = shown("do=budget&percent=10", (0..MAX_CAMPAIGNS).map(|number| campaign(number, "10")).collect());
    assert!(html.len() < 50_000, "{} bytes", html.len());
}
