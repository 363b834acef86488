//! The pages and actions of the dashboard: one table, which also says what takes which method.

use crate::client::cookie_values;
use crate::client::session::{self, SignedIn};
use crate::kit::addresses::{
    ACTIVITY, ACTIVITY_CSV, AGENT_LIMIT, AGENT_SIGN_OUT, AGENTS, APPROVAL, APPROVALS, APPROVE, BILLING, BULK_EDIT,
    CALLBACK, CAMPAIGNS, CAMPAIGNS_CSV, CANCEL_CHANGE, CHANGE, CHANGE_PREVIEW, CONNECT, CONNECTIONS, CONSENT, DECIDE,
    HOME, INSIGHTS, INSIGHTS_CSV, INVITE, KEY, KEY_FREE, KEY_RESUME, KEY_REVERT, KEY_ROTATE, KEYS, MONTHS, MONTHS_CSV,
    NEW_CAMPAIGN, OUTCOME, PAUSE_ALL, PREVIEW, REDIRECT_URIS, REJECT, REMOVE_CONNECTION, REMOVE_PERSON, REPORTING,
    SET_ROLE, SETTINGS, SIGN_IN, SIGN_OUT, STATUS, TIME_ZONE, UNDO, UNDO_IN_ACTIVITY, USAGE, USAGE_CSV, USER,
    USER_ERASE, USER_FREE, USER_LIMIT, USER_LIMIT_REMOVAL, USER_RESUME, USERS, VIEWS, WEBHOOK, WEBHOOK_CHANGE,
    WEBHOOK_ROTATE, WEBHOOKS,
};
use crate::pages::kept_form;
use crate::pages::layout;
use crate::pages::settings::{people, redirect_uris, reporting, time_zone};
use crate::pages::sign_in::{self, callback, sign_out};
use crate::pages::{
    activity, agents, approvals, approve, billing, campaigns, connect, connections, home, insights, keys, months,
    settings, undo_in_activity, usage, users, webhooks,
};
use Handler::{Anyone, Form, Own, Personal};
use futures_util::future::BoxFuture;
use shared::envelope::WebReply;
use shared::error::{Error, Kind};
use shared::serve::WebRequest;
use std::future::ready;

type PageFuture<'a> = BoxFuture<'a, Result<WebReply, Error>>;

/// The handler of a page or an action.
#[derive(Clone, Copy)]
enum Handler {
    /// One that needs no session.
    Anyone(for<'a> fn(&'a WebRequest) -> PageFuture<'a>),
    /// One of the pages of a person who is signed in; anyone else is led to the sign-in. With POST it changes something of
    /// the account, so it refuses a person who only looks (D176).
    Own(for<'a> fn(&'a WebRequest, &'a SignedIn) -> PageFuture<'a>),
    /// A page that is only a form, or its preview: it refuses a person who only looks.
    Form(for<'a> fn(&'a WebRequest, &'a SignedIn) -> PageFuture<'a>),
    /// An action of a person on their own behalf. It decides itself what it refuses.
    Personal(for<'a> fn(&'a WebRequest, &'a SignedIn) -> PageFuture<'a>),
}

impl Handler {
    /// Whether a person who only looks is refused. What is new and takes POST is refused unless it says otherwise.
    fn changes(self, method: &str) -> bool {
        match self {
            Anyone(_) | Personal(_) => false,
            Own(_) => method != "GET",
            Form(_) => true,
        }
    }
}

