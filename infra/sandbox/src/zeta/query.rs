//! Query parameters, and pages by the URL of the next page.
//!
//! Reddit Ads API v3 reference: "Pagination", "List Campaigns".

use super::error::ApiError;
use super::state::NAME;
use crate::http::{Pairs, Request};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use url::form_urlencoded;

/// The default and the maximum page size.
const DEFAULT_PAGE_SIZE: usize = 100;
const MAX_PAGE_SIZE: usize = 1000;
/// The most values of a list, which the platform takes of ids.
const MAX_VALUES: usize = 200;

/// The query parameters of a request.
pub(crate) struct Query<'r> {
    request: &'r Request,
    pairs: Pairs,
}

impl<'r> Query<'r> {
    /// Rejects unknown and repeated parameters.
    pub(crate) fn read(request: &'r Request, known: &[&'static str]) -> Result<Self, ApiError> {
        let pairs = Pairs::parse(&request.query);
        if let Some(invalid) = pairs.names().find(|name| !known.contains(name)) {
            return Err(ApiError::field(invalid, "is not a parameter of this endpoint"));
        }
        if let Some(name) = pairs.repeated(known) {
            return Err(ApiError::field(name, "is given more than once"));
        }
        Ok(Self { request, pairs })
    }

    /// The comma-separated values of a parameter; `None` without it. An empty list is not "all".
    pub(crate) fn list(&self, name: &str) -> Result<Option<Vec<&str>>, ApiError> {
        let Some(text) = self.pairs.get(name) else {
            let is_empty = self.pairs.names().any(|given| given == name);
            return if is_empty { Err(ApiError::field(name, "is empty")) } else { Ok(None) };
        };
        let values: Vec<&str> = text.split(',').collect();
        if values.len() > MAX_VALUES {
            return Err(ApiError::field(name, format!("holds more than {MAX_VALUES} values")));
        }
        Ok(Some(values))
    }

    /// One page of rows, each with its sort key, in the platform's form.
    pub(crate) fn page<K: ToString>(&self, rows: Vec<(K, Value)>, max_size: Option<usize>) -> Result<Value, ApiError> {
        let size = self.size()?;
        let size = size.min(max_size.unwrap_or(size));
        let from = match self.pairs.get("page.token") {
            None => 0,
            Some(token) => {
                let last = URL_SAFE_NO_PAD.decode(token).ok().and_then(|bytes| String::from_utf8(bytes).ok());
                let at = rows.iter().position(|(key, _)| Some(key.to_string()) == last);
                at.ok_or_else(|| ApiError::field("page.token", "is invalid"))? + 1
            }
        };
        // The URL of the page that starts at a row. The token is the key of the row before it.
        let page_url = |at: usize| {
            let last = at.checked_sub(1).and_then(|before| rows.get(before)).map(|(key, _)| key.to_string());
            self.url(last.as_deref())
        };
        let next = (rows.len() > from + size).then(|| page_url(from + size));
        let previous = (from > 0).then(|| page_url(from.saturating_sub(size)));
        let data: Vec<Value> = rows.into_iter().skip(from).take(size).map(|(_, row)| row).collect();
        Ok(json!({ "data": data, "pagination": { "next_url": next, "previous_url": previous } }))
    }

    fn size(&self) -> Result<usize, ApiError> {
        let Some(text) = self.pairs.get("page.size") else { return Ok(DEFAULT_PAGE_SIZE) };
        let size = text.parse().ok().filter(|size| (1..=MAX_PAGE_SIZE).contains(size));
        size.ok_or_else(|| ApiError::field("page.size", format!("must be from 1 to {MAX_PAGE_SIZE}")))
    }

    /// An absolute URL on the requested host. Clients follow it unchanged.
    fn url(&self, last: Option<&str>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.pairs.iter().filter(|(name, _)| *name != "page.token"));
        if let Some(last) = last {
            query.append_pair("page.token", &URL_SAFE_NO_PAD.encode(last));
        }
        let host = self.request.header("host").unwrap_or("127.0.0.1");
        format!("http://{host}/{NAME}{}?{}", self.request.path, query.finish())
    }
}
