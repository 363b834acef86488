//! What the notice says after a stop and a revert.

use super::*;
use crate::kit::campaign_sample;
use crate::kit::changes::sample::update;
use shared::domain::{CampaignChanges, CampaignStatus, KeyId};

fn ticked(running: &BTreeSet<CampaignId>) -> Ticked<'_> {
    let (id, key) = (CampaignId::parse("alpha_1_2").unwrap(), KeyId("key_1".to_owned()));
    let raise = CampaignChanges { budget_amount: Some(275.into()), ..CampaignChanges::default() };
    let own = Change { state: ChangeState::Applied, ..update(raise) };
    let one = Touched::of(&key, id, vec![own], Vec::new(), Ok(campaign_sample::campaign("alpha_1_2")));
    let pause = Change { state: ChangeState::Scheduled, ..update(CampaignChanges::of_status(CampaignStatus::Paused)) };
    Ticked { touched: vec![one], running, pauses: vec![pause] }
}

#[test]
fn what_is_not_confirmed_is_named_as_paused() {
    let id = CampaignId::parse("alpha_1_2").unwrap();
    let running = BTreeSet::from([id.clone()]);
    let ticked = ticked(&running);
    assert_eq!(ticked.read().collect::<Vec<_>>(), [&id]);
    assert!(ticked.waiting(&id).is_some());
    let all = outcome("“Wild” is stopped.", &ticked, Vec::new(), &[], Vec::new());
    assert_eq!((all.tone(), all.details.len()), ("good", 0));
    let open = outcome("“Wild” is stopped.", &ticked, Vec::new(), &[], vec![id]);
    assert_eq!((open.tone(), open.details[0].message.as_str()), ("part", PAUSED));
    assert!(open.message.contains("1 of 1 campaign is not reverted:"), "{}", open.message);
}
