//! Calls of the TikTok API for Business: addresses, headers, paging, and what an outcome means for a write.

use super::fault::{self, unknown_outcome, unreadable};
use super::wire::{self, Id, Operation};
use crate::domain::{Goal, Platform};
use crate::error::{Error, Kind};
use crate::outbound::{Answer, Failure, Outgoing, secret_header};
use crate::platforms::{CallContext, Session, answers};
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use url::Url;

/// Where the API is, with the version that the messages in [`wire`] are of.
const BASE: &str = "https://business-api.tiktok.com/open_api/v1.3";

/// The code for a change that the campaign already has.
const NO_UPDATE: i64 = 40_012;

/// Which family of calls makes and changes a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// `/campaign/…`
    Manual,
    /// `/smart_plus/campaign/…`
    SmartPlus,
}

impl Way {
    /// The family that makes campaigns for a goal. TikTok ends the manual creates for conversions, leads, sales and
    /// apps on 2027-01-01 (third parties report this; not verified), and Smart+ makes them today.
    pub(super) fn for_goal(goal: Goal) -> Way {
        match goal {
            Goal::WebsiteTraffic | Goal::Reach | Goal::BrandAwareness => Way::Manual,
            Goal::Conversions | Goal::Leads | Goal::Sales | Goal::AppPromotion => Way::SmartPlus,
        }
    }

    /// The family of a campaign that was read. The older kind of Smart+ has no calls of its own for its switch.
    pub(super) fn of(raw: &str) -> Way {
        let said: wire::Automation = serde_json::from_str(raw).unwrap_or_default();
        match said.campaign_automation_type.as_deref() {
            Some("UPGRADED_SMART_PLUS") => Way::SmartPlus,
            _ => Way::Manual,
        }
    }

    /// Where campaigns are made.
    pub(super) fn create(self) -> &'static str {
        match self {
            Way::Manual => "campaign/create",
            Way::SmartPlus => "smart_plus/campaign/create",
        }
    }

    /// Where name and budget are changed.
    pub(super) fn update(self) -> &'static str {
        match self {
            Way::Manual => "campaign/update",
            Way::SmartPlus => "smart_plus/campaign/update",
        }
    }

    fn status(self) -> &'static str {
        match self {
            Way::Manual => "campaign/status/update",
            Way::SmartPlus => "smart_plus/campaign/status/update",
        }
    }
}

/// A caller of the API on behalf of one user.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client<'a> {
    call: &'a CallContext,
    token: Option<&'a SecretString>,
}

