//! Requests of the API for the person of a session, in this process. So the pages show what a key of the customer gets,
//! refuse what the API refuses, and spend money by the same code.

use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::words;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use jiff::Timestamp;
use lambda_http::Request;
use serde::Serialize;
use shared::auth::{KeyForm, Mode, SessionCaller};
use shared::domain::{ExternalRef, FieldError, KeyId, Platform, Reason};
use shared::envelope::{Reply, Shape, status_of};
use shared::error::{Error, Kind};
use shared::routes::{Function, function};
use shared::serve::{Answer, ApiCall, IncomingRequest, WebRequest, run_to_completion};
use std::sync::Arc;
use std::time::Duration;

/// The time between looks for the response to an earlier request with the same idempotency key, and their number: the
/// payment provider has answered within ten seconds, or hardly answers at all.
const WAIT: Duration = Duration::from_millis(500);
const MAX_WAITS: usize = 20;

/// The message of an error that is not the person's.
pub(crate) const OUR_FAULT: &str = "This is our fault. Try again in a minute.";
/// What stands above the details of a refusal.
const NOT_VALID: &str = "The request is not valid.";

/// The API as the person of a session uses it.
pub(crate) struct Api<'a> {
    request: &'a WebRequest,
    person: &'a SignedIn,
    /// The user for whom the requests act; `None` for the whole account.
    user: Option<&'a ExternalRef>,
    /// The key that a request is about, for `rotateKey`.
    key: Option<KeyId>,
    /// The form that makes or replaces a secret.
    form: Option<KeyForm>,
}

/// A response that is not a success.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    /// What happened and what to do, in a person's words.
    pub(crate) message: String,
    /// Fields, and what they must satisfy.
    pub(crate) details: Vec<FieldError>,
    /// Why, where an error says it.
    pub(crate) reason: Option<Reason>,
    pub(crate) request_id: String,
}

impl Refusal {
    /// The refusal by an error of this process.
    pub(crate) fn of(error: &Error, request: &WebRequest) -> Refusal {
        if error.kind == Kind::Internal {
            tracing::error!(request_id = %request.request_id, %error, source = error.source, "a form failed");
            return Refusal { message: OUR_FAULT.to_owned(), ..Refusal::by_api(error, request) };
        }
        Refusal::by_api(error, request)
    }

    /// The refusal of a reading that takes longer than its page waits.
    pub(crate) fn late(platform: &str) -> Refusal {
        let message = format!("{platform} has not answered in time. Look again in a minute.");
        let reason = Some(Reason::PlatformTimeout);
        Refusal { status: 504, message, details: Vec::new(), reason, request_id: String::new() }
    }

    /// The refusal by an error of the API.
    fn by_api(error: &Error, request: &WebRequest) -> Refusal {
        // A page shows the details beside it.
        let is_told_by_details = error.kind == Kind::Validation && !error.details.is_empty();
        Refusal {
            status: status_of(error.kind).as_u16(),
            message: if is_told_by_details { NOT_VALID.to_owned() } else { words::refused(error) },
            details: error.details.clone(),
            reason: Some(error.reason()),
            request_id: request.request_id.to_string(),
        }
    }

    /// A sentence for each field, for a page that shows them below the message.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = String> {
        self.details.iter().map(words::field)
    }

    /// What happened, for a page that does not show the details.
    pub(crate) fn in_full(&self) -> String {
        if self.status != 400 || self.details.is_empty() {
            return self.message.clone();
        }
        words::fields(&self.details)
    }

    /// Why the ad accounts of a platform could not be read.
    pub(crate) fn of_reading(&self, platform: Platform) -> String {
        let told = self.reason.and_then(|reason| words::unread_because(platform, reason));
        told.unwrap_or_else(|| self.in_full())
    }

    /// Whether what was asked for may have been done nevertheless.
    pub(crate) fn is_unknown(&self) -> bool {
        self.reason.is_none_or(|reason| matches!(reason, Reason::OutcomeUnknown | Reason::Internal))
    }

    /// Whether a platform has not answered properly, which passes.
    pub(crate) fn is_of_silence(&self) -> bool {
        let is_silence = |reason| {
            matches!(
                reason,
                Reason::PlatformFailed
                    | Reason::PlatformTimeout
                    | Reason::PlatformThrottled
                    | Reason::PlatformLeftAlone
            )
        };
        self.reason.is_some_and(is_silence)
    }

    /// The same for a page that shows a refusal as one message.
    pub(crate) fn in_one_message(self) -> Refusal {
        Refusal { message: self.in_full(), details: Vec::new(), ..self }
    }
}

