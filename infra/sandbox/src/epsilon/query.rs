//! Query parameters, and pages by bookmark.
//!
//! Pinterest API v5 reference: "Pagination", "List campaigns", "List ad accounts".

use super::campaign::{Status, parse_id};
use super::error::ApiError;
use crate::http::{Pairs, Request};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest;
use serde_json::{Value, json};

/// The default and the maximum page size.
const DEFAULT_PAGE_SIZE: usize = 25;
const MAX_PAGE_SIZE: usize = 250;
/// The most ids of a list.
const MAX_IDS: usize = 250;

/// The query parameters of a request.
pub(crate) struct Query {
    pairs: Pairs,
    /// The path and all parameters but the page. A bookmark is bound to them.
    page_key: String,
}

impl Query {
    /// Rejects unknown parameters, and repeated ones outside of `lists`.
    pub(crate) fn read(request: &Request, single: &[&'static str], lists: &[&'static str]) -> Result<Self, ApiError> {
        let pairs = Pairs::parse(&request.query);
        if let Some(invalid) = pairs.names().find(|name| !single.contains(name) && !lists.contains(name)) {
            return Err(ApiError::invalid(format!("Invalid request: unknown parameter {invalid}")));
        }
        if let Some(name) = pairs.repeated(single) {
            return Err(ApiError::invalid(format!("Invalid request: {name} is given more than once")));
        }
        let params = single.iter().chain(lists).filter(|name| !matches!(**name, "bookmark" | "page_size"));
        let params = params.flat_map(|name| pairs.all(name).map(move |value| format!("{name}={value}")));
        let page_key = format!("{}?{}", request.path, params.collect::<Vec<_>>().join("&"));
        Ok(Self { pairs, page_key })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.pairs.get(name)
    }

    pub(crate) fn required(&self, name: &str) -> Result<&str, ApiError> {
        self.get(name).ok_or_else(|| ApiError::invalid(format!("Invalid request: {name} is required")))
    }

    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.pairs.all(name)
    }

    /// The ids of a list such as `campaign_ids`, which is repeated per id.
    pub(crate) fn ids(&self, name: &str) -> Result<Vec<i64>, ApiError> {
        let parse = |text| parse_id(text).ok_or_else(|| invalid_param(name, text));
        let ids: Vec<i64> = self.all(name).map(parse).collect::<Result<_, _>>()?;
        if ids.len() > MAX_IDS {
            return Err(ApiError::invalid(format!("Invalid request: more than {MAX_IDS} {name}")));
        }
        Ok(ids)
    }

    /// The statuses of `entity_statuses`. Archived entities and drafts need an explicit one.
    pub(crate) fn statuses(&self) -> Result<Vec<Status>, ApiError> {
        let parse = |name| Status::parse(name).ok_or_else(|| invalid_param("entity_statuses", name));
        let statuses: Vec<Status> = self.all("entity_statuses").map(parse).collect::<Result<_, _>>()?;
        Ok(if statuses.is_empty() { vec![Status::Active, Status::Paused] } else { statuses })
    }

    /// Puts rows in ascending order of their ids into the order of the `order` parameter.
    pub(crate) fn order<T>(&self, mut rows: Vec<T>) -> Result<Vec<T>, ApiError> {
        match self.get("order") {
            None | Some("ASCENDING") => {}
            Some("DESCENDING") => rows.reverse(),
            Some(invalid) => return Err(invalid_param("order", invalid)),
        }
        Ok(rows)
    }

    /// One page of rows and the bookmark of the next. The rows are sorted by id in the order of the `order`
    /// parameter.
    pub(crate) fn page<T>(
        &self,
        rows: Vec<T>,
        id: impl Fn(&T) -> i64,
        max_size: Option<usize>,
    ) -> Result<(Vec<T>, Value), ApiError> {
        let size = match self.get("page_size") {
            None => DEFAULT_PAGE_SIZE,
            Some(text) => {
                let size = text.parse().ok().filter(|size| (1..=MAX_PAGE_SIZE).contains(size));
                size.ok_or_else(|| invalid_param("page_size", text))?
            }
        };
        let size = size.min(max_size.unwrap_or(size));
        let descending = self.get("order") == Some("DESCENDING");
        let last = self.get("bookmark").map(|text| self.last_id(text)).transpose()?;
        let is_after = |row: &T| last.is_none_or(|last| if descending { id(row) < last } else { id(row) > last });
        let mut rows: Vec<T> = rows.into_iter().filter(is_after).collect();
        let has_more = rows.len() > size;
        rows.truncate(size);
        let last = if has_more { rows.last() } else { None };
        let bookmark = last.map(|row| self.bookmark(id(row)));
        Ok((rows, json!(bookmark)))
    }

    /// A bookmark holds the last id of the page. It is valid for the same query only.
    fn bookmark(&self, last: i64) -> String {
        let mut bytes = self.fingerprint();
        bytes.extend_from_slice(last.to_string().as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    fn last_id(&self, bookmark: &str) -> Result<i64, ApiError> {
        let bytes = URL_SAFE_NO_PAD.decode(bookmark).unwrap_or_default();
        let last = bytes.strip_prefix(self.fingerprint().as_slice());
        let last = last.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        last.ok_or_else(|| invalid_param("bookmark", bookmark))
    }

    fn fingerprint(&self) -> Vec<u8> {
        let hash = digest::digest(&digest::SHA256, self.page_key.as_bytes());
        hash.as_ref().iter().take(12).copied().collect()
    }
}

/// The error for an invalid value of a parameter.
pub(crate) fn invalid_param(name: &str, value: &str) -> ApiError {
    ApiError::invalid(format!("Invalid request: {name} cannot be {value}"))
}
