//! Reads the parameters of a query, and pages by the address of the next page.
//!
//! Reddit Ads API v3 reference: "Pagination", "List Campaigns".

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use url::form_urlencoded;

use super::WORD;
use super::error::Refusal;
use crate::http::{Pairs, Request};

/// Rows of a page when nothing is said, and the most that can be asked for.
const USUAL: usize = 100;
const MOST: usize = 1000;
/// Ids of one `id` parameter.
const IDS: usize = 200;

/// The parameters of one request.
pub(crate) struct Query<'r> {
    request: &'r Request,
    pairs: Pairs,
}

impl<'r> Query<'r> {
    /// Refuses parameters that the address does not have, and repetitions.
    pub(crate) fn read(request: &'r Request, known: &[&'static str]) -> Result<Self, Refusal> {
        let pairs = Pairs::parse(&request.query);
        if let Some(odd) = pairs.names().find(|name| !known.contains(name)) {
            return Err(Refusal::field(odd, "is no parameter of this address"));
        }
        if let Some(name) = pairs.repeated(known) {
            return Err(Refusal::field(name, "is given more than once"));
        }
        Ok(Self { request, pairs })
    }

    /// The ids of `id`, separated by commas.
    pub(crate) fn ids(&self) -> Result<Option<Vec<&str>>, Refusal> {
        let ids: Option<Vec<&str>> = self.pairs.get("id").map(|ids| ids.split(',').collect());
        match ids {
            Some(ids) if ids.len() > IDS => Err(Refusal::field("id", format!("holds more than {IDS} ids"))),
            ids => Ok(ids),
        }
    }

    /// One page of rows, each with what orders it, in the platform's form.
    pub(crate) fn page<K: ToString>(&self, rows: Vec<(K, Value)>, most: Option<usize>) -> Result<Value, Refusal> {
        let size = self.size()?;
        let size = size.min(most.unwrap_or(size));
        let from = match self.pairs.get("page.token") {
            None => 0,
            Some(token) => {
                let last = URL_SAFE_NO_PAD.decode(token).ok().and_then(|bytes| String::from_utf8(bytes).ok());
                let at = rows.iter().position(|(key, _)| Some(key.to_string()) == last);
                at.ok_or_else(|| Refusal::field("page.token", "is invalid"))? + 1
            }
        };
        // The page that begins after the row before it, if there is such a page.
        let begins = |at: usize| {
            let last = at.checked_sub(1).and_then(|before| rows.get(before)).map(|(key, _)| key.to_string());
            self.address(last.as_deref())
        };
        let next = (rows.len() > from + size).then(|| begins(from + size));
        let previous = (from > 0).then(|| begins(from.saturating_sub(size)));
        let data: Vec<Value> = rows.into_iter().skip(from).take(size).map(|(_, row)| row).collect();
        Ok(json!({ "data": data, "pagination": { "next_url": next, "previous_url": previous } }))
    }

    fn size(&self) -> Result<usize, Refusal> {
        let Some(text) = self.pairs.get("page.size") else { return Ok(USUAL) };
        let size = text.parse().ok().filter(|size| (1..=MOST).contains(size));
        size.ok_or_else(|| Refusal::field("page.size", format!("must be from 1 to {MOST}")))
    }

    /// A whole address, on the host that was asked: it is followed as it is.
    fn address(&self, last: Option<&str>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for name in ["id", "page.size"] {
            if let Some(value) = self.pairs.get(name) {
                query.append_pair(name, value);
            }
        }
        if let Some(last) = last {
            query.append_pair("page.token", &URL_SAFE_NO_PAD.encode(last));
        }
        let host = self.request.header("host").unwrap_or("127.0.0.1");
        format!("http://{host}/{WORD}{}?{}", self.request.path, query.finish())
    }
}
