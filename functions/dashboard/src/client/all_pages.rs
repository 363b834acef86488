//! Reads a list of the API, page after page.

use crate::client::api::{Api, Refusal};
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use url::form_urlencoded::Serializer;

/// Time for all pages but the first, less than the page of the dashboard has.
pub(crate) const READ_TIME: Duration = Duration::from_secs(20);

/// Reads at most so many pages, with so much time for all but the first. `first` is the target of the first one, and has a query. `add` takes a page and returns
/// the cursor of the next one, if that is wanted. Returns whether the time or the number of pages has ended it before.
pub(crate) async fn read_pages<T: DeserializeOwned>(
    api: &Api<'_>,
    first: &str,
    (most, time): (usize, Duration),
    mut add: impl FnMut(T) -> Option<String>,
) -> Result<bool, Refusal> {
    let until = Instant::now() + time;
    let mut cursor: Option<String> = None;
    for _ in 0..most {
        let target = target(first, cursor.as_deref());
        let page = api.read::<T>(&target);
        let page = if cursor.is_none() { Ok(page.await) } else { timeout_at(until, page).await };
        let Ok(page) = page else { return Ok(true) };
        cursor = add(page?);
        if cursor.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
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
