//! Changes that wait for a person: the list, and a page for each, on which the person decides.

mod decide;
mod one;
mod values;

use crate::client::accounts;
use crate::client::api::Api;
use crate::client::approvals::waiting;
use crate::client::changes::with_account_names;
use crate::client::session::SignedIn;
use crate::kit::addresses::APPROVALS;
use crate::kit::changes::ChangeRow;
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
    rows: Vec<ChangeRow>,
    /// How many more wait.
    more: usize,
}

/// Shows the list.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let api = Api::new(request, person);
    let (waiting, connections) = tokio::join!(waiting(request, person, ROWS), accounts::connections(&api));
    let (rows, more) = waiting?;
    let rows = with_account_names(rows, &connections.unwrap_or_default());
    let layout = Layout::signed_in(request, "Approvals", APPROVALS, person);
    Ok(layout::show(request, &ApprovalsPage { layout, rows, more }))
}
