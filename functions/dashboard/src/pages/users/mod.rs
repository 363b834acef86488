//! Users: the product's own users to whom ad accounts belong, a page of each, and forms that limit, pause, resume and erase
//! it.

mod erase;
mod free;
mod limit;
mod one;
mod pause;
#[cfg(test)]
mod tests;

pub(crate) use erase::erase;
pub(crate) use free::free;
pub(crate) use limit::{remove_limit, set_limit, show_limit};
pub(crate) use one::show as show_one;
pub(crate) use pause::{pause, resume};

use crate::client::api::{Api, Refusal};
use crate::client::session::SignedIn;
use crate::client::users::{self, account_counts};
use crate::kit::addresses::{USER, USERS, of_user};
use crate::kit::limit::limit_words;
use crate::kit::list_filter::ListFilter;
use crate::pages::layout::{self, Layout};
use askama::Template;
use shared::domain::User;
use shared::envelope::{UserList, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;

/// Rows on a page.
const ROWS: usize = 25;

#[derive(Template)]
#[template(path = "pages/users/users.html")]
struct UsersPage {
    layout: Layout,
    filter: ListFilter,
    rows: Vec<UserRow>,
    /// The reason for which there are no rows.
    refusal: Option<Refusal>,
    next: Option<String>,
}

/// A user in the list.
struct UserRow {
    name: String,
    /// Its page.
    path: String,
    label: Option<String>,
    /// The number of its connected ad accounts.
    accounts: usize,
    is_paused: bool,
    is_erased: bool,
    /// Its limit in words.
    limit: Option<String>,
}

impl UserRow {
    fn of(user: &User, accounts: usize) -> UserRow {
        UserRow {
            name: user.external_ref.to_string(),
            path: of_user(USER, &user.external_ref),
            label: user.label.clone(),
            accounts,
            is_paused: user.paused_at().is_some(),
            is_erased: user.erasure.is_some(),
            limit: user.limit().map(limit_words),
        }
    }
}

/// Shows the list, by name.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let filter = ListFilter::read(USERS, &[], &request.query);
    let api = Api::new(request, person);
    let (UserList { users, next_cursor }, refusal) =
        match users::list(&api, &filter.api_target(users::USERS, ROWS)).await {
            Ok(list) => (list, None),
            Err(refusal) => (UserList { users: Vec::new(), next_cursor: None }, Some(refusal)),
        };
    let counts = account_counts(request, person, &users).await?;
    let template = UsersPage {
        layout: Layout::signed_in(request, "End users", USERS, person),
        rows: users.iter().zip(counts).map(|(user, accounts)| UserRow::of(user, accounts)).collect(),
        refusal,
        next: next_cursor.map(|cursor| filter.older(&cursor)),
        filter,
    };
    Ok(layout::show(request, &template))
}
