//! The limit of a key: what it has left, and what counts.

use crate::client::readings::Overview;
use crate::client::session::SignedIn;
use crate::kit::addresses::{USER, agent_limit, of_user};
use crate::kit::key_stop::would_pause;
use crate::kit::limit::{CountedRow, LimitBar, bars, counted, limit_words, seen_accounts, still_counts};
use shared::domain::spending::Spender;
use shared::domain::{ApiKeyInfo, ConnectionId, Scope, SpendingLimit};
use shared::error::Error;
use shared::serve::WebRequest;

/// The limit of a key that has one, or has had one.
pub(super) struct LimitView {
    /// `It may run up to 500.00 USD a day; a person approves every activation.` `None` without a limit now.
    pub(super) words: Option<String>,
    /// What it names.
    limit: Option<SpendingLimit>,
    /// The ad accounts that it sees; `None` until they are read.
    pub(super) sees: Option<String>,
    /// Name and page of the user for whom alone it acts.
    pub(super) user: Option<(String, String)>,
    pub(super) bars: Vec<LimitBar>,
    /// Why budgets count that do not run any more.
    pub(super) still: Option<String>,
    /// `3 of 20 campaigns created today`
    pub(super) creates: Option<String>,
    /// What it has added to each campaign.
    pub(super) counted: Vec<CountedRow>,
    /// What a stop would pause.
    pub(super) would_pause: Option<String>,
    /// The page that changes it.
    pub(super) edit: String,
}

impl LimitView {
    /// Reads it; `None` for a key without one.
    pub(super) async fn read(
        request: &WebRequest,
        person: &SignedIn,
        key: Option<&ApiKeyInfo>,
    ) -> Result<Option<LimitView>, Error> {
        let Some(key) = key else { return Ok(None) };
        let spender = Spender::Key(key.id.clone());
        let Some(spending) = request.app.store.spending(person.customer(), &spender).await? else { return Ok(None) };
        // Without it the campaigns have no names.
        let overview = Overview::read(request, person, key.external_ref.as_ref()).await.unwrap_or_default();
        let (now, only_looks) = (request.now, !key.scopes.contains(&Scope::Campaigns));
        let words = |limit| if only_looks { "It only looks.".to_owned() } else { may_run(limit) };
        Ok(Some(LimitView {
            words: spending.limit.as_ref().map(words),
            sees: None,
            user: key.external_ref.as_ref().map(|user| (user.to_string(), of_user(USER, user))),
            bars: if only_looks { Vec::new() } else { bars(&spending, now) },
            still: still_counts(&spending, now),
            creates: spending.limit.as_ref().filter(|_| !only_looks).map(|limit| {
                format!("{} of {} campaigns created today", spending.creates_today(now), limit.creates_per_day)
            }),
            counted: counted(&spending, overview.campaigns(), now),
            would_pause: would_pause(&spending),
            edit: agent_limit(&key.id.0),
            limit: spending.limit,
        }))
    }

    /// The same with the names of the ad accounts that it sees.
    pub(super) fn seeing(self, names: &[(ConnectionId, String)]) -> LimitView {
        LimitView { sees: self.limit.as_ref().map(|limit| seen_accounts(limit, names)), ..self }
    }
}

fn may_run(limit: &SpendingLimit) -> String {
    format!("It may run up to {}.", limit_words(limit))
}
