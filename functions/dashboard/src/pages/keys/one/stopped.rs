//! The stop of a key on its page: since when, how far it is, what of it is reverted, and each of its campaigns as it was seen
//! last. No platform is asked.

use crate::client::readings::kept_with_times;
use crate::client::session::SignedIn;
use crate::client::{changes, key_stops};
use crate::kit::aftermath::{Aftermath, LOOKS_BACK};
use crate::kit::key_stop::StopView;
use crate::kit::pause_row::{Observed, PauseRow, pause_rows};
use crate::kit::text::readable;
use shared::domain::ApiKeyInfo;
use shared::serve::WebRequest;

/// What is known of a key since its stop.
#[derive(Debug, Default)]
pub(super) struct Stopped {
    /// `1 Dec 2026, 09:00 UTC`
    pub(super) since: String,
    pub(super) view: StopView,
    /// `Being reverted: 12 of 19 seen.`, and then who has reverted them. `None` without a revert.
    pub(super) reverted: Option<String>,
    pub(super) pauses: Vec<PauseRow>,
    /// Campaigns that the page leaves out.
    pub(super) more: usize,
}

impl Stopped {
    /// Reads it; `None` for a key that is not stopped.
    pub(super) async fn read(request: &WebRequest, person: &SignedIn, key: Option<&ApiKeyInfo>) -> Option<Stopped> {
        let (key, stopped_at) = key.and_then(|key| Some((key, key.stopped_at?)))?;
        let (kept, history, stop) = tokio::join!(
            kept_with_times(request, person),
            changes::since(request, person, request.now - LOOKS_BACK),
            key_stops::read(request, person, &key.id),
        );
        // Without the history less is told.
        let (history, _) = history.unwrap_or_default();
        let (me, now) = (&person.session.person, request.now);
        let after = &Aftermath::of(&key.id, &history, now);
        let pauses = stop.iter().flatten().flat_map(|read| read.deciding()).collect::<Vec<_>>();
        let (rows, more) = pause_rows(&pauses, Observed { kept: &kept, after, me, now });
        Some(Stopped {
            since: readable(stopped_at),
            view: key_stops::view(&stop, after, &kept, now),
            reverted: after.words(me, now),
            pauses: rows,
            more,
        })
    }
}
