//! Changes that wait for a person: the list, and a page for each, on which the person decides.

mod decide;
mod one;
mod values;

use crate::client::accounts;
use crate::client::api::Api;
use crate::client::approvals::{waiting, waiting_of};
use crate::client::changes::with_account_names;
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::APPROVALS;
use crate::kit::changes::ChangeRow;
use crate::kit::only_user::OnlyUser;
use crate::pages::layout::{self, Layout};
use askama::Template;
pub(crate) use decide::{approve, reject};
pub(crate) use one::show as show_one;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

/// Rows of the list.
const ROWS: usize = 50;

#[derive(Template)]
#[template(path = "pages/approvals/approvals.html")]
struct ApprovalsPage {
    layout: Layout,
    only_user: Option<OnlyUser>,
    rows: Vec<ChangeRow>,
    /// How many more wait.
    more: usize,
}

/// Shows the list.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let user = users::named(&request.query)?;
    let api = Api::new(request, person).acting_for(user.as_ref());
    let waiting = async {
        match &user {
            Some(user) => waiting_of(request, person, user, ROWS).await,
            None => waiting(request, person, ROWS).await,
        }
    };
    let (waiting, connections) = tokio::join!(waiting, accounts::connections(&api));
    let (rows, more) = waiting?;
    let rows = with_account_names(rows, &connections.unwrap_or_default());
    let layout = Layout::signed_in(request, "Approvals", APPROVALS, person);
    let only_user = OnlyUser::new(user.as_ref(), APPROVALS.to_owned());
    Ok(layout::show(request, &ApprovalsPage { layout, only_user, rows, more }))
}
