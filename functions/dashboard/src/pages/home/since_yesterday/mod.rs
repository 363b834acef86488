//! What changed since yesterday, by who did it, and what that adds to the budgets that run or takes from them.

mod done;
mod large;
mod leaps;

pub(super) use large::{Large, runs_a_day};
pub(super) use leaps::Leap;

use crate::kit::left::{Doer, Ended, Left, applied, applied_at, left};
use crate::kit::text::readable;
use done::Done;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use rust_decimal::Decimal;
use shared::domain::{ApiKeyInfo, Change, Currency, PersonId};
use std::cmp::Reverse;

/// The name of the person who looks.
const YOU: &str = "You";
/// Groups that the page shows; the activity has every change.
const MAX_GROUPS: usize = 5;
/// How long before yesterday a change may have been asked for that was applied since: it had a time, or a person
/// approved it later.
const MAX_WAIT: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The part of the page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SinceYesterday {
    /// The time from which on changes count: `29 Nov 2026, 00:00 UTC`.
    pub(super) since: String,
    pub(super) groups: Vec<Group>,
    /// How many people and keys changed something, if that is more than the page shows.
    pub(super) all: Option<usize>,
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
    /// What still runs of what a key has added, if that is much.
    pub(super) large: Option<Large>,
    /// That a budget became many times what it was.
    pub(super) leap: Option<Leap>,
    /// `Stopped at 09:12 UTC.`, of a key that is stopped.
    pub(super) stopped: Option<String>,
    /// `57 changes of 19 campaigns`
    pub(super) counts: String,
    /// What is not in the sums.
    pub(super) asides: Vec<String>,
    /// The words and the page of what it did in full.
    pub(super) detail: Link,
    /// The words and the page with which a key is stopped, and its changes are reverted.
    pub(super) stop: Option<Link>,
}

/// Who looks, and what is known of the account.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) me: &'a PersonId,
    pub(super) keys: &'a [ApiKeyInfo],
    /// The daily budgets that run, in each currency.
    pub(super) runs_a_day: &'a [(Currency, Decimal)],
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
        let applied = applied(changes, reader.now);
        let mut all: Vec<Done<'_>> = Vec::new();
        let is_recent = |change: &Change| applied_at(change, reader.now).is_some_and(|at| at >= since);
        for change in changes.iter().filter(|change| is_recent(change)) {
            match all.iter_mut().find(|done| Doer::of(done.first) == Doer::of(change)) {
                Some(done) => done.count(change),
                None => all.push(Done::of(change)),
            }
        }
        for left in left(&applied, is_recent) {
            add(&mut all, left);
        }
        for pause in applied.iter().copied().filter(|change| change.stops.is_some() && is_recent(change)) {
            if let Some(group) = place_of(&all, pause).and_then(|place| all.get_mut(place)) {
                group.pauses.push(pause);
            }
        }
        all.sort_by_key(|done| Reverse((done.large(reader).is_some(), done.effects.adds(), done.effects.changes())));
        let count = Some(all.len()).filter(|count| *count > MAX_GROUPS);
        let group = |done: Done<'_>| {
            let is_own = |change: &&&Change| is_recent(change) && Doer::of(change) == Doer::of(done.first);
            let own: Vec<&Change> = applied.iter().filter(is_own).copied().collect();
            Group { leap: leaps::leap(&own, &applied), ..done.group(reader) }
        };
        let groups = all.into_iter().take(MAX_GROUPS).map(group).collect();
        SinceYesterday { since: readable(since), groups, all: count, is_cut: cut_at.is_some() }
    }
}

/// Adds what is left of the changes of a campaign to the groups that they belong to.
fn add<'a>(all: &mut [Done<'a>], left: Left<'a>) {
    for added in large::added(&left) {
        if let Some(group) = place_of(all, added.first).and_then(|place| all.get_mut(place)) {
            group.added.push(added);
        }
    }
    for (change, effect) in left.effects {
        if let Some(place) = place_of(all, change)
            && let Some(group) = all.get_mut(place)
        {
            group.effects.add_effect(effect);
        }
    }
    for Ended { of, by } in left.ended {
        let Some(group) = place_of(all, of).and_then(|place| all.get_mut(place)) else { continue };
        let campaign = of.campaign.as_ref().map(ToString::to_string).unwrap_or_default();
        group.ended.insert(campaign.clone());
        let Some(by) = by.filter(|by| Doer::answering_for(by) != Doer::answering_for(of)) else { continue };
        group.reverted.insert(campaign, by);
        let whose = group.first;
        if let Some(own) = all.iter_mut().find(|done| Doer::of(done.first) == Doer::of(by)) {
            own.has_reverted.push(whose);
        }
    }
}

/// The place of the group that a change belongs to.
fn place_of(all: &[Done<'_>], change: &Change) -> Option<usize> {
    let of = |doer: Doer<'_>| all.iter().position(|done| Doer::of(done.first) == doer);
    of(Doer::answering_for(change)).or_else(|| of(Doer::of(change)))
}

impl Group {
    /// `416.00 EUR a day`: what still runs of what a key has added, where the sums of all that it did say something else.
    pub(super) fn still_runs(&self) -> Option<&str> {
        let sum = self.large.as_ref().map(|large| large.sum.as_str())?;
        let is_told = self.sums.iter().any(|told| told.strip_prefix('+') == Some(sum));
        (!is_told).then_some(sum)
    }
}

/// The words and the page of a link.
type Link = (&'static str, String);

#[cfg(test)]
mod tests;
