//! The outcome of a form. Every form is answered with a redirect, so the outcome waits a minute for the next page.

use crate::client::api::Refusal;
use crate::client::cookie_values::{Kind, MAX_BYTES};
use crate::client::session::SignedIn;
use crate::kit::form_errors::{Control, Detail, FormError, errors_of};
use crate::kit::words::in_our_words;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};
use shared::envelope::query::value;
use shared::envelope::{Cookie, WebReply};
use shared::serve::WebRequest;

/// The head of the list of wrong fields.
const CHECK: &str = "There is a problem, so nothing is saved. Check these fields:";

/// The outcome of a form, shown once at the top of the next page.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Notice {
    /// `true` if the form did what it should.
    pub(crate) is_success: bool,
    /// `true` if it did a part of what it should: the details say which.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_part: bool,
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
    /// A secret to be shown once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) secret: Option<NewSecret>,
    /// Campaigns that it is about: the id, and the words of the link to its page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) campaigns: Vec<(String, String)>,
    /// The address and the words of a link to what the message speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) link: Option<(String, String)>,
    /// The campaign that a button activates: it was created paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) activate: Option<String>,
    /// The fields of the form that undoes it; empty without one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) undo: Vec<(String, String)>,
    /// The form that was kept over a sign-in, and that one click sends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) finish: Option<Finish>,
    /// `true` if nothing went wrong and nothing is done yet: the person goes on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_next: bool,
}

/// A form without text, as it was kept: a click sends it as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Finish {
    /// Where it is sent.
    pub(crate) action: String,
    /// The words of its button.
    pub(crate) button: String,
    pub(crate) fields: Vec<(String, String)>,
}

/// A secret that a form has made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct NewSecret {
    /// The field of the page that shows it.
    pub(crate) field: String,
    #[serde(serialize_with = "serialize_secret")]
    pub(crate) secret: SecretString,
}

impl Notice {
    /// The form did what it should.
    pub(crate) fn success(message: impl Into<String>) -> Notice {
        Notice { is_success: true, message: message.into(), ..Notice::default() }
    }

    /// The form did a part of what it should. The person still has something to look at, as after a failure.
    pub(crate) fn part(message: impl Into<String>) -> Notice {
        Notice { is_part: true, message: message.into(), ..Notice::default() }
    }

    /// Nothing went wrong, and nothing is done yet: the person goes on.
    pub(crate) fn next(message: impl Into<String>) -> Notice {
        Notice { is_next: true, message: message.into(), ..Notice::default() }
    }

