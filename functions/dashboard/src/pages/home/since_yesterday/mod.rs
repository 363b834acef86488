//! What changed since yesterday, by who did it, and what that adds to the budgets that run or takes from them.

mod done;
mod reverts;

use crate::kit::effects::{Effect, effect, moves_money};
use crate::kit::text::readable;
use done::Done;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use reverts::{Doer, Revert, reverts};
use shared::domain::{ApiKeyInfo, Change, ChangeStatus, PersonId};
use std::cmp::Reverse;

/// The name of the person who looks.
const YOU: &str = "You";
/// Groups that the page shows; the activity has every change.
const MAX_GROUPS: usize = 6;
/// How long before yesterday a change may have been asked for that was applied since: it had a time, or a person
/// approved it later.
const MAX_WAIT: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The part of the page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SinceYesterday {
    /// The time from which on changes count: `29 Nov 2026, 00:00 UTC`.
    pub(super) since: String,
    pub(super) groups: Vec<Group>,
    /// How many more people and keys changed something.
    pub(super) more: usize,
    /// Whether older changes of this time are not read.
    pub(super) is_cut: bool,
}

/// What one person, one key or the monthly budgets did.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) name: String,
    /// ` (API key)`
    pub(super) kind: &'static str,
    /// `+4,275.00 USD a day`: what it has added to the budgets that run.
    pub(super) sums: Vec<String>,
    /// `57 changes of 19 campaigns`
    pub(super) counts: String,
    /// What is not in the sums.
    pub(super) asides: Vec<String>,
    pub(super) activity: String,
    /// The words and the page with which a key is stopped, and its changes are reverted.
    pub(super) stop: Option<Link>,
}

/// Who looks, and what is known of the account.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) me: &'a PersonId,
    pub(super) keys: &'a [ApiKeyInfo],
    pub(super) now: Timestamp,
}

/// The start of yesterday, in UTC.
fn yesterday(now: Timestamp) -> Timestamp {
    let today = TimeZone::UTC.to_datetime(now).date();
    today.saturating_sub(1.day()).to_zoned(TimeZone::UTC).map_or(now, |start| start.timestamp())
}

/// The time since which the history is read.
pub(super) fn read_from(now: Timestamp) -> Timestamp {
    yesterday(now) - MAX_WAIT
}

impl SinceYesterday {
    /// Groups the changes of the history, newest first. `has_older` says that older ones of the time are not read.
    pub(super) fn of(changes: &[Change], has_older: bool, reader: Reader<'_>) -> SinceYesterday {
        let yesterday = yesterday(reader.now);
        let oldest = changes.last().filter(|_| has_older).map(Change::created_at);
        let cut_at = oldest.filter(|oldest| *oldest > yesterday);
        let since = cut_at.unwrap_or(yesterday);
        let mut applied: Vec<(Timestamp, &Change)> =
            changes.iter().filter_map(|change| Some((applied_at(change, reader.now)?, change))).collect();
        applied.sort_by_key(|(at, change)| (*at, change.id));
        let reverts = reverts(applied.iter().map(|(_, change)| *change));
        applied.retain(|(at, _)| *at >= since);
        let mut all: Vec<Done<'_>> = Vec::new();
        let is_recent = |change: &&Change| applied_at(change, reader.now).is_some_and(|at| at >= since);
        for change in changes.iter().filter(is_recent) {
            match all.iter_mut().find(|done| Doer::of(done.first) == Doer::of(change)) {
                Some(done) => done.effects.count(change),
                None => all.push(Done::of(change)),
            }
        }
        for (_, change) in applied {
            add_effect(&mut all, change, &reverts);
        }
        all.sort_by_key(|done| Reverse((done.effects.adds(), done.effects.changes())));
        let more = all.len().saturating_sub(MAX_GROUPS);
        let groups = all.into_iter().take(MAX_GROUPS).map(|done| done.group(reader)).collect();
        SinceYesterday { since: readable(since), groups, more, is_cut: cut_at.is_some() }
    }
}

/// When the change was applied, or a part of it; `None` for one that is not.
fn applied_at(change: &Change, now: Timestamp) -> Option<Timestamp> {
    let is_applied = matches!(change.status(now), ChangeStatus::Applied | ChangeStatus::PartlyApplied);
    is_applied.then(|| change.settled_at.unwrap_or_else(|| change.created_at()))
}

/// Adds what a change does to the sums of the group that it belongs to. What gives a campaign back what it had before belongs
/// to whoever had changed it, so that the sum says what is left of that.
fn add_effect<'a>(all: &mut [Done<'a>], change: &'a Change, reverts: &[Revert<'a>]) {
    let is_known = |doer: Doer<'_>| all.iter().position(|done| Doer::of(done.first) == doer);
    let own = is_known(Doer::of(change));
    let revert = reverts.iter().find(|revert| revert.by.id == change.id);
    let reverted = revert.and_then(|revert| is_known(Doer::answering_for(revert.of.first()?)));
    let Some(place) = reverted.or_else(|| is_known(Doer::answering_for(change))).or(own) else { return };
    let is_taken_back = reverts.iter().any(|revert| revert.of.iter().any(|one| one.id == change.id));
    let campaign = change.campaign.as_ref().map(ToString::to_string).unwrap_or_default();
    let Some(group) = all.get_mut(place) else { return };
    match effect(change) {
        // What rests in between has come and gone.
        Effect::Resting if reverted.is_some() || is_taken_back => {}
        effect => group.effects.add_effect(effect),
    }
    if reverted.is_none() {
        if moves_money(change) && !is_taken_back {
            group.reverted.remove(&campaign);
        }
        return;
    }
    group.reverted.insert(campaign, change);
    let whose = group.first;
    if let Some(own) = own.and_then(|own| all.get_mut(own)) {
        own.has_reverted.push(whose);
    }
}

/// The words and the page of a link.
type Link = (&'static str, String);

#[cfg(test)]
mod tests;
