//! The campaigns of a bulk change whose own change was undone since, and what is left of the others.

use super::outcome::{changes, is_done};
use crate::kit::changes::undone_by;
use crate::kit::effects::{Effects, after, between};
use shared::domain::Change;
use shared::envelope::BulkStatus;

/// The changes that are done and not undone.
pub(super) fn left<'a>(bulk: &'a BulkStatus, newer: &[Change]) -> Vec<&'a Change> {
    changes(bulk).filter(|change| is_done(change) && undone_by(change, newer).is_none()).collect()
}

/// `+731.00 USD a day`: what the undo of changes adds to the budgets that run. Nothing if that is not known of all.
pub(super) fn undo_adds(left: &[&Change]) -> Vec<String> {
    let mut effects = Effects::default();
    for change in left {
        let (Some(before), Some(after)) = (&change.before, after(change)) else { return Vec::new() };
        effects.add_effect(between(&after, before));
    }
    effects.sums()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::bulk_sample::bulk;
    use crate::kit::changes::sample::{person, update, values};
    use shared::domain::{BulkAction, CampaignChanges, CampaignId, CampaignStatus, CampaignValues, ChangeState};

    fn has_status(status: CampaignStatus) -> Option<CampaignValues> {
        Some(CampaignValues { status, ..values("Spring") })
    }

    #[test]
    fn what_one_row_has_undone_is_in_no_later_undo() {
        let [active, paused] = [CampaignStatus::Active, CampaignStatus::Paused];
        let mut of = bulk(BulkAction::Status(paused), vec![ChangeState::Applied; 3]);
        for (number, change) in of.accounts[0].1.iter_mut().enumerate() {
            (change.before, change.after) = (has_status(active), has_status(paused));
            change.campaign = CampaignId::parse(&format!("alpha_1_{number}"));
        }
        assert_eq!(undo_adds(&left(&of, &[])), ["+150.00 USD a day"]);
        let undo = Change {
            campaign: CampaignId::parse("alpha_1_1"),
            state: ChangeState::Applied,
            before: has_status(paused),
            after: has_status(active),
            requested_by: person(Some("ann@example.com")),
            ..update(CampaignChanges::of_status(active))
        };
        let newer = [undo];
        let still = left(&of, &newer);
        assert_eq!((still.len(), undo_adds(&still)), (2, vec!["+100.00 USD a day".to_owned()]));
        assert_eq!(undone_by(&of.accounts[0].1[1], &newer), newer.first());
        let again = Change { after: has_status(paused), ..update(CampaignChanges::of_status(paused)) };
        let again = Change { campaign: CampaignId::parse("alpha_1_1"), state: ChangeState::Applied, ..again };
        assert_eq!(left(&of, &[again, newer[0].clone()]).len(), 3, "it was paused again");
        of.accounts[0].1[0].before = None;
        assert!(undo_adds(&left(&of, &[])).is_empty(), "of one it is not known");
    }
}
