//! Changes that wait for a person: the list, in which the person decides on several, and a page for each.

mod decide;
mod many;
mod one;
mod values;

use crate::client::accounts;
use crate::client::api::Api;
use crate::client::approvals::{MAX_REASON, waiting_changes};
use crate::client::changes::with_account_names;
use crate::client::readings::{KeptSpend, Spent, SpentOfChanges};
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::{APPROVALS, APPROVE, DECIDE, REJECT, TO_LIST};
use crate::kit::changes::{Added, ChangeRow, rows, runs, sums};
use crate::kit::only_user::OnlyUser;
use crate::pages::layout::{self, Layout};
use askama::Template;
pub(crate) use decide::{NAME_FIELD, REASON, approve, list_of, page_of, reject};
use jiff::Timestamp;
pub(crate) use many::{CHOICES, decide_many};
pub(crate) use one::show as show_one;
use shared::domain::Change;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

/// Rows of the list: as many as a page has room for, and time to approve.
const ROWS: usize = 20;

#[derive(Template)]
#[template(path = "pages/approvals/approvals.html")]
struct ApprovalsPage {
    layout: Layout,
    only_user: Option<OnlyUser>,
    rows: Vec<WaitingRow>,
    /// How many more wait.
    more: usize,
    /// When their spend was read, and the address of newer numbers; `None` without a campaign that can have spent.
    spend_age: Option<(String, String)>,
    /// What all rows add together.
    sums: Vec<String>,
    /// Whether the person signed in recently enough to approve.
    is_recent: bool,
    decide: &'static str,
    approve: &'static str,
    reject: &'static str,
    /// What the form of a row says of its page.
    back: &'static str,
    /// Most characters of the reason of a rejection.
    most: usize,
}

/// A change that waits.
struct WaitingRow {
    row: ChangeRow,
    /// What the box of the row sends.
    choice: String,
    added: Option<Added>,
    /// What its campaign has spent; `None` of a new one.
    spent: Option<Spent>,
    /// When the campaign runs after it, if that is known.
    runs: Option<String>,
}

/// Shows the list.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let user = users::named(&request.query)?;
    let api = Api::new(request, person).acting_for(user.as_ref());
    let waiting = waiting_changes(request, person, user.as_ref(), ROWS);
    let spend = async {
        if person.awaiting.is_empty() { KeptSpend::default() } else { KeptSpend::read(request, person).await }
    };
    let (waiting, connections, spend) = tokio::join!(waiting, accounts::connections(&api), spend);
    let ((changes, more), connections) = (waiting?, connections.unwrap_or_default());
    let spent = spend.of(&changes, &connections);
    let spend_age = spent.age_and_renewal();
    let shown = with_account_names(rows(&changes, request.now), &connections);
    let rows = waiting_rows(&changes, shown, spent, request.now);
    let template = ApprovalsPage {
        layout: Layout::signed_in(request, "Approvals", APPROVALS, person),
        only_user: OnlyUser::new(user.as_ref(), APPROVALS.to_owned()),
        sums: sums(rows.iter().filter_map(|row| row.added)),
        rows,
        spend_age,
        more,
        is_recent: person.session.is_recent(request.now),
        decide: DECIDE,
        approve: APPROVE,
        reject: REJECT,
        back: TO_LIST,
        most: MAX_REASON,
    };
    Ok(layout::show(request, &template))
}

fn waiting_rows(changes: &[Change], rows: Vec<ChangeRow>, spent: SpentOfChanges, now: Timestamp) -> Vec<WaitingRow> {
    let row = |((change, row), spent): ((&Change, ChangeRow), Option<Spent>)| WaitingRow {
        choice: many::choice(change),
        added: Added::of(change, now),
        spent,
        runs: runs(change, change.values_before(), now),
        row,
    };
    changes.iter().zip(rows).zip(spent.campaigns).map(row).collect()
}

#[cfg(test)]
mod tests;
