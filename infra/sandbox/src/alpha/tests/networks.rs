//! The networks of a campaign.

use super::*;

const AT: &str = "mutate_operations[1].campaign_operation.create.network_settings";

fn fails(changes: Value) -> Vec<(String, String)> {
    Scene::new().fails(USD, both(USD, json!({}), changes))
}

fn refused(value: &str, network: &str) -> Vec<(String, String)> {
    error(&format!("campaignError.{value}"), &format!("{AT}{network}"))
}

/// The four flags of a campaign, in the order of the settings.
fn shown(scene: &mut Scene, campaign: &str) -> [Value; 4] {
    ["google_search", "search_network", "content_network", "partner_search_network"]
        .map(|name| scene.field(campaign, &format!("campaign.network_settings.target_{name}")))
}

#[test]
fn a_campaign_without_any_network_is_refused() {
    let none = refused("CAMPAIGN_MUST_TARGET_AT_LEAST_ONE_NETWORK", "");
    let off = json!({ "targetGoogleSearch": false, "targetContentNetwork": false });
    for settings in [Value::Null, json!({}), off] {
        assert_eq!(fails(json!({ "networkSettings": settings })), none, "{settings}");
        assert_eq!(fails(display(json!({ "networkSettings": settings }))), none, "{settings}");
    }
}

#[test]
fn the_networks_of_a_campaign_are_read_as_they_were_stated() {
    let mut scene = Scene::new();
    let (search, _) = scene.campaign(USD, json!({}));
    assert_eq!(shown(&mut scene, &search), [true, false, false, false].map(Value::Bool));
    let (display, _) = scene.campaign(USD, display(json!({ "name": "Other" })));
    assert_eq!(shown(&mut scene, &display), [false, false, true, false].map(Value::Bool));
}

#[test]
fn networks_go_together_and_with_the_bidding() {
    let settings = |settings: Value| json!({ "networkSettings": settings });
    let alone = settings(json!({ "targetGoogleSearch": false, "targetSearchNetwork": true }));
    let value = "CANNOT_TARGET_SEARCH_NETWORK_WITHOUT_GOOGLE_SEARCH";
    assert_eq!(fails(alone), refused(value, ".target_search_network"));
    let partner = settings(json!({ "targetGoogleSearch": true, "targetPartnerSearchNetwork": true }));
    let value = "CANNOT_TARGET_PARTNER_SEARCH_NETWORK";
    assert_eq!(fails(partner), refused(value, ".target_partner_search_network"));
    let google = settings(json!({ "targetGoogleSearch": true, "targetContentNetwork": true }));
    let value = "CANNOT_TARGET_GOOGLE_SEARCH_FOR_CPM_CAMPAIGN";
    assert_eq!(fails(display(google.clone())), refused(value, ".target_google_search"));
    let clicks = json!({ "manualCpm": null, "targetSpend": {} });
    Scene::new().campaign(USD, with(display(google), clicks));
}

#[test]
fn networks_can_be_swapped_in_one_update_but_not_all_switched_off() {
    let mut scene = Scene::new();
    let (campaign, _) = scene.campaign(USD, json!({}));
    let mut update = |settings: Value, mask: &str| {
        let change = json!({ "resourceName": campaign, "networkSettings": settings });
        let operation = json!([{ "campaignOperation": { "update": change, "updateMask": mask } }]);
        scene.mutate(USD, operation)
    };
    let (google, content) = ("networkSettings.targetGoogleSearch", "networkSettings.targetContentNetwork");
    let (status, body) = update(json!({ "targetGoogleSearch": false }), google);
    let code = "campaignError.CAMPAIGN_MUST_TARGET_AT_LEAST_ONE_NETWORK";
    let place = "mutate_operations[0].campaign_operation.update.network_settings";
    assert_eq!((status, errors(&body)), (400, error(code, place)));
    let swapped = json!({ "targetGoogleSearch": false, "targetContentNetwork": true });
    assert_eq!(update(swapped, &format!("{google},{content}")).0, 200);
    assert_eq!(shown(&mut scene, &campaign), [false, false, true, false].map(Value::Bool));
}

#[test]
fn by_a_quirk_networks_that_are_omitted_are_bought() {
    let mut scene = Scene::new();
    scene.quirk("default_networks");
    let (search, _) = scene.campaign(USD, json!({ "networkSettings": null }));
    assert_eq!(shown(&mut scene, &search), [true, true, true, false].map(Value::Bool));
    let omitted = display(json!({ "name": "b", "networkSettings": null }));
    let (of_display, _) = scene.campaign(USD, omitted);
    assert_eq!(shown(&mut scene, &of_display), [false, false, true, false].map(Value::Bool));
    let half = json!({ "name": "c", "networkSettings": { "targetGoogleSearch": true } });
    let (half, _) = scene.campaign(USD, half);
    assert_eq!(shown(&mut scene, &half), [true, true, true, false].map(Value::Bool));
    let (stated, _) = scene.campaign(USD, json!({ "name": "d" }));
    assert_eq!(shown(&mut scene, &stated), [true, false, false, false].map(Value::Bool));
}
