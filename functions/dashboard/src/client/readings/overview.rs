//! The overview of all ad accounts: every campaign with its spend by day, from readings that are kept some minutes for
//! each customer, because platforms are slow (D70). A page shows at once what is known, says how old it is, and names
//! the accounts that have not answered. The list of campaigns and the first page are made of it.

use super::bulk_changes::BulkChanges;
use super::changed::Changed;
use super::notes::latest_pause_of_all;
use super::recent::{RecentNumbers, RecentSpend};
use super::refresh::{self, ReadMode};
use super::state::{AccountState, KnownAccounts};
use super::tasks::{self, Reader};
use crate::client::accounts::{Connection, connections};
use crate::client::api::{Api, Refusal};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::campaign::CampaignSummary;
use crate::kit::changes::OnItsWay;
use crate::kit::delivery::Lately;
use crate::kit::month::Resumption;
use crate::kit::month_end::Running;
use crate::kit::pace::Pace;
use crate::kit::total::Total;
use jiff::Timestamp;
use shared::domain::{Currency, CustomerId, ExternalRef};
use shared::serve::WebRequest;
use shared::store::KeptOverview;

/// All ad accounts of a customer, or of one of its users, and their campaigns, as far as they are known.
#[derive(Debug, Default)]
pub(crate) struct Overview {
    /// All campaigns that are not removed: by platform, then account, then newest first.
    pub(crate) rows: Vec<CampaignRow>,
    /// All ad accounts, with the age and the problems of what is known of them.
    pub(crate) accounts: Vec<AccountState>,
    /// The address at which the page is complete: it waits until all accounts have answered. `None` if this one is.
    pub(crate) complete_path: Option<String>,
    /// Whether the page loads that address by itself. It does not while it shows a notice.
    pub(crate) reloads: bool,
    /// Whether the person has asked for newer numbers.
    pub(crate) asks_for_newer: bool,
    /// The address that reads everything again.
    pub(crate) renew_path: String,
    /// The currency of the totals; `None` for all.
    pub(crate) currency: Option<Currency>,
    /// The bulk change that has paused everything in the last day, and is not undone on the pages.
    pub(crate) pause_of_all: Option<String>,
    pub(crate) now: Timestamp,
}

impl Overview {
    /// Reads what is kept, and asks the platforms for what is old. It waits a short time for them, or to the end if the
    /// address of the page says so. For a user it has the connections that the API shows this user, and reads no others.
    pub(crate) async fn read(
        request: &WebRequest,
        person: &SignedIn,
        user: Option<&ExternalRef>,
    ) -> Result<Overview, Refusal> {
        let api = Api::new(request, person).acting_for(user);
        let (now, customer) = (request.now, person.customer());
        let (kept, connections, changed) =
            tokio::join!(kept_overview(request, customer), connections(&api), Changed::lately(request, customer));
        let connections = connections?;
        let mode = ReadMode::of(request);
        let has_notice = Notice::is_waiting(request);
        let asked = refresh::tasks(&connections, &kept, &changed, mode, now);
        let until = mode.until(&kept, has_notice);
        let (kept, waiting) = tasks::run(&Reader { request, person, user }, asked, kept, until).await;
        let KnownAccounts { accounts, mut rows } = KnownAccounts::of(&connections, &kept, &waiting, now);
        Changed::apply(&changed, &mut rows, &accounts, now);
        BulkChanges::read(request, person, user, &kept).await.apply(&mut rows, &accounts, &kept);
        let complete_path = (!waiting.is_empty()).then(|| mode.complete_address(request));
        Ok(Overview {
            rows,
            accounts,
            reloads: complete_path.is_some() && !mode.is_complete() && !has_notice,
            complete_path,
            asks_for_newer: mode == ReadMode::Newer,
            renew_path: refresh::address(request, refresh::NOW),
            currency: None,
            pause_of_all: latest_pause_of_all(&kept),
            now,
        })
    }

    /// What is kept, if everything was paused in the last day; else nothing of it. No platform is asked.
    pub(crate) async fn after_pause_of_all(
        request: &WebRequest,
        person: &SignedIn,
        connections: &[Connection],
    ) -> Overview {
        let now = request.now;
        let kept = kept_overview(request, person.customer()).await;
        let Some(pause) = latest_pause_of_all(&kept) else { return Overview { now, ..Overview::default() } };
        let KnownAccounts { accounts, rows } = KnownAccounts::of(connections, &kept, &Vec::new(), now);
        Overview { rows, accounts, pause_of_all: Some(pause), now, ..Overview::default() }
    }

