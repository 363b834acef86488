//! Calls of the Pinterest API: addresses, headers, and what an outcome means for a write.

use super::fault::{self, fault, read, unknown_outcome, unreadable};
use super::{NAME, wire};
use crate::domain::Platform;
use crate::error::{Error, Kind};
use crate::outbound::{Answer, Failure, Outgoing, secret_header};
use crate::platforms::{CallContext, Session, answers};
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method};
use jiff::civil::Date;
use secrecy::{ExposeSecret, SecretString};
use serde_json::value::RawValue;
use url::form_urlencoded::Serializer;

/// Where ad accounts are.
const AD_ACCOUNTS: &str = "https://api.pinterest.com/v5/ad_accounts";

/// Most items that a page can have.
pub(super) const LARGEST_PAGE: usize = 250;

/// A caller of the API on behalf of one user.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client<'a> {
    call: &'a CallContext,
    token: &'a SecretString,
}

/// Reads an id of the platform: digits, written in the one way there is. Higher ids are of newer campaigns.
pub(super) fn number(text: &str) -> Option<u64> {
    let number = text.parse::<u64>().ok().filter(|number| *number > 0)?;
    (number.to_string() == text).then_some(number)
}

impl<'a> Client<'a> {
    /// A caller.
    pub(super) fn new(call: &'a CallContext, token: &'a SecretString) -> Client<'a> {
        Client { call, token }
    }

    /// The caller of a session.
    pub(super) fn of(session: &'a Session) -> Client<'a> {
        Client::new(&session.call, &session.token)
    }

    /// One page of the ad accounts that the user has or shares.
    pub(super) async fn ad_accounts(&self, bookmark: Option<&str>) -> Result<wire::Page<Box<RawValue>>, Error> {
        let page_size = LARGEST_PAGE.to_string();
        let mut pairs = vec![("include_shared_accounts", "true"), ("page_size", &page_size)];
        pairs.extend(bookmark.map(|bookmark| ("bookmark", bookmark)));
        let answer = self.get(&format!("{AD_ACCOUNTS}?{}", encoded(&pairs))).await?;
        read(&answer.body).map(last_page_said)
    }

    /// One page of an account's campaigns in some of the platform's states, newest first.
    pub(super) async fn campaigns(
        &self,
        account: &str,
        statuses: &[&str],
        page_size: usize,
        bookmark: Option<&str>,
    ) -> Result<wire::Page<Box<RawValue>>, Error> {
        let page_size = page_size.to_string();
        let mut pairs: Vec<(&str, &str)> = statuses.iter().map(|status| ("entity_statuses", *status)).collect();
        pairs.extend([("page_size", page_size.as_str()), ("order", "DESCENDING")]);
        pairs.extend(bookmark.map(|bookmark| ("bookmark", bookmark)));
        let answer = self.get(&format!("{}?{}", campaigns_of(account)?, encoded(&pairs))).await;
        read(&answer.map_err(of_the_account)?.body).map(last_page_said)
    }

    /// One campaign, in any state.
    pub(super) async fn campaign(&self, account: &str, id: &str) -> Result<Box<RawValue>, Error> {
        read(&self.get(&format!("{}/{id}", campaigns_of(account)?)).await?.body)
    }

    /// What campaigns spent in the days from one to another, both included, in one sum for each.
    pub(super) async fn spend(
        &self,
        account: &str,
        ids: &[&str],
        (from, to): (Date, Date),
    ) -> Result<Vec<Box<RawValue>>, Error> {
        let (from, to) = (from.to_string(), to.to_string());
        let mut pairs = vec![("start_date", from.as_str()), ("end_date", &to)];
        pairs.extend(ids.iter().map(|id| ("campaign_ids", *id)));
        pairs.extend([("columns", "SPEND_IN_MICRO_DOLLAR"), ("granularity", "TOTAL")]);
        let answer = self.get(&format!("{}/analytics?{}", campaigns_of(account)?, encoded(&pairs))).await?;
        serde_json::from_slice(&answer.body).map_err(unreadable)
    }

    /// Carries out a change, which may be sent again whatever became of it, and answers the campaign.
    pub(super) async fn update(
        &self,
        account: &str,
        update: &wire::CampaignUpdate<'_>,
    ) -> Result<Box<RawValue>, Error> {
        let outgoing = self.write(Method::PATCH, account, update)?;
        let answer = self.repeatable(self.send(outgoing).await)?;
        let outcome = only_outcome(&answer)?;
        match refusal(&outcome) {
            Some(error) => Err(self.without_secrets(error)),
            None => outcome.data.ok_or_else(|| unreadable("a change without a result")),
        }
    }

    /// Creates, once. Where it is not certain that nothing was created, the error says so and is not retryable.
    pub(super) async fn create(
        &self,
        account: &str,
        create: &wire::CampaignCreate<'_>,
    ) -> Result<Box<RawValue>, Error> {
        let outgoing = self.write(Method::POST, account, create)?;
        let doubt = |error| unknown_outcome(create.name, error);
        let answer = match self.send(outgoing).await {
            Ok(answer) => answer,
            Err(Failure::NotSent) => return Err(answers::no_answer(Platform::Epsilon, Failure::NotSent)),
            Err(failure) => return Err(doubt(answers::no_answer(Platform::Epsilon, failure))),
        };
        if !answer.status.is_success() {
            let error = self.fault(&answer);
            // Only a client error that says what it refused is certain to have created nothing.
            let certain = answer.status.is_client_error() && error.kind != Kind::PlatformFailed;
            return Err(if certain { of_the_account(error) } else { doubt(error) });
        }
        let outcome = only_outcome(&answer).map_err(doubt)?;
        match refusal(&outcome) {
            // A refusal that says nothing, or that comes with the id of a campaign, is none to rely on.
            Some(error) if is_silent(&error) || has_id(outcome.data.as_deref()) => {
                Err(doubt(self.without_secrets(error)))
            }
            Some(error) => Err(self.without_secrets(error)),
            None => outcome.data.ok_or_else(|| doubt(unreadable("a create without a result"))),
        }
    }

    async fn get(&self, published: &str) -> Result<Answer, Error> {
        let url = self.call.config.address(published);
        let outgoing = Outgoing { method: Method::GET, url, headers: self.headers()?, body: Bytes::new() };
        self.repeatable(self.send(outgoing).await)
    }

    /// One item in each call, although the platform takes up to thirty: then an error is about that one.
    fn write(&self, method: Method, account: &str, item: &impl serde::Serialize) -> Result<Outgoing, Error> {
        let url = self.call.config.address(&campaigns_of(account)?);
        let body = serde_json::to_vec(&[item]).map_err(Error::internal)?;
        Ok(Outgoing { method, url, headers: self.headers()?, body: body.into() })
    }

    fn headers(&self) -> Result<HeaderMap, Error> {
        let mut headers = HeaderMap::new();
        headers.insert(
            AUTHORIZATION,
            secret_header(&format!("Bearer {}", self.token.expose_secret())).map_err(Error::internal)?,
        );
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(headers)
    }

    async fn send(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        self.call.outbound.send(outgoing, self.call.deadline).await
    }

    /// An answer of success, or the error of a call that may be sent again.
    fn repeatable(&self, outcome: Result<Answer, Failure>) -> Result<Answer, Error> {
        let answer = outcome.map_err(|failure| answers::no_answer(Platform::Epsilon, failure))?;
        if answer.status.is_success() { Ok(answer) } else { Err(self.fault(&answer)) }
    }

    fn fault(&self, answer: &Answer) -> Error {
        self.without_secrets(fault(answer, self.call.now))
    }

    fn without_secrets(&self, error: Error) -> Error {
        answers::without_secrets(error, &[self.token])
    }
}

