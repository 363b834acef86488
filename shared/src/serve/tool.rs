//! Requests of agents (`functions/mcp`): tool calls, and messages that only need a valid key.

use super::api_request::check_json;
use super::timeout::{timed_out, until_hard_deadline};
use super::user::{USER_HEADER, check_user, take_named_user};
use super::{Answer, IncomingRequest};
use crate::auth::{AccessToken, Authenticated, authenticate, ended_sign_in};
use crate::domain::{Allowance, ApiKeyInfo};
use crate::envelope::{BEARER, Reply, RpcReply};
use crate::error::{Error, Kind};
use crate::routes::Match;
use crate::store::Terms;
use http::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderName, ORIGIN};
use jiff::Timestamp;
use uuid::Uuid;

/// A tool call. It is served as any request with a key, and its errors have their own form.
pub struct ToolCall {
    pub name: &'static str,
    /// Whether it is a preview, for which a refusal by the limit of the key is no event.
    pub is_preview: bool,
    /// The response to a call that is refused before its handler runs, or by it.
    pub refused: Box<dyn Fn(&Error) -> RpcReply + Send + Sync>,
}

impl IncomingRequest {
    /// The value of a header; empty, and so invalid, for a repeated one.
    pub fn sent_header(&self, name: &HeaderName) -> Option<String> {
        self.single_header(name.as_str())
    }

    /// The body as sent.
    pub fn body(&self) -> &[u8] {
        self.request.body()
    }

    /// The id of the request.
    pub fn request_id(&self) -> Uuid {
        self.request_id
    }

    /// The time of arrival.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Refuses a body that cannot be read as JSON.
    pub fn require_json(&self) -> Result<(), Error> {
        let (content_type, encoding) = (self.header(CONTENT_TYPE.as_str()), self.header(CONTENT_ENCODING.as_str()));
        check_json(self.body().len(), content_type.as_deref(), encoding.as_deref())
    }

    /// Opens the access token of an assistant, if the request has one as `Authorization: Bearer` alone. Reads neither the
    /// table nor, for a token of this service, a secret. The error is that of a token that has ended or is none.
    pub async fn open_token(&mut self) -> Result<(), Error> {
        let Some(text) = self.bearer().filter(|text| AccessToken::has_form(text)) else { return Ok(()) };
        let token = AccessToken::open(self.app.vault()?, &text).await?;
        self.assistant = Some(token.and_then(|token| token.presents(self.now)).ok_or_else(ended_sign_in)?);
        Ok(())
    }

    /// The same request as a tool call.
    pub fn with_tool_call(self, tool: ToolCall) -> IncomingRequest {
        IncomingRequest { tool: Some(tool), ..self }
    }

    /// Refuses a request of a page of another origin (DNS rebinding). A service with a certificate also takes those of the
    /// known agents' hosts, which `is_known` names: some send their own origin from their servers, and no page of another
    /// site can send it.
    pub fn require_origin(&self, is_known: impl FnOnce(&str) -> bool) -> Result<(), Error> {
        let Some(origin) = self.sent_header(&ORIGIN) else { return Ok(()) };
        let own = self.app.public_url(self.header(HOST.as_str()).as_deref(), "")?;
        if origin == own || own.starts_with("https://") && is_known(&origin) {
            return Ok(());
        }
        let message = "A page of another site has made this request, so nothing was done.";
        Err(Error::new(Kind::Forbidden, message))
    }

    /// Refuses a request without checking its key.
    pub fn refuse(self, error: Error) -> Answer {
        let outcome = Err(error);
        let response = self.render(&outcome, None);
        self.finish_unlogged(outcome, response)
    }

    /// Refuses a user that is invalid, or for whom the key does not act. A message does nothing for one, but the calls that
    /// follow would fail.
    fn check_user(&self, key: &ApiKeyInfo) -> Result<(), Error> {
        let Match::Found(route, _) = &self.matched else { return Ok(()) };
        let named = take_named_user(self.single_header(USER_HEADER).as_deref(), &mut self.query.clone())?;
        check_user(named.as_ref(), Some(key), route)
    }

    /// The key in `Authorization: Bearer`, which is how agents send it.
    pub(super) fn bearer(&self) -> Option<String> {
        let value = self.sent_header(&AUTHORIZATION)?;
        let (scheme, key) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case(BEARER).then(|| key.trim_start().to_owned())
    }
}

/// Answers a message that only needs a valid key. It counts against the rate, not against the quota, and is in no usage log.
pub async fn serve_message(incoming: IncomingRequest, reply: impl FnOnce(&ApiKeyInfo) -> RpcReply) -> Answer {
    let work = async {
        let answered = until_hard_deadline(&incoming, answer_message(&incoming, reply)).await;
        let (outcome, allowance) = answered.unwrap_or_else(|| (Err(timed_out(&incoming, false)), None));
        let response = incoming.render(&outcome, allowance);
        incoming.finish_unlogged(outcome, response)
    };
    incoming.context().scope(work).await
}

async fn answer_message(
    incoming: &IncomingRequest,
    reply: impl FnOnce(&ApiKeyInfo) -> RpcReply,
) -> (Result<Reply, Error>, Option<Allowance>) {
    let Some(key) = incoming.key() else { return (Err(incoming.key_error()), None) };
    let terms = Terms { counts: false, slot_until: None };
    let authenticated = authenticate(&incoming.app.store, &key, incoming.now, terms).await;
    let Authenticated { key, allowance, rejection, .. } = match authenticated {
        Ok(authenticated) => authenticated,
        Err(error) => return (Err(error), None),
    };
    let outcome = match (rejection, key) {
        (Some(rejection), _) => Err(rejection),
        (None, Some(key)) => incoming.check_user(&key).map(|()| Reply::Rpc(reply(&key))),
        (None, None) => Err(Error::internal("a message has no key")),
    };
    (outcome, Some(allowance))
}
