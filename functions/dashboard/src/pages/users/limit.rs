//! The page that sets, changes and takes away the limit of a user.

use crate::client::api::Api;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::{USER, USER_LIMIT, USERS, of_user, sign_in_again};
use crate::kit::currencies::most_used;
use crate::kit::limit::{CONTROLS, LimitForm, has_one_currency, user_limit_of};
use crate::pages::kept_form::recent_first;
use crate::pages::layout::{self, Layout};
use crate::pages::users::erase::told;
use askama::Template;
use shared::domain::SpendingLimit;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "pages/users/user_limit.html")]
pub(super) struct LimitPage {
    pub(super) layout: Layout,
    pub(super) name: String,
    /// The page of the user.
    pub(super) path: String,
    pub(super) form: LimitForm,
    pub(super) has_limit: bool,
    /// Whether the form can hold the limit.
    pub(super) is_editable: bool,
    /// Whether the person signed in recently enough to change it.
    pub(super) is_recent: bool,
    pub(super) sign_in_again: String,
}

/// Shows the page.
pub(crate) async fn show_limit(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let user = users::required(&request.query)?;
    let known = users::one(&Api::new(request, person), &user).await.map_err(layout::failed)?;
    let accounts = known.connections.iter().filter_map(|one| one.account.as_ref());
    let currencies = most_used(accounts.map(|account| (account.currency, 1)));
    let limit = known.user.limit();
    let layout = Layout::signed_in(request, "Limit of a user", USERS, person);
    let filled_in = layout.notice.as_ref().map(|notice| notice.values.as_slice()).unwrap_or_default();
    let template = LimitPage {
        form: LimitForm::of_user(filled_in, limit, &currencies),
        has_limit: limit.is_some(),
        is_editable: is_editable(limit),
        is_recent: person.session.is_recent(request.now),
        sign_in_again: sign_in_again(&of_user(USER_LIMIT, &user)),
        path: of_user(USER, &user),
        name: user.to_string(),
        layout,
    };
    Ok(layout::show(request, &template))
}

/// Sets the limit of a form. A higher one lets more run, so the sign-in must be recent.
pub(crate) async fn set_limit(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let user = users::required(&form)?;
    let (page, api) = (of_user(USER_LIMIT, &user), Api::new(request, person));
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let known = users::one(&api, &user).await.map_err(layout::failed)?.user;
    // The form would drop all currencies but one.
    if !is_editable(known.limit()) {
        return Ok(WebReply::see_other(page));
    }
    Ok(match users::set_limit(&api, &user, Some(user_limit_of(&form))).await {
        Ok(_) => Notice::success("The limit is saved. It applies from now on.").then(of_user(USER, &user)),
        Err(refusal) => Notice::refused(told(refusal), CONTROLS, &form).then(page),
    })
}

/// Takes the limit of the user of a form away.
pub(crate) async fn remove_limit(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let user = users::required(&form)?;
    let page = of_user(USER_LIMIT, &user);
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    Ok(match users::set_limit(&Api::new(request, person), &user, None).await {
        Ok(_) => {
            Notice::success("The limit is removed: what runs for the user no longer counts.").then(of_user(USER, &user))
        }
        Err(refusal) => Notice::failure(told(refusal).in_one_message(), &[]).then(page),
    })
}

fn is_editable(limit: Option<&SpendingLimit>) -> bool {
    limit.is_none_or(has_one_currency)
}
