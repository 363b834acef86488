//! Pages of a list, by cursor.
//!
//! Graph API: Paginated Results. `next` is there only when there is more; a page may be shorter
//! than its limit and still not be the last.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use serde_json::{Value, json};
use url::form_urlencoded::Serializer;

use super::WORD;
use super::error::GraphError;
use super::params::Params;
use crate::http::Request;

/// Rows of a page when nothing is said, and at most.
const USUAL: u64 = 25;
const MOST: u64 = 5000;

/// Where a list is read.
pub(crate) struct Reading<'a> {
    pub(crate) request: &'a Request,
    pub(crate) params: &'a Params,
    /// The token in use; `next` carries it, as the platform's does.
    pub(crate) token: &'a str,
    /// Rows of a page when it was set from outside.
    pub(crate) page_size: Option<usize>,
}

/// One page of rows that are in the order of their numbers.
pub(crate) fn page(rows: &[(u64, Value)], reading: &Reading<'_>) -> Result<Value, GraphError> {
    if let Some(name) = reading.params.any_of(&["before", "offset", "since", "until"]) {
        return Err(GraphError::unimitated(name));
    }
    let limit = reading.params.unsigned("limit")?.unwrap_or(USUAL);
    if limit == 0 {
        return Err(GraphError::parameter("Param limit must be greater than 0"));
    }
    let size = usize::try_from(limit.min(MOST)).unwrap_or(usize::MAX);
    let size = reading.page_size.map_or(size, |most| size.min(most));
    let after = reading.params.text("after").map(decode).transpose()?;
    let left: Vec<_> = rows.iter().filter(|(rank, _)| after.is_none_or(|after| *rank > after)).collect();
    let shown = left.get(..size.min(left.len())).unwrap_or_default();
    let data: Vec<&Value> = shown.iter().map(|(_, row)| row).collect();
    let (Some((first, _)), Some((last, _))) = (shown.first(), shown.last()) else {
        return Ok(json!({ "data": [] }));
    };
    let after = encode(*last);
    let mut paging = json!({ "cursors": { "before": encode(*first), "after": after } });
    if shown.len() < left.len() {
        paging["next"] = json!(next(reading, limit, &after));
    }
    Ok(json!({ "data": data, "paging": paging }))
}

/// The same call for the rows after these. It works on the host that was asked.
fn next(reading: &Reading<'_>, limit: u64, after: &str) -> String {
    let mut query = Serializer::new(String::new());
    query.append_pair("access_token", reading.token);
    let same = |name: &str| !matches!(name, "access_token" | "appsecret_proof" | "limit" | "after");
    query.extend_pairs(reading.params.pairs().filter(|(name, _)| same(name)));
    query.append_pair("limit", &limit.to_string()).append_pair("after", after);
    let host = reading.request.header("host").unwrap_or("127.0.0.1");
    format!("http://{host}/{WORD}{}?{}", reading.request.path, query.finish())
}

fn encode(rank: u64) -> String {
    URL_SAFE.encode(format!("QVFI{rank}"))
}

fn decode(cursor: &str) -> Result<u64, GraphError> {
    let bytes = URL_SAFE.decode(cursor).unwrap_or_default();
    let rank = String::from_utf8(bytes).ok().and_then(|text| text.strip_prefix("QVFI")?.parse().ok());
    rank.ok_or_else(|| GraphError::new(400, 100, "Invalid cursors values"))
}