impl<'a> Api<'a> {
    pub(crate) fn new(request: &'a WebRequest, person: &'a SignedIn) -> Api<'a> {
        Api { request, person, user: None, key: None, form: None }
    }

    /// The time of the page.
    pub(crate) fn now(&self) -> Timestamp {
        self.request.now
    }

    /// The API as one user sees it: the API itself decides what that is (D159).
    pub(crate) fn acting_for(self, user: Option<&'a ExternalRef>) -> Api<'a> {
        Api { user, ..self }
    }

    /// The API for requests that are about a key.
    pub(crate) fn about(self, key: KeyId) -> Api<'a> {
        Api { key: Some(key), ..self }
    }

    /// The API for a request of a form that makes or replaces a secret.
    pub(crate) fn of_form(self, form: Option<KeyForm>) -> Api<'a> {
        Api { form, ..self }
    }

    /// Asks the API, and gets its reply as a type.
    pub(crate) async fn ask(&self, call: ApiCall<'_>) -> Result<Reply, Refusal> {
        let is_reading = call.method == "GET";
        let outcome = self.answer(call).await?.outcome;
        outcome.map_err(|error| if is_reading { self.not_read(&error) } else { self.refusal(&error) })
    }

    /// Asks the API with an idempotency key, and waits while an earlier request with it is in progress.
    pub(crate) async fn ask_once(&self, call: ApiCall<'_>) -> Result<Reply, Refusal> {
        self.answer_once(call).await?.outcome.map_err(|error| self.refusal(&error))
    }

    /// Reads with the API's reply as a type.
    pub(crate) async fn ask_for(&self, target: &str) -> Result<Reply, Refusal> {
        self.ask_to("GET", target, None).await
    }

    /// Asks the API with the flat shape, with a JSON body or without one, and gets its reply as a type.
    pub(crate) async fn ask_to(
        &self,
        method: &'static str,
        target: &str,
        body: Option<String>,
    ) -> Result<Reply, Refusal> {
        self.ask(ApiCall { method, target, body, shape: Shape::Flat, idempotency_key: None }).await
    }

    /// The refusal for a reply that the request cannot have.
    pub(crate) fn unexpected(&self, reply: &Reply) -> Refusal {
        self.failed(&Error::internal(format!("an unexpected reply: {:?}", std::mem::discriminant(reply))))
    }

    /// Makes a request with an idempotency key, and waits while an earlier one with it is in progress.
    pub(crate) async fn answer_once(&self, call: ApiCall<'_>) -> Result<Answer, Refusal> {
        let mut answer = self.answer(call.clone()).await?;
        for _ in 0..MAX_WAITS {
            if !is_in_progress(&answer.outcome) {
                break;
            }
            tokio::time::sleep(WAIT).await;
            answer = self.answer(call.clone()).await?;
        }
        Ok(answer)
    }

    /// Makes a request. What it changes is noted for the lists.
    pub(crate) async fn answer(&self, call: ApiCall<'_>) -> Result<Answer, Refusal> {
        let (method, target) = (call.method, call.target);
        let function = function(method, target.split('?').next().unwrap_or_default());
        let request = self.request.api_request(self.caller(), self.user, call).map_err(|error| self.failed(&error))?;
        let answered = self.begin(function, request).map_err(|error| self.failed(&error))?;
        let answer = run_to_completion(answered).await.map_err(|error| self.failed(&error))?;
        if let Some(change) = readings::change(method, target, &answer.outcome, self.request.app.clock.now()) {
            readings::note(&self.request.app, self.person.customer(), &change).await;
        }
        Ok(answer)
    }

    /// The refusal by an error of the API.
    pub(crate) fn refusal(&self, error: &Error) -> Refusal {
        Refusal::by_api(error, self.request)
    }

    /// The refusal of a reading, which says nothing about what was sent.
    fn not_read(&self, error: &Error) -> Refusal {
        let refusal = self.refusal(error);
        if error.details.is_empty() { Refusal { message: words::not_read(error), ..refusal } } else { refusal }
    }

    fn caller(&self) -> SessionCaller {
        let mode = if self.request.is_https() { Mode::Live } else { Mode::Test };
        let SignedIn { account, session, role, .. } = self.person;
        SessionCaller {
            account: account.clone(),
            person: session.person.clone(),
            email: session.email.clone(),
            role: *role,
            mode,
            key: self.key.clone(),
            form: self.form.clone(),
        }
    }

    /// Begins the answer to a request, in the function that has its path.
    ///
    /// Boxed: the compiler need not look into the state of seven functions for each page.
    fn begin(&self, function: Function, request: Request) -> Result<BoxFuture<'static, Answer>, Error> {
        let incoming = IncomingRequest::new(Arc::clone(&self.request.app), request);
        Ok(match function {
            Function::Campaigns => campaigns::answer(incoming).boxed(),
            Function::Connections => connections::answer(incoming).boxed(),
            Function::RedirectUris => redirect_uris::answer(incoming).boxed(),
            Function::ApiKeys => api_keys::answer(incoming).boxed(),
            Function::WebhookEndpoints => webhook_endpoints::answer(incoming).boxed(),
            Function::Billing => billing::answer(incoming).boxed(),
            Function::UsageLogs => usage_logs::answer(incoming).boxed(),
            Function::Assistants | Function::Docs | Function::Webhooks | Function::Mcp | Function::Dashboard => {
                return Err(Error::internal("a page has made a request of a path that is not the API's"));
            }
        })
    }

    /// The refusal for an error of this process, which is logged.
    pub(crate) fn failed(&self, error: &Error) -> Refusal {
        let request_id = self.request.request_id.to_string();
        tracing::error!(%request_id, %error, source = error.source, "a page could not use the API");
        let message = OUR_FAULT.to_owned();
        Refusal { status: 500, message, details: Vec::new(), reason: None, request_id }
    }
}

/// Whether an earlier request with the same idempotency key is in progress. No other conflict says when to try again.
fn is_in_progress(outcome: &Result<Reply, Error>) -> bool {
    outcome.as_ref().is_err_and(|error| error.kind == Kind::Conflict && error.retry_after.is_some())
}

/// The body of a request.
pub(crate) fn json(body: &impl Serialize) -> Option<String> {
    serde_json::to_string(body).ok()
}