/// The table. Whatever changes something takes POST.
const ROUTES: &[(&str, &str, Handler)] = &[
    ("GET", SIGN_IN, Anyone(|request| Box::pin(sign_in::show(request)))),
    ("POST", SIGN_IN, Anyone(|request| Box::pin(sign_in::start(request)))),
    ("GET", CALLBACK, Anyone(|request| Box::pin(callback::callback(request)))),
    ("POST", SIGN_OUT, Anyone(|request| Box::pin(sign_out::sign_out(request)))),
    ("GET", HOME, Own(|request, person| Box::pin(home::show(request, person)))),
    ("GET", KEYS, Own(|request, person| Box::pin(keys::show(request, person)))),
    ("POST", KEYS, Own(|request, person| Box::pin(keys::create(request, person)))),
    ("POST", KEY_ROTATE, Own(|request, person| Box::pin(keys::rotate(request, person)))),
    ("POST", "/dashboard/keys/delete", Own(|request, person| Box::pin(keys::delete(request, person)))),
    ("GET", KEY, Own(|request, person| Box::pin(keys::show_one(request, person)))),
    ("POST", KEY_FREE, Own(|request, person| Box::pin(keys::free(request, person)))),
    ("POST", KEY_REVERT, Own(|request, person| Box::pin(keys::revert(request, person)))),
    ("POST", "/dashboard/keys/stop", Own(|request, person| Box::pin(keys::stop(request, person)))),
    ("POST", KEY_RESUME, Own(|request, person| Box::pin(keys::resume(request, person)))),
    ("GET", CONNECTIONS, Own(|request, person| Box::pin(connections::show(request, person)))),
    ("POST", CONNECTIONS, Own(|request, person| Box::pin(connections::connect(request, person)))),
    ("POST", "/dashboard/connections/sync", Own(|request, person| Box::pin(connections::sync(request, person)))),
    ("POST", "/dashboard/connections/label", Own(|request, person| Box::pin(connections::label(request, person)))),
    (
        "POST",
        "/dashboard/connections/defaults",
        Own(|request, person| Box::pin(connections::set_defaults(request, person))),
    ),
    ("GET", REMOVE_CONNECTION, Form(|request, person| Box::pin(connections::show_removal(request, person)))),
    ("POST", REMOVE_CONNECTION, Own(|request, person| Box::pin(connections::remove(request, person)))),
    ("GET", USERS, Own(|request, person| Box::pin(users::show(request, person)))),
    ("GET", USER, Own(|request, person| Box::pin(users::show_one(request, person)))),
    ("GET", USER_LIMIT, Form(|request, person| Box::pin(users::show_limit(request, person)))),
    ("POST", USER_LIMIT, Own(|request, person| Box::pin(users::set_limit(request, person)))),
    ("POST", USER_LIMIT_REMOVAL, Own(|request, person| Box::pin(users::remove_limit(request, person)))),
    ("POST", USER_FREE, Own(|request, person| Box::pin(users::free(request, person)))),
    ("POST", "/dashboard/users/pause", Own(|request, person| Box::pin(users::pause(request, person)))),
    ("POST", USER_ERASE, Own(|request, person| Box::pin(users::erase(request, person)))),
    ("POST", USER_RESUME, Own(|request, person| Box::pin(users::resume(request, person)))),
    ("GET", CAMPAIGNS, Own(|request, person| Box::pin(campaigns::show(request, person)))),
    ("POST", CAMPAIGNS, Own(|request, person| Box::pin(campaigns::create(request, person)))),
    ("GET", NEW_CAMPAIGN, Form(|request, person| Box::pin(campaigns::show_new(request, person)))),
    ("POST", VIEWS, Personal(|request, person| Box::pin(campaigns::save_view(request, person)))),
    ("GET", OUTCOME, Own(|request, person| Box::pin(campaigns::show_outcome(request, person)))),
    ("GET", "/dashboard/campaigns/one", Own(|request, person| Box::pin(campaigns::show_one(request, person)))),
    ("POST", CHANGE, Own(|request, person| Box::pin(campaigns::change(request, person)))),
    ("POST", "/dashboard/campaigns/delete", Own(|request, person| Box::pin(campaigns::delete(request, person)))),
    ("GET", BULK_EDIT, Form(|request, person| Box::pin(campaigns::confirm_bulk_edit(request, person)))),
    ("POST", BULK_EDIT, Own(|request, person| Box::pin(campaigns::apply_bulk_edit(request, person)))),
    ("POST", STATUS, Own(|request, person| Box::pin(campaigns::undo_bulk(request, person)))),
    ("POST", UNDO, Own(|request, person| Box::pin(campaigns::undo(request, person)))),
    ("POST", PREVIEW, Own(|request, person| Box::pin(campaigns::preview(request, person)))),
    ("GET", PREVIEW, Form(|request, person| Box::pin(campaigns::show_preview(request, person)))),
    ("POST", CHANGE_PREVIEW, Own(|request, _| Box::pin(ready(campaigns::preview_change(request))))),
    ("GET", CHANGE_PREVIEW, Form(|request, person| Box::pin(campaigns::show_change_preview(request, person)))),
    ("GET", PAUSE_ALL, Form(|request, person| Box::pin(campaigns::confirm_pause_all(request, person)))),
    ("POST", PAUSE_ALL, Own(|request, person| Box::pin(campaigns::pause_all(request, person)))),
    ("GET", STATUS, Own(|request, person| Box::pin(campaigns::show_bulk(request, person)))),
    ("POST", CANCEL_CHANGE, Own(|request, person| Box::pin(activity::cancel(request, person)))),
    ("POST", UNDO_IN_ACTIVITY, Own(|request, person| Box::pin(undo_in_activity::undo(request, person)))),
    ("GET", ACTIVITY, Own(|request, person| Box::pin(activity::show(request, person)))),
    ("GET", APPROVALS, Own(|request, person| Box::pin(approvals::show(request, person)))),
    ("GET", APPROVAL, Own(|request, person| Box::pin(approvals::show_one(request, person)))),
    ("POST", APPROVE, Own(|request, person| Box::pin(approve::approve(request, person)))),
    ("POST", DECIDE, Own(|request, person| Box::pin(approvals::decide_many(request, person)))),
    ("POST", REJECT, Own(|request, person| Box::pin(approvals::reject(request, person)))),
    ("GET", AGENTS, Own(|request, person| Box::pin(agents::show(request, person)))),
    ("POST", AGENTS, Own(|request, person| Box::pin(agents::create(request, person)))),
    ("GET", AGENT_LIMIT, Form(|request, person| Box::pin(agents::show_limit(request, person)))),
    ("POST", AGENT_LIMIT, Own(|request, person| Box::pin(agents::set_limit(request, person)))),
    ("POST", AGENT_SIGN_OUT, Own(|request, person| Box::pin(agents::sign_out(request, person)))),
    ("GET", CONNECT, Anyone(|request| Box::pin(connect::authorize(request)))),
    ("GET", CONSENT, Own(|request, person| Box::pin(connect::show(request, person)))),
    ("POST", CONSENT, Personal(|request, person| Box::pin(connect::decide(request, person)))),
    ("GET", INSIGHTS, Own(|request, person| Box::pin(insights::show(request, person)))),
    ("GET", INSIGHTS_CSV, Own(|request, person| Box::pin(insights::download(request, person)))),
    ("GET", MONTHS, Own(|request, person| Box::pin(months::show(request, person)))),
    ("GET", MONTHS_CSV, Own(|request, person| Box::pin(months::download(request, person)))),
    ("GET", CAMPAIGNS_CSV, Own(|request, person| Box::pin(campaigns::download(request, person)))),
    ("GET", ACTIVITY_CSV, Own(|request, person| Box::pin(activity::download(request, person)))),
    ("GET", USAGE_CSV, Own(|request, person| Box::pin(usage::download(request, person)))),
    ("GET", WEBHOOKS, Own(|request, person| Box::pin(webhooks::show(request, person)))),
    ("POST", WEBHOOKS, Own(|request, person| Box::pin(webhooks::create(request, person)))),
    ("GET", WEBHOOK, Own(|request, person| Box::pin(webhooks::show_one(request, person)))),
    ("POST", WEBHOOK_CHANGE, Own(|request, person| Box::pin(webhooks::change(request, person)))),
    ("POST", "/dashboard/webhooks/status", Own(|request, person| Box::pin(webhooks::set_status(request, person)))),
    ("POST", "/dashboard/webhooks/resume", Own(|request, person| Box::pin(webhooks::resume(request, person)))),
    ("POST", WEBHOOK_ROTATE, Own(|request, person| Box::pin(webhooks::rotate(request, person)))),
    ("POST", "/dashboard/webhooks/test", Own(|request, person| Box::pin(webhooks::test(request, person)))),
    ("POST", "/dashboard/webhooks/replay", Own(|request, person| Box::pin(webhooks::replay(request, person)))),
    ("POST", "/dashboard/webhooks/delete", Own(|request, person| Box::pin(webhooks::delete(request, person)))),
    ("GET", USAGE, Own(|request, person| Box::pin(usage::show(request, person)))),
    ("GET", BILLING, Own(|request, person| Box::pin(billing::show(request, person)))),
    ("POST", "/dashboard/billing/checkout", Own(|request, person| Box::pin(billing::checkout(request, person)))),
    ("POST", "/dashboard/billing/portal", Own(|request, person| Box::pin(billing::portal(request, person)))),
    ("GET", SETTINGS, Own(|request, person| Box::pin(settings::show(request, person)))),
    ("POST", INVITE, Own(|request, person| Box::pin(people::invite(request, person)))),
    ("POST", "/dashboard/settings/people/withdraw", Own(|request, person| Box::pin(people::withdraw(request, person)))),
    ("POST", REMOVE_PERSON, Personal(|request, person| Box::pin(people::remove(request, person)))),
    ("POST", SET_ROLE, Own(|request, person| Box::pin(people::set_role(request, person)))),
    ("POST", REPORTING, Own(|request, person| Box::pin(reporting::save(request, person)))),
    ("POST", TIME_ZONE, Own(|request, person| Box::pin(time_zone::save(request, person)))),
    ("POST", REDIRECT_URIS, Own(|request, person| Box::pin(redirect_uris::add(request, person)))),
    (
        "POST",
        "/dashboard/settings/redirect-uris/remove",
        Own(|request, person| Box::pin(redirect_uris::remove(request, person))),
    ),
];

