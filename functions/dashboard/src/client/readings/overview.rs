//! The overview of all ad accounts: every campaign with its spend by day, from readings that are kept some minutes for
//! each customer, because platforms are slow (D70). A page shows at once what is known, says how old it is, and names
//! the accounts that have not answered. The list of campaigns and the first page are made of it.

use super::plan::{self, ReadMode};
use super::row::Row;
use super::state::{Account, Known};
use super::tasks;
use crate::client::accounts::connections;
use crate::client::api::{Api, Refusal};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use jiff::Timestamp;
use shared::domain::Currency;
use shared::serve::WebRequest;
use shared::store::KeptOverview;

/// All ad accounts of a customer and their campaigns, as far as they are known.
#[derive(Debug, Default)]
pub(crate) struct Overview {
    /// All campaigns that are not removed: by platform, then account, then newest first.
    pub(crate) rows: Vec<Row>,
    /// All ad accounts, with the age and the problems of what is known of them.
    pub(crate) accounts: Vec<Account>,
    /// The address at which the page is complete: it waits until all accounts have answered. `None` if this one is.
    pub(crate) complete: Option<String>,
    /// Whether the page may go there by itself. It stays if it has something to tell first.
    pub(crate) goes_on: bool,
    /// The address that reads everything again.
    pub(crate) renewed: String,
    /// The currency of the totals; `None` for all.
    pub(crate) currency: Option<Currency>,
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
        let mode = ReadMode::of(request);
        let has_notice = Notice::is_waiting(request);
        let asked = plan::tasks(&connections, &kept, mode, now);
        let until = mode.until(&kept, has_notice);
        let (kept, waiting) = tasks::run(request, person, asked, kept, until).await;
        let Known { accounts, rows } = Known::of(&connections, &kept, &waiting, now);
        let complete = (!waiting.is_empty()).then(|| plan::address(request, plan::ALL));
        Ok(Overview {
            rows,
            accounts,
            goes_on: complete.is_some() && mode != ReadMode::Complete && !has_notice,
            complete,
            renewed: plan::address(request, plan::NOW),
            currency: None,
            now,
        })
    }
}
