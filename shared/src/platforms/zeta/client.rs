//! Calls of the Reddit Ads API: addresses, headers, paging, and what an outcome means for a write.

use super::fault::fault;
use super::wire::{self, Data, id};
use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::outbound::{Answer, Failure, Outgoing, secret_header};
use crate::platforms::{Peer, Session, answers};
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use url::Url;

/// Where the API is.
const BASE: &str = "https://ads-api.reddit.com/api/v3";
/// Most pages of one listing that are followed.
const MAX_PAGES: usize = 50;

/// A caller of the API on behalf of one user.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client<'a> {
    peer: &'a Peer,
    token: &'a SecretString,
}

impl<'a> Client<'a> {
    /// A caller with a token.
    pub(super) fn new(peer: &'a Peer, token: &'a SecretString) -> Client<'a> {
        Client { peer, token }
    }

    /// The caller of a session.
    pub(super) fn of(session: &'a Session) -> Client<'a> {
        Client { peer: &session.peer, token: &session.token }
    }

    /// One page of a listing, and the token of the next. `path` begins with a slash and has no query.
    pub(super) async fn page(
        &self,
        path: &str,
        size: usize,
        token: Option<&str>,
    ) -> Result<(Vec<Box<RawValue>>, Option<String>), Error> {
        let size = size.to_string();
        let parameters = [("page.size", Some(size.as_str())), ("page.token", token)];
        let given = parameters.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(given).finish();
        let answer = self.get(&format!("{path}?{query}")).await?;
        let page: wire::Page = answers::read_object(Platform::Zeta, &answer.body)?;
        let next_url = page.pagination.and_then(|pagination| pagination.next_url).filter(|url| !url.is_empty());
        let next = next_url.map(|url| self.page_token(&url)).transpose()?;
        Ok((page.data, next))
    }

    /// All rows of a listing.
    pub(super) async fn all<T: DeserializeOwned>(&self, path: &str) -> Result<Vec<T>, Error> {
        let (mut rows, mut token) = (Vec::new(), None);
        for _ in 0..MAX_PAGES {
            let (page, next) = self.page(path, 100, token.as_deref()).await?;
            for row in page {
                rows.push(serde_json::from_str(row.get()).map_err(|error| answers::unreadable(Platform::Zeta, error))?);
            }
            token = next;
            if token.is_none() {
                return Ok(rows);
            }
        }
        Err(answers::unreadable(Platform::Zeta, "a listing without an end"))
    }

    /// The token inside of the next page's address. Only an address on the API's own host is believed: the request
    /// for it carries the user's token. The address itself is never called.
    fn page_token(&self, next_url: &str) -> Result<String, Error> {
        let foreign = || answers::unreadable(Platform::Zeta, "a next page on another host");
        let here = Url::parse(&self.peer.site.address(BASE)).map_err(Error::internal)?;
        let next = here.join(next_url).map_err(|_| foreign())?;
        if next.origin() != here.origin() {
            return Err(foreign());
        }
        let token = next.query_pairs().find(|(name, _)| name == "page.token").map(|(_, value)| value.into_owned());
        token.ok_or_else(|| answers::unreadable(Platform::Zeta, "a next page without a token"))
    }

    /// The configured conversion pixel, else the account's first; without one no campaign can be made.
    pub(super) async fn pixel(&self, account: &str) -> Result<String, Error> {
        if let Some(pixel) = &self.peer.site.settings.zeta_ads.pixel_id {
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
            _ => Err(without_campaign(error)),
        }
    }

    /// A report on demand.
    pub(super) async fn report(&self, account: &str, request: &wire::ReportRequest) -> Result<wire::Report, Error> {
        let outgoing = self.with_body(Method::POST, &format!("/ad_accounts/{}/reports", id(account)?), request)?;
        let answer = self.repeatable(self.peer.outbound.query(outgoing, self.peer.deadline).await)?;
        Ok(answers::read_object::<Data<wire::Report>>(Platform::Zeta, &answer.body)?.data)
    }

    async fn get(&self, path: &str) -> Result<Answer, Error> {
        let url = self.peer.site.address(&format!("{BASE}{path}"));
        let outgoing = Outgoing { method: Method::GET, url, headers: self.headers()?, body: Bytes::new() };
        self.repeatable(self.send(outgoing).await)
    }

    fn with_body(&self, method: Method, path: &str, content: &impl Serialize) -> Result<Outgoing, Error> {
        let url = self.peer.site.address(&format!("{BASE}{path}"));
        let body = serde_json::to_vec(&Data { data: content }).map_err(Error::internal)?;
        let mut headers = self.headers()?;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(Outgoing { method, url, headers, body: body.into() })
    }

    fn headers(&self) -> Result<HeaderMap, Error> {
        let bearer = secret_header(&format!("Bearer {}", self.token.expose_secret())).map_err(Error::internal)?;
        let agent = HeaderValue::from_str(&self.peer.site.settings.zeta_ads.user_agent).map_err(Error::internal)?;
        Ok(HeaderMap::from_iter([(AUTHORIZATION, bearer), (USER_AGENT, agent)]))
    }

    async fn send(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        self.peer.outbound.send(outgoing, self.peer.deadline).await
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
        answers::without_secrets(fault(answer, self.peer.now), &[self.token])
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
mod tests;
