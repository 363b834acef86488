//! A form that waits in a cookie of the browser for the page of its preview.
//!
//! The form is not in the address: a link of another site cannot fill it in, and the browser's history does not keep
//! it. The cookie outlives the first look at the page, so a reload shows the preview again.

use crate::client::session::SignedIn;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use shared::envelope::{Cookie, WebReply};
use shared::serve::WebRequest;
use std::time::Duration;

const COOKIE: &str = "__Host-draft";
const COOKIE_TIME: Duration = Duration::from_secs(15 * 60);
/// Browsers keep cookies of up to 4096 bytes.
const MAX_LENGTH: usize = 3_500;

/// A form of a customer.
#[derive(Deserialize, Serialize)]
struct Draft {
    customer: String,
    values: Vec<(String, String)>,
}

/// Leads to a page that finds the form; `None` if the form is too long for a cookie.
pub(crate) fn leave(person: &SignedIn, values: Vec<(String, String)>, page: &str) -> Option<WebReply> {
    cookie(person, values).map(|cookie| WebReply::see_other(page).with_cookie(cookie))
}

/// The cookie with a form; `None` if the form is too long for it.
pub(crate) fn cookie(person: &SignedIn, values: Vec<(String, String)>) -> Option<Cookie> {
    let text = encoded(&Draft { customer: person.customer().to_string(), values })?;
    Some(Cookie { name: COOKIE, value: SecretString::from(text), max_age: COOKIE_TIME })
}

/// The form that the browser brings, if it is of this customer.
pub(crate) fn find(request: &WebRequest, person: &SignedIn) -> Option<Vec<(String, String)>> {
    decoded(request.cookie(COOKIE)?, &person.customer().to_string())
}

fn encoded(draft: &Draft) -> Option<String> {
    let text = URL_SAFE_NO_PAD.encode(serde_json::to_vec(draft).ok()?);
    (text.len() <= MAX_LENGTH).then_some(text)
}

fn decoded(text: &str, customer: &str) -> Option<Vec<(String, String)>> {
    let draft: Draft = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    (draft.customer == customer).then_some(draft.values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(name: &str) -> Draft {
        Draft { customer: "a".to_owned(), values: vec![("name".to_owned(), name.to_owned())] }
    }

    #[test]
    fn a_draft_is_for_its_customer_only() {
        let text = encoded(&draft("Frühling")).unwrap();
        assert_eq!(decoded(&text, "a"), Some(draft("Frühling").values));
        assert_eq!(decoded(&text, "b"), None);
        assert_eq!(decoded("?", "a"), None);
    }

    #[test]
    fn a_draft_that_a_cookie_cannot_hold_is_refused() {
        assert!(encoded(&draft(&"é".repeat(255))).is_some());
        assert!(encoded(&draft(&"a".repeat(4_000))).is_none());
    }
}
