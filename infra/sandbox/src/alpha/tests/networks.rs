//! The networks of a campaign.

use super::*;

const AT: &str = "mutate_operations[1].campaign_operation.create.network_settings";

fn create_errors(changes: Value) -> Vec<(String, String)> {
    Session::new().mutate_errors(USD, both(USD, json!({}), changes))
}

fn network_error(value: &str, network: &str) -> Vec<(String, String)> {
    error(&format!("campaignError.{value}"), &format!("{AT}{network}"))
}

/// The four flags of a campaign, in the order of the settings.
fn targeted(session: &mut Session, campaign: &str) -> [Value; 4] {
    ["google_search", "search_network", "content_network", "partner_search_network"]
        .map(|name| session.field(campaign, &format!("campaign.network_settings.target_{name}")))
}

#[test]
fn a_campaign_without_networks_is_rejected() {
    let none = network_error("CAMPAIGN_MUST_TARGET_AT_LEAST_ONE_NETWORK", "");
    let off = json!({ "targetGoogleSearch": false, "targetContentNetwork": false });
    for settings in [Value::Null, json!({}), off] {
        assert_eq!(create_errors(json!({ "networkSettings": settings })), none, "{settings}");
        assert_eq!(create_errors(display(json!({ "networkSettings": settings }))), none, "{settings}");
    }
}

#[test]
fn explicit_networks_read_back() {
    let mut session = Session::new();
    let (search, _) = session.campaign(USD, json!({}));
    assert_eq!(targeted(&mut session, &search), [true, false, false, false].map(Value::Bool));
    let (display, _) = session.campaign(USD, display(json!({ "name": "Other" })));
    assert_eq!(targeted(&mut session, &display), [false, false, true, false].map(Value::Bool));
}

#[test]
fn networks_may_exclude_each_other_and_the_bidding_strategy() {
    let settings = |settings: Value| json!({ "networkSettings": settings });
    let alone = settings(json!({ "targetGoogleSearch": false, "targetSearchNetwork": true }));
    let value = "CANNOT_TARGET_SEARCH_NETWORK_WITHOUT_GOOGLE_SEARCH";
    assert_eq!(create_errors(alone), network_error(value, ".target_search_network"));
    let partner = settings(json!({ "targetGoogleSearch": true, "targetPartnerSearchNetwork": true }));
    let value = "CANNOT_TARGET_PARTNER_SEARCH_NETWORK";
    assert_eq!(create_errors(partner), network_error(value, ".target_partner_search_network"));
    let google = settings(json!({ "targetGoogleSearch": true, "targetContentNetwork": true }));
    let value = "CANNOT_TARGET_GOOGLE_SEARCH_FOR_CPM_CAMPAIGN";
    assert_eq!(create_errors(display(google.clone())), network_error(value, ".target_google_search"));
    let clicks = json!({ "manualCpm": null, "targetSpend": {} });
    Session::new().campaign(USD, with(display(google), clicks));
}

#[test]
fn an_update_can_swap_networks_but_not_remove_all() {
    let mut session = Session::new();
    let (campaign, _) = session.campaign(USD, json!({}));
    let mut update = |settings: Value, mask: &str| {
        let change = json!({ "resourceName": campaign, "networkSettings": settings });
        let operation = json!([{ "campaignOperation": { "update": change, "updateMask": mask } }]);
        session.mutate(USD, operation)
    };
    let (google, content) = ("networkSettings.targetGoogleSearch", "networkSettings.targetContentNetwork");
    let (status, body) = update(json!({ "targetGoogleSearch": false }), google);
    let code = "campaignError.CAMPAIGN_MUST_TARGET_AT_LEAST_ONE_NETWORK";
    let place = "mutate_operations[0].campaign_operation.update.network_settings";
    assert_eq!((status, errors(&body)), (400, error(code, place)));
    let swapped = json!({ "targetGoogleSearch": false, "targetContentNetwork": true });
    assert_eq!(update(swapped, &format!("{google},{content}")).0, 200);
    assert_eq!(targeted(&mut session, &campaign), [false, false, true, false].map(Value::Bool));
}

#[test]
fn a_quirk_targets_omitted_networks() {
    let mut session = Session::new();
    session.quirk("default_networks");
    let (search, _) = session.campaign(USD, json!({ "networkSettings": null }));
    assert_eq!(targeted(&mut session, &search), [true, true, true, false].map(Value::Bool));
    let omitted = display(json!({ "name": "b", "networkSettings": null }));
    let (of_display, _) = session.campaign(USD, omitted);
    assert_eq!(targeted(&mut session, &of_display), [false, false, true, false].map(Value::Bool));
    let half = json!({ "name": "c", "networkSettings": { "targetGoogleSearch": true } });
    let (half, _) = session.campaign(USD, half);
    assert_eq!(targeted(&mut session, &half), [true, true, true, false].map(Value::Bool));
    let (stated, _) = session.campaign(USD, json!({ "name": "d" }));
    assert_eq!(targeted(&mut session, &stated), [true, false, false, false].map(Value::Bool));
}
