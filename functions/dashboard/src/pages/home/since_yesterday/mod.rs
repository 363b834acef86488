//! What changed since yesterday, by who did it, and what that adds to the budgets that run or takes from them.

use crate::kit::addresses::{ACTIVITY, key_activity, one_key, person_activity};
use crate::kit::effects::Effects;
use crate::kit::people;
use crate::kit::text::readable;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use shared::domain::{ApiKeyInfo, Change, ChangeStatus, PersonId, Requester};
use std::cmp::Reverse;

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
        let mut all: Vec<Done<'_>> = Vec::new();
        for change in changes.iter().filter(|change| applied_at(change, reader.now).is_some_and(|at| at >= since)) {
            match all.iter_mut().find(|done| is_same(done.first, change)) {
                Some(done) => done.effects.add(change),
                None => all.push(Done::of(change)),
            }
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

/// Whether two changes are of the same group.
fn is_same(one: &Change, other: &Change) -> bool {
    match (one.is_step, other.is_step) {
        (false, false) => one.requested_by.is_same(&other.requested_by),
        (one, other) => one && other,
    }
}

/// What a group has done.
struct Done<'a> {
    /// The newest change.
    first: &'a Change,
    effects: Effects,
}

impl<'a> Done<'a> {
    fn of(first: &'a Change) -> Done<'a> {
        let mut effects = Effects::default();
        effects.add(first);
        Done { first, effects }
    }

    fn group(self, reader: Reader<'_>) -> Group {
        let (name, kind, activity, stop) = who(self.first, reader);
        let (sums, counts, asides) = (self.effects.sums(), self.effects.counts(), self.effects.asides());
        Group { name, kind, sums, counts, asides, activity, stop }
    }
}

/// The words and the page of a link.
type Link = (&'static str, String);

/// Name and kind of who made a change, the activity of it, and where it is stopped.
fn who(change: &Change, Reader { me, keys, .. }: Reader<'_>) -> (String, &'static str, String, Option<Link>) {
    if change.is_step {
        return ("Monthly budgets".to_owned(), "", ACTIVITY.to_owned(), None);
    }
    match &change.requested_by {
        Requester::ApiKey { id, name } => {
            let stop = keys.iter().find(|key| key.id == *id).map(|key| {
                let words = if key.stopped_at.is_some() { "Revert what it did" } else { "Stop or revert" };
                (words, one_key(&id.0))
            });
            (name.clone(), " (API key)", key_activity(&id.0), stop)
        }
        Requester::Person { id, .. } if id == me => ("You".to_owned(), "", person_activity(&id.0), None),
        Requester::Person { id, email } => (people::name(email.as_deref(), id), "", person_activity(&id.0), None),
    }
}

#[cfg(test)]
mod tests;