/// Runs the handler of a request.
pub(crate) async fn handle(request: &WebRequest) -> Result<WebReply, Error> {
    let found = find(method(request), &request.path);
    let changes = found.as_ref().is_ok_and(|handler| handler.changes(method(request)));
    match found {
        Ok(Anyone(handler)) => handler(request).await,
        Ok(Own(handle) | Form(handle) | Personal(handle)) => match session::find(request).await? {
            Some(person) if changes && !person.may_change() => Ok(layout::refused(request, &person)),
            Some(person) => {
                let reply = handle(request, &person).await.or_else(|error| with_menu(request, &person, error))?;
                cookie_values::seal(request, person.owner(), reply).await
            }
            None if request.method == "POST" => kept_form::sign_in_first(request, nearest_page(&request.path)).await,
            None => Ok(session::sign_in_first(request)),
        },
        Err(error) => match (without_slash(request), session::find(request).await?) {
            (Some(page), _) => Ok(WebReply::see_other(session::address(request, page))),
            (None, Some(person)) => with_menu(request, &person, error),
            (None, None) => Err(error),
        },
    }
}

/// The known page of an address that has a slash too many.
fn without_slash(request: &WebRequest) -> Option<&str> {
    let page = request.path.strip_suffix('/')?;
    (method(request) == "GET" && find("GET", page).is_ok()).then_some(page)
}