    /// The class of the notice: all of it is done, a part, or nothing, because something is wrong or the person goes on.
    pub(crate) fn tone(&self) -> &'static str {
        match (self.is_success, self.is_part, self.is_next) {
            (true, _, _) => "good",
            (false, true, _) => "part",
            (false, false, true) => "plain",
            (false, false, false) => "bad",
        }
    }

    /// Whether it interrupts the person: something is wrong.
    pub(crate) fn is_alert(&self) -> bool {
        matches!(self.tone(), "bad" | "part")
    }

    /// The API refused what the form asked for. The person finds the form as they filled it in.
    pub(crate) fn failure(refusal: Refusal, form: &[(String, String)]) -> Notice {
        let Refusal { status: _, message, details, reason: _, request_id } = refusal;
        let (message, theirs) = apart(message);
        let details = details.iter().map(Detail::from).chain(theirs).collect();
        Notice { message, request_id: Some(request_id), details, values: form.to_vec(), ..Notice::default() }
    }

    /// The form did what it should, and a button undoes it if there are fields for that.
    pub(crate) fn undone_by(self, undo: Vec<(String, String)>) -> Notice {
        Notice { undo, ..self }
    }

    /// The API refused a form with these controls. What is wrong stands at the fields.
    pub(crate) fn refused(refusal: Refusal, controls: &[Control], form: &[(String, String)]) -> Notice {
        let (errors, mut details) = errors_of(&refusal.details, controls, form);
        details.extend(apart(refusal.message.clone()).1);
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

    /// The notice that waits for this page.
    pub(crate) fn of(request: &WebRequest, person: &SignedIn) -> Option<Notice> {
        person.cookie_values.find(Kind::Notice, request.now)
    }

    /// Whether a request brings a notice, valid or not.
    pub(crate) fn is_waiting(request: &WebRequest) -> bool {
        Kind::Notice.is_waiting(request)
    }

    /// Removes the notice from the browser.
    pub(crate) fn removal_cookie() -> Cookie {
        Kind::Notice.removal_cookie()
    }

    /// Leads to a page that shows the notice.
    pub(crate) fn then(self, page: impl Into<String>) -> WebReply {
        let reply = WebReply::see_other(page);
        let value = |notice: &Notice| Kind::Notice.value(notice);
        // A filled-in form may be too long. The outcome fits.
        let kept = value(&self)
            .or_else(|| value(&self.clone().without_values()))
            .or_else(|| value(&self.message_and_secret()));
        match kept {
            Some(kept) => reply.with_unsealed(kept),
            None => reply,
        }
    }

    /// The text that the person filled in for a field.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        value(&self.values, name)
    }

    /// The notice with shorter reasons, so that the cookie has room for the form. Without the form's idempotency key a
    /// second click could create twice.
    pub(crate) fn shorten_to_fit(mut self) -> Notice {
        for (errors, details, characters) in [(10, 10, 400), (10, 10, 120), (5, 8, 80), (2, 5, 60), (1, 3, 40)] {
            if serde_json::to_vec(&self).map_or(0, |json| json.len()) <= MAX_BYTES {
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
        self.shorten_to_fit()
    }

    /// The message, and the secret.
    fn message_and_secret(self) -> Notice {
        let Notice { is_success, is_part, is_next, mut message, request_id, secret, .. } = self;
        shorten(&mut message, 400);
        Notice { is_success, is_part, is_next, message, request_id, secret, ..Notice::default() }
    }
}

/// A message in our words, and what a platform itself says as a line below it.
fn apart(message: String) -> (String, Option<Detail>) {
    let (ours, theirs) = in_our_words(message);
    (ours, theirs.map(|message| Detail { field: String::new(), message }))
}

fn serialize_secret<S: Serializer>(secret: &SecretString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(secret.expose_secret())
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
        let notice = Notice { details, errors, values, ..Notice::default() }.shorten_to_fit();
        assert!(serde_json::to_vec(&notice).unwrap().len() <= MAX_BYTES);
        assert_eq!((notice.value("idempotency_key"), notice.errors.len()), (Some("k"), 2));
        let short = Notice::wrong(vec![FormError::new("name", "Too long.")], &[]);
        assert_eq!(short.clone().shorten_to_fit().errors, short.errors);
    }

    #[test]
    fn a_part_has_its_own_tone_after_the_way() {
        let tone = |notice: Notice| left(notice).tone();
        assert_eq!(tone(Notice::success("Saved.")), "good");
        assert_eq!(tone(Notice::part("1 of 2 saved.")), "part");
        assert_eq!(tone(Notice::default()), "bad");
        assert_eq!(tone(Notice::next("Go on.")), "plain");
        assert_eq!(tone(Notice { message: "\u{1}".repeat(2_000), ..Notice::next("") }), "plain");
        assert_eq!(tone(Notice { message: "\u{1}".repeat(2_000), ..Notice::part("") }), "part");
    }

    #[test]
    fn the_words_of_a_platform_stand_below_ours() {
        let refusal = Refusal {
            status: 422,
            message: "TikTok refused the request: Too low.".to_owned(),
            details: Vec::new(),
            reason: None,
            request_id: "r".to_owned(),
        };
        for notice in [Notice::failure(refusal.clone(), &[]), Notice::refused(refusal, &[], &[])] {
            assert!(notice.message.starts_with("TikTok refused this."), "{}", notice.message);
            assert_eq!(
                notice.details.iter().map(|one| one.message.as_str()).collect::<Vec<_>>(),
                ["TikTok says: Too low."]
            );
        }
    }

    fn left(notice: Notice) -> Notice {
        let mut values = notice.then("/").take_unsealed();
        serde_json::from_str(values.remove(0).value.expose_secret()).unwrap()
    }

    #[test]
    fn a_notice_that_is_too_long_is_shortened() {
        let text = |length: usize| vec![("name".to_owned(), "é".repeat(length))];
        let short = Notice { values: text(100), ..Notice::success("Saved.") };
        assert_eq!(left(short.clone()).values, short.values);
        let filled_in = left(Notice { values: text(2_000), undo: text(100), ..short.clone() });
        assert_eq!((filled_in.message.as_str(), filled_in.values.len(), filled_in.undo.len()), ("Saved.", 0, 1));
        let long = left(Notice { message: "\u{1}".repeat(2_000), undo: text(2_000), ..short });
        assert_eq!((long.is_success, long.message.chars().count(), long.undo.len()), (true, 401, 0));
    }

    #[test]
    fn a_secret_is_whole_on_the_way_and_hidden_in_logs() {
        let new = NewSecret { field: "new_key".to_owned(), secret: "canary".into() };
        let notice = Notice { secret: Some(new), ..Notice::success("Key created.") };
        assert!(!format!("{notice:?}").contains("canary"));
        assert_eq!(left(notice).secret.unwrap().secret.expose_secret(), "canary");
    }
}
