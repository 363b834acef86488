//! What a page asks the platforms for, and how long it waits.

use super::changed::Changed;
use super::freshness;
use super::kept;
use super::recent::days_to_read;
use crate::client::accounts::Connection;
use crate::kit::text::path_segment;
use jiff::Timestamp;
use shared::domain::{CampaignId, Days, Platform};
use shared::envelope::query::value;
use shared::serve::WebRequest;
use shared::store::{KeptChange, KeptOverview, KeptPart, OverviewPart};
use std::time::Duration;
use tokio::time::Instant;

/// The parameter of a page's address that says how to read.
const PARAMETER: &str = "read";
/// The value that reads everything again.
pub(super) const NOW: &str = "now";
/// The value that waits until all accounts have answered.
pub(super) const ALL: &str = "all";
/// How long a page waits that has nothing to show for an account.
const WAIT_FOR_FIRST: Duration = Duration::from_millis(900);
/// How long a page waits that has older rows.
const WAIT_FOR_NEWER: Duration = Duration::from_millis(400);
/// How long a page waits that is not loaded again by itself, because it shows the outcome of a form.
const WAIT_WITH_NOTICE: Duration = Duration::from_millis(1_500);
/// How long the complete page waits: less than a page of the dashboard has.
const WAIT_FOR_ALL: Duration = Duration::from_secs(24);

/// How a page reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadMode {
    /// What is old is read again, and the page waits a moment for it.
    Usual,
    /// A person asks for newer rows.
    Newer,
    /// The page waits until all accounts have answered.
    Complete,
    /// The same after a person has asked for newer rows at this time: what was read before is no answer.
    CompleteSince(Timestamp),
}

/// A part of the accounts of a platform that is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) platform: Platform,
    pub(super) part: OverviewPart,
    pub(super) accounts: Vec<ListedAccount>,
}

/// An ad account of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListedAccount {
    pub(super) connection: String,
    /// The days that lists show of it.
    pub(super) days: Days,
}

impl ReadMode {
    /// The mode that the address of a page asks for.
    pub(super) fn of(request: &WebRequest) -> ReadMode {
        match value(&request.query, PARAMETER) {
            Some(NOW) => ReadMode::Newer,
            Some(ALL) => ReadMode::Complete,
            Some(how) => asked_at(how).map_or(ReadMode::Usual, |at| ReadMode::CompleteSince(at.min(request.now))),
            None => ReadMode::Usual,
        }
    }

    /// Whether the page waits until all accounts have answered.
    pub(super) fn is_complete(self) -> bool {
        matches!(self, ReadMode::Complete | ReadMode::CompleteSince(_))
    }

    /// The address of the page that is complete.
    pub(super) fn complete_address(self, request: &WebRequest) -> String {
        match self.newer_than(request.now) {
            Some(at) => address(request, &format!("{ALL}-{}", at.as_second())),
            None => address(request, ALL),
        }
    }

    /// When the person has asked for newer rows.
    fn newer_than(self, now: Timestamp) -> Option<Timestamp> {
        match self {
            ReadMode::Newer => Some(now),
            ReadMode::CompleteSince(at) => Some(at),
            ReadMode::Usual | ReadMode::Complete => None,
        }
    }

    /// When the page no longer waits.
    pub(super) fn until(self, kept: &KeptOverview, has_notice: bool) -> Instant {
        let has_rows = kept.parts.iter().any(|part| part.rows.is_some());
        let wait = match self {
            _ if self.is_complete() => WAIT_FOR_ALL,
            _ if has_notice => WAIT_WITH_NOTICE,
            _ if has_rows => WAIT_FOR_NEWER,
            _ => WAIT_FOR_FIRST,
        };
        Instant::now() + wait
    }
}

/// The time in `all-1764546000`.
fn asked_at(how: &str) -> Option<Timestamp> {
    let seconds = how.strip_prefix(ALL)?.strip_prefix('-')?.parse().ok()?;
    Timestamp::from_second(seconds).ok()
}

