//! The page loop of every list. It is bounded: a list that does not end is a failure of the platform, and never an end.

use super::call::Client;
use crate::domain::Platform;
use crate::error::Error;
use crate::outbound::{OutboundRequest, OutboundResponse};
use crate::platforms::errors::endless;
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::mem;
use std::ops::ControlFlow;

/// Default page limit: more pages than a request has time for.
const MAX_PAGES: usize = 200;

/// A page of a list.
#[derive(Debug)]
pub struct Page<T = Box<RawValue>> {
    /// The rows, as received.
    pub rows: Vec<T>,
    /// The token of the next page; `None` on the last one.
    pub next: Option<String>,
}

type Request<'a> = dyn Fn(Option<&str>) -> Result<OutboundRequest, Error> + Send + Sync + 'a;
type Read<'a, T> = dyn Fn(&str, &OutboundResponse) -> Result<Page<T>, Error> + Send + Sync + 'a;

/// The pages of a list: builds the request for a page token, and reads the response.
pub struct Pages<'a, T = Box<RawValue>> {
    limit: usize,
    request: Box<Request<'a>>,
    read: Box<Read<'a, T>>,
}

impl<'a, T: Send> Pages<'a, T> {
    /// Pages with the default limit. `request` gets no token for the first page. `read` reads a success response; its
    /// first argument is the URL that was requested.
    pub fn new(
        request: impl Fn(Option<&str>) -> Result<OutboundRequest, Error> + Send + Sync + 'a,
        read: impl Fn(&str, &OutboundResponse) -> Result<Page<T>, Error> + Send + Sync + 'a,
    ) -> Pages<'a, T> {
        Pages { limit: MAX_PAGES, request: Box::new(request), read: Box::new(read) }
    }

    /// The same pages, but at most `limit` of them.
    #[must_use]
    pub fn up_to(self, limit: usize) -> Pages<'a, T> {
        Pages { limit, ..self }
    }

    /// Reads all rows.
    pub async fn all(&self, client: &Client<'_>) -> Result<Vec<T>, Error> {
        let mut rows = Vec::new();
        let add = |_: Option<&str>, page: Page<T>| {
            rows.extend(page.rows);
            Ok(ControlFlow::Continue(()))
        };
        self.visit(client, None, add).await?;
        Ok(rows)
    }

    /// Visits pages with their tokens, starting at `first`, the caller's own, until the last page or until the visitor
    /// breaks.
    pub async fn visit(
        &self,
        client: &Client<'_>,
        first: Option<String>,
        mut visit: impl FnMut(Option<&str>, Page<T>) -> Result<ControlFlow<()>, Error> + Send,
    ) -> Result<(), Error> {
        let mut is_callers = first.is_some();
        let mut token = first;
        let mut progress = Progress::default();
        for _ in 0..self.limit {
            let page = self.page(client, token.as_deref(), mem::take(&mut is_callers)).await?;
            let (is_empty, next) = (page.rows.is_empty(), page.next.clone());
            if visit(token.as_deref(), page)?.is_break() {
                return Ok(());
            }
            let Some(next) = next else { return Ok(()) };
            if !progress.continues(client.platform(), is_empty, &next)? {
                break;
            }
            token = Some(next);
        }
        Err(endless(client.platform()))
    }

    /// Reads one page. `is_callers` says that the token is from the caller's cursor.
    pub async fn page(&self, client: &Client<'_>, token: Option<&str>, is_callers: bool) -> Result<Page<T>, Error> {
        let request = client.sign((self.request)(token)?)?;
        let called = request.url.clone();
        let response = client.read_signed(request, is_callers).await?;
        (self.read)(&called, &response)
    }
}

/// The way through the pages of a list. A token that returns is a loop, and a second empty page in a row leads nowhere:
/// clients of Meta meet empty pages that each have a next one.
#[derive(Debug, Default)]
pub struct Progress {
    seen: HashSet<String>,
    was_empty: bool,
}

impl Progress {
    /// Whether the list goes on after a page with a next one; `false` after two empty ones. An error in a loop.
    pub fn continues(&mut self, platform: Platform, is_empty: bool, next: &str) -> Result<bool, Error> {
        if !self.seen.insert(next.to_owned()) {
            return Err(endless(platform));
        }
        let was_empty = mem::replace(&mut self.was_empty, is_empty);
        Ok(!(was_empty && is_empty))
    }
}
