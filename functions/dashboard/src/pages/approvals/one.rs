//! The page of a change that waits for a person: what it is, what it adds, and the exact requests.

use super::decide::REASON;
use super::values::{ValueChange, value_changes};
use crate::client::accounts;
use crate::client::api::{Api, OUR_FAULT};
use crate::client::approvals::{MAX_REASON, review};
use crate::client::changes::with_account_names;
use crate::client::readings::{KeptSpend, Spent};
use crate::client::session::SignedIn;
use crate::kit::addresses::APPROVALS;
use crate::kit::changes::{Added, ChangeRow, headline, rows, runs};
use crate::kit::exact_request::ExactRequest;
use crate::kit::leap::mark;
use crate::kit::limit::{LimitBar, bars};
use crate::kit::money;
use crate::kit::text::{isolated, readable};
use crate::kit::words;
use crate::pages::layout::{self, Layout};
use askama::Template;
use shared::changes::Review;
use shared::domain::spending::Raised;
use shared::domain::{Action, Change, ChangeId, Currency, ShownRequest};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::{Error, Kind};
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "pages/approvals/approval.html")]
struct ApprovalPage {
    layout: Layout,
    id: String,
    /// The change as the activity shows it.
    row: ChangeRow,
    /// `60.00 USD a day`: what it adds, as asked for.
    added: Option<String>,
    /// `10 times the budget`: its mark, from the campaign as it is now.
    leap: Option<String>,
    /// What the campaign has spent; `None` of a new one.
    spent: Option<Spent>,
    /// When that was read, and the address of newer numbers.
    spend_age: Option<(String, String)>,
    lines: Vec<ValueChange>,
    /// When the campaign runs after it; `None` after a removal.
    runs: Option<String>,
    /// Whether the campaign would be new.
    is_create: bool,
    /// By how much keys have raised the campaign's budget today.
    raised: Option<String>,
    bars: Vec<LimitBar>,
    requests: Vec<ExactRequest>,
    checked_by: String,
    /// The reason for which it cannot be approved as it is now.
    refusal: Option<String>,
    /// What the person has seen, for the form; `None` if nothing waits.
    version: Option<String>,
    until: String,
    /// The time for which it is scheduled.
    time: Option<String>,
    /// Whether the person signed in recently enough to approve it.
    is_recent: bool,
    /// The reason of a rejection that was typed, and the most characters of one.
    reason: String,
    most: usize,
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let id = value(&request.query, "id").and_then(ChangeId::parse).ok_or_else(not_found)?;
    let reviewed = review(request, person, id).await.map_err(|error| match error.kind {
        Kind::NotFound => not_found(),
        _ => error,
    })?;
    let api = Api::new(request, person);
    let (connections, spend) = tokio::join!(accounts::connections(&api), KeptSpend::read(request, person));
    let connections = connections.unwrap_or_default();
    let spent = spend.of(std::slice::from_ref(&reviewed.change), &connections);
    let rows = rows(std::slice::from_ref(&reviewed.change), request.now);
    let row = with_account_names(rows, &connections).into_iter().next().ok_or_else(not_found)?;
    let title = title(&reviewed.change, &row, reviewed.proposal.is_some());
    let layout = Layout::signed_in(request, title, APPROVALS, person);
    let is_recent = person.session.is_recent(request.now);
    let template = ApprovalPage {
        spend_age: spent.age_and_renewal(),
        spent: spent.campaigns.into_iter().next().flatten(),
        ..page(request, layout, row, reviewed, is_recent)
    };
    Ok(layout::show(request, &template))
}

fn page(request: &WebRequest, layout: Layout, row: ChangeRow, reviewed: Review, is_recent: bool) -> ApprovalPage {
    let version = reviewed.proposal.is_some().then(|| reviewed.version());
    let refusal = reviewed.refusal().map(message);
    let lines = value_changes(&reviewed, request.now);
    let added = Added::of(&reviewed.change, request.now).map(|added| added.words());
    let runs = runs(&reviewed.change, reviewed.before(), request.now);
    let leap = reviewed.before().zip(reviewed.after(request.now)).and_then(|(before, after)| mark(before, &after));
    let Review { change, spendings, raised, proposal } = reviewed;
    let name = change.platform.display_name();
    let is_checked = proposal.as_ref().is_some_and(|proposal| proposal.run.is_checked_by_platform);
    ApprovalPage {
        id: change.id.to_string(),
        added,
        leap: leap.filter(|_| version.is_some()),
        spent: None,
        spend_age: None,
        lines,
        runs,
        is_create: matches!(change.action, Action::Create(_)),
        raised: raised.map(|raised| raised_today(raised, change.currency)),
        bars: spendings.iter().flat_map(|spending| bars(spending, request.now)).collect(),
        checked_by: if is_checked {
            format!("Checked by {name}, without making the change.")
        } else {
            format!("Checked by us, not by {name}.")
        },
        requests: proposal.iter().flat_map(|proposal| &proposal.run.requests).map(exact).collect(),
        refusal,
        version,
        until: readable(change.approval_until()),
        time: change.apply_at.map(readable),
        is_recent,
        reason: layout.value(REASON).unwrap_or_default().to_owned(),
        most: MAX_REASON,
        row,
        layout,
    }
}

/// `Activate “Spring”?`: the question, while it waits for an answer.
fn title(change: &Change, row: &ChangeRow, waits: bool) -> String {
    let campaign = if row.is_named { isolated(&row.campaign) } else { row.campaign.clone() };
    format!("{}{}", headline(change, &campaign), if waits { "?" } else { "" })
}

/// A person is asked about all raises of the day together, which the budget before the change does not show.
fn raised_today(raised: Raised, currency: Currency) -> String {
    if raised.from.is_zero() {
        return "An API key has made this campaign run today.".to_owned();
    }
    let from = money::in_currency(raised.from, currency);
    format!("API keys have raised this campaign today, from {from}.")
}

fn exact(ShownRequest { method, url, body }: &ShownRequest) -> ExactRequest {
    ExactRequest::new(method, url, body)
}

/// The message of an error, with the fields that are wrong.
fn message(error: &Error) -> String {
    if error.kind == Kind::Internal { OUR_FAULT.to_owned() } else { words::error(error) }
}

fn not_found() -> Error {
    Error::new(Kind::NotFound, "This change does not exist. Activity lists all changes.")
}
