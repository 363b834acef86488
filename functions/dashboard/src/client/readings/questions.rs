//! What is asked of each platform. The days of an ad account are its own, so accounts with other days are asked for apart.

use super::memory::{CachedAnswer, Question, Subject, ask};
use super::refresh::listed;
use crate::client::accounts::Connection;
use crate::client::session::SignedIn;
use crate::kit::range::Range;
use jiff::Timestamp;
use shared::domain::{ExternalRef, Platform};
use shared::serve::WebRequest;

/// What a page wants to know of the ad accounts.
pub(crate) struct Wanted {
    pub(crate) range: Range,
    /// The only user; `None` for all.
    pub(crate) user: Option<ExternalRef>,
    /// Also the names of the campaigns.
    pub(crate) with_names: bool,
    /// Also the numbers of the period before.
    pub(crate) with_before: bool,
    /// The person asks for newer numbers.
    pub(crate) is_again: bool,
}

/// What is asked of a platform.
pub(super) struct PlatformQuestions<'a> {
    pub(crate) groups: Vec<GroupQuestions<'a>>,
    pub(crate) names: Option<CachedAnswer>,
}

/// What is asked of the ad accounts of a platform whose days are the same.
pub(super) struct GroupQuestions<'a> {
    pub(crate) connections: Vec<&'a Connection>,
    pub(crate) range: Range,
    pub(crate) days: CachedAnswer,
    /// `None` if nobody wants it.
    pub(crate) before: Option<CachedAnswer>,
}

/// The platforms that have ad accounts, and what is asked of each: one question after the other.
pub(super) fn ask_platforms<'a>(
    request: &WebRequest,
    person: &SignedIn,
    wanted: &Wanted,
    connections: &'a [Connection],
) -> Vec<PlatformQuestions<'a>> {
    let own = |platform| (platform, listed(connections, platform).collect::<Vec<_>>());
    let platforms = Platform::ALL.into_iter().map(own).filter(|(_, own)| !own.is_empty());
    platforms.map(|(platform, own)| ask_platform(request, person, wanted, platform, &own)).collect()
}

/// The connections by their days: where it is another day already, "the last 7 days" are others.
pub(crate) fn by_range<'a>(
    connections: &[&'a Connection],
    range: Range,
    now: Timestamp,
) -> Vec<(Range, Vec<&'a Connection>)> {
    let mut groups: Vec<(Range, Vec<&Connection>)> = Vec::new();
    for &connection in connections {
        let own = range.for_today(connection.today(now));
        match groups.iter_mut().find(|(known, _)| known.period() == own.period()) {
            Some((known, group)) => {
                *known = known.union(own);
                group.push(connection);
            }
            None => groups.push((own, vec![connection])),
        }
    }
    groups
}

fn ask_platform<'a>(
    request: &WebRequest,
    person: &SignedIn,
    wanted: &Wanted,
    platform: Platform,
    connections: &[&'a Connection],
) -> PlatformQuestions<'a> {
    let mut last: Option<CachedAnswer> = None;
    let mut next = |connections: &[&Connection], subject| {
        let question = Question {
            customer: person.customer(),
            user: wanted.user.clone(),
            platform,
            connections: connections.iter().map(|one| (one.id.clone(), one.status)).collect(),
            subject,
        };
        let kept = ask(request, person, &question, last.as_ref(), wanted.is_again);
        last = Some(kept.clone());
        kept
    };
    let groups = by_range(connections, wanted.range, request.now);
    let days: Vec<CachedAnswer> = groups.iter().map(|(range, own)| next(own, Subject::Days(range.period()))).collect();
    let names = wanted.with_names.then(|| next(connections, Subject::Names));
    let mut before = Vec::new();
    for (range, own) in &groups {
        before.push(wanted.with_before.then(|| next(own, Subject::Total(range.period_before()))));
    }
    let groups = groups.into_iter().zip(days).zip(before);
    let group = |(((range, connections), days), before)| GroupQuestions { connections, range, days, before };
    PlatformQuestions { groups: groups.map(group).collect(), names }
}
