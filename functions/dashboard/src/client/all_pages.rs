//! Reads a list of the API, page after page.

use crate::client::api::Refusal;
use crate::kit::csv::{Csv, MAX_ROWS, PAGE_SIZE};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use url::form_urlencoded::Serializer;

/// Time for all pages but the first, less than the page of the dashboard has.
pub(crate) const READ_TIME: Duration = Duration::from_secs(20);
/// Most pages of a file. Those of lists with a filter may have fewer entries than others, or none.
const FILE: Limits = Limits { pages: 2 * MAX_ROWS / PAGE_SIZE, time: Some(READ_TIME) };

/// How much of a list is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Most pages.
    pub(crate) pages: usize,
    /// Time for all of them but the first; `None` for as long as it takes.
    pub(crate) time: Option<Duration>,
}

/// Reads a list within limits. `first` is the target of its first page, and has a query; `read` reads the page of a
/// target. `add` takes a page and returns the cursor of the next one, if that is wanted. Returns whether the limits have
/// ended it before.
pub(crate) async fn read_pages<T, Page: Future<Output = Result<T, Refusal>>>(
    first: &str,
    limits: Limits,
    read: impl Fn(String) -> Page,
    mut add: impl FnMut(T) -> Option<String>,
) -> Result<bool, Refusal> {
    let until = limits.time.map(|time| Instant::now() + time);
    let mut cursor: Option<String> = None;
    for _ in 0..limits.pages {
        let page = read(target(first, cursor.as_deref()));
        let page = match until {
            Some(until) if cursor.is_some() => timeout_at(until, page).await,
            _ => Ok(page.await),
        };
        let Ok(page) = page else { return Ok(true) };
        cursor = add(page?);
        if cursor.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Adds the rows of a list to a file, as [`read_pages`] reads it. What is missing makes the file incomplete; a refusal of
/// the first page is an error.
pub(crate) async fn fill<T, Page: Future<Output = Result<T, Refusal>>>(
    csv: &mut Csv,
    first: &str,
    read: impl Fn(String) -> Page,
    mut add: impl FnMut(&mut Csv, T) -> Option<String>,
) -> Result<(), Refusal> {
    let mut has_page = false;
    let pages = read_pages(first, FILE, read, |page| {
        has_page = true;
        let next = add(csv, page);
        let is_cut = next.is_some() && csv.is_full();
        csv.note_missing(is_cut);
        if is_cut { None } else { next }
    });
    match pages.await {
        Ok(is_cut) => csv.note_missing(is_cut),
        Err(refusal) if !has_page => return Err(refusal),
        Err(_) => csv.note_missing(true),
    }
    Ok(())
}

/// The target of a page of a list.
fn target(first: &str, cursor: Option<&str>) -> String {
    let cursor = cursor.map(|cursor| Serializer::new(String::new()).append_pair("cursor", cursor).finish());
    cursor.map_or_else(|| first.to_owned(), |cursor| format!("{first}&{cursor}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::future::pending;

    const LIMITS: Limits = Limits { pages: 3, time: None };

    /// Reads a list of so many pages, of which the first few answer. Returns the targets, and whether it was cut.
    async fn read(pages: usize, answering: usize, limits: Limits) -> (Vec<String>, bool) {
        let (targets, more) = (RefCell::new(Vec::new()), RefCell::new(1..pages));
        let page = |target: String| {
            targets.borrow_mut().push(target);
            let answers = targets.borrow().len() <= answering;
            async move { if answers { Ok(()) } else { pending().await } }
        };
        let next = |()| more.borrow_mut().next().map(|page| format!("{page}+"));
        let is_cut = read_pages("/v1/a?b=c", limits, page, next).await.unwrap();
        (targets.into_inner(), is_cut)
    }

    #[tokio::test]
    async fn a_list_is_read_to_its_end_or_to_its_limits() {
        let (targets, is_cut) = read(2, 2, LIMITS).await;
        assert_eq!(
            (targets.as_slice(), is_cut),
            (&["/v1/a?b=c", "/v1/a?b=c&cursor=1%2B"].map(str::to_owned)[..], false)
        );
        let hurried = Limits { time: Some(Duration::from_millis(1)), ..LIMITS };
        let count = |(targets, is_cut): (Vec<String>, bool)| (targets.len(), is_cut);
        assert_eq!(count(read(3, 3, LIMITS).await), (3, false));
        assert_eq!(count(read(4, 4, LIMITS).await), (3, true), "too many pages");
        assert_eq!(count(read(3, 1, hurried).await), (2, true), "too slow");
        assert_eq!(count(read(1, 1, hurried).await), (1, false));
    }
}
