//! Calls of the LinkedIn Marketing API: addresses, headers, paging, and what an outcome means for a write.

use super::fault::{fault, of_campaign, of_read, read, unknown_outcome, unreadable};
use super::{query, wire};
use crate::domain::Platform;
use crate::error::{Error, Kind};
use crate::outbound::{Answer, Failure, Outgoing, secret_header};
use crate::platforms::{CallContext, Session, answers};
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// Where the API is.
const BASE: &str = "https://api.linkedin.com/rest/";

/// Most pages of one search that are followed to its end.
const MAX_PAGES: usize = 20;

/// Where the id of what was made is: the body of the answer is empty.
const CREATED_ID: &str = "x-restli-id";

/// A caller of the API on behalf of one user.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client<'a> {
    call: &'a CallContext,
    token: &'a SecretString,
}

impl<'a> Client<'a> {
    /// The caller for a token.
    pub(super) fn new(call: &'a CallContext, token: &'a SecretString) -> Client<'a> {
        Client { call, token }
    }

    /// The caller of a session.
    pub(super) fn of(session: &'a Session) -> Client<'a> {
        Client::new(&session.call, &session.token)
    }

    /// Reads something, and hands it on as received.
    pub(super) async fn get(&self, path: &str) -> Result<Bytes, Error> {
        let outgoing = self.outgoing(Method::GET, path, Bytes::new())?;
        Ok(self.repeatable(self.send(outgoing).await).map_err(of_read)?.body)
    }

    /// Reads something into a message.
    pub(super) async fn get_as<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error> {
        read(&self.get(path).await?)
    }

    /// One page of a search, and the token of the next.
    pub(super) async fn page(
        &self,
        search: &str,
        token: Option<&str>,
    ) -> Result<(Vec<Box<RawValue>>, Option<String>), Error> {
        let page: wire::Page = self.get_as(&query::page(search, token)).await?;
        let metadata = page.metadata.ok_or_else(|| unreadable("a page without metadata"))?;
        Ok((page.elements, metadata.next_page_token.filter(|token| !token.is_empty())))
    }

    /// All rows that a search finds, as received.
    pub(super) async fn all(&self, search: &str) -> Result<Vec<Box<RawValue>>, Error> {
        let (mut found, mut token) = (Vec::new(), None);
        for _ in 0..MAX_PAGES {
            let (elements, next) = self.page(search, token.as_deref()).await?;
            found.extend(elements);
            token = next;
            if token.is_none() {
                return Ok(found);
            }
        }
        Err(unreadable("a search without an end"))
    }

    /// Creates a campaign, once, and answers its id. Where it is not certain that nothing was created, the error says
    /// so and is not retryable.
    pub(super) async fn create(&self, account: &str, campaign: &wire::NewCampaign) -> Result<String, Error> {
        let outgoing = self.post(&query::within(account, "adCampaigns")?, campaign)?;
        let doubt = |error| unknown_outcome(&campaign.name, error);
        let answer = match self.send(outgoing).await {
            Ok(answer) => answer,
            Err(Failure::NotSent) => return Err(answers::no_answer(Platform::Delta, Failure::NotSent)),
            Err(failure) => return Err(doubt(answers::no_answer(Platform::Delta, failure))),
        };
        if answer.status.is_success() {
            return created_id(&answer).map_err(doubt);
        }
        let error = self.fault(&answer);
        // Only a client error that says what it refused is certain to have created nothing.
        let is_clear = error.platform_fault.is_some() && !error.retryable;
        match error.kind {
            _ if !answer.status.is_client_error() => Err(doubt(error)),
            Kind::PlatformFailed if !is_clear => Err(doubt(error)),
            _ => Err(without_campaign(error)),
        }
    }

    /// Creates a campaign group, and answers its id. No campaign is made by it, so that trying again is safe: the
    /// group is looked for by its name first.
    pub(super) async fn create_group(&self, account: &str, group: &wire::NewGroup<'_>) -> Result<String, Error> {
        let outgoing = self.post(&query::within(account, "adCampaignGroups")?, group)?;
        let answer = self.repeatable(self.send(outgoing).await).map_err(without_campaign)?;
        created_id(&answer)
    }

    /// Changes fields of a campaign, which may be sent again whatever became of it.
    pub(super) async fn update(
        &self,
        account: &str,
        remote_id: &str,
        fields: &wire::CampaignFields,
    ) -> Result<(), Error> {
        let update = wire::PartialUpdate { patch: wire::Patch { set: fields } };
        let mut outgoing = self.post(&query::campaign(account, remote_id)?, &update)?;
        let method = HeaderName::from_static("x-restli-method");
        outgoing.headers.insert(method, HeaderValue::from_static("PARTIAL_UPDATE"));
        without_words(&self.repeatable(self.send(outgoing).await).map_err(of_campaign)?)
    }

    /// Deletes a campaign, which the platform does only for drafts. May be sent again.
    pub(super) async fn delete(&self, account: &str, remote_id: &str) -> Result<(), Error> {
        let outgoing = self.outgoing(Method::DELETE, &query::campaign(account, remote_id)?, Bytes::new())?;
        without_words(&self.repeatable(self.send(outgoing).await).map_err(of_campaign)?)
    }

    fn post(&self, path: &str, body: &impl Serialize) -> Result<Outgoing, Error> {
        let body = serde_json::to_vec(body).map_err(Error::internal)?;
        let mut outgoing = self.outgoing(Method::POST, path, body.into())?;
        outgoing.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(outgoing)
    }

    /// <https://learn.microsoft.com/en-us/linkedin/marketing/versioning>
    fn outgoing(&self, method: Method, path: &str, body: Bytes) -> Result<Outgoing, Error> {
        let token = secret_header(&format!("Bearer {}", self.token.expose_secret())).map_err(Error::internal)?;
        let version = HeaderValue::from_str(&self.call.config.settings.delta_ads.version).map_err(Error::internal)?;
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, token);
        headers.insert(HeaderName::from_static("linkedin-version"), version);
        headers.insert(HeaderName::from_static("x-restli-protocol-version"), HeaderValue::from_static("2.0.0"));
        Ok(Outgoing { method, url: self.call.config.address(&format!("{BASE}{path}")), headers, body })
    }

    async fn send(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        self.call.outbound.send(outgoing, self.call.deadline).await
    }

    /// An answer of success, or the error of a call that may be sent again.
    fn repeatable(&self, outcome: Result<Answer, Failure>) -> Result<Answer, Error> {
        let answer = outcome.map_err(|failure| answers::no_answer(Platform::Delta, failure))?;
        if answer.status.is_success() { Ok(answer) } else { Err(self.fault(&answer)) }
    }

    /// The error of an answer, without the token that was sent, should the platform repeat it.
    fn fault(&self, answer: &Answer) -> Error {
        answers::without_secrets(fault(answer, self.call.now), &[self.token])
    }
}

/// What is done is answered with nothing; words instead are not the platform's (a page of some host between).
fn without_words(answer: &Answer) -> Result<(), Error> {
    if answer.body.is_empty() {
        return Ok(());
    }
    Err(answers::unreadable(Platform::Delta, "words where there should be none"))
}

/// The id of what was made: a number, or a name that ends in it.
fn created_id(answer: &Answer) -> Result<String, Error> {
    let text = answer.headers.get(CREATED_ID).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let id = text.rsplit(':').next().and_then(query::number);
    id.map(|id| id.to_string()).ok_or_else(|| unreadable("an answer without the id of what was made"))
}

/// Where there is no campaign yet, what was not found is something that it would refer to.
pub(super) fn without_campaign(error: Error) -> Error {
    if error.kind == Kind::NotFound { Error { kind: Kind::PlatformRefused, ..error } } else { error }
}

#[cfg(test)]
mod tests;
