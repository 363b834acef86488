//! Reads the parameters of a query, and pages by bookmark.
//!
//! Pinterest API v5 reference: "Pagination", "List campaigns", "List ad accounts".

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest;
use serde_json::{Value, json};

use super::error::Refusal;
use super::items;
use crate::http::{Pairs, Request};

/// Items of a page when nothing is said, and the most that can be asked for.
const USUAL: usize = 25;
const MOST: usize = 250;

/// The parameters of one request.
pub(crate) struct Query {
    pairs: Pairs,
    /// Everything but the bookmark, which belongs to just this.
    rest: String,
}

impl Query {
    /// Refuses parameters that the address does not have, and repetitions but of `lists`.
    pub(crate) fn read(request: &Request, single: &[&'static str], lists: &[&'static str]) -> Result<Self, Refusal> {
        let pairs = Pairs::parse(&request.query);
        if let Some(odd) = pairs.names().find(|name| !single.contains(name) && !lists.contains(name)) {
            return Err(Refusal::invalid(format!("Invalid request: unknown parameter {odd}")));
        }
        if let Some(name) = pairs.repeated(single) {
            return Err(Refusal::invalid(format!("Invalid request: {name} is given more than once")));
        }
        let rest = single.iter().chain(lists).filter(|name| !matches!(**name, "bookmark" | "page_size"));
        let rest = rest.flat_map(|name| pairs.all(name).map(move |value| format!("{name}={value}")));
        let rest = format!("{}?{}", request.path, rest.collect::<Vec<_>>().join("&"));
        Ok(Self { pairs, rest })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.pairs.get(name)
    }

    pub(crate) fn required(&self, name: &str) -> Result<&str, Refusal> {
        self.get(name).ok_or_else(|| Refusal::invalid(format!("Invalid request: {name} is required")))
    }

    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.pairs.all(name)
    }

    /// The ids of `campaign_ids`, which is repeated for each.
    pub(crate) fn campaigns(&self) -> Result<Vec<i64>, Refusal> {
        let read = |text| items::id(text).ok_or_else(|| wrong("campaign_ids", text));
        let ids: Vec<i64> = self.all("campaign_ids").map(read).collect::<Result<_, _>>()?;
        if ids.len() > MOST {
            return Err(Refusal::invalid(format!("Invalid request: more than {MOST} campaign_ids")));
        }
        Ok(ids)
    }

    /// One page of rows that are sorted by id, as `order` has it, and the bookmark of the next.
    pub(crate) fn page<T>(
        &self,
        rows: Vec<T>,
        id: impl Fn(&T) -> i64,
        most: Option<usize>,
    ) -> Result<(Vec<T>, Value), Refusal> {
        let size = match self.get("page_size") {
            None => USUAL,
            Some(text) => {
                let size = text.parse().ok().filter(|size| (1..=MOST).contains(size));
                size.ok_or_else(|| wrong("page_size", text))?
            }
        };
        let size = size.min(most.unwrap_or(size));
        let descending = self.get("order") == Some("DESCENDING");
        let last = self.get("bookmark").map(|text| self.seen(text)).transpose()?;
        let is_new = |row: &T| last.is_none_or(|last| if descending { id(row) < last } else { id(row) > last });
        let mut rows: Vec<T> = rows.into_iter().filter(is_new).collect();
        let more = rows.len() > size;
        rows.truncate(size);
        let bookmark = rows.last().filter(|_| more).map(|row| self.bookmark(id(row)));
        Ok((rows, json!(bookmark)))
    }

    /// A bookmark is the last id that was shown, good for the same query.
    fn bookmark(&self, last: i64) -> String {
        let mut bytes = self.fingerprint();
        bytes.extend_from_slice(last.to_string().as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    fn seen(&self, bookmark: &str) -> Result<i64, Refusal> {
        let bytes = URL_SAFE_NO_PAD.decode(bookmark).unwrap_or_default();
        let last = bytes.strip_prefix(self.fingerprint().as_slice());
        let last = last.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        last.ok_or_else(|| wrong("bookmark", bookmark))
    }

    fn fingerprint(&self) -> Vec<u8> {
        let hash = digest::digest(&digest::SHA256, self.rest.as_bytes());
        hash.as_ref().iter().take(12).copied().collect()
    }
}

/// A parameter with a value that it cannot have.
pub(crate) fn wrong(name: &str, value: &str) -> Refusal {
    Refusal::invalid(format!("Invalid request: {name} cannot be {value}"))
}