impl<'a> Client<'a> {
    /// The caller with this token; without one for the exchange that gives one.
    pub(super) fn new(call: &'a CallContext, token: Option<&'a SecretString>) -> Client<'a> {
        Client { call, token }
    }

    /// The caller of a session.
    pub(super) fn of(session: &'a Session) -> Client<'a> {
        Client { call: &session.call, token: Some(&session.token) }
    }

    /// Reads.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str, query: &[(&str, &str)]) -> Result<T, Error> {
        let mut url = self.url(path)?;
        url.query_pairs_mut().extend_pairs(query);
        let outgoing = Outgoing { method: Method::GET, url: url.into(), headers: self.headers()?, body: Bytes::new() };
        read(self.repeatable(self.send(outgoing).await)?)
    }

    /// Posts what may be sent again, and reads what comes back.
    pub(super) async fn ask<T: DeserializeOwned>(&self, path: &str, request: &impl Serialize) -> Result<T, Error> {
        read(self.repeatable(self.send(self.post(path, request)?).await)?)
    }

    /// Carries out a change, which may be sent again whatever became of it. That there was nothing to change is a
    /// success without data.
    pub(super) async fn edit(&self, path: &str, request: &impl Serialize) -> Result<Option<Box<RawValue>>, Error> {
        let outcome = self.send(self.post(path, request)?).await;
        let is_no_update = |answer: &Answer| {
            answer.status.is_success() && fault::said(answer).is_ok_and(|said| said.code == NO_UPDATE)
        };
        if outcome.as_ref().is_ok_and(is_no_update) {
            return Ok(None);
        }
        Ok(self.repeatable(outcome)?.data)
    }

    /// Switches a campaign on or off, or deletes it.
    pub(super) async fn switch(&self, way: Way, account: &str, id: &str, operation: Operation) -> Result<(), Error> {
        let request = wire::StatusUpdate { advertiser_id: account, campaign_ids: [id], operation_status: operation };
        let Some(data) = self.edit(way.status(), &request).await? else { return Ok(()) };
        let answer: Option<wire::StatusUpdated> = serde_json::from_str(data.get()).map_err(unreadable)?;
        let answer = answer.unwrap_or_default();
        let this = Id::parse(id);
        let of_this = |result: &wire::StatusResult| Some(result.campaign_id) == this;
        if let Some(refusal) = answer.error_list.into_iter().flatten().find(of_this) {
            let words = refusal.error_message.unwrap_or_default();
            return Err(self.without_secrets(answers::refused(Platform::Gamma, &words)));
        }
        let ids = answer.campaign_ids.unwrap_or_default();
        if !ids.is_empty() && !ids.iter().any(|id| Some(*id) == this) {
            return Err(unreadable("the status of another campaign"));
        }
        // The lists are not always there. A status, of this campaign or else of all, has to be the one that was sent.
        let own = answer.campaign_list.into_iter().flatten().find(of_this).and_then(|result| result.status);
        match own.or(answer.status) {
            Some(status) if status != operation.as_str() => Err(unreadable("a status that was not set")),
            _ => Ok(()),
        }
    }

    /// Creates, once. Where it is not certain that nothing was created, the error says so and is not retryable.
    pub(super) async fn create(
        &self,
        path: &str,
        name: &str,
        request: &impl Serialize,
    ) -> Result<Box<RawValue>, Error> {
        let answer = match self.send(self.post(path, request)?).await {
            Ok(answer) => answer,
            Err(Failure::NotSent) => return Err(answers::no_answer(Platform::Gamma, Failure::NotSent)),
            Err(failure) => return Err(unknown_outcome(name, answers::no_answer(Platform::Gamma, failure))),
        };
        match self.outcome(&answer) {
            Ok(said) => said.data.ok_or_else(|| unknown_outcome(name, unreadable("a create without data"))),
            // What says that it is done is no refusal, whatever its status is.
            Err(error) if fault::is_done(&answer) => Err(unknown_outcome(name, error)),
            Err(error) => Err(refusal(name, answer.status, error)),
        }
    }

    /// Every path of this API ends in a slash; without it there is a page instead of an answer.
    fn url(&self, path: &str) -> Result<Url, Error> {
        let address = self.call.config.address(&format!("{BASE}/{path}/"));
        Url::parse(&address).map_err(|error| Error::internal(error).on(Platform::Gamma))
    }

    fn post(&self, path: &str, request: &impl Serialize) -> Result<Outgoing, Error> {
        let body = serde_json::to_vec(request).map_err(Error::internal)?;
        let mut headers = self.headers()?;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(Outgoing { method: Method::POST, url: self.url(path)?.into(), headers, body: body.into() })
    }

    /// The token goes into a header of the platform's own, as it is (TikTok API for Business: Authentication).
    fn headers(&self) -> Result<HeaderMap, Error> {
        let mut headers = HeaderMap::new();
        if let Some(token) = self.token {
            let value = secret_header(token.expose_secret()).map_err(Error::internal)?;
            headers.insert(HeaderName::from_static("access-token"), value);
        }
        Ok(headers)
    }

    async fn send(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        self.call.outbound.send(outgoing, self.call.deadline).await
    }

    /// An answer of success, or the error of a call that may be sent again.
    fn repeatable(&self, outcome: Result<Answer, Failure>) -> Result<wire::Envelope, Error> {
        let answer = outcome.map_err(|failure| answers::no_answer(Platform::Gamma, failure))?;
        self.outcome(&answer)
    }

    fn outcome(&self, answer: &Answer) -> Result<wire::Envelope, Error> {
        fault::outcome(answer, self.call.now).map_err(|error| self.without_secrets(error))
    }

    /// The error without the secrets that were sent, should the platform repeat one.
    fn without_secrets(&self, error: Error) -> Error {
        let sent = [self.token, Some(&self.call.config.client.client_secret)];
        let sent: Vec<&SecretString> = sent.into_iter().flatten().collect();
        answers::without_secrets(error, &sent)
    }
}

/// The data of an answer of success.
fn read<T: DeserializeOwned>(said: wire::Envelope) -> Result<T, Error> {
    let data = said.data.ok_or_else(|| unreadable("an answer without data"))?;
    serde_json::from_str(data.get()).map_err(unreadable)
}

/// What a create that did not succeed means. Only a refusal in the platform's own words is certain to have created
/// nothing. A failure on the way there is not, and a duplicate is the contrary: an earlier attempt with the same
/// request id has succeeded.
fn refusal(name: &str, status: StatusCode, error: Error) -> Error {
    let is_plain = status.is_success() || status.is_client_error();
    match error.kind {
        Kind::PlatformFailed | Kind::Conflict => unknown_outcome(name, error),
        _ if !is_plain => unknown_outcome(name, error),
        // What was not found is something that the create refers to.
        Kind::NotFound => Error { kind: Kind::PlatformRefused, ..error },
        _ => error,
    }
}
