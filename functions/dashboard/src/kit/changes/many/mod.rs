//! Lists of changes in which a bulk change, or the stop of a key, is one entry: what it did to how many campaigns, and its
//! rows.

mod words;

use super::row::ChangeRow;
use super::undone::Undone;
use crate::kit::addresses::{bulk_status, one_key};
use crate::kit::campaign::campaign_count;
use crate::kit::effects::Effects;
use crate::kit::text::{isolated, listed};
use shared::domain::{ApiKeyInfo, BulkId, Change, ChangeState, KeyId};
use uuid::Uuid;

/// An entry of the list.
#[derive(Debug)]
pub(crate) enum Entry {
    One(Box<ChangeRow>),
    Many(Box<Many>),
}

/// A bulk change or a stop, as far as the page has it.
#[derive(Debug)]
pub(crate) struct Many {
    pub(crate) time: String,
    /// The key that was stopped, and `Stop of “Agent”`.
    pub(crate) stop: Option<(KeyId, String)>,
    /// `Lowered 19 budgets`
    pub(crate) what: String,
    /// `+4,275.00 USD a day together`: what it has added to the budgets that run.
    pub(crate) sum: Option<String>,
    /// Sentences about budgets that the sum leaves out, and about a part of the change on another page.
    pub(crate) asides: Vec<String>,
    /// `19 campaigns`
    pub(crate) campaigns: String,
    /// `Google Ads and Meta`
    pub(crate) platforms: String,
    pub(crate) who: String,
    pub(crate) key: Option<String>,
    pub(crate) is_former: bool,
    /// The classes and the texts of the badges, one for each outcome.
    pub(crate) outcomes: Vec<(&'static str, String)>,
    /// That all of it was undone at once.
    pub(crate) undone: Option<Undone>,
    /// The page of the bulk change, or that of the stopped key.
    pub(crate) path: String,
    /// Whether something of it can be undone there.
    pub(crate) has_undo: bool,
    pub(crate) rows: Vec<ChangeRow>,
}

/// What a page of a list leaves out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Part {
    /// A page before it has newer changes.
    pub(crate) has_newer: bool,
    pub(crate) has_older: bool,
    /// Changes of a bulk change may not match the filter.
    pub(crate) is_filtered: bool,
}

/// What several changes belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Group {
    Bulk(BulkId),
    /// The pauses of a stop, which is one request.
    Stop(KeyId, Uuid),
}

impl Group {
    fn of(change: &Change) -> Option<Group> {
        let stop = change.stops.as_ref().map(|key| Group::Stop(key.clone(), change.request));
        stop.or_else(|| change.bulk().map(Group::Bulk))
    }
}

/// How many of the first of these changes go on with the entry of a change.
pub(crate) fn going_on_with(last: &Change, next: &[Change]) -> usize {
    let own = Group::of(last);
    next.iter().take_while(|change| own.is_some() && Group::of(change) == own).count()
}

/// The entries of changes and their rows. A bulk change is one entry, at the place of its first change. A change that is alone on
/// the page stays a row.
pub(crate) fn entries(changes: &[Change], rows: Vec<ChangeRow>, part: Part) -> Vec<Entry> {
    let mut groups: Vec<Vec<(&Change, ChangeRow)>> = Vec::new();
    for (change, row) in changes.iter().zip(rows) {
        let own = Group::of(change);
        let is_of = |group: &&mut Vec<(&Change, ChangeRow)>| {
            own.is_some() && group.first().is_some_and(|(first, _)| Group::of(first) == own)
        };
        match groups.iter_mut().find(is_of) {
            Some(group) => group.push((change, row)),
            None => groups.push(vec![(change, row)]),
        }
    }
    let is_at = |group: &[(&Change, ChangeRow)], edge: Option<&Change>| {
        edge.is_some_and(|edge| group.iter().any(|(change, _)| change.id == edge.id))
    };
    let entry = |group: Vec<(&Change, ChangeRow)>| {
        let part = Part {
            has_newer: part.has_newer && is_at(&group, changes.first()),
            has_older: part.has_older && is_at(&group, changes.last()),
            ..part
        };
        Entry::of(group, part)
    };
    groups.into_iter().map(entry).collect()
}

impl Entry {
    fn of(mut group: Vec<(&Change, ChangeRow)>, part: Part) -> Entry {
        match (group.first().and_then(|(change, _)| Group::of(change)), group.len()) {
            (Some(whole), 2..) => {
                let (changes, rows) = group.into_iter().unzip();
                Entry::Many(Box::new(Many::of(whole, changes, rows, part)))
            }
            (whole, _) => {
                let mut row = group.remove(0).1;
                row.bulk = match whole {
                    Some(Group::Bulk(bulk)) => Some(page(bulk)),
                    Some(Group::Stop(..)) | None => None,
                };
                Entry::One(Box::new(row))
            }
        }
    }

