//! The outcome of a form. Every form is answered with a redirect, so the outcome waits in a cookie for the next page.

use crate::client::api::{Detail, Refusal};
use crate::kit::form_errors::{Control, FormError, errors_of};
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

/// The JSON of a notice that fits into a cookie with what was filled in.
const MAX_JSON: usize = 2_600;

/// The head of the list of wrong fields.
const CHECK: &str = "There is a problem, so nothing is saved. Check these fields:";

/// The outcome of a form, shown once at the top of the next page.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Notice {
    /// `true` if the form did what it should.
    pub(crate) is_success: bool,
    /// One or two sentences.
    pub(crate) message: String,
    /// The id of the request that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) request_id: Option<String>,
    /// What is wrong with the fields of the form, at their controls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) errors: Vec<FormError>,
    /// Lines about what is no field of the form, such as ad accounts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) details: Vec<Detail>,
    /// The form as the person filled it in, to be shown again after a failure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) values: Vec<(String, String)>,
    /// A sealed secret to be shown once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sealed: Option<String>,
    /// Campaigns that it is about: the id, and the words of the link to its page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) campaigns: Vec<(String, String)>,
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
        Notice { message, request_id: Some(request_id), details, values: form.to_vec(), ..Notice::default() }
    }

    /// The form did what it should, and a button undoes it if there are fields for that.
    pub(crate) fn undone_by(self, undo: Vec<(String, String)>) -> Notice {
        Notice { undo, ..self }
    }

    /// The API refused a form with these controls. What is wrong stands at the fields.
    pub(crate) fn refused(refusal: Refusal, controls: &[Control], form: &[(String, String)]) -> Notice {
        let (errors, details) = errors_of(&refusal, controls, form);
        let notice = Notice::failure(refusal, form);
        match (errors.is_empty(), details.is_empty()) {
            (false, true) => Notice { message: CHECK.to_owned(), request_id: None, errors, details, ..notice },
            _ => Notice { errors, details, ..notice },
        }
    }

    /// Some fields of a form are wrong, so it was not sent.
    pub(crate) fn wrong(errors: Vec<FormError>, form: &[(String, String)]) -> Notice {
        Notice { message: CHECK.to_owned(), errors, values: form.to_vec(), ..Notice::default() }
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

    /// The notice with shorter reasons, so that the cookie has room for the form. The form without its key could buy
    /// twice.
    pub(crate) fn fitting(mut self) -> Notice {
        for (errors, details, characters) in [(10, 10, 400), (10, 10, 120), (5, 8, 80), (2, 5, 60), (1, 3, 40)] {
            if serde_json::to_vec(&self).map_or(0, |json| json.len()) <= MAX_JSON {
                break;
            }
            self.errors.truncate(errors);
            self.errors.iter_mut().for_each(|error| shorten(&mut error.message, characters));
            self.details.truncate(details);
            for Detail { field, message } in &mut self.details {
                shorten(field, characters);
                shorten(message, characters);
            }
        }
        self
    }

    fn without_values(mut self) -> Notice {
        self.values.clear();
        self.message = self.message.chars().take(1_000).collect();
        self.details.truncate(5);
        self.errors.truncate(10);
        self
    }

    fn encoded(&self) -> String {
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default())
    }
}

fn shorten(text: &mut String, characters: usize) {
    if text.chars().count() > characters {
        *text = text.chars().take(characters).chain(['…']).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_reasons_leave_room_for_the_form() {
        let long = || "é".repeat(500);
        let details = vec![Detail { field: "Meta: 7".to_owned(), message: long() }; 10];
        let errors = vec![FormError { at: "Meta: 7".to_owned(), ..FormError::new("budget_amount.BETA:7", long()) }; 10];
        let values = vec![("idempotency_key".to_owned(), "k".to_owned())];
        let notice = Notice { details, errors, values, ..Notice::default() }.fitting();
        assert!(serde_json::to_vec(&notice).unwrap().len() <= MAX_JSON);
        assert_eq!((notice.value("idempotency_key"), notice.errors.len()), (Some("k"), 2));
        let short = Notice::wrong(vec![FormError::new("name", "Too long.")], &[]);
        assert_eq!(short.clone().fitting().errors, short.errors);
    }
}
