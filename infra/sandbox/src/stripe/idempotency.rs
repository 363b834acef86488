//! Answers that are kept by Idempotency-Key.
//!
//! API reference: Idempotent requests. What was executed is kept, a 500 included; what failed
//! validation, or was turned away before it was looked at, is not.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::error::StripeError;
use crate::http::{Pairs, Reply, Request};

/// Seconds that an answer is kept.
const KEPT: i64 = 86_400;

/// A key longer than this is none.
const LONGEST: usize = 255;

/// A request as its key knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ticket {
    pub(super) key: String,
    endpoint: String,
    /// The parameters, in the order of their names.
    parameters: Vec<(String, String)>,
}

impl Ticket {
    /// The ticket of a POST that carries a key; others need none.
    pub(super) fn of(request: &Request) -> Result<Option<Self>, StripeError> {
        let Some(key) = request.header("idempotency-key").filter(|_| request.method == "POST") else {
            return Ok(None);
        };
        if key.is_empty() || key.chars().count() > LONGEST {
            let why = format!("Idempotency keys have 1 to {LONGEST} characters.");
            return Err(StripeError::invalid(why));
        }
        let pairs = Pairs::parse(&request.body);
        let mut parameters: Vec<_> = pairs.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        parameters.sort();
        Ok(Some(Self { key: key.to_owned(), endpoint: request.path.clone(), parameters }))
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    ticket: Ticket,
    at: i64,
    status: u16,
    body: String,
}

/// Keys that were used.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Keys {
    kept: BTreeMap<String, Kept>,
    /// Those whose first request is not answered yet.
    #[serde(skip)]
    under_way: BTreeSet<String>,
}

impl Keys {
    /// Marks a request as being under way. False when its key is already.
    pub(super) fn enter(&mut self, ticket: &Ticket) -> bool {
        self.under_way.insert(ticket.key.clone())
    }

    /// The request was answered.
    pub(super) fn leave(&mut self, ticket: &Ticket) {
        self.under_way.remove(&ticket.key);
    }

    /// The answer that was kept for this request, if there is one.
    pub(super) fn replay(&mut self, ticket: &Ticket, now: i64) -> Result<Option<Reply>, StripeError> {
        self.kept.retain(|_, kept| now - kept.at < KEPT);
        let Some(kept) = self.kept.get(&ticket.key) else { return Ok(None) };
        if kept.ticket.endpoint != ticket.endpoint {
            return Err(StripeError::other_use(format!(
                "Keys for idempotent requests can only be used for the same endpoint they were first used for ('{}' \
                 vs '{}'). Try using a key other than '{}' if you meant to execute a different request.",
                ticket.endpoint, kept.ticket.endpoint, ticket.key
            )));
        }
        if kept.ticket.parameters != ticket.parameters {
            return Err(StripeError::other_use(format!(
                "Keys for idempotent requests can only be used with the same parameters they were first used with. \
                 Try using a key other than '{}' if you meant to execute a different request.",
                ticket.key
            )));
        }
        let reply = Reply::new(kept.status, "application/json; charset=UTF-8", kept.body.clone());
        Ok(Some(reply.with("idempotent-replayed", "true")))
    }

    /// Keeps the answer of what was executed.
    pub(super) fn keep(&mut self, ticket: Ticket, reply: &Reply, now: i64) {
        let kept = Kept { at: now, status: reply.status, body: reply.body.clone(), ticket };
        self.kept.entry(kept.ticket.key.clone()).or_insert(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticket(path: &str, body: &str) -> Ticket {
        let headers = BTreeMap::from([("idempotency-key".to_owned(), "k".to_owned())]);
        let (method, path, body) = ("POST".to_owned(), path.to_owned(), body.to_owned());
        Ticket::of(&Request { method, path, body, headers, ..Request::default() }).unwrap().unwrap()
    }

    #[test]
    fn the_same_request_gets_the_same_answer_for_a_day() {
        let mut keys = Keys::default();
        keys.keep(ticket("/v1/customers", "a=1&b=2"), &Reply::new(500, "", "first"), 0);
        let again = keys.replay(&ticket("/v1/customers", "b=2&a=1"), KEPT - 1).unwrap().unwrap();
        assert_eq!((again.status, again.body.as_str()), (500, "first"));
        assert!(keys.replay(&ticket("/v1/customers", "b=2&a=1"), KEPT).unwrap().is_none());
    }

    #[test]
    fn another_request_with_the_key_is_refused() {
        let mut keys = Keys::default();
        keys.keep(ticket("/v1/customers", "a=1"), &Reply::new(200, "", ""), 0);
        for other in [ticket("/v1/customers", "a=2"), ticket("/v1/checkout/sessions", "a=1")] {
            assert_eq!(keys.replay(&other, 1).unwrap_err().status, 400);
        }
    }
}