    /// All campaigns.
    pub(crate) fn campaigns(&self) -> impl Iterator<Item = &CampaignSummary> + Clone {
        self.rows.iter().map(|row| &row.campaign)
    }
}

/// What is kept of a customer's ad accounts. Nothing is if the table does not answer; the platforms may answer all the same.
pub(super) async fn kept_overview(request: &WebRequest, customer: CustomerId) -> KeptOverview {
    request.app.store.overview(customer, request.now).await.unwrap_or_else(|error| {
        tracing::error!(%error, source = error.source, "the kept overview was not read");
        KeptOverview::default()
    })
}

/// A campaign in the overview.
#[derive(Clone, Debug)]
pub(crate) struct CampaignRow {
    pub(crate) campaign: CampaignSummary,
    /// The id of its connection.
    pub(crate) connection: String,
    /// The name of its ad account: its label, its name on the platform, or else its id there.
    pub(crate) account: String,
    pub(crate) numbers: RecentNumbers,
    /// The values that a bulk change asks for and no platform has confirmed.
    pub(crate) on_its_way: OnItsWay,
    /// When it was read, if its platform has not responded since.
    pub(crate) as_of: Option<Timestamp>,
}

impl CampaignRow {
    /// A campaign whose account and numbers are not known.
    pub(crate) fn without_numbers(campaign: CampaignSummary) -> CampaignRow {
        let account = campaign.account_id.clone();
        CampaignRow {
            campaign,
            connection: String::new(),
            account,
            numbers: RecentNumbers::UNKNOWN,
            on_its_way: OnItsWay::default(),
            as_of: None,
        }
    }

    /// A campaign of which it is known what it has spent today and in the seven days before.
    pub(crate) fn with_spend(campaign: CampaignSummary, [today, week]: [Total; 2]) -> CampaignRow {
        let spend = RecentSpend { today, week, ..RecentSpend::UNKNOWN };
        let numbers = RecentNumbers { spend, ..RecentNumbers::UNKNOWN };
        CampaignRow { numbers, ..CampaignRow::without_numbers(campaign) }
    }

    /// Its ad account among these.
    pub(crate) fn account_in<'a>(&self, accounts: &'a [AccountState]) -> Option<&'a AccountState> {
        accounts.iter().find(|account| account.connection == self.connection)
    }

    /// How fast it spends today.
    pub(crate) fn pace(&self) -> Option<Pace> {
        Pace::of(self.numbers.spend.today, self.campaign.budget_amount, self.campaign.budget_period)
    }

    /// Whether it runs, and has spent more than its daily budget today.
    pub(crate) fn is_too_fast(&self, now: Timestamp) -> bool {
        self.campaign.is_active(now) && self.pace().is_some_and(|pace| pace.is_too_fast)
    }

    /// Whether it is active, and its platform does not show it. One that has spent is not believed to wait for its start.
    pub(crate) fn does_not_run(&self, now: Timestamp) -> bool {
        let not_running = self.campaign.not_running.as_ref().filter(|_| self.campaign.is_active(now));
        not_running.is_some_and(|not_running| !not_running.is_contradicted(self.lately()))
    }

    /// What its platform says of an active campaign that it does not show.
    pub(crate) fn not_running_line(&self, now: Timestamp) -> Option<String> {
        let not_running = self.campaign.not_running.as_ref().filter(|_| self.campaign.is_active(now))?;
        Some(not_running.line(self.lately()))
    }

    /// Whether it spends now, and else why not: by its platform, by its monthly budget, or by a person.
    pub(crate) fn running(&self, resumption: Option<Resumption>, now: Timestamp) -> Running {
        // What is in review, or has used up its day, goes on by itself.
        let is_blocked = self.campaign.not_running.as_ref().is_some_and(|not_running| !not_running.passes);
        if is_blocked && self.does_not_run(now) {
            return Running::Blocked;
        }
        Running::of(&self.campaign, resumption, now)
    }

    fn lately(&self) -> Lately {
        Lately::of(self.numbers.spend.today, self.numbers.spend.week)
    }
}
