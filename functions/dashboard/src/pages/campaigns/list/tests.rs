//! Tests of the page of all campaigns.

use super::super::filter::PAGE_SIZE;
use super::*;

const HOSTILE: &str = "<script>alert('\"')</script>";

/// A full page of campaigns where people have written a text wherever they can.
fn page(text: &str) -> String {
    let filter = Filter::of(&[("platform".to_owned(), text.to_owned())]);
    let campaign = |number: usize| {
        let id = format!("beta_120300400500600_{number}");
        let now = Timestamp::UNIX_EPOCH;
        let json = serde_json::json!({
            "id": id, "platform": "BETA", "organization_id": "120300400500600", "name": text, "status": "PAUSED",
            "goal": "WEBSITE_TRAFFIC", "budget_amount": 25, "budget_period": "DAILY", "currency": "USD",
        });
        row(serde_json::from_str(&json.to_string()).unwrap(), now)
    };
    let template = CampaignsPage {
        layout: Layout::signed_out("Campaigns"),
        platforms: filter.platforms(),
        statuses: filter.statuses(),
        list: filter.list(),
        rows: (0..PAGE_SIZE).map(campaign).collect(),
        failures: vec![Failure { account: text.to_owned(), message: text.to_owned() }],
        refusal: None,
        is_connected: true,
        is_filtered: filter.is_filtered(),
        first_page: None,
        next_page: Some(filter.at(Some(text.to_owned())).path()),
    };
    template.render().unwrap()
}

#[test]
fn a_full_page_is_small_and_its_ids_are_unique() {
    let page = page("Spring sale, all of Europe");
    assert!(page.len() < 30_000, "{} bytes", page.len());
    let mut ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn what_people_write_is_escaped() {
    assert!(!page(HOSTILE).contains("<script>alert"));
}