/// The address of a page that reads in another way.
pub(super) fn address(request: &WebRequest, how: &str) -> String {
    let others = request.query.iter().filter(|(name, _)| name != PARAMETER);
    let query = others.map(|(name, value)| format!("{}={}&", path_segment(name), path_segment(value)));
    format!("{}?{}{PARAMETER}={how}", request.path, query.collect::<String>())
}

/// The connections with an ad account on a platform.
pub(crate) fn listed(connections: &[Connection], platform: Platform) -> impl Iterator<Item = &Connection> {
    connections.iter().filter(move |connection| connection.platform == platform && connection.has_account())
}

/// What is to be read: of a platform all accounts as soon as one is old, because one request reads them all. Campaigns
/// come first, because a list without numbers is worth more than numbers without a list.
pub(super) fn tasks(
    connections: &[Connection],
    kept: &KeptOverview,
    changed: &[Changed],
    mode: ReadMode,
    now: Timestamp,
) -> Vec<Task> {
    let parts = [OverviewPart::Campaigns, OverviewPart::Days];
    let each = parts.into_iter().flat_map(|part| Platform::ALL.map(|platform| (part, platform)));
    let task = |(part, platform)| {
        let is_old = |connection: &Connection| {
            let is_changed = is_changed(kept, part, changed, connection);
            let newer_than = if is_changed { Some(now) } else { mode.newer_than(now) };
            !is_fresh(kept, part, connection, newer_than, now)
        };
        listed(connections, platform).any(is_old).then(|| Task {
            platform,
            part,
            accounts: listed(connections, platform).map(|connection| listed_account(connection, now)).collect(),
        })
    };
    each.filter_map(task).collect()
}

pub(super) fn listed_account(connection: &Connection, now: Timestamp) -> ListedAccount {
    ListedAccount { connection: connection.id.0.clone(), days: days_to_read(connection.today(now)) }
}

/// The kept part of a connection.
pub(super) fn part_of<'a>(kept: &'a KeptOverview, part: OverviewPart, connection: &str) -> Option<&'a KeptPart> {
    kept.parts.iter().find(|known| known.part == part && known.connection == connection)
}

/// Whether somebody has changed a campaign since its ad account was read. Then it is read as soon as for a person who asks.
fn is_changed(kept: &KeptOverview, part: OverviewPart, changed: &[Changed], connection: &Connection) -> bool {
    let is_after = |known: &KeptPart| changed.iter().any(|change| change.is_after(known.tried_at, connection));
    part == OverviewPart::Campaigns && part_of(kept, part, &connection.id.0).is_some_and(is_after)
}

/// Whether what is kept of a connection serves: also for who wants rows that are newer than a time.
fn is_fresh(
    kept: &KeptOverview,
    part: OverviewPart,
    connection: &Connection,
    newer_than: Option<Timestamp>,
    now: Timestamp,
) -> bool {
    let Some(known) = part_of(kept, part, &connection.id.0) else { return false };
    // A change concerns the campaigns, not what they did until now.
    let is_changed = part == OverviewPart::Campaigns
        && kept.changes.iter().any(|change| change.is_after(known.tried_at, now) && concerns(change, connection));
    let age = now.duration_since(known.tried_at);
    let has_failed = known.problem.is_some();
    let is_too_old = |wanted: Timestamp| !freshness::is_fresh(wanted.duration_since(known.tried_at), has_failed, true);
    if is_changed || !freshness::is_fresh(age, has_failed, false) || newer_than.is_some_and(is_too_old) {
        return false;
    }
    // Only rows that would be fresh are parsed.
    match known.rows.as_ref().map(|(_, json)| kept::is_empty(part, json, &connection.id)) {
        None | Some(Some(false)) => true,
        // What an account of some time ago did not do is known.
        Some(Some(true)) if part == OverviewPart::Days && !connection.is_new(now) => true,
        // A program may have created the first campaigns of an ad account, and it tells no page.
        Some(Some(true)) => freshness::is_fresh(age, has_failed, true),
        // Rows of another release are read anew. If that fails, it is tried again as after any failure.
        Some(None) => has_failed,
    }
}

fn concerns(change: &KeptChange, connection: &Connection) -> bool {
    let Some(id) = &change.campaign else { return true };
    CampaignId::parse(id).is_none_or(|id| connection.contains(&id))
}
