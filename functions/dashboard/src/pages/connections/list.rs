//! The list of connections: by platform, folded if they are many, with a search and pages.

use super::removal;
use super::settings;
use super::trouble::{LastReads, failure};
use crate::kit::addresses::{CONNECTIONS, USER, of_user};
use crate::kit::connections::ConnectionSummary;
use crate::kit::text::{path_segment, readable_text};
use jiff::Timestamp;
use shared::domain::{Connection, ConnectionStatus, Platform};
use shared::envelope::query::value;

/// Connections on one page, so that it stays small for a customer with many.
const PAGE_SIZE: usize = 25;
/// Up to so many all platforms are unfolded, and there is no search.
const FEW: usize = 8;

/// A page of the list.
pub(super) struct ConnectionList {
    pub(super) search: String,
    pub(super) has_search: bool,
    /// The number of all connections, and of those that the search finds.
    pub(super) total: usize,
    pub(super) found: usize,
    /// `18 working, 7 not responding.`
    pub(super) states: String,
    pub(super) groups: Vec<PlatformGroup>,
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
}

/// The connections of a platform.
pub(super) struct PlatformGroup {
    pub(super) platform: Platform,
    /// `5 ad accounts, 2 need you`
    pub(super) words: String,
    pub(super) is_open: bool,
    pub(super) rows: Vec<ConnectionRow>,
}

/// A connection.
pub(super) struct ConnectionRow {
    pub(super) summary: ConnectionSummary,
    /// Whether its last reading has failed although its consent works.
    is_silent: bool,
    /// The pages that change and remove it.
    pub(super) settings: String,
    pub(super) removal: String,
    /// Name and page of the user to whom it belongs.
    pub(super) user: Option<(String, String)>,
    pub(super) last_answer: String,
}

impl ConnectionRow {
    fn of(connection: &Connection, reads: &LastReads) -> ConnectionRow {
        let summary = ConnectionSummary::of(connection);
        let user = connection.external_ref.as_ref();
        let row = ConnectionRow {
            removal: removal::path(&summary),
            settings: settings::path(&summary.id),
            summary,
            is_silent: failure(connection, reads).is_some(),
            user: user.map(|user| (user.to_string(), of_user(USER, user))),
            last_answer: readable_text(last_answer(connection, reads), "Not yet"),
        };
        if !row.is_silent {
            return row;
        }
        // The time stands beside it.
        let summary = ConnectionSummary { tone: "warn", state: "Not responding", reason: String::new(), ..row.summary };
        ConnectionRow { summary, ..row }
    }

    fn needs_a_look(&self) -> bool {
        self.summary.needs_consent || self.is_silent
    }

    /// Whether a part of its name, its number or its user is this text.
    fn has(&self, words: &str) -> bool {
        let user = self.user.as_ref().map(|(user, _)| user.as_str()).unwrap_or_default();
        [&self.summary.name, &self.summary.account, user, self.summary.platform.display_name()]
            .iter()
            .any(|text| text.to_lowercase().contains(words))
    }
}

/// When a platform answered last for a connection: a reading, a check, or the consent, which has read the ad account. Of a silence
/// it is the time that all pages say.
fn last_answer(connection: &Connection, reads: &LastReads) -> Option<Timestamp> {
    if let Some(silent) = failure(connection, reads) {
        return silent.since;
    }
    let read = reads.get(&connection.id.0).and_then(|last| last.answered_at);
    let consent = connection.account.as_ref().map(|_| connection.created_at);
    [read, connection.last_synced_at, consent].into_iter().flatten().max()
}

