//! Tests of the page of all campaigns.

use super::super::filter::PAGE_SIZE;
use super::*;

const HOSTILE: &str = "<script>alert('\"')</script>";

/// A full page of campaigns where people have written a text wherever they can.
fn page(text: &str) -> String {
    let connection = |account: usize| Connection {
        id: format!("conn_{account}"),
        platform: "beta_ads".to_owned(),
        status: "ACTIVE".to_owned(),
        label: Some(text.to_owned()),
        remote_account_id: format!("120300400500600{account}"),
    };
    let connections: Vec<Connection> = (0..10).map(connection).collect();
    let filter = Filter::of(&[("platform".to_owned(), text.to_owned())]);
    let campaign = |number: usize| {
        let (id, now) = (format!("beta_120300400500600_{number}"), Timestamp::UNIX_EPOCH);
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
        form: CreateForm::new(None, &connections, true),
        no_accounts: None,
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

#[test]
fn an_account_that_does_not_answer_is_named() {
    let list: CampaignList = serde_json::from_str(
        r#"{"unified":[],"pagination":{"next_cursor":null,"has_more":false},"errors":[{"platform":"BETA",
            "connection_id":"conn_1","code":"TOKEN_EXPIRED","message":"Meta ended the consent.","retryable":false}]}"#,
    )
    .unwrap();
    let connection = Connection {
        id: "conn_1".to_owned(),
        platform: "beta_ads".to_owned(),
        status: "REVOKED".to_owned(),
        label: Some("Spring".to_owned()),
        remote_account_id: "77".to_owned(),
    };
    let [error] = <[ConnectionError; 1]>::try_from(list.errors).ok().unwrap();
    let failure = failure(error, &[connection]);
    assert_eq!(failure.account, "Meta: Spring (77)");
    assert_eq!(failure.message, "Meta ended the consent.");
}
