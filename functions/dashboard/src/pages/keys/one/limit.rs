//! The limit of a key: what it has left, and what counts.

use crate::client::readings::Overview;
use crate::client::session::SignedIn;
use crate::kit::addresses::agent_limit;
use crate::kit::key_stop::would_pause;
use crate::kit::limit::{CountedRow, LimitBar, bars, counted, limit_words, still_counts};
use shared::domain::ApiKeyInfo;
use shared::domain::spending::Spender;
use shared::error::Error;
use shared::serve::WebRequest;

/// The limit of a key that has one, or has had one.
pub(super) struct LimitView {
    /// `500.00 USD a day; a person approves every activation`; `None` without a limit now.
    pub(super) words: Option<String>,
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
        let now = request.now;
        Ok(Some(LimitView {
            words: spending.limit.as_ref().map(limit_words),
            bars: bars(&spending, now),
            still: still_counts(&spending, now),
            creates: spending.limit.as_ref().map(|limit| {
                format!("{} of {} campaigns created today", spending.creates_today(now), limit.creates_per_day)
            }),
            counted: counted(&spending, overview.campaigns(), now),
            would_pause: would_pause(&spending),
            edit: agent_limit(&key.id.0),
        }))
    }
}