/// The page of a wrong address has the menu, for a person who is signed in. All other errors stay errors, which the log
/// explains.
fn with_menu(request: &WebRequest, person: &SignedIn, error: Error) -> Result<WebReply, Error> {
    match error.kind {
        Kind::NotFound | Kind::MethodNotAllowed => Ok(layout::error_page_signed_in(request, person, &error)),
        _ => Err(error),
    }
}

/// The page above an action: `/dashboard/keys` for `/dashboard/keys/rotate`.
fn nearest_page(path: &str) -> &'static str {
    let is_above = |page: &str| path.strip_prefix(page).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    pages().filter(|page| is_above(page)).max_by_key(|page| page.len()).unwrap_or(HOME)
}

/// The addresses of the pages, without those of actions.
pub(crate) fn pages() -> impl Iterator<Item = &'static str> {
    ROUTES.iter().filter(|(method, _, _)| *method == "GET").map(|(_, page, _)| *page)
}

/// The addresses of the actions.
pub(crate) fn actions() -> impl Iterator<Item = &'static str> {
    ROUTES.iter().filter(|(method, _, _)| *method == "POST").map(|(_, action, _)| *action)
}

/// The method of the table. HEAD is GET, whose body is not sent; but the callback completes a sign-in, and takes GET only.
fn method(request: &WebRequest) -> &str {
    match request.method.as_str() {
        "HEAD" if request.path != CALLBACK => "GET",
        method => method,
    }
}

fn find(method: &str, path: &str) -> Result<Handler, Error> {
    let at_path = ROUTES.iter().filter(|(_, known, _)| *known == path);
    if let Some((_, _, handler)) = at_path.clone().find(|(known, _, _)| *known == method) {
        return Ok(*handler);
    }
    let with_head =
        |known: &'static str| if known == "GET" && path != CALLBACK { vec![known, "HEAD"] } else { vec![known] };
    let allow: Vec<&'static str> = at_path.flat_map(|(known, _, _)| with_head(known)).collect();
    if allow.is_empty() {
        return Err(Error::new(Kind::NotFound, "This page does not exist. The dashboard leads to every page."));
    }
    let message = "This address does not work like that. Go back to the page and use its buttons.";
    Err(Error { allow, ..Error::new(Kind::MethodNotAllowed, message) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_viewer_is_refused_what_changes_something_and_what_is_only_a_form() {
        let allowed = |method: &str| {
            let rows = ROUTES.iter().filter(|(known, _, handler)| *known == method && !handler.changes(method));
            rows.map(|(_, path, _)| *path).collect::<Vec<_>>()
        };
        assert_eq!(allowed("POST"), [SIGN_IN, SIGN_OUT, VIEWS, CONSENT, REMOVE_PERSON]);
        let forms = ROUTES.iter().filter(|(method, _, handler)| *method == "GET" && handler.changes("GET"));
        let forms: Vec<&str> = forms.map(|(_, path, _)| *path).collect();
        let known =
            [REMOVE_CONNECTION, USER_LIMIT, NEW_CAMPAIGN, BULK_EDIT, PREVIEW, CHANGE_PREVIEW, PAUSE_ALL, AGENT_LIMIT];
        assert_eq!(forms, known);
    }

    #[test]
    fn an_action_has_a_page_above_it() {
        assert_eq!(nearest_page("/dashboard/keys/rotate"), KEYS);
        assert_eq!(nearest_page("/dashboard/campaigns/delete"), CAMPAIGNS);
        assert_eq!(nearest_page("/dashboard/elsewhere"), HOME);
    }
}