    /// Names the key of a stop.
    pub(crate) fn name_stop(&mut self, keys: &[ApiKeyInfo]) {
        let Entry::Many(many) = self else { return };
        let Some((key, words)) = &mut many.stop else { return };
        if let Some(known) = keys.iter().find(|known| known.id == *key) {
            *words = format!("Stop of {}", isolated(&known.name));
        }
    }
}

impl Many {
    fn of(whole: Group, changes: Vec<&Change>, rows: Vec<ChangeRow>, part: Part) -> Many {
        let mut effects = Effects::default();
        let is_applied =
            |change: &&&Change| matches!(change.state, ChangeState::Applied | ChangeState::PartlyApplied(_));
        changes.iter().filter(is_applied).for_each(|change| effects.add(change));
        let sum = Some(effects.sums()).filter(|sums| !sums.is_empty());
        let asides = if sum.is_some() { effects.asides() } else { Vec::new() };
        let mut platforms: Vec<&str> = Vec::new();
        for row in &rows {
            if !platforms.contains(&row.platform) {
                platforms.push(row.platform);
            }
        }
        let text = |of: fn(&ChangeRow) -> &String| rows.first().map(of).cloned().unwrap_or_default();
        let is_cut = part.has_newer || part.has_older;
        let (what, path, stop) = match whole {
            Group::Bulk(bulk) => (words::what(&changes, is_cut), page(bulk), None),
            Group::Stop(key, _) => {
                (words::stop(&changes, is_cut), one_key(&key.0), Some((key, "Stop of an API key".to_owned())))
            }
        };
        Many {
            time: text(|row| &row.time),
            stop,
            what,
            sum: sum.map(|sums| format!("{} together", sums.join(", "))),
            asides: asides.into_iter().chain(undone_count(&rows)).chain(part.words()).collect(),
            campaigns: campaign_count(rows.len()),
            platforms: listed(&platforms),
            who: text(|row| &row.who),
            key: rows.first().and_then(|row| row.key.clone()),
            is_former: rows.first().is_some_and(|row| row.is_former),
            outcomes: outcomes(&rows),
            undone: undone(&rows).cloned(),
            path,
            has_undo: rows.iter().any(|row| row.undo.is_some()),
            rows,
        }
    }
}

impl Part {
    /// What the page may lack.
    fn words(self) -> Option<String> {
        let words = match self {
            Part { has_newer: true, has_older: true, .. } => "More of it may be on the pages before and after this.",
            Part { has_older: true, .. } => "More of it may be on the next page.",
            Part { has_newer: true, .. } => "More of it may be on the page before.",
            Part { is_filtered: true, .. } => "Only what matches the filter.",
            Part { .. } => return None,
        };
        Some(words.to_owned())
    }
}

fn page(bulk: BulkId) -> String {
    bulk_status(&bulk.to_string())
}

/// `17 Applied`, `2 Not applied`; without a number if all have the same outcome.
fn outcomes(rows: &[ChangeRow]) -> Vec<(&'static str, String)> {
    let mut counts: Vec<(&'static str, &'static str, usize)> = Vec::new();
    for row in rows {
        match counts.iter_mut().find(|(_, outcome, _)| *outcome == row.outcome) {
            Some((.., count)) => *count += 1,
            None => counts.push((row.tone, row.outcome, 1)),
        }
    }
    let is_one = counts.len() == 1;
    let text =
        |(tone, outcome, count)| (tone, if is_one { String::from(outcome) } else { format!("{count} {outcome}") });
    counts.into_iter().map(text).collect()
}

/// The change that has undone all of them.
fn undone(rows: &[ChangeRow]) -> Option<&Undone> {
    let first = rows.first()?.undone.as_ref()?;
    let is_same = |row: &ChangeRow| row.undone.as_ref().is_some_and(|undone| undone.path == first.path);
    rows.iter().all(is_same).then_some(first)
}

/// `3 of 19 are undone.`
fn undone_count(rows: &[ChangeRow]) -> Option<String> {
    let count = rows.iter().filter(|row| row.undone.is_some()).count();
    let are = if count == 1 { "is" } else { "are" };
    (count > 0 && undone(rows).is_none()).then(|| format!("{count} of {} {are} undone.", rows.len()))
}

#[cfg(test)]
mod tests;