/// Names and values as in a form or behind a question mark; several values of a name stand one by one.
pub(super) fn encoded(pairs: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(pairs).finish()
}

fn campaigns_of(account: &str) -> Result<String, Error> {
    // The id becomes part of the path.
    number(account).ok_or_else(|| Error::internal("the ad account's id is not a number"))?;
    Ok(format!("{AD_ACCOUNTS}/{account}/campaigns"))
}

/// An empty bookmark is none.
fn last_page_said<T>(page: wire::Page<T>) -> wire::Page<T> {
    wire::Page { bookmark: page.bookmark.filter(|bookmark| !bookmark.is_empty()), ..page }
}

/// Where a call names no campaign, what was not found is the ad account.
fn of_the_account(error: Error) -> Error {
    if error.kind != Kind::NotFound {
        return error;
    }
    let message =
        format!("{NAME} knows no such ad account for the user who authorized; see there, then authorize again.");
    Error { kind: Kind::Forbidden, message, ..error }
}

fn only_outcome(answer: &Answer) -> Result<wire::Outcome, Error> {
    let mut outcomes: wire::Outcomes = read(&answer.body)?;
    match (outcomes.items.pop(), outcomes.items.is_empty()) {
        (Some(outcome), true) => Ok(outcome),
        _ => Err(unreadable("not one result for one campaign")),
    }
}

/// The refusal inside an answer of success, which has to be looked for before anything else is read.
fn refusal(outcome: &wire::Outcome) -> Option<Error> {
    outcome.exceptions.as_deref().and_then(fault::exceptions)
}

fn is_silent(refusal: &Error) -> bool {
    refusal.platform_fault.as_ref().is_none_or(|fault| fault.code.is_none() && fault.message.is_empty())
}

fn has_id(data: Option<&RawValue>) -> bool {
    // What cannot be read as an object without an id may be one with an id.
    let has_id = |data: &RawValue| match serde_json::from_str::<wire::AnyId>(data.get()) {
        Ok(any) => any.id.is_some(),
        Err(_) => true,
    };
    data.is_some_and(has_id)
}

#[cfg(test)]
mod tests;
