//! The overview of all ad accounts: every campaign with its spend by day, from one reading that is kept some minutes
//! for each customer (D70). A page shows at once what is known, says how old it is, and names the accounts that have
//! not answered. The list of campaigns and the first page are made of it.

mod campaign;
mod change;
mod days;
mod kept;
mod plan;
mod reading;
mod state;
mod totals;
mod words;

pub(crate) use campaign::Row;
pub(crate) use change::{change, note, note_any, note_end};
pub(crate) use days::Numbers;
pub(crate) use state::Account;
pub(crate) use totals::{Counts, Total};

use crate::client::accounts::connections;
use crate::client::api::{Api, Refusal};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use jiff::Timestamp;
use plan::Haste;
use shared::serve::WebRequest;
use shared::store::KeptOverview;
use state::Known;

/// All ad accounts of a customer and their campaigns, as far as they are known.
#[derive(Debug, Default)]
pub(crate) struct Overview {
    /// All campaigns that are not removed: by platform, then account, then newest first.
    pub(crate) rows: Vec<Row>,
    /// The currency and the numbers of each campaign that has no row, as of one that was removed.
    pub(crate) gone: Vec<(String, Numbers)>,
    /// All ad accounts, with the age and the problems of what is known of them.
    pub(crate) accounts: Vec<Account>,
    /// The address at which the page is complete: it waits until all accounts have answered. `None` if this one is.
    pub(crate) complete: Option<String>,
    /// Whether the page may go there by itself. It stays if it has something to tell first.
    pub(crate) goes_on: bool,
    /// The address that reads everything again.
    pub(crate) renewed: String,
    pub(crate) now: Timestamp,
}

impl Overview {
    /// Reads what is kept, and asks the platforms for what is old. It waits a short time for them, or to the end if the
    /// address of the page says so.
    pub(crate) async fn read(request: &WebRequest, person: &SignedIn) -> Result<Overview, Refusal> {
        let api = Api::new(request, person);
        let (now, customer) = (request.now, person.customer());
        let (kept, connections) = tokio::join!(request.app.store.overview(customer, now), connections(&api));
        // Without the table nothing is kept, and the platforms may still answer.
        let kept = kept.unwrap_or_else(|error| {
            tracing::error!(%error, source = error.source, "the kept overview was not read");
            KeptOverview::default()
        });
        let connections = connections?;
        let haste = Haste::of(request);
        let has_notice = Notice::is_waiting(request);
        let tasks = plan::tasks(&connections, &kept, haste, now);
        let until = haste.until(&kept, has_notice);
        let (kept, waiting) = reading::read(request, person, tasks, kept, until).await;
        let Known { accounts, rows, gone } = Known::of(&connections, &kept, &waiting, now);
        let complete = (!waiting.is_empty()).then(|| plan::address(request, plan::ALL));
        Ok(Overview {
            rows,
            gone,
            accounts,
            goes_on: complete.is_some() && haste != Haste::Patient && !has_notice,
            complete,
            renewed: plan::address(request, plan::NOW),
            now,
        })
    }
}

#[cfg(test)]
mod tests;
