//! What one person, one key or the monthly budgets did, and how the page words it.

use super::effect::Effect;
use super::{Group, Link, Reader, Span, YOU, applied_at};
use crate::kit::addresses::{ACTIVITY, AGENTS, KEYS, key_activity, key_revert, person_activity};
use crate::kit::campaign::campaign_count;
use crate::kit::money;
use crate::kit::people;
use crate::kit::text::{isolated, listed, when};
use crate::kit::total::Total;
use rust_decimal::Decimal;
use shared::domain::{Change, Currency, Requester};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// What a group has done.
pub(super) struct Done<'a> {
    /// The newest change.
    pub(super) first: &'a Change,
    pub(super) changes: usize,
    campaigns: BTreeSet<String>,
    sums: Vec<(Span, Currency, Total)>,
    /// Changed budgets of campaigns that do not run.
    resting: usize,
    /// Changes whose effect is not known.
    unknown: usize,
    /// The campaigns that have again what they had before, each with the change that gave it back.
    pub(super) reverted: BTreeMap<String, &'a Change>,
    /// For each campaign in which it has taken back what others did, one of their changes.
    pub(super) has_reverted: Vec<&'a Change>,
}

impl<'a> Done<'a> {
    pub(super) fn of(first: &'a Change) -> Done<'a> {
        let mut done = Done {
            first,
            changes: 0,
            campaigns: BTreeSet::new(),
            sums: Vec::new(),
            resting: 0,
            unknown: 0,
            reverted: BTreeMap::new(),
            has_reverted: Vec::new(),
        };
        done.count(first);
        done
    }

    pub(super) fn count(&mut self, change: &Change) {
        self.changes += 1;
        self.campaigns.extend(change.campaign.as_ref().map(ToString::to_string));
    }

    pub(super) fn add(&mut self, effect: Effect) {
        match effect {
            Effect::None => {}
            Effect::Resting => self.resting += 1,
            Effect::Unknown => self.unknown += 1,
            Effect::Sums(sums) => sums.into_iter().for_each(|(span, currency, amount)| {
                let amount = Total::of(Some(amount));
                match self.sums.iter_mut().find(|known| known.0 == span && known.1 == currency) {
                    Some((_, _, sum)) => sum.add(amount),
                    None => self.sums.push((span, currency, amount)),
                }
            }),
        }
    }

    /// Whether it has added to some budget.
    pub(super) fn adds(&self) -> bool {
        self.sums.iter().any(|(_, _, sum)| sum.known() > Some(Decimal::ZERO))
    }

    /// Whether nothing is left of what it did.
    fn is_all_reverted(&self) -> bool {
        !self.campaigns.is_empty() && self.campaigns.iter().all(|campaign| self.reverted.contains_key(campaign))
    }

    pub(super) fn group(mut self, reader: Reader<'_>) -> Group {
        self.sums.sort_by_key(|(span, currency, _)| (*span, currency.code()));
        let (name, kind, activity) = who(self.first, reader);
        let changes = count(self.changes, "change", "changes");
        let asides = self.reverted_words(reader).into_iter().chain(self.has_reverted_words(reader));
        Group {
            name,
            kind,
            asides: asides.chain(asides_of(self.resting, self.unknown)).collect(),
            counts: format!("{changes} of {}", campaign_count(self.campaigns.len())),
            activity,
            stop: stop(self.first, self.is_all_reverted(), reader),
            sums: self.sums.into_iter().map(|(span, currency, sum)| sum_text(span, currency, sum)).collect(),
        }
    }

    /// `All reverted by you at 10:40 UTC.`
    fn reverted_words(&self, reader: Reader<'_>) -> Option<String> {
        let at = self.reverted.values().filter_map(|change| applied_at(change, reader.now)).max()?;
        let by = names(self.reverted.values().copied(), reader);
        let when = when(at, reader.now);
        Some(match self.is_all_reverted() {
            true => format!("All reverted by {by} {when}."),
            false => format!("{} reverted by {by}, last {when}.", campaign_count(self.reverted.len())),
        })
    }

    /// `Reverted what Bid optimiser did to 19 campaigns.`
    fn has_reverted_words(&self, reader: Reader<'_>) -> Option<String> {
        let of = names(self.has_reverted.iter().copied(), reader);
        let campaigns = campaign_count(self.has_reverted.len());
        (!self.has_reverted.is_empty()).then(|| format!("Reverted what {of} did to {campaigns}."))
    }
}

/// Who made some changes, in a sentence: `you and Ada`.
fn names<'a>(changes: impl Iterator<Item = &'a Change>, reader: Reader<'_>) -> String {
    let mut names: Vec<String> = Vec::new();
    for change in changes {
        let name = match who(change, reader) {
            (you, ..) if you == YOU => "you".to_owned(),
            (name, ..) if change.is_step => name.to_lowercase(),
            (name, kind, _) if !kind.is_empty() => isolated(&name),
            (name, ..) => name,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    listed(&names)
}

/// Name and kind of who made a change, and the activity of it.
fn who(change: &Change, Reader { me, .. }: Reader<'_>) -> (String, &'static str, String) {
    if change.is_step {
        return ("Monthly budgets".to_owned(), "", ACTIVITY.to_owned());
    }
    match &change.requested_by {
        Requester::ApiKey { id, name } => (name.clone(), " (API key)", key_activity(&id.0)),
        Requester::Person { id, .. } if id == me => (YOU.to_owned(), "", person_activity(&id.0)),
        Requester::Person { id, email } => (people::name(email.as_deref(), id), "", person_activity(&id.0)),
    }
}

/// Where the key that made a change is stopped, and what it did is reverted. There is nothing to revert a second time.
fn stop(change: &Change, is_reverted: bool, Reader { keys, .. }: Reader<'_>) -> Option<Link> {
    let (Requester::ApiKey { id, .. }, false) = (&change.requested_by, change.is_step) else { return None };
    let key = keys.iter().find(|key| key.id == *id)?;
    let page = if key.is_limited { AGENTS } else { KEYS }.to_owned();
    match (key.stopped_at, is_reverted) {
        (None, true) => Some(("Stop", page)),
        (None, false) => Some(("Stop or revert", page)),
        (Some(_), true) => None,
        (Some(_), false) => Some(("Revert what it did", key_revert(&id.0))),
    }
}

fn asides_of(resting: usize, unknown: usize) -> Vec<String> {
    let resting = (resting > 0).then(|| {
        let budgets = count(resting, "budget", "budgets");
        format!("Not in the sum: {budgets} of campaigns that do not run.")
    });
    let unknown = (unknown > 0).then(|| {
        let changes = count(unknown, "change", "changes");
        format!("Not in the sum: {changes} whose budget is not known here.")
    });
    resting.into_iter().chain(unknown).collect()
}

/// `1 change`, `12 changes`
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// `+4,275.00 USD a day`
fn sum_text(span: Span, currency: Currency, sum: Total) -> String {
    let shown = sum.text(|amount| {
        let sign = match amount.cmp(&Decimal::ZERO) {
            Ordering::Less => "−",
            Ordering::Equal => "",
            Ordering::Greater => "+",
        };
        format!("{sign}{}", money::in_currency(amount.abs(), currency))
    });
    format!("{shown}{}", money::span_of(Some(span.period())))
}
