//! Pages of a finder: sort order, page size and page tokens.
//!
//! LinkedIn API guide: "Pagination", cursor-based.

use super::error::invalid_param;
use super::restli::Query;
use crate::http::Response;
use crate::service::RequestContext;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value, json};

/// The parameters of every finder with pages.
pub(super) const PARAMETERS: &[&str] = &["q", "sortOrder", "pageSize", "pageToken"];

const DEFAULT_SIZE: usize = 100;

/// A page of elements.
pub(super) struct Page {
    pub(super) elements: Vec<Value>,
    /// The token of the next page, if there is one.
    metadata: Map<String, Value>,
}

impl Page {
    pub(super) fn response(self) -> Response {
        Response::json(200, &json!({ "elements": self.elements, "metadata": self.metadata }))
    }
}

/// One page of the elements, each with its id, in ascending order of their ids. `criteria` is the raw text of what was
/// asked for: a token is valid for it only.
pub(super) fn page(
    query: &Query<'_>,
    context: &RequestContext<'_>,
    criteria: &str,
    max_size: usize,
    mut found: Vec<(i64, Value)>,
) -> Result<Page, Response> {
    match query.raw("sortOrder") {
        None | Some("ASCENDING") => {}
        Some("DESCENDING") => found.reverse(),
        Some(_) => return Err(invalid_param("sortOrder", "Invalid value for parameter")),
    }
    let size = size(query, max_size)?.min(context.settings.page_size.unwrap_or(max_size));
    let key = format!("{criteria}\n{}", query.raw("sortOrder").unwrap_or_default());
    let mut rest = match query.text("pageToken")? {
        Some(token) => after(found, &token, &key)?,
        None => found,
    };
    let more = rest.len() > size;
    rest.truncate(size);
    let mut metadata = Map::new();
    if let (true, Some((last, _))) = (more, rest.last()) {
        let token = URL_SAFE_NO_PAD.encode(format!("{last}\n{key}"));
        metadata.insert("nextPageToken".to_owned(), json!(token));
    }
    Ok(Page { elements: rest.into_iter().map(|(_, element)| element).collect(), metadata })
}

fn size(query: &Query<'_>, max_size: usize) -> Result<usize, Response> {
    let Some(text) = query.text("pageSize")? else { return Ok(DEFAULT_SIZE) };
    let size = text.parse().ok().filter(|size| (1..=max_size).contains(size));
    size.ok_or_else(|| invalid_param("pageSize", format!("The page size must be from 1 to {max_size}")))
}

/// The elements after the one in the token.
fn after(found: Vec<(i64, Value)>, token: &str, key: &str) -> Result<Vec<(i64, Value)>, Response> {
    let invalid = || invalid_param("pageToken", "The page token belongs to another search");
    let bytes = URL_SAFE_NO_PAD.decode(token).map_err(|_| invalid())?;
    let text = String::from_utf8(bytes).map_err(|_| invalid())?;
    let (last, search) = text.split_once('\n').ok_or_else(invalid)?;
    let last: i64 = last.parse().map_err(|_| invalid())?;
    if search != key {
        return Err(invalid());
    }
    let descending = key.ends_with("\nDESCENDING");
    let is_after = |id: i64| if descending { id < last } else { id > last };
    Ok(found.into_iter().filter(|(id, _)| is_after(*id)).collect())
}
