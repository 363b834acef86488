//! The outcome of a form. Every form is answered with a redirect, so the outcome waits in a cookie for the next page.

use crate::api::{Detail, Refusal};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use shared::envelope::query::value;
use shared::envelope::{Cookie, WebReply};
use shared::serve::WebRequest;
use std::time::Duration;

const COOKIE: &str = "__Host-notice";
const COOKIE_TIME: Duration = Duration::from_secs(60);
/// Browsers keep cookies of up to 4096 bytes.
const MAX_LENGTH: usize = 3_500;

/// The outcome of a form, shown once at the top of the next page.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Notice {
    /// `true` if the form did what it should.
    pub(crate) is_success: bool,
    /// One or two sentences.
    pub(crate) message: String,
    /// The id of the request that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) request_id: Option<String>,
    /// Fields and what is wrong with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) details: Vec<Detail>,
    /// The form as the person filled it in, to be shown again after a failure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) values: Vec<(String, String)>,
    /// A sealed secret to be shown once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sealed: Option<String>,
    /// The fields of the form that undoes it; empty without one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) undo: Vec<(String, String)>,
}

impl Notice {
    /// The form did what it should.
    pub(crate) fn success(message: impl Into<String>) -> Notice {
        Notice { is_success: true, message: message.into(), ..Notice::default() }
    }

    /// The API refused what the form asked for. The person finds the form as they filled it in.
    pub(crate) fn failure(refusal: Refusal, form: &[(String, String)]) -> Notice {
        let Refusal { status: _, message, details, request_id } = refusal;
        Notice {
            is_success: false,
            message,
            request_id: Some(request_id),
            details,
            values: form.to_vec(),
            sealed: None,
            undo: Vec::new(),
        }
    }

    /// The form did what it should, and a button undoes it if there are fields for that.
    pub(crate) fn undone_by(self, undo: Vec<(String, String)>) -> Notice {
        Notice { undo, ..self }
    }

    /// Takes the notice that waits for this page.
    pub(crate) fn of(request: &WebRequest) -> Option<Notice> {
        let bytes = URL_SAFE_NO_PAD.decode(request.cookie(COOKIE)?).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Whether a request brings a notice, valid or not.
    pub(crate) fn is_waiting(request: &WebRequest) -> bool {
        request.cookie(COOKIE).is_some_and(|cookie| !cookie.is_empty())
    }

    /// Removes the notice from the browser.
    pub(crate) fn removed() -> Cookie {
        Cookie::removed(COOKIE)
    }

    /// Leads to a page that shows the notice.
    pub(crate) fn then(self, page: impl Into<String>) -> WebReply {
        let text = self.encoded();
        // A filled-in form may be too long for a cookie. The outcome fits.
        let text = if text.len() <= MAX_LENGTH { text } else { self.without_values().encoded() };
        let value = SecretString::from(text);
        WebReply::see_other(page).with_cookie(Cookie { name: COOKIE, value, max_age: COOKIE_TIME })
    }

    /// The text that the person filled in for a field.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        value(&self.values, name)
    }

    fn without_values(mut self) -> Notice {
        self.values.clear();
        self.message = self.message.chars().take(1_000).collect();
        self.details.truncate(5);
        self
    }

    fn encoded(&self) -> String {
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default())
    }
}
