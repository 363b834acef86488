use super::*;
use crate::platforms::fixtures;
use crate::platforms::gamma::translate::campaign;
use serde_json::Value;

fn account() -> AdAccount {
    fixtures::account(Platform::Gamma, "USD", "UTC")
}

fn current() -> PlatformCampaign {
    campaign(&account(), include_str!("../../fixtures/campaign-manual.json"), false).unwrap()
}

fn everything(status: CampaignStatus) -> CampaignChanges {
    CampaignChanges {
        name: Some("New".into()),
        budget_amount: Some(Decimal::new(8_050, 2)),
        status: Some(status),
        ..CampaignChanges::default()
    }
}

fn done(changes: &CampaignChanges) -> Result<Vec<&'static str>, Error> {
    Ok(steps(&account(), &current(), changes)?.iter().map(describe).collect())
}

fn describe(step: &Step) -> &'static str {
    match step {
        Step::Update(wire::CampaignUpdate { campaign_name: Some(_), budget: Some(_), .. }) => {
            "the name and the budget were changed"
        }
        Step::Update(wire::CampaignUpdate { campaign_name: Some(_), .. }) => "the name was changed",
        Step::Update(_) => "the budget was changed",
        Step::SetStatus(ENABLE) => "the campaign was enabled",
        Step::SetStatus(DISABLE) => "the campaign was paused",
        Step::SetStatus(DELETE) => "the campaign was deleted",
        Step::SetStatus(other) => other,
    }
}

#[test]
fn a_campaign_is_paused_before_and_activated_after_anything_else() {
    let changed = "the name and the budget were changed";
    assert_eq!(done(&everything(CampaignStatus::Paused)).unwrap(), ["the campaign was paused", changed]);
    assert_eq!(done(&everything(CampaignStatus::Active)).unwrap(), [changed, "the campaign was enabled"]);
    let name = CampaignChanges { name: Some("New".into()), ..CampaignChanges::default() };
    assert_eq!(done(&name).unwrap(), ["the name was changed"]);
    let removal = CampaignChanges { status: Some(CampaignStatus::Archived), ..CampaignChanges::default() };
    assert_eq!(done(&removal).unwrap(), ["the campaign was deleted"]);
}

#[test]
fn an_unsupported_change_is_refused_before_anything_is_sent() {
    let refusal = |changes: &CampaignChanges| done(changes).unwrap_err();
    assert_eq!(refusal(&everything(CampaignStatus::Archived)).details[0].field, "status");
    let emoji = CampaignChanges { name: Some("🎄".into()), ..CampaignChanges::default() };
    assert_eq!(refusal(&emoji).details[0].field, "name");
}

#[test]
fn an_answer_shows_the_campaign_and_keeps_the_digits_of_the_rest() {
    let data = r#"{"campaign_name":"New","modify_time":"2026-03-02 00:00:00","budget":80.50}"#;
    let held = include_str!("../../fixtures/campaign-manual.json").replace("STATUS_ENABLE", "STATUS_AD_UNAVAILABLE");
    let held = campaign(&account(), &held, false).unwrap();
    assert_eq!(held.signals.holds.len(), 1);
    let seen = answered(&account(), &held, &RawValue::from_string(data.into()).unwrap()).unwrap();
    assert_eq!((seen.name.as_str(), seen.status), ("New", current().status));
    assert_eq!(seen.budget_amount, Some(Decimal::new(8_050, 2)));
    assert_eq!(seen.updated_at, Some("2026-03-02T00:00:00Z".parse().unwrap()));
    assert!(seen.raw.contains(r#""budget":80.50"#) && seen.raw.contains(r#""roas_bid":0.0"#), "{}", seen.raw);
    let raw: Value = serde_json::from_str(&seen.raw).unwrap();
    assert_eq!(raw.get("secondary_status"), None, "it may have changed with the others");
    assert_eq!(seen.signals, Signals::default(), "so what it said is not kept");
}
