//! Reads a list of the API, page after page.

use crate::client::api::{Api, Refusal};
use crate::kit::csv::{Csv, MAX_ROWS, PAGE_SIZE};
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use url::form_urlencoded::Serializer;

/// Time for all pages but the first, less than the page of the dashboard has.
pub(crate) const READ_TIME: Duration = Duration::from_secs(20);

/// Pages of a file. Those of lists with a filter may have fewer entries than [`PAGE_SIZE`], or none.
const MAX_PAGES: usize = 2 * MAX_ROWS / PAGE_SIZE;

/// Reads at most so many pages, with so much time for all but the first. `first` is the target of the first one, and has
/// a query. `read` reads the page of a target. `add` takes a page and returns the cursor of the next one, if that is
/// wanted. Returns whether the time or the number of pages has ended it before.
pub(crate) async fn read_each<T, F: Future<Output = Result<T, Refusal>>>(
    first: &str,
    (most, time): (usize, Duration),
    read: impl Fn(String) -> F,
    mut add: impl FnMut(T) -> Option<String>,
) -> Result<bool, Refusal> {
    let until = Instant::now() + time;
    let mut cursor: Option<String> = None;
    for _ in 0..most {
        let page = read(target(first, cursor.as_deref()));
        let page = if cursor.is_none() { Ok(page.await) } else { timeout_at(until, page).await };
        let Ok(page) = page else { return Ok(true) };
        cursor = add(page?);
        if cursor.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The same for pages as JSON.
pub(crate) async fn read_pages<T: DeserializeOwned>(
    api: &Api<'_>,
    first: &str,
    bounds: (usize, Duration),
    add: impl FnMut(T) -> Option<String>,
) -> Result<bool, Refusal> {
    read_each(first, bounds, |target| async move { api.read(&target).await }, add).await
}

/// Fills a file with the rows of a list. `first` is the target of its first page, and has a query. `read` reads the page
/// of a target. `add` adds the rows of a page, and returns the cursor of the next one. A refusal of the first page is an
/// error.
pub(crate) async fn fill<T, F: Future<Output = Result<T, Refusal>>>(
    csv: &mut Csv,
    first: &str,
    read: impl Fn(String) -> F,
    mut add: impl FnMut(&mut Csv, T) -> Option<String>,
) -> Result<(), Refusal> {
    let mut has_page = false;
    let filled = read_each(first, (MAX_PAGES, READ_TIME), read, |page| {
        has_page = true;
        let next = add(csv, page);
        let is_cut = next.is_some() && csv.is_full();
        csv.note_missing(is_cut);
        next.filter(|_| !is_cut)
    });
    match filled.await {
        Ok(is_cut) => csv.note_missing(is_cut),
        Err(refusal) if !has_page => return Err(refusal),
        Err(_) => csv.note_missing(true),
    }
    Ok(())
}

/// The target of a page of a list.
pub(crate) fn target(first: &str, cursor: Option<&str>) -> String {
    let cursor = cursor.map(|cursor| Serializer::new(String::new()).append_pair("cursor", cursor).finish());
    cursor.map_or_else(|| first.to_owned(), |cursor| format!("{first}&{cursor}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_has_the_same_query() {
        assert_eq!(target("/v1/a?b=c", None), "/v1/a?b=c");
        assert_eq!(target("/v1/a?b=c", Some("a+b")), "/v1/a?b=c&cursor=a%2Bb");
    }
}
