//! Budgets that became ten times what they were and more, whoever did it: a person, a key, or a monthly budget.

use crate::kit::campaign::campaign_count;
use crate::kit::effects::after;
use crate::kit::leap::mark;
use shared::domain::{CampaignStatus, CampaignValues, Change};

/// The mark of a group.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Leap {
    /// `11 times the budget`
    pub(in super::super) mark: String,
    /// The campaign, or how many there are.
    pub(in super::super) campaigns: String,
}

/// The mark of what one has done. `own` are the changes that count, and `applied` those of all, both in the order in which
/// they were applied. A budget that somebody has set back since has none.
pub(super) fn leap(own: &[&Change], applied: &[&Change]) -> Option<Leap> {
    let mut found: Vec<(&Change, CampaignValues, String)> = Vec::new();
    for last in own.iter().rev() {
        let is_same = |other: &&&Change| other.campaign == last.campaign;
        if found.iter().any(|(known, ..)| known.campaign == last.campaign) {
            continue;
        }
        let Some(before) = own.iter().find(is_same).and_then(|first| first.before.as_ref()) else { continue };
        let Some(made) = after(last) else { continue };
        let is = applied.iter().rev().find(is_same).and_then(|newest| after(newest));
        let is_still = is.filter(|is| is.status == CampaignStatus::Active).and_then(|is| mark(before, &is));
        if let (Some(mark), Some(_)) = (mark(before, &made), is_still) {
            found.push((last, made, mark));
        }
    }
    match found.as_slice() {
        [] => None,
        [(_, values, mark)] => Some(Leap { mark: mark.clone(), campaigns: values.name.clone() }),
        all => Some(Leap { mark: "10 times the budget or more".to_owned(), campaigns: campaign_count(all.len()) }),
    }
}
