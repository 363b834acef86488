//! Reads the log and the entries of the charts. The API has entries only, so the charts read up to [`MAX_ENTRIES`].

use super::days::{self, History};
use super::filter::Filter;
use crate::client::api::{Api, Refusal};
use crate::client::session::SignedIn;
use crate::client::usage::{self, LOG};
use jiff::Timestamp;
use shared::domain::ExternalRef;
use shared::envelope::UsageLogs;
use shared::serve::WebRequest;
use url::form_urlencoded::Serializer;

/// Rows of the log on a page.
const ROWS: usize = 25;
/// Entries that the charts read at a time: as many as the API gives.
const READ_SIZE: usize = 100;
/// Most entries that the charts cover.
const MAX_ENTRIES: usize = 1_000;
/// Most reads for the charts. The first may be the log's, which is smaller.
const MAX_READS: usize = MAX_ENTRIES / READ_SIZE + 1;

/// The content of a page.
pub(super) struct UsageReading {
    pub(super) log: Result<UsageLogs, Refusal>,
    /// The entries of the charts; `None` on a page without charts.
    pub(super) history: Option<Result<History, Refusal>>,
}

/// Reads the content of a page. Without a filter, the log is the start of the charts' entries. With a user, both are of
/// this user alone.
pub(super) async fn read(
    request: &WebRequest,
    person: &SignedIn,
    user: Option<&ExternalRef>,
    filter: &Filter,
) -> UsageReading {
    let api = &Api::new(request, person).acting_for(user);
    let since = days::window_start(request.now);
    let target = filter.api_target(ROWS);
    let log = usage::page(api, &target);
    if !filter.is_newest() || filter.is_for_one() {
        return UsageReading { log: log.await, history: None };
    }
    if filter.is_empty() {
        let log = log.await;
        let history = match &log {
            Ok(newest) => Some(read_history(api, Some(newest.clone()), since).await),
            Err(_) => None,
        };
        return UsageReading { log, history };
    }
    let (log, history) = tokio::join!(log, read_history(api, None, since));
    UsageReading { log, history: Some(history) }
}

/// Reads entries until one is before `since`.
async fn read_history(api: &Api<'_>, newest: Option<UsageLogs>, since: Timestamp) -> Result<History, Refusal> {
    let mut history = History::default();
    let mut page = match newest {
        Some(page) => page,
        None => usage::page(api, &target(READ_SIZE, None)).await?,
    };
    for _ in 1..MAX_READS {
        let Some(cursor) = history.add(page, since) else { return Ok(history) };
        let missing = MAX_ENTRIES - history.entries.len();
        page = usage::page(api, &target(missing.min(READ_SIZE), Some(&cursor))).await?;
    }
    history.add(page, since);
    Ok(history)
}

impl History {
    /// Adds a page. The cursor of the next one, if the charts need more.
    fn add(&mut self, page: UsageLogs, since: Timestamp) -> Option<String> {
        let UsageLogs { entries, next_cursor } = page;
        let reaches_back = entries.last().is_some_and(|entry| entry.at < since);
        self.is_complete = reaches_back || next_cursor.is_none();
        self.entries.extend(entries);
        let needs_more = !self.is_complete && self.entries.len() < MAX_ENTRIES;
        if needs_more { next_cursor } else { None }
    }
}

fn target(limit: usize, cursor: Option<&str>) -> String {
    let mut query = Serializer::new(String::new());
    query.append_pair("limit", &limit.to_string()).extend_pairs(cursor.map(|cursor| ("cursor", cursor)));
    format!("{LOG}?{}", query.finish())
}

#[cfg(test)]
mod tests {
    use super::super::log::sample;
    use super::*;

    fn page(times: &[&str], cursor: Option<&str>) -> UsageLogs {
        UsageLogs { entries: times.iter().map(|time| sample(time)).collect(), next_cursor: cursor.map(str::to_owned) }
    }

    #[test]
    fn reading_ends_with_the_log_and_before_the_window() {
        let since = "2026-11-09T00:00:00Z".parse().unwrap();
        let mut history = History::default();
        assert_eq!(history.add(page(&["2026-11-20T00:00:00Z"], Some("a")), since).as_deref(), Some("a"));
        assert_eq!(history.add(page(&[], Some("b")), since).as_deref(), Some("b"), "an empty page may have a cursor");
        assert_eq!(history.add(page(&["2026-11-08T23:59:59Z"], Some("c")), since), None);
        assert!(history.is_complete);
        let mut short = History::default();
        assert_eq!(short.add(page(&["2026-11-20T00:00:00Z"], None), since), None);
        assert!(short.is_complete);
    }

    #[test]
    fn reading_ends_with_enough_entries() {
        let since = "2026-11-09T00:00:00Z".parse().unwrap();
        let mut history = History::default();
        assert_eq!(history.add(page(&["2026-11-20T00:00:00Z"; MAX_ENTRIES], Some("a")), since), None);
        assert!(!history.is_complete);
    }

    #[test]
    fn a_cursor_is_encoded() {
        assert_eq!(target(100, Some("a+b")), "/v1/usage-logs?limit=100&cursor=a%2Bb");
    }
}
