//! What one person, one key or the monthly budgets did, and how the page words it.

use super::large::{self, Added, Large};
use super::{Group, Link, Reader, YOU};
use crate::kit::addresses::{MONTHS, key_activity, one_key, person_activity};
use crate::kit::campaign::campaign_count;
use crate::kit::effects::{Effects, effect};
use crate::kit::left::applied_at;
use crate::kit::people;
use crate::kit::text::{isolated, listed, when};
use jiff::Timestamp;
use shared::domain::{ApiKeyInfo, Change, Requester};
use std::collections::{BTreeMap, BTreeSet};

/// What a group has done.
pub(super) struct Done<'a> {
    /// The newest change.
    pub(super) first: &'a Change,
    /// When the first of them was asked for, which may be days before it was applied.
    begun: Timestamp,
    pub(super) effects: Effects,
    /// What a key has added to daily budgets that run.
    pub(super) added: Vec<Added<'a>>,
    /// The campaigns in which nothing is left of what it did.
    pub(super) ended: BTreeSet<String>,
    /// Those to which somebody else has given back what they had before, each with the change that did.
    pub(super) reverted: BTreeMap<String, &'a Change>,
    /// The pauses with which the key was stopped.
    pub(super) pauses: Vec<&'a Change>,
    /// For each campaign in which it has taken back what others did, one of their changes.
    pub(super) has_reverted: Vec<&'a Change>,
}

impl<'a> Done<'a> {
    pub(super) fn of(first: &'a Change) -> Done<'a> {
        let mut effects = Effects::default();
        effects.count(first);
        Done {
            first,
            begun: first.created_at(),
            effects,
            added: Vec::new(),
            ended: BTreeSet::new(),
            reverted: BTreeMap::new(),
            pauses: Vec::new(),
            has_reverted: Vec::new(),
        }
    }

    /// Counts another change.
    pub(super) fn count(&mut self, change: &Change) {
        self.begun = self.begun.min(change.created_at());
        self.effects.count(change);
    }

    /// What a key has added, if that is much.
    pub(super) fn large(&self, reader: Reader<'_>) -> Option<Large> {
        large::large(&self.added, reader)
    }

    /// Whether nothing is left of what it did.
    fn is_all_ended(&self) -> bool {
        let campaigns = self.effects.campaigns();
        !campaigns.is_empty() && campaigns.is_subset(&self.ended)
    }

    /// Whether somebody else has taken back all that it did.
    fn is_all_reverted(&self) -> bool {
        self.is_all_ended() && self.reverted.len() == self.effects.campaigns().len()
    }

    pub(super) fn group(self, reader: Reader<'_>) -> Group {
        let (name, kind) = who(self.first, reader);
        let asides = self.reverted_words(reader).into_iter().chain(self.has_reverted_words(reader));
        Group {
            name,
            kind,
            asides: asides.chain(self.effects.asides()).collect(),
            counts: self.effects.counts(),
            detail: self.detail(),
            large: self.large(reader),
            leap: None,
            stopped: stopped(self.first, reader),
            stop: stop(self.first, self.is_all_ended(), reader),
            sums: self.effects.sums(),
        }
    }

    /// The activity of who did it, from the day of the first change on. What monthly budgets do is on the page of months.
    fn detail(&self) -> Link {
        let activity = match &self.first.requested_by {
            _ if self.first.is_step => return ("Months", MONTHS.to_owned()),
            Requester::ApiKey { id, .. } => key_activity(&id.0),
            Requester::Person { id, .. } => person_activity(&id.0),
        };
        ("Activity", format!("{activity}&from={}", self.begun.strftime("%F")))
    }

    /// `: 3,600.00 USD a day less`: what the campaigns may spend less by the reverts, and by the pauses of a stop before them.
    fn taken_back(&self) -> String {
        let is_reverted = |change: &&&Change| {
            change.campaign.as_ref().is_some_and(|campaign| self.reverted.contains_key(&campaign.to_string()))
        };
        let mut effects = Effects::default();
        let all = self.reverted.values().chain(self.pauses.iter().filter(is_reverted));
        all.for_each(|change| effects.add_effect(effect(change)));
        let differences = effects.differences();
        if differences.is_empty() { String::new() } else { format!(": {}", differences.join(", ")) }
    }

    /// `All reverted by you at 10:40 UTC: 3,600.00 USD a day less.`
    fn reverted_words(&self, reader: Reader<'_>) -> Option<String> {
        let at = self.reverted.values().filter_map(|change| applied_at(change, reader.now)).max()?;
        let by = names(self.reverted.values().copied(), reader);
        let (when, taken_back) = (when(at, reader.now), self.taken_back());
        Some(match self.is_all_reverted() {
            true => format!("All reverted by {by} {when}{taken_back}."),
            false => format!("{} reverted by {by}, last {when}{taken_back}.", campaign_count(self.reverted.len())),
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
            (you, _) if you == YOU => "you".to_owned(),
            (name, _) if change.is_step => name.to_lowercase(),
            (name, kind) if !kind.is_empty() => isolated(&name),
            (name, _) => name,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    listed(&names)
}

/// Name and kind of who made a change.
fn who(change: &Change, Reader { me, .. }: Reader<'_>) -> (String, &'static str) {
    if change.is_step {
        return ("Monthly budgets".to_owned(), "");
    }
    match &change.requested_by {
        Requester::ApiKey { name, .. } => (name.clone(), " (API key)"),
        Requester::Person { id, .. } if id == me => (YOU.to_owned(), ""),
        Requester::Person { id, email } => (people::name(email.as_deref(), id), ""),
    }
}

/// The key that made a change.
fn key_of<'a>(change: &Change, keys: &'a [ApiKeyInfo]) -> Option<&'a ApiKeyInfo> {
    let (Requester::ApiKey { id, .. }, false) = (&change.requested_by, change.is_step) else { return None };
    keys.iter().find(|key| key.id == *id)
}

/// Since when the key that made a change is stopped.
fn stopped(change: &Change, Reader { keys, now, .. }: Reader<'_>) -> Option<String> {
    key_of(change, keys)?.stopped_at.map(|at| format!("Stopped {}.", when(at, now)))
}

/// The page where the key that made a change is stopped, and what it did is reverted. There is nothing to revert a second
/// time.
fn stop(change: &Change, is_ended: bool, Reader { keys, .. }: Reader<'_>) -> Option<Link> {
    let key = key_of(change, keys)?;
    let words = match (key.stopped_at, is_ended) {
        (None, true) => "Stop",
        (None, false) => "Stop or revert",
        (Some(_), true) => return None,
        (Some(_), false) => "Revert what it did",
    };
    Some((words, one_key(&key.id.0)))
}
