//! A form that came after its session had ended. It waits, sealed, in a cookie of the browser until the person has signed
//! in again, and its page shows it filled in. It is never sent by itself.
//!
//! The session cookie names the customer, so another customer's person never sees the form. After a sign-out there is no
//! such cookie, and nothing is kept.

use crate::client::notice::Notice;
use crate::client::session::{self, SignedIn};
use crate::kit::addresses::{
    AGENT_LIMIT, AGENTS, CAMPAIGNS, CHANGE, CHANGE_PREVIEW, HOME, KEYS, NEW_CAMPAIGN, PREVIEW, REDIRECT_URIS, SETTINGS,
    SIGN_IN, WEBHOOK_CHANGE, WEBHOOKS, agent_limit, campaign, sign_in_again, webhook,
};
use crate::kit::form_fields::picked;
use crate::pages::campaigns::{CHANGE_FIELDS, kept_create};
use crate::pages::layout::path_segment;
use crate::pages::limit;
use crate::pages::settings::redirect_uris;
use crate::pages::{keys, webhooks};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use shared::domain::CustomerId;
use shared::envelope::query::value;
use shared::envelope::{Cookie, WebReply};
use shared::serve::WebRequest;
use shared::vault::Binding;
use std::time::Duration;

type Form = [(String, String)];

const COOKIE: &str = "__Host-form";
const COOKIE_TIME: Duration = Duration::from_secs(15 * 60);
/// Browsers keep cookies of up to 4096 bytes.
const MAX_LENGTH: usize = 3_500;
/// The name that binds a sealed form to its use.
const FIELD: &str = "kept_form";

/// A form that waits.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
struct Kept {
    /// The page that shows it.
    page: String,
    reason: Reason,
    values: Vec<(String, String)>,
}

/// Why the form was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
enum Reason {
    SignedOut,
    /// Its action needs a sign-in of the last minutes.
    NotRecent,
}

impl Kept {
    fn notice(self) -> Notice {
        let why = match self.reason {
            Reason::SignedOut => "You were signed out.",
            Reason::NotRecent => "Your last sign-in was more than ten minutes ago.",
        };
        let message = format!("{why} Nothing was sent; check the form and send it again.");
        Notice { message, values: self.values, ..Notice::default() }
    }
}

/// Leads a form without a session to the sign-in, and from there to its page, or to the nearest one.
pub(crate) async fn sign_in_first(request: &WebRequest, nearest: &str) -> WebReply {
    let found = of_form(&request.path, &request.form().unwrap_or_default());
    let (page, values) = found.unwrap_or_else(|| (nearest.to_owned(), Vec::new()));
    let to = WebReply::see_other(format!("{SIGN_IN}?return_to={}", path_segment(&page)));
    match session::token(request) {
        Some(token) => keep(request, token.customer(), Kept { page, reason: Reason::SignedOut, values }, to).await,
        None => to,
    }
}

/// Leads a form whose action needs a recent sign-in to one, and from there to its page.
pub(crate) async fn recent_first(request: &WebRequest, person: &SignedIn, form: &Form) -> WebReply {
    let (page, values) = of_form(&request.path, form).unwrap_or_else(|| (HOME.to_owned(), Vec::new()));
    let to = WebReply::see_other(sign_in_again(&page));
    keep(request, person.customer(), Kept { page, reason: Reason::NotRecent, values }, to).await
}

/// Leads to a page after a sign-in. If a form waits for this page, the page shows it.
pub(crate) async fn restored(request: &WebRequest, customer: CustomerId, page: &str) -> WebReply {
    let Some(sealed) = request.cookie(COOKIE).filter(|sealed| !sealed.is_empty()) else {
        return WebReply::see_other(page);
    };
    let kept = open(request, customer, sealed).await.filter(|kept| kept.page == page);
    let reply = kept.map_or_else(|| WebReply::see_other(page), |kept| kept.notice().then(page));
    reply.with_cookie(Cookie::removed(COOKIE))
}

/// Adds the cookie with a form. One that is too long, or that cannot be sealed, is not kept.
async fn keep(request: &WebRequest, customer: CustomerId, kept: Kept, to: WebReply) -> WebReply {
    let customer = customer.to_string();
    let (Ok(vault), Ok(text)) = (request.app.vault(), serde_json::to_string(&kept)) else { return to };
    match vault.seal(binding(&customer), &SecretString::from(text)).await {
        Ok(sealed) if sealed.len() <= MAX_LENGTH => {
            to.with_cookie(Cookie { name: COOKIE, value: SecretString::from(sealed), max_age: COOKIE_TIME })
        }
        _ => to,
    }
}

async fn open(request: &WebRequest, customer: CustomerId, sealed: &str) -> Option<Kept> {
    let customer = customer.to_string();
    let opened = request.app.vault().ok()?.open(binding(&customer), sealed).await.ok()?;
    serde_json::from_str(opened.expose_secret()).ok()
}

fn binding(customer: &str) -> Binding<'_> {
    Binding { customer, record: FIELD, field: FIELD }
}

/// The page of a form, and what of it the page shows again; `None` for a form without text.
fn of_form(path: &str, form: &Form) -> Option<(String, Vec<(String, String)>)> {
    let id = value(form, "id").unwrap_or_default();
    Some(match path {
        CAMPAIGNS | PREVIEW => (NEW_CAMPAIGN.to_owned(), kept_create(form)),
        CHANGE | CHANGE_PREVIEW => (campaign(id), picked(form, &CHANGE_FIELDS)),
        KEYS | AGENTS => (path.to_owned(), picked(form, &[&keys::FIELDS[..], &limit::FIELDS].concat())),
        AGENT_LIMIT => (agent_limit(id), picked(form, &limit::FIELDS)),
        WEBHOOKS => (WEBHOOKS.to_owned(), picked(form, &webhooks::FIELDS)),
        WEBHOOK_CHANGE => (webhook(id), picked(form, &webhooks::FIELDS)),
        REDIRECT_URIS => (SETTINGS.to_owned(), picked(form, &redirect_uris::FIELDS)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields;

    fn kept(path: &str, fields: &[(&str, &str)]) -> (String, Vec<String>) {
        let (page, values) = of_form(path, &form_fields::form(fields)).unwrap();
        (page, values.into_iter().map(|(name, value)| format!("{name}={value}")).collect())
    }

    #[test]
    fn a_form_is_kept_for_its_page() {
        let change = [("id", "alpha_1_2"), ("name", "Summer"), ("was_name", "Spring"), ("other", "x")];
        let (page, values) = kept(CHANGE, &change);
        assert_eq!(page, "/dashboard/campaigns/one?id=alpha_1_2");
        assert_eq!(values, ["id=alpha_1_2", "name=Summer"]);
        let (page, values) = kept(WEBHOOKS, &[("url", "https://a.example/"), ("types", "a"), ("types", "b")]);
        assert_eq!((page.as_str(), values.len()), (WEBHOOKS, 3));
    }

    #[test]
    fn a_form_without_text_is_not_kept() {
        assert_eq!(of_form("/dashboard/keys/rotate", &[("id".to_owned(), "key_1".to_owned())]), None);
    }

    #[test]
    fn the_notice_says_that_nothing_was_sent() {
        let values = vec![("uri".to_owned(), "https://a.example/".to_owned())];
        let notice = Kept { page: SETTINGS.to_owned(), reason: Reason::SignedOut, values }.notice();
        assert_eq!(notice.message, "You were signed out. Nothing was sent; check the form and send it again.");
        assert!(!notice.is_success && notice.value("uri").is_some());
    }
}
