//! The page loop of every list. It is bounded: a list that does not end is a failure of the platform.

use super::call::Client;
use crate::error::Error;
use crate::outbound::{OutboundRequest, OutboundResponse};
use crate::platforms::errors::unreadable;
use serde_json::value::RawValue;
use std::ops::ControlFlow;

/// Default page limit: more pages than a request has time for.
const MAX_PAGES: usize = 500;

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

    /// Visits pages with their tokens, starting at `first`, until the last page or until the visitor breaks.
    pub async fn visit(
        &self,
        client: &Client<'_>,
        first: Option<String>,
        mut visit: impl FnMut(Option<&str>, Page<T>) -> Result<ControlFlow<()>, Error> + Send,
    ) -> Result<(), Error> {
        let mut token = first;
        for _ in 0..self.limit {
            let page = self.page(client, token.as_deref()).await?;
            let next = page.next.clone();
            if visit(token.as_deref(), page)?.is_break() || next.is_none() {
                return Ok(());
            }
            token = next;
        }
        Err(unreadable(client.platform(), "the list did not end within the allowed pages"))
    }

    /// Reads one page.
    pub async fn page(&self, client: &Client<'_>, token: Option<&str>) -> Result<Page<T>, Error> {
        let request = client.sign((self.request)(token)?)?;
        let called = request.url.clone();
        let response = client.read_signed(request).await?;
        (self.read)(&called, &response)
    }
}
