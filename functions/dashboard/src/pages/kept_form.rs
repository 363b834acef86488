//! A form that came after its session had ended, or that asks for a recent sign-in. It waits 15 minutes until the person has
//! signed in again. Its page then shows it filled in, or a button that sends it as it was. It is never sent by itself.
//!
//! The session cookie names the customer, so another customer's person never sees the form. After a sign-out there is no
//! such cookie, and nothing is kept.

use crate::client::connect_request;
use crate::client::cookie_values::{self, CookieValues, Kind, Owner};
use crate::client::new_key;
use crate::client::notice::{Finish, Notice};
use crate::client::session;
use crate::client::users;
use crate::kit::addresses::{
    AGENT_LIMIT, AGENTS, APPROVE, CAMPAIGNS, CHANGE, CHANGE_PREVIEW, CONSENT, DECIDE, HOME, INVITE, KEY_FREE,
    KEY_RESUME, KEY_REVERT, KEY_ROTATE, KEYS, NEW_CAMPAIGN, PREVIEW, REDIRECT_URIS, REMOVE_CONNECTION, REMOVE_PERSON,
    REPORTING, SET_ROLE, SETTINGS, SIGN_IN, USER, USER_ERASE, USER_FREE, USER_LIMIT, USER_LIMIT_REMOVAL, USER_RESUME,
    WEBHOOK_CHANGE, WEBHOOK_ROTATE, WEBHOOKS, agent_limit, campaign, of_user, one_key, remove_connection,
    sign_in_again, webhook,
};
use crate::kit::campaign_forms::{CHANGE_FIELDS, kept_create};
use crate::kit::form_fields::pick;
use crate::kit::limit;
use crate::kit::text::{isolated, path_segment};
use crate::pages::approvals;
use crate::pages::keys;
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
    /// What one click sends; `None` for a form that the person looks over once more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    finish: Option<Finish>,
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
            Reason::SignedOut => "You were signed out, and are signed in again.",
            Reason::NotRecent => "You are signed in again.",
        };
        let next = match (&self.finish, self.values.is_empty()) {
            (Some(_), _) => "One click is left, and nothing is done until then.",
            (None, true) => "Nothing is done yet: press the button once more.",
            (None, false) => "Your form is as you left it, and nothing is sent yet: send it now.",
        };
        let KeptForm { values, finish, .. } = self;
        Notice { values, finish, ..Notice::next(format!("{why} {next}")) }
    }
}

/// Leads a form without a session to the sign-in, and from there to its page, or to the nearest one.
pub(crate) async fn sign_in_first(request: &WebRequest, nearest: &str) -> Result<WebReply, Error> {
    let found = of_form(&request.path, &request.form().unwrap_or_default());
    let (page, values) = found.unwrap_or_else(|| (nearest.to_owned(), Vec::new()));
    let to = WebReply::see_other(format!("{SIGN_IN}?return_to={}", path_segment(&page)));
    match session::token(request) {
        Some(token) => {
            let reply = Kind::KeptForm.leave(to, &KeptForm { page, reason: Reason::SignedOut, values, finish: None });
            cookie_values::seal(request, Owner::all_of(token.customer()), reply).await
        }
        None => Ok(to),
    }
}

/// Leads a form whose action needs a recent sign-in to one, and from there to its page.
pub(crate) fn recent_first(request: &WebRequest, form: &Form) -> WebReply {
    let (page, values) = of_form(&request.path, form).unwrap_or_else(|| (HOME.to_owned(), Vec::new()));
    let finish = finish(&request.path, form);
    let to = WebReply::see_other(sign_in_again(&page));
    let kept = KeptForm { page, reason: Reason::NotRecent, values, finish };
    // A form of many campaigns may be too long. Its page says then that the person goes on there.
    match Kind::KeptForm.value(&kept) {
        Some(kept) => to.with_unsealed(kept),
        None => Kind::KeptForm.leave(to, &KeptForm { finish: None, ..kept }),
    }
}

/// Whether a form waits for a sign-in.
pub(crate) fn is_waiting(request: &WebRequest) -> bool {
    Kind::KeptForm.is_waiting(request)
}

