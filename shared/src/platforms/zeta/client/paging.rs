//! Paging: `page.size` and `page.token` in the address, and the next token in `pagination.next_url` of the answer. A
//! report is paged in the same way, although it is asked for by POST.

use super::{BASE, Client};
use crate::domain::Platform;
use crate::error::Error;
use crate::platforms::answers;
use crate::platforms::zeta::wire::{self, id};
use http::Method;
use serde_json::value::RawValue;
use url::Url;
use url::form_urlencoded::Serializer;

/// Most pages of one listing that are followed: more than there is time for.
const MAX_PAGES: usize = 1_000;
/// Rows of one page.
const PAGE_SIZE: usize = 100;

impl Client<'_> {
    /// One page of a listing, and the token of the next. `path` begins with a slash and has no query.
    pub(in crate::platforms::zeta) async fn page(
        &self,
        path: &str,
        size: usize,
        token: Option<&str>,
    ) -> Result<(Vec<Box<RawValue>>, Option<String>), Error> {
        let answer = self.get(&page_of(path, size, token)).await?;
        let page: wire::Page = answers::read_object(Platform::Zeta, &answer.body)?;
        Ok((page.data, self.next(page.pagination)?))
    }

    /// All rows of a listing.
    pub(in crate::platforms::zeta) async fn all(&self, path: &str) -> Result<Vec<Box<RawValue>>, Error> {
        let (mut rows, mut token) = (Vec::new(), None);
        for _ in 0..MAX_PAGES {
            let (page, next) = self.page(path, PAGE_SIZE, token.as_deref()).await?;
            rows.extend(page);
            token = next;
            if token.is_none() {
                return Ok(rows);
            }
        }
        Err(answers::unreadable(Platform::Zeta, "a listing without an end"))
    }

    /// One page of a report on demand, and the token of the next: the same request with that token.
    pub(in crate::platforms::zeta) async fn report_page(
        &self,
        account: &str,
        request: &wire::ReportRequest,
        token: Option<&str>,
    ) -> Result<(Vec<wire::Metric>, Option<String>), Error> {
        let path = page_of(&format!("/ad_accounts/{}/reports", id(account)?), PAGE_SIZE, token);
        let outgoing = self.with_body(Method::POST, &path, request)?;
        let answer = self.repeatable(self.call.outbound.query(outgoing, self.call.deadline).await)?;
        let page: wire::ReportPage = answers::read_object(Platform::Zeta, &answer.body)?;
        let rows = page.metrics().map_err(|error| answers::unreadable(Platform::Zeta, error))?;
        Ok((rows, self.next(page.pagination)?))
    }

    fn next(&self, pagination: Option<wire::Pagination>) -> Result<Option<String>, Error> {
        let next_url = pagination.and_then(|pagination| pagination.next_url).filter(|url| !url.is_empty());
        next_url.map(|url| self.page_token(&url)).transpose()
    }

    /// The token inside of the next page's address. Only an address on the API's own host is believed: the request
    /// for it carries the user's token. The address itself is never called.
    fn page_token(&self, next_url: &str) -> Result<String, Error> {
        let foreign = || answers::unreadable(Platform::Zeta, "a next page on another host");
        let here = Url::parse(&self.call.config.address(BASE)).map_err(Error::internal)?;
        let next = here.join(next_url).map_err(|_| foreign())?;
        if next.origin() != here.origin() {
            return Err(foreign());
        }
        let token = next.query_pairs().find(|(name, _)| name == "page.token").map(|(_, value)| value.into_owned());
        // An empty token would begin again.
        token
            .filter(|token| !token.is_empty())
            .ok_or_else(|| answers::unreadable(Platform::Zeta, "a next page without a token"))
    }
}

fn page_of(path: &str, size: usize, token: Option<&str>) -> String {
    let size = size.to_string();
    let parameters = [("page.size", Some(size.as_str())), ("page.token", token)];
    let given = parameters.into_iter().filter_map(|(name, value)| Some((name, value?)));
    format!("{path}?{}", Serializer::new(String::new()).extend_pairs(given).finish())
}