/// How many connections are in which state: `25 connected.`, or `18 working, 7 not responding.`
fn states(all: &[Connection], reads: &LastReads) -> String {
    let count = |is_it: &dyn Fn(&Connection) -> bool| all.iter().filter(|one| is_it(one)).count();
    let silent = count(&|one| failure(one, reads).is_some());
    let broken = count(&|one| one.status.is_broken());
    let unfinished = count(&|one| one.status == ConnectionStatus::Pending);
    if silent + broken + unfinished == 0 {
        return format!("{} connected.", all.len());
    }
    let parts = [
        (all.len().saturating_sub(silent + broken + unfinished), "working"),
        (silent, "not responding"),
        (broken, if broken == 1 { "needs attention" } else { "need attention" }),
        (unfinished, "not finished"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}"));
    format!("{}.", parts.collect::<Vec<_>>().join(", "))
}

impl ConnectionList {
    /// The page of a query.
    pub(super) fn of(all: &[Connection], reads: &LastReads, query: &[(String, String)]) -> ConnectionList {
        let search = value(query, "q").unwrap_or_default().trim().to_owned();
        let page = value(query, "page").and_then(|page| page.parse::<usize>().ok()).unwrap_or(1).max(1);
        let words = search.to_lowercase();
        let mut rows: Vec<ConnectionRow> = all.iter().map(|one| ConnectionRow::of(one, reads)).collect();
        rows.retain(|row| row.has(&words));
        rows.sort_by_key(|row| (row.summary.platform, !row.needs_a_look(), row.summary.rank()));
        let (total, found, first) = (all.len(), rows.len(), (page - 1).saturating_mul(PAGE_SIZE));
        let is_open = found <= FEW || !search.is_empty();
        let path = |page: usize| match search.as_str() {
            "" => format!("{CONNECTIONS}?page={page}"),
            search => format!("{CONNECTIONS}?q={}&page={page}", path_segment(search)),
        };
        let counts: Vec<(Platform, String)> = Platform::ALL.map(|platform| (platform, counted(platform, &rows))).into();
        let shown: Vec<ConnectionRow> = rows.into_iter().skip(first).take(PAGE_SIZE).collect();
        ConnectionList {
            has_search: total > FEW,
            states: states(all, reads),
            total,
            found,
            first: first + 1,
            last: first + shown.len(),
            previous: (page > 1).then(|| path(page - 1)),
            next: (first.saturating_add(PAGE_SIZE) < found).then(|| path(page + 1)),
            groups: groups(shown, &counts, is_open),
            search,
        }
    }
}

/// The platforms that have rows, each with its words.
fn groups(mut rows: Vec<ConnectionRow>, counts: &[(Platform, String)], is_open: bool) -> Vec<PlatformGroup> {
    let group = |(platform, words): &(Platform, String)| {
        let (own, others) = std::mem::take(&mut rows).into_iter().partition(|row| row.summary.platform == *platform);
        rows = others;
        let own: Vec<ConnectionRow> = own;
        let is_open = is_open || own.iter().any(ConnectionRow::needs_a_look);
        (!own.is_empty()).then(|| PlatformGroup { platform: *platform, words: words.clone(), is_open, rows: own })
    };
    counts.iter().filter_map(group).collect()
}

fn counted(platform: Platform, rows: &[ConnectionRow]) -> String {
    let own = || rows.iter().filter(|row| row.summary.platform == platform);
    let count = own().count();
    let accounts = format!("{count} ad {}", if count == 1 { "account" } else { "accounts" });
    let parts = [
        (own().filter(|row| row.summary.needs_consent).count(), "needs attention", "need attention"),
        (own().filter(|row| row.is_silent).count(), "is not responding", "are not responding"),
    ];
    let parts = parts.into_iter().filter(|(count, ..)| *count > 0);
    let parts = parts.map(|(count, one, many)| format!(", {count} {}", if count == 1 { one } else { many }));
    parts.fold(accounts, |words, part| words + &part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::{LastRead, ReadFailure};
    use crate::kit::connections::tests::connection;
    use shared::domain::ConnectionStatus::{Active, Revoked};
    use shared::envelope::query::pairs;

    fn list(all: &[Connection], query: &str) -> ConnectionList {
        ConnectionList::of(all, &LastReads::new(), &pairs(Some(query)))
    }

    #[test]
    fn a_silent_account_has_one_time_and_is_not_counted_as_working() {
        let (asked, answered) = ("2026-11-30T03:02:00Z", "2026-11-30T02:58:00Z");
        let at = |time: &str| time.parse::<Timestamp>().unwrap();
        let failure = ReadFailure {
            is_of_numbers: false,
            since: Some(at(answered)),
            tried_at: at(asked),
            message: "TikTok did not answer in time.".to_owned(),
        };
        let silent = LastRead { failure: Some(failure), answered_at: Some(at(answered)), active: None };
        let well = LastRead { failure: None, answered_at: Some(at(asked)), active: None };
        let reads = LastReads::from([("a".to_owned(), well), ("b".to_owned(), silent)]);
        let all = [
            connection("a", Platform::Alpha, Active),
            connection("b", Platform::Gamma, Active),
            connection("c", Platform::Gamma, Revoked),
        ];
        let shown = |all: &[Connection]| ConnectionList::of(all, &reads, &[]);
        assert_eq!(shown(&all).states, "1 working, 1 not responding, 1 needs attention.");
        assert_eq!(shown(&all[..1]).states, "1 connected.");
        let page = shown(&all);
        let times: Vec<&str> =
            page.groups.iter().flat_map(|group| &group.rows).map(|row| row.last_answer.as_str()).collect();
        assert_eq!(times, ["30 Nov 2026, 03:02 UTC", "1 Nov 2026, 00:00 UTC", "30 Nov 2026, 02:58 UTC"]);
        let row = page.groups.iter().flat_map(|group| &group.rows).find(|row| row.is_silent).unwrap();
        assert_eq!((row.summary.state, row.summary.reason.as_str()), ("Not responding", ""), "the time stands once");
    }

    #[test]
    fn many_accounts_are_folded_by_platform_but_for_those_that_need_a_look() {
        let mut all: Vec<Connection> =
            (0..24).map(|at| connection(&format!("conn_{at}"), Platform::Beta, Active)).collect();
        all.extend([
            connection("new", Platform::Alpha, Active),
            connection("old", Platform::Gamma, Revoked),
            connection("far", Platform::Gamma, Active),
        ]);
        let page = list(&all, "");
        let shown: Vec<_> = page.groups.iter().map(|group| (group.words.as_str(), group.is_open)).collect();
        assert_eq!(shown, [("1 ad account", false), ("24 ad accounts", false)]);
        assert_eq!((page.first, page.last, page.has_search), (1, 25, true));
        assert_eq!(page.next.as_deref(), Some("/dashboard/connections?page=2"));
        let last = list(&all, "page=2");
        assert_eq!(last.groups[0].rows[0].summary.id, "old", "what needs a look is first in its platform");
        assert_eq!((last.groups[0].words.as_str(), last.groups[0].is_open), ("2 ad accounts, 1 needs attention", true));
        let found = list(&all, "q=OF+CONN_2");
        assert_eq!((found.found, found.groups[0].is_open, found.next), (5, true, None));
        assert!(!list(&all[..8], "").has_search);
    }
}
