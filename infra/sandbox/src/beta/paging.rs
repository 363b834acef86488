//! Cursor pagination.
//!
//! Graph API: Paginated Results. Only `next` shows that more rows follow: a page may be shorter than its limit without
//! being the last.

use super::error::GraphError;
use super::params::Params;
use super::state::NAME;
use crate::http::Request;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use serde::Serialize;
use serde_json::{Value, json};
use url::form_urlencoded::Serializer;

const DEFAULT_LIMIT: u64 = 25;
const MAX_LIMIT: u64 = 5000;

/// A call for a page.
pub(crate) struct PageRequest<'a> {
    pub(crate) request: &'a Request,
    pub(crate) params: &'a Params,
    /// The access token. `next` contains it, as Meta's does.
    pub(crate) token: &'a str,
    /// The sandbox setting that shortens pages.
    pub(crate) max_rows: Option<usize>,
}

/// Cuts a page out of rows that are sorted by their keys.
pub(crate) fn page<T: Serialize>(rows: &[(u64, T)], page_request: &PageRequest<'_>) -> Result<Value, GraphError> {
    if let Some(name) = page_request.params.first_present(&["before", "offset", "since", "until"]) {
        return Err(GraphError::unsupported(name));
    }
    let limit = page_request.params.unsigned("limit")?.unwrap_or(DEFAULT_LIMIT);
    if limit == 0 {
        return Err(GraphError::parameter("Param limit must be greater than 0"));
    }
    let size = usize::try_from(limit.min(MAX_LIMIT)).unwrap_or(usize::MAX);
    let size = page_request.max_rows.map_or(size, |max| size.min(max));
    let after = page_request.params.string("after").map(decode_cursor).transpose()?;
    let remaining: Vec<_> = rows.iter().filter(|(key, _)| after.is_none_or(|after| *key > after)).collect();
    let page = remaining.get(..size.min(remaining.len())).unwrap_or_default();
    let data: Vec<&T> = page.iter().map(|(_, row)| row).collect();
    let (Some((first, _)), Some((last, _))) = (page.first(), page.last()) else {
        return Ok(json!({ "data": [] }));
    };
    let after = encode_cursor(*last);
    let mut paging = json!({ "cursors": { "before": encode_cursor(*first), "after": after } });
    if page.len() < remaining.len() {
        paging["next"] = json!(next_url(page_request, limit, &after));
    }
    Ok(json!({ "data": data, "paging": paging }))
}

/// The URL of the next page, on the host of the request.
fn next_url(page_request: &PageRequest<'_>, limit: u64, after: &str) -> String {
    let mut query = Serializer::new(String::new());
    query.append_pair("access_token", page_request.token);
    let is_kept = |name: &str| !matches!(name, "access_token" | "appsecret_proof" | "limit" | "after");
    query.extend_pairs(page_request.params.pairs().filter(|(name, _)| is_kept(name)));
    query.append_pair("limit", &limit.to_string()).append_pair("after", after);
    let host = page_request.request.header("host").unwrap_or("127.0.0.1");
    format!("http://{host}/{NAME}{}?{}", page_request.request.path, query.finish())
}

fn encode_cursor(key: u64) -> String {
    URL_SAFE.encode(format!("QVFI{key}"))
}

fn decode_cursor(cursor: &str) -> Result<u64, GraphError> {
    let bytes = URL_SAFE.decode(cursor).unwrap_or_default();
    let key = String::from_utf8(bytes).ok().and_then(|text| text.strip_prefix("QVFI")?.parse().ok());
    key.ok_or_else(|| GraphError::new(400, 100, "Invalid cursors values"))
}
