//! A form that came after its session had ended. It waits 15 minutes until the person has signed in again, and its page
//! shows it filled in. It is never sent by itself.
//!
//! The session cookie names the customer, so another customer's person never sees the form. After a sign-out there is no
//! such cookie, and nothing is kept.

use crate::client::connect_request;
use crate::client::cookie_values::{self, CookieValues, Kind, Owner};
use crate::client::new_key;
use crate::client::notice::Notice;
use crate::client::session;
use crate::client::users;
use crate::kit::addresses::{
    AGENT_LIMIT, AGENTS, APPROVE, CAMPAIGNS, CHANGE, CHANGE_PREVIEW, CONSENT, HOME, INVITE, KEY_REVERT, KEYS,
    NEW_CAMPAIGN, PREVIEW, REDIRECT_URIS, REMOVE_CONNECTION, REMOVE_PERSON, REPORTING, SET_ROLE, SETTINGS, SIGN_IN,
    USER_LIMIT, WEBHOOK_CHANGE, WEBHOOKS, agent_limit, campaign, of_user, one_key, remove_connection, sign_in_again,
    webhook,
};
use crate::kit::campaign_forms::{CHANGE_FIELDS, kept_create};
use crate::kit::form_fields::pick;
use crate::kit::limit;
use crate::kit::text::path_segment;
use crate::pages::approvals;
use crate::pages::settings::{people, redirect_uris, reporting};
use crate::pages::webhooks;
use serde::{Deserialize, Serialize};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

type Form = [(String, String)];

/// A form that waits.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
struct KeptForm {
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

impl KeptForm {
    fn notice(self) -> Notice {
        let why = match self.reason {
            Reason::SignedOut => "You were signed out.",
            Reason::NotRecent => "Your last sign-in was more than ten minutes ago.",
        };
        let again = if self.values.is_empty() && self.reason == Reason::NotRecent {
            "Nothing is done yet: press the button again."
        } else {
            "Nothing was sent; check the form and send it again."
        };
        let message = format!("{why} {again}");
        Notice { message, values: self.values, ..Notice::default() }
    }
}

/// Leads a form without a session to the sign-in, and from there to its page, or to the nearest one.
pub(crate) async fn sign_in_first(request: &WebRequest, nearest: &str) -> Result<WebReply, Error> {
    let found = of_form(&request.path, &request.form().unwrap_or_default());
    let (page, values) = found.unwrap_or_else(|| (nearest.to_owned(), Vec::new()));
    let to = WebReply::see_other(format!("{SIGN_IN}?return_to={}", path_segment(&page)));
    match session::token(request) {
        Some(token) => {
            let reply = Kind::KeptForm.leave(to, &KeptForm { page, reason: Reason::SignedOut, values });
            cookie_values::seal(request, Owner::all_of(token.customer()), reply).await
        }
        None => Ok(to),
    }
}

/// Leads a form whose action needs a recent sign-in to one, and from there to its page.
pub(crate) fn recent_first(request: &WebRequest, form: &Form) -> WebReply {
    let (page, values) = of_form(&request.path, form).unwrap_or_else(|| (HOME.to_owned(), Vec::new()));
    let to = WebReply::see_other(sign_in_again(&page));
    Kind::KeptForm.leave(to, &KeptForm { page, reason: Reason::NotRecent, values })
}

/// Leads to a page after a sign-in. If a form waits for this page, the page shows it.
pub(crate) async fn lead_to(request: &WebRequest, owner: Owner<'_>, page: &str) -> Result<WebReply, Error> {
    let to = WebReply::see_other(page);
    if !Kind::KeptForm.is_waiting(request) {
        return Ok(to);
    }
    let kept: Option<KeptForm> = CookieValues::of(request, owner).await.find(Kind::KeptForm, request.now);
    let reply = kept.filter(|kept| kept.page == page).map_or(to, |kept| kept.notice().then(page));
    cookie_values::seal(request, owner, reply.with_cookie(Kind::KeptForm.removal_cookie())).await
}

/// The page of a form, and what of it the page shows again; `None` for a form without text.
fn of_form(path: &str, form: &Form) -> Option<(String, Vec<(String, String)>)> {
    let id = value(form, "id").unwrap_or_default();
    Some(match path {
        CAMPAIGNS | PREVIEW => (NEW_CAMPAIGN.to_owned(), kept_create(form)),
        CHANGE | CHANGE_PREVIEW => (campaign(id), pick(form, &CHANGE_FIELDS)),
        KEYS | AGENTS => (path.to_owned(), pick(form, &[&new_key::FIELDS[..], &limit::FIELDS].concat())),
        CONSENT => (CONSENT.to_owned(), pick(form, &[&connect_request::FIELDS[..], &limit::FIELDS].concat())),
        AGENT_LIMIT => (agent_limit(id), pick(form, &limit::FIELDS)),
        USER_LIMIT => (of_user(USER_LIMIT, &users::required(form).ok()?), pick(form, &limit::FIELDS)),
        KEY_REVERT => (one_key(id), Vec::new()),
        APPROVE => (approvals::page_of(form), Vec::new()),
        INVITE => (SETTINGS.to_owned(), pick(form, &people::INVITE_FIELDS)),
        REMOVE_PERSON | SET_ROLE => (SETTINGS.to_owned(), Vec::new()),
        REMOVE_CONNECTION => (remove_connection(id), Vec::new()),
        WEBHOOKS => (WEBHOOKS.to_owned(), pick(form, &webhooks::FIELDS)),
        WEBHOOK_CHANGE => (webhook(id), pick(form, &webhooks::FIELDS)),
        REDIRECT_URIS => (SETTINGS.to_owned(), pick(form, &redirect_uris::FIELDS)),
        REPORTING => (SETTINGS.to_owned(), reporting::kept(form)),
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
        let (page, values) = kept(USER_LIMIT, &[("external_ref", "shop42"), ("daily", "50"), ("other", "x")]);
        assert_eq!(
            (page.as_str(), values),
            ("/dashboard/users/limit?external_ref=shop42", vec!["daily=50".to_owned()])
        );
        assert_eq!(kept(REMOVE_CONNECTION, &[("id", "conn_1")]).0, "/dashboard/connections/remove?id=conn_1");
        assert_eq!(
            kept(KEY_REVERT, &[("id", "key_1"), ("changes", "x")]),
            ("/dashboard/keys/one?id=key_1".to_owned(), vec![])
        );
        assert_eq!(of_form(USER_LIMIT, &form_fields::form(&[("external_ref", "<b>")])), None);
        let (page, values) = kept(INVITE, &[("invitee", "Ada"), ("role", "MEMBER"), ("idempotency_key", "k")]);
        assert_eq!((page.as_str(), values.join(" ").as_str()), (SETTINGS, "invitee=Ada role=MEMBER"));
        assert_eq!(kept(SET_ROLE, &[("id", "a"), ("role", "VIEWER")]), (SETTINGS.to_owned(), vec![]));
        assert_eq!(kept(APPROVE, &[("id", "chg_1"), ("back", "home")]), (HOME.to_owned(), vec![]));
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
        let notice = KeptForm { page: SETTINGS.to_owned(), reason: Reason::SignedOut, values }.notice();
        assert_eq!(notice.message, "You were signed out. Nothing was sent; check the form and send it again.");
        let button = KeptForm { page: SETTINGS.to_owned(), reason: Reason::NotRecent, values: Vec::new() }.notice();
        assert!(button.message.ends_with("Nothing is done yet: press the button again."), "{}", button.message);
        assert!(!notice.is_success && notice.value("uri").is_some());
    }
}
