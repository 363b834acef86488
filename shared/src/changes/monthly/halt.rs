//! Halts the monthly budgets of a stopped key.

use crate::changes::cancel::key_stopped;
use crate::changes::record_update::{RecordUpdate, RecordWriter, cancellations};
use crate::domain::{CampaignId, CampaignRecord, Change, ChangeId, ChangeState, CustomerId, KeyId, MonthlyBudget};
use crate::error::Error;
use crate::store::Store;
use jiff::Timestamp;

/// Halts the monthly budget of a campaign if this stopped key has asked for it. The campaign must run because of the key.
/// The service neither raises its daily budget nor activates it until somebody takes the monthly budget over.
pub(in crate::changes) async fn halt_monthly_budget(
    store: &Store,
    customer: CustomerId,
    campaign: &CampaignId,
    key: &KeyId,
    at: Timestamp,
) -> Result<(), Error> {
    let record = RecordWriter { store, customer, campaign, at };
    let named = |record: &CampaignRecord| running_month(record, key).map(named_changes);
    record.update(None, None, named, |record, changes| halted(record, changes, key)).await.map(drop)
}

/// The monthly budget that a key has asked for, unless it is stopped.
fn running_month<'a>(record: &'a CampaignRecord, key: &KeyId) -> Option<&'a MonthlyBudget> {
    record.monthly.as_ref().filter(|monthly| monthly.requested_by.is_key(key) && !monthly.is_halted)
}

/// The update of a record that halts the monthly budget of this key. `changes` are the changes that the budget names: waiting
/// ones are canceled unless they pause the campaign.
fn halted(record: &CampaignRecord, changes: Vec<Change>, key: &KeyId) -> Option<RecordUpdate> {
    let monthly = running_month(record, key)?;
    let is_over = |change: &Change| change.is_open() && !change.pauses() && is_kept(monthly, change);
    let waiting = changes.into_iter().filter(is_over).collect();
    let overruled = OverruledChanges { waiting, ..OverruledChanges::default() };
    let after = MonthlyBudget { is_halted: true, ..without_overruled(monthly, &overruled) };
    let after = CampaignRecord { monthly: Some(after), ..record.next() };
    Some(RecordUpdate { after, cancel: cancellations(overruled.waiting, &key_stopped()), store: Vec::new() })
}

/// The changes that a monthly budget names.
pub(super) fn named_changes(monthly: &MonthlyBudget) -> Vec<ChangeId> {
    monthly.step.into_iter().chain(monthly.resume).chain(monthly.overtaken.iter().copied()).collect()
}

/// The changes of a monthly budget that a pause or another budget overrules.
#[derive(Debug, Default)]
pub(in crate::changes) struct OverruledChanges {
    /// They can be canceled.
    pub(in crate::changes) waiting: Vec<Change>,
    /// Activations with an attempt under way, or of unknown outcome. A pause does not wait for them.
    pub(in crate::changes) under_way: Vec<Change>,
}

impl OverruledChanges {
    /// Separates the changes by whether an attempt at them is under way.
    pub(in crate::changes) fn of<'a>(changes: impl IntoIterator<Item = &'a Change>) -> OverruledChanges {
        let (under_way, others): (Vec<Change>, Vec<Change>) =
            changes.into_iter().cloned().partition(|change| change.state == ChangeState::Sending);
        OverruledChanges { waiting: others.into_iter().filter(Change::is_open).collect(), under_way }
    }

    pub(in crate::changes) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.under_way.is_empty()
    }
}

/// Whether the monthly budget still names a change.
fn is_kept(monthly: &MonthlyBudget, change: &Change) -> bool {
    [monthly.step, monthly.resume].contains(&Some(change.id))
}

/// The monthly budget without the overruled changes. One under way stays in `overtaken` until its outcome is known, because it
/// may have set the budget at the platform.
pub(in crate::changes) fn without_overruled(monthly: &MonthlyBudget, overruled: &OverruledChanges) -> MonthlyBudget {
    let OverruledChanges { waiting, under_way } = overruled;
    let kept = |id: &ChangeId| waiting.iter().chain(under_way).all(|change| change.id != *id);
    let (step, resume) = (monthly.step.filter(kept), monthly.resume.filter(kept));
    let overtaken = monthly.overtaken.iter().copied().chain(under_way.iter().map(|change| change.id)).collect();
    MonthlyBudget { step, resume, overtaken, ..monthly.clone() }
}

#[cfg(test)]
#[test]
fn a_stopped_monthly_budget_keeps_its_pause_and_cancels_its_activation() {
    use crate::changes::record_update::examples::{assert_consistent, at, by, waiting};
    use crate::domain::monthly::Ledger;
    use crate::domain::{CampaignChanges, CampaignStatus, ChangeOrigin, Purpose};
    let step = |number, status| waiting(number, Purpose::Step, CampaignChanges::of_status(status));
    let (pause, resume) = (step(1, CampaignStatus::Paused), step(2, CampaignStatus::Active));
    let ledger = Ledger::begin(jiff::civil::date(2026, 11, 28), 0.into(), 50.into());
    let origin = ChangeOrigin::new(uuid::Uuid::nil(), by("agent"));
    let monthly = MonthlyBudget::new(3_100.into(), origin, ledger, at(1));
    let monthly = MonthlyBudget { step: Some(pause.id), resume: Some(resume.id), ..monthly };
    let record = CampaignRecord { monthly: Some(monthly), revision: 4, ..CampaignRecord::default() };
    let halt = |record: &CampaignRecord, key: &str| {
        halted(record, vec![pause.clone(), resume.clone()], &KeyId(key.to_owned()))
    };
    let moved = halt(&record, "agent").unwrap();
    assert_consistent(&record, &moved);
    let halted = moved.after.monthly.as_ref().unwrap();
    assert!(halted.is_halted && halted.step == Some(pause.id) && halted.resume.is_none());
    let canceled: Vec<ChangeId> = moved.cancel.iter().map(|(change, _)| change.id).collect();
    assert_eq!(canceled, [resume.id]);
    assert_eq!(halt(&moved.after, "agent"), None, "it is stopped already");
    assert_eq!(halt(&record, "owner"), None, "it is somebody else's");
}
