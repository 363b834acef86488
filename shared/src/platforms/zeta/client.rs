//! Calls of the Reddit Ads API: addresses, headers, and what an outcome means for a write.

mod paging;

use super::fault::fault;
use super::wire::{self, Data, id};
use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::outbound::{Answer, Failure, Outgoing, secret_header};
use crate::platforms::{CallContext, Session, answers};
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde_json::value::RawValue;

/// Where the API is.
const BASE: &str = "https://ads-api.reddit.com/api/v3";

/// A caller of the API on behalf of one user.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client<'a> {
    call: &'a CallContext,
    token: &'a SecretString,
}

impl<'a> Client<'a> {
    /// A caller with a token.
    pub(super) fn new(call: &'a CallContext, token: &'a SecretString) -> Client<'a> {
        Client { call, token }
    }

    /// The caller of a session.
    pub(super) fn of(session: &'a Session) -> Client<'a> {
        Client { call: &session.call, token: &session.token }
    }

    /// The configured conversion pixel, else the account's first; without one no campaign can be made.
    pub(super) async fn pixel(&self, account: &str) -> Result<String, Error> {
        if let Some(pixel) = &self.call.config.settings.zeta_ads.pixel_id {
            return Ok(pixel.clone());
        }
        let page = self.page(&format!("/ad_accounts/{}/pixels", id(account)?), 1, None).await;
        let (rows, _) = page.map_err(without_campaign)?;
        let Some(first) = rows.first() else {
            let words = "The ad account has no conversion pixel, which a new campaign needs: make one on Reddit.";
            let field = Some("conversion_pixel_id".to_owned());
            let fault = PlatformFault { code: None, message: words.to_owned(), field };
            return Err(Error::new(Kind::PlatformRefused, words).on(Platform::Zeta).with_fault(fault));
        };
        let pixel: wire::Pixel =
            serde_json::from_str(first.get()).map_err(|error| answers::unreadable(Platform::Zeta, error))?;
        Ok(pixel.id)
    }

    /// One campaign, as received.
    pub(super) async fn campaign(&self, campaign: &str) -> Result<Box<RawValue>, Error> {
        let answer = self.get(&format!("/campaigns/{}", id(campaign)?)).await?;
        data(&answer)
    }

    /// Changes a campaign, which may be sent again whatever became of it.
    pub(super) async fn update(&self, campaign: &str, patch: &wire::Patch) -> Result<Box<RawValue>, Error> {
        let outgoing = self.with_body(Method::PATCH, &format!("/campaigns/{}", id(campaign)?), patch)?;
        data(&self.repeatable(self.send(outgoing).await)?)
    }

    /// Creates, once. Where it is not certain that nothing was created, the error says so and is not retryable.
    pub(super) async fn create(
        &self,
        account: &str,
        name: &str,
        campaign: &wire::NewCampaign<'_>,
    ) -> Result<Box<RawValue>, Error> {
        let doubtful = |error| answers::doubtful(Platform::Zeta, name, error);
        let path = format!("/ad_accounts/{}/campaigns", id(account)?);
        let answer = match self.send(self.with_body(Method::POST, &path, campaign)?).await {
            Ok(answer) => answer,
            Err(Failure::NotSent) => return Err(answers::no_answer(Platform::Zeta, Failure::NotSent)),
            Err(failure) => return Err(doubtful(answers::no_answer(Platform::Zeta, failure))),
        };
        if answer.status.is_success() {
            return data(&answer).map_err(doubtful);
        }
        let error = self.fault(&answer);
        match error.kind {
            // Only a client error that says what it refused is certain to have created nothing.
            Kind::PlatformFailed | Kind::PlatformTimeout => Err(doubtful(error)),
            Kind::Forbidden if error.platform_fault.is_none() => Err(doubtful(error)),
            _ => Err(without_campaign(error)),
        }
    }

    async fn get(&self, path: &str) -> Result<Answer, Error> {
        let url = self.call.config.address(&format!("{BASE}{path}"));
        let outgoing = Outgoing { method: Method::GET, url, headers: self.headers()?, body: Bytes::new() };
        self.repeatable(self.send(outgoing).await)
    }

    fn with_body(&self, method: Method, path: &str, content: &impl Serialize) -> Result<Outgoing, Error> {
        let url = self.call.config.address(&format!("{BASE}{path}"));
        let body = serde_json::to_vec(&Data { data: content }).map_err(Error::internal)?;
        let mut headers = self.headers()?;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(Outgoing { method, url, headers, body: body.into() })
    }

    fn headers(&self) -> Result<HeaderMap, Error> {
        let bearer = secret_header(&format!("Bearer {}", self.token.expose_secret())).map_err(Error::internal)?;
        let agent = HeaderValue::from_str(&self.call.config.settings.zeta_ads.user_agent).map_err(Error::internal)?;
        Ok(HeaderMap::from_iter([(AUTHORIZATION, bearer), (USER_AGENT, agent)]))
    }

    async fn send(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        self.call.outbound.send(outgoing, self.call.deadline).await
    }

    /// An answer of success, or the error of a call that may be sent again.
    fn repeatable(&self, outcome: Result<Answer, Failure>) -> Result<Answer, Error> {
        let answer = outcome.map_err(|failure| answers::no_answer(Platform::Zeta, failure))?;
        if answer.status.is_success() {
            return Ok(answer);
        }
        let error = self.fault(&answer);
        Err(if error.kind == Kind::PlatformFailed { error.retryable() } else { error })
    }

    /// The error of an answer, without the token that was sent, should the platform repeat it.
    fn fault(&self, answer: &Answer) -> Error {
        answers::without_secrets(fault(answer, self.call.now), &[self.token])
    }
}

/// Where there is no campaign yet, what was not found is something that it would refer to.
fn without_campaign(error: Error) -> Error {
    if error.kind == Kind::NotFound { Error { kind: Kind::PlatformRefused, ..error } } else { error }
}

fn data(answer: &Answer) -> Result<Box<RawValue>, Error> {
    Ok(answers::read_object::<Data<Box<RawValue>>>(Platform::Zeta, &answer.body)?.data)
}

#[cfg(test)]
pub(in crate::platforms::zeta) mod tests;
