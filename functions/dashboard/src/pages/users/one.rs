//! The page of a user: whether it is paused or being erased, its limit, what runs, its ad accounts, and what waits for a person.

use crate::client::accounts::Connection;
use crate::client::api::{Api, Refusal};
use crate::client::approvals::waiting_of;
use crate::client::changes::with_account_names;
use crate::client::readings::{Overview, SpendRow};
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::{
    ACTIVITY, APPROVALS, CAMPAIGNS, INSIGHTS, USAGE, USER, USER_LIMIT, USERS, of_user, sign_in_again,
};
use crate::kit::changes::ChangeRow;
use crate::kit::connections::ConnectionSummary;
use crate::kit::key_stop::paused_of;
use crate::kit::limit::{CountedRow, LimitBar, bars, counted, limit_words};
use crate::kit::text::readable;
use crate::kit::user_pause;
use crate::pages::layout::{self, Layout};
use crate::pages::users::erase::ErasureView;
use askama::Template;
use jiff::Timestamp;
use shared::domain::users::PauseProgress;
use shared::domain::{ExternalRef, User};
use shared::envelope::{UserDetails, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;

/// Campaigns that the page shows; the list of campaigns shows all.
const MAX_RUNNING: usize = 10;
/// Changes that the page shows; the page of approvals shows more.
const MAX_WAITING: usize = 10;

#[derive(Template)]
#[template(path = "pages/users/user.html")]
pub(super) struct UserPage {
    pub(super) layout: Layout,
    pub(super) name: String,
    pub(super) label: Option<String>,
    pub(super) pause: PauseView,
    /// Its erasure, while it goes on: then nothing else of it is changed.
    pub(super) erasure: Option<ErasureView>,
    pub(super) limit: LimitView,
    pub(super) runs: RunsView,
    pub(super) connections: Vec<ConnectionSummary>,
    /// How many ad accounts there are.
    pub(super) connections_count: usize,
    /// How many more ad accounts there are.
    pub(super) more_connections: usize,
    pub(super) waiting: WaitingView,
    /// How many changes wait, for their time or for a person.
    pub(super) waits: usize,
    /// The lists of the account with what is the user's.
    pub(super) lists: Vec<(&'static str, String)>,
    /// Whether the person signed in recently enough to resume or erase the user, or to free something.
    pub(super) is_recent: bool,
    pub(super) sign_in_again: String,
}

/// The pause of a user.
pub(super) struct PauseView {
    /// Since when it is paused.
    pub(super) since: Option<String>,
    /// How far its pause is.
    pub(super) progress: String,
    /// Whether a campaign was not paused, so that the person may ask again.
    pub(super) is_refused: bool,
    /// The activity of the user.
    pub(super) activity: String,
}

/// The limit of a user.
#[derive(Default)]
pub(super) struct LimitView {
    pub(super) words: Option<String>,
    pub(super) bars: Vec<LimitBar>,
    /// `3 of 20 campaigns created today`
    pub(super) creates: String,
    /// What counts of each campaign.
    pub(super) counted: Vec<CountedRow>,
    /// The page that changes it.
    pub(super) edit: String,
}

/// What runs for a user.
#[derive(Default)]
pub(super) struct RunsView {
    pub(super) overview: Overview,
    /// Why it is not known.
    pub(super) refusal: Option<Refusal>,
    pub(super) rows: Vec<SpendRow>,
    /// How many more campaigns run.
    pub(super) more: usize,
    /// The list of those that run.
    pub(super) list: String,
}

/// What waits of a user.
pub(super) struct WaitingView {
    /// Changes that wait for a person.
    pub(super) rows: Vec<ChangeRow>,
    /// How many more wait, and the list of them.
    pub(super) more: usize,
    pub(super) list: String,
    /// Changes that wait for their time, and the list of them.
    pub(super) scheduled: usize,
    pub(super) scheduled_list: String,
}

/// Shows the page. What runs may be unknown; everything else is of the table.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let user = users::required(&request.query)?;
    let api = Api::new(request, person);
    let (details, overview, waiting) = tokio::join!(
        users::one(&api, &user),
        Overview::read(request, person, Some(&user)),
        waiting_of(request, person, &user, MAX_WAITING)
    );
    let (details, waiting) = (details.map_err(layout::failed)?, waiting?);
    let layout = Layout::signed_in(request, format!("User {user}"), USERS, person);
    let is_recent = person.session.is_recent(request.now);
    Ok(layout::show(request, &page(layout, details, overview, waiting, is_recent, request.now)))
}

/// The page of what was read of a user.
pub(super) fn page(
    layout: Layout,
    details: UserDetails,
    overview: Result<Overview, Refusal>,
    (rows, more): (Vec<ChangeRow>, usize),
    is_recent: bool,
    now: Timestamp,
) -> UserPage {
    let UserDetails { user, pause: progress, connections, connections_count, waiting: (scheduled, awaiting) } = details;
    let name = &user.external_ref;
    let pause = PauseView {
        since: user.paused_at().map(readable),
        progress: progress.as_ref().map(|progress| said(progress, user.erasure.is_some())).unwrap_or_default(),
        is_refused: progress.is_some_and(|progress| progress.is_refused),
        activity: of_user(ACTIVITY, name),
    };
    let named: Vec<Connection> = connections.iter().cloned().map(Connection::from).collect();
    UserPage {
        pause,
        erasure: user.erasure.as_ref().map(ErasureView::of),
        waits: scheduled + awaiting,
        connections_count,
        limit: limit(&user, overview.as_ref().ok(), now),
        runs: runs(name, overview, now),
        more_connections: connections_count.saturating_sub(connections.len()),
        connections: connections.iter().map(ConnectionSummary::of).collect(),
        waiting: WaitingView {
            rows: with_account_names(rows, &named),
            more,
            list: of_user(APPROVALS, name),
            scheduled,
            scheduled_list: format!("{}&state=scheduled", of_user(ACTIVITY, name)),
        },
        lists: lists(name),
        is_recent,
        sign_in_again: sign_in_again(&of_user(USER, name)),
        name: name.to_string(),
        label: user.label.clone(),
        layout,
    }
}

/// How far a pause is. A refused one of an erasure is tried again, by another pause.
fn said(progress: &PauseProgress, is_erased: bool) -> String {
    match progress.is_refused && is_erased {
        true => paused_of(progress.campaigns, progress.paused),
        false => user_pause::progress(progress),
    }
}

fn limit(user: &User, overview: Option<&Overview>, now: Timestamp) -> LimitView {
    let edit = of_user(USER_LIMIT, &user.external_ref);
    let Some((limit, spending)) = user.limit().zip(user.spending.as_ref()) else {
        return LimitView { edit, ..LimitView::default() };
    };
    LimitView {
        words: Some(limit_words(limit)),
        bars: bars(spending, now),
        creates: format!("{} of {} campaigns created today", spending.creates_today(now), limit.creates_per_day),
        counted: counted(spending, overview.into_iter().flat_map(Overview::campaigns), now),
        edit,
    }
}

fn runs(user: &ExternalRef, overview: Result<Overview, Refusal>, now: Timestamp) -> RunsView {
    let list = format!("{}&status=ACTIVE", of_user(CAMPAIGNS, user));
    match overview {
        Ok(overview) => RunsView {
            rows: overview.active().take(MAX_RUNNING).map(|row| SpendRow::of(row, now)).collect(),
            more: overview.active().count().saturating_sub(MAX_RUNNING),
            refusal: None,
            overview,
            list,
        },
        Err(refusal) => RunsView { refusal: Some(refusal), list, ..RunsView::default() },
    }
}

fn lists(user: &ExternalRef) -> Vec<(&'static str, String)> {
    let pages = [
        ("Campaigns", CAMPAIGNS),
        ("Approvals", APPROVALS),
        ("Activity", ACTIVITY),
        ("Insights", INSIGHTS),
        ("Usage", USAGE),
    ];
    pages.map(|(title, page)| (title, of_user(page, user))).into()
}