/// What one click sends of a form that has no text, and of which the person knows what it does.
fn finish(path: &str, form: &Form) -> Option<Finish> {
    let of = |name: &str| match value(form, approvals::NAME_FIELD).map(str::trim).filter(|name| !name.is_empty()) {
        Some(campaign) => format!("{name} {}", isolated(campaign)),
        None => name.to_owned(),
    };
    let button = match path {
        APPROVE => of("Approve"),
        DECIDE => match form.iter().filter(|(name, _)| name == approvals::CHOICES).count() {
            0 => return None,
            1 => "Approve 1 change".to_owned(),
            count => format!("Approve {count} changes"),
        },
        KEY_REVERT if value(form, "stop").is_some() => "Stop it and revert what was ticked".to_owned(),
        KEY_REVERT => "Revert what was ticked".to_owned(),
        KEY_RESUME | USER_RESUME => "Resume".to_owned(),
        KEY_FREE | USER_FREE => "Stop counting it".to_owned(),
        USER_LIMIT_REMOVAL => "Remove the limit".to_owned(),
        _ => return None,
    };
    // The cookie is small: what is empty says nothing, and the rows of a revert are only for its sums.
    let is_said = |(name, value): &&(String, String)| !value.is_empty() && (path != KEY_REVERT || name != "row");
    let fields = form.iter().filter(is_said).cloned().collect();
    Some(Finish { action: path.to_owned(), button, fields })
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
        KEY_REVERT => (keys::ticked_page(form), Vec::new()),
        KEY_RESUME | KEY_FREE => (one_key(id), Vec::new()),
        USER_RESUME | USER_FREE | USER_ERASE => (of_user(USER, &users::required(form).ok()?), Vec::new()),
        USER_LIMIT_REMOVAL => (of_user(USER_LIMIT, &users::required(form).ok()?), Vec::new()),
        APPROVE => (approvals::page_of(form), Vec::new()),
        DECIDE => (approvals::list_of(form), pick(form, &[approvals::REASON])),
        KEY_ROTATE => (KEYS.to_owned(), Vec::new()),
        WEBHOOK_ROTATE => (webhook(id), Vec::new()),
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
            ("/dashboard/keys/one?id=key_1&since=day&wait=all&without=".to_owned(), vec![])
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
    fn a_form_that_no_page_knows_is_not_kept() {
        assert_eq!(of_form("/dashboard/keys/delete", &[("id".to_owned(), "key_1".to_owned())]), None);
    }

    fn notice(path: &str, fields: &[(&str, &str)], reason: Reason) -> Notice {
        let form = form_fields::form(fields);
        let (page, values) = of_form(path, &form).unwrap();
        KeptForm { page, reason, values, finish: finish(path, &form) }.notice()
    }

    #[test]
    fn one_click_sends_what_was_meant_after_the_sign_in() {
        let fields = [("id", "chg_1"), ("seen", "v"), ("back", "home"), ("name", "Spring")];
        let kept = notice(APPROVE, &fields, Reason::NotRecent);
        let finish = kept.finish.as_ref().unwrap();
        let said = (kept.tone(), finish.action.as_str(), finish.button.as_str());
        assert_eq!(said, ("plain", APPROVE, "Approve “\u{2068}Spring\u{2069}”"));
        assert_eq!(finish.fields, form_fields::form(&fields));
        assert!(kept.message.contains("One click is left") && !kept.is_alert(), "{}", kept.message);
        let button = |path, fields: &[(&str, &str)]| finish_of(path, fields).map(|finish| finish.button);
        assert_eq!(button(APPROVE, &[("id", "chg_1")]).as_deref(), Some("Approve"));
        assert_eq!(button(KEY_REVERT, &[("stop", "yes")]).as_deref(), Some("Stop it and revert what was ticked"));
        assert_eq!(button(DECIDE, &[("do", "approve")]), None, "nothing is ticked");
        // What removes somebody is looked at once more.
        for path in [REMOVE_PERSON, SET_ROLE, USER_ERASE, INVITE, KEYS] {
            assert_eq!(button(path, &[("id", "a")]), None, "{path}");
        }
    }

    fn finish_of(path: &str, fields: &[(&str, &str)]) -> Option<Finish> {
        finish(path, &form_fields::form(fields))
    }

    #[test]
    fn a_whole_page_of_approvals_is_kept_over_a_sign_in() {
        let choice = format!("chg_{} {}", "0".repeat(32), "f".repeat(64));
        let mut fields = vec![("ids", choice.as_str()); 20];
        fields.extend([("do", "approve"), ("reason", "")]);
        let kept = notice(DECIDE, &fields, Reason::NotRecent);
        assert_eq!(kept.finish.as_ref().unwrap().button, "Approve 20 changes");
        assert!(Kind::Notice.value(&kept).is_some(), "the cookie has room for it");
        let form = form_fields::form(&fields);
        let waiting = KeptForm {
            page: approvals::list_of(&form),
            reason: Reason::NotRecent,
            values: Vec::new(),
            finish: finish(DECIDE, &form),
        };
        assert!(Kind::KeptForm.value(&waiting).is_some());
    }

    #[test]
    fn the_notice_says_that_nothing_was_sent_and_is_not_red() {
        let uri = [("uri", "https://a.example/")];
        let signed_out = notice(REDIRECT_URIS, &uri, Reason::SignedOut);
        let (again, next) =
            ("You were signed out, and are signed in again.", "Your form is as you left it, and nothing is sent yet");
        assert!(signed_out.message.starts_with(again) && signed_out.message.contains(next), "{}", signed_out.message);
        let button = notice(SET_ROLE, &[("id", "a")], Reason::NotRecent);
        assert_eq!(button.message, "You are signed in again. Nothing is done yet: press the button once more.");
        assert!(!signed_out.is_success && signed_out.value("uri").is_some());
        assert_eq!((signed_out.tone(), button.tone()), ("plain", "plain"));
    }
}
