//! Calls of the Graph API: addresses, headers, and what an outcome means for a write.

use super::fault::{fault, is_operators_fault, unreadable};
use super::{NAME, wire};
use crate::domain::Platform;
use crate::error::{Error, Kind};
use crate::outbound::{Answer, Failure, Outgoing, secret_header};
use crate::platforms::{CallContext, Session, answers};
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method};
use ring::hmac;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::form_urlencoded;

/// Where the API is, with the version that the messages in [`wire`] are of.
const BASE: &str = "https://graph.facebook.com/v26.0";

/// No identifier is longer than this, in digits.
const MAX_ID: usize = 32;

/// A caller of the API on behalf of one user.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client<'a> {
    call: &'a CallContext,
    token: &'a SecretString,
}

impl<'a> Client<'a> {
    /// The caller of a token.
    pub(super) fn new(call: &'a CallContext, token: &'a SecretString) -> Client<'a> {
        Client { call, token }
    }

    /// The caller of a session.
    pub(super) fn of(session: &'a Session) -> Client<'a> {
        Client::new(&session.call, &session.token)
    }

    /// Reads a node or an edge.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str, parameters: &[(&str, &str)]) -> Result<T, Error> {
        let outgoing = self.outgoing(Method::GET, path, parameters, Bytes::new())?;
        let answer = self.repeatable(self.send(outgoing).await)?;
        answers::read_object(Platform::Beta, &answer.body)
    }

    /// Reads one page of an edge: all that is on it, and the cursor of the next page where there is one.
    ///
    /// That there is another page is said by `next` alone; a page may be short, or empty, and not be the last.
    pub(super) async fn page<T: DeserializeOwned>(
        &self,
        path: &str,
        parameters: &[(&str, &str)],
        after: Option<&str>,
    ) -> Result<(Vec<T>, Option<String>), Error> {
        let parameters: Vec<(&str, &str)> =
            parameters.iter().copied().chain(after.map(|cursor| ("after", cursor))).collect();
        let page: wire::Page<T> = self.get(path, &parameters).await?;
        let Some(paging) = page.paging.filter(|paging| paging.next.is_some()) else { return Ok((page.data, None)) };
        let after = paging.cursors.and_then(|cursors| cursors.after);
        let after = after.ok_or_else(|| unreadable("another page without a cursor"))?;
        Ok((page.data, Some(after)))
    }

    /// Changes or deletes a campaign, which may be sent again whatever became of it.
    pub(super) async fn change(
        &self,
        method: Method,
        id: &str,
        parameters: Option<&wire::CampaignParameters>,
    ) -> Result<(), Error> {
        if !is_id(id) {
            return Err(Error::not_found("campaign"));
        }
        let body = parameters.map(json).transpose()?.unwrap_or_default();
        self.carry_out(method, id, body).await
    }

    /// Ends the grant: takes from our app all that the user permitted (Graph API: User, Permissions). A token that is
    /// no longer accepted has nothing left to end.
    pub(super) async fn revoke(&self) -> Result<(), Error> {
        match self.carry_out(Method::DELETE, "me/permissions", Bytes::new()).await {
            Err(error) if error.kind == Kind::TokenExpired => Ok(()),
            outcome => outcome,
        }
    }

    async fn carry_out(&self, method: Method, path: &str, body: Bytes) -> Result<(), Error> {
        let answer = self.repeatable(self.send(self.outgoing(method, path, &[], body)?).await)?;
        let done: wire::Done = answers::read_object(Platform::Beta, &answer.body)?;
        if done.success { Ok(()) } else { Err(unreadable("a change without success")) }
    }

    /// Creates, once, and answers the id. Where it is not certain that nothing was created, the error says so and
    /// is not retryable.
    pub(super) async fn create(
        &self,
        account: &str,
        name: &str,
        parameters: &wire::CampaignParameters,
    ) -> Result<String, Error> {
        let path = of_account(account, "campaigns")?;
        let unknown_outcome = |error| answers::unknown_outcome(Platform::Beta, name, error);
        let answer = match self.send(self.outgoing(Method::POST, &path, &[], json(parameters)?)?).await {
            Ok(answer) => answer,
            Err(Failure::NotSent) => return Err(answers::no_answer(Platform::Beta, Failure::NotSent)),
            Err(failure) => return Err(unknown_outcome(answers::no_answer(Platform::Beta, failure))),
        };
        let status = answer.status;
        match self.settled(answer) {
            Ok(answer) => {
                let created: Result<wire::Created, Error> = answers::read_object(Platform::Beta, &answer.body);
                let id = created.map_err(unknown_outcome)?.id.filter(|id| is_id(id));
                id.ok_or_else(|| unknown_outcome(unreadable("a new campaign without an id")))
            }
            Err(error) if !(status.is_client_error() || status.is_success()) => Err(unknown_outcome(error)),
            // Only a refusal in the platform's own words is certain to have created nothing.
            Err(error) if error.kind == Kind::PlatformFailed && !is_operators_fault(&error) => {
                Err(unknown_outcome(error))
            }
            Err(error) => Err(out_of_reach(error)),
        }
    }

    fn outgoing(
        &self,
        method: Method,
        path: &str,
        parameters: &[(&str, &str)],
        body: Bytes,
    ) -> Result<Outgoing, Error> {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters).append_pair("appsecret_proof", &self.proof());
        let url = self.call.config.address(&format!("{BASE}/{path}?{}", query.finish()));
        let mut headers = HeaderMap::new();
        headers.insert(
            AUTHORIZATION,
            secret_header(&format!("Bearer {}", self.token.expose_secret())).map_err(Error::internal)?,
        );
        if !body.is_empty() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        Ok(Outgoing { method, url, headers, body })
    }

    /// Graph API: Secure requests. Shows that whoever calls with the token also has the app's secret.
    fn proof(&self) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.call.config.client.client_secret.expose_secret().as_bytes());
        hex::encode(hmac::sign(&key, self.token.expose_secret().as_bytes()))
    }

    async fn send(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        self.call.outbound.send(outgoing, self.call.deadline).await
    }

    /// An answer of success, or the error of a call that may be sent again.
    fn repeatable(&self, outcome: Result<Answer, Failure>) -> Result<Answer, Error> {
        self.settled(outcome.map_err(|failure| answers::no_answer(Platform::Beta, failure))?)
    }

    /// An answer of success, or its error, without the secrets that were sent, should the platform repeat one.
    fn settled(&self, answer: Answer) -> Result<Answer, Error> {
        if answer.status.is_success() && !says_error(&answer) {
            return Ok(answer);
        }
        let secrets = [self.token, &self.call.config.client.client_secret];
        Err(answers::without_secrets(fault(&answer, self.call.now), &secrets))
    }
}

/// Whether text is the id of a node, and may become part of a path.
pub(super) fn is_id(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The path of an ad account's edge.
pub(super) fn of_account(account: &str, edge: &str) -> Result<String, Error> {
    if !is_id(account) {
        return Err(Error::internal("the ad account's id is not a number"));
    }
    Ok(format!("act_{account}/{edge}"))
}

/// In a call of an ad account, what is not found is the account.
pub(super) fn out_of_reach(error: Error) -> Error {
    if error.kind != Kind::NotFound {
        return error;
    }
    let message = format!("The ad account is out of reach on {NAME}: it is gone, or this authorization lost access.");
    Error { kind: Kind::Forbidden, message, ..error }
}

fn json(parameters: &impl Serialize) -> Result<Bytes, Error> {
    Ok(serde_json::to_vec(parameters).map_err(Error::internal)?.into())
}

/// Whether the body is an error, whatever the status says.
pub(super) fn says_error(answer: &Answer) -> bool {
    answers::read_object::<wire::Outcome>(Platform::Beta, &answer.body).is_ok_and(|outcome| outcome.error.is_some())
}

#[cfg(test)]
mod tests;
