use super::*;

fn read(row: &str) -> PlatformCampaign {
    campaign(&account(), row, false).unwrap()
}

fn manual() -> PlatformCampaign {
    read(include_str!("../../fixtures/campaign-manual.json"))
}

fn smart_plus() -> PlatformCampaign {
    read(include_str!("../../fixtures/campaign-smart-plus.json"))
}

fn changes(status: Option<CampaignStatus>, name: Option<&str>) -> CampaignChanges {
    CampaignChanges { status, name: name.map(str::to_owned), ..CampaignChanges::default() }
}

#[tokio::test]
async fn a_campaign_is_changed_by_the_operations_of_its_family() {
    for (current, family) in [(manual(), ""), (smart_plus(), "/smart_plus")] {
        let fake = Fake::new(|_| done());
        let session = session(&fake);
        let name = changes(None, Some("New"));
        Gamma.update_campaign(&session, &current, &name).await.unwrap();
        let removal = changes(Some(CampaignStatus::Archived), None);
        Gamma.update_campaign(&session, &current, &removal).await.unwrap();
        Gamma.delete_campaign(&session, &current).await.unwrap();
        let status = format!("{family}/campaign/status/update/");
        assert_eq!(paths(&fake), [format!("{family}/campaign/update/"), status.clone(), status]);
        let renaming =
            json!({"advertiser_id": "7000000000000000001", "campaign_id": current.remote_id, "campaign_name": "New"});
        assert_eq!(fake.requests()[0].body, renaming, "neither budget mode nor status, which this call does not take");
        assert_eq!(fake.requests()[2].body["operation_status"], "DELETE");
    }
}

#[tokio::test]
async fn pausing_goes_before_a_change_of_the_budget_and_activating_after_it() {
    let amount = Some(Decimal::new(8_050, 2));
    for (status, expected) in [
        (CampaignStatus::Paused, ["/campaign/status/update/", "/campaign/update/"]),
        (CampaignStatus::Active, ["/campaign/update/", "/campaign/status/update/"]),
    ] {
        let fake = Fake::new(|_| done());
        let both = CampaignChanges { budget_amount: amount, ..changes(Some(status), None) };
        Gamma.update_campaign(&session(&fake), &manual(), &both).await.unwrap();
        assert_eq!(paths(&fake), expected);
    }
}

#[tokio::test]
async fn the_error_of_a_second_call_says_that_a_part_was_applied() {
    let below = refused(40_002, "budget: must be at least 105% of the spend");
    for (status, response, kind) in [
        (CampaignStatus::Paused, below, Kind::PlatformRefused),
        (CampaignStatus::Active, (503, String::new()), Kind::PlatformFailed),
    ] {
        let amount = Some(Decimal::new(8_050, 2));
        let all = CampaignChanges { budget_amount: amount, ..changes(Some(status), Some("New")) };
        for (responses, is_begun) in [(vec![done(), response.clone()], true), (vec![response], false)] {
            let fake = Fake::answering(responses);
            let error = Gamma.update_campaign(&session(&fake), &manual(), &all).await.unwrap_err();
            assert_eq!((error.kind, error.retryable), (kind, kind == Kind::PlatformFailed));
            assert_eq!(error.unknown_outcome, is_begun, "{}", error.message);
        }
    }
}

#[tokio::test]
async fn an_update_without_a_difference_is_a_success() {
    let fake = Fake::new(|_| refused(40_012, "No update."));
    let both = changes(Some(CampaignStatus::Paused), Some("New"));
    Gamma.update_campaign(&session(&fake), &manual(), &both).await.unwrap();
    Gamma.delete_campaign(&session(&fake), &manual()).await.unwrap();
}

#[tokio::test]
async fn a_success_that_lists_the_campaign_among_its_errors_is_a_refusal() {
    let body = json!({"code": 20_001, "message": "Partial success", "data": {"campaign_list": [],
        "error_list": [{"campaign_id": "1801234567890456", "error_message": "It is locked."}]}});
    let fake = Fake::answering(vec![ok(body)]);
    let error = Gamma.delete_campaign(&session(&fake), &smart_plus()).await.unwrap_err();
    assert_eq!(error.kind, Kind::PlatformRefused);
    assert!(error.message.contains("It is locked."), "{}", error.message);
}
