//! Asks the API for readings: what campaigns did, and which campaigns there are.

use super::reading::Reading;
use crate::client::accounts::{ConnectionError, add_errors};
use crate::client::all_pages::{Limits, read_pages};
use crate::client::api::{Api, Refusal};
use crate::client::campaigns;
use shared::domain::{Campaign, Days, DeliveryState, Granularity, Platform};
use shared::envelope::{CampaignInsights, CampaignList, InsightsPage, Reply, Shape};
use shared::serve::ApiCall;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Rows of a page of the API: as many as it gives.
const ROWS: usize = 5_000;
/// Campaigns of a page of the API: as many as it gives.
const CAMPAIGNS: usize = 100;

/// How a list has ended.
#[derive(Debug, Default)]
pub(crate) struct ListEnd {
    /// Connections that could not be read. What there is of them may be a part.
    pub(crate) errors: Vec<ConnectionError>,
    /// The API refused a page. The earlier ones were read.
    pub(crate) refusal: Option<Refusal>,
    /// There is more.
    pub(crate) is_cut: bool,
}

/// Asks for a reading of the ad accounts of a platform.
#[derive(Clone, Copy)]
pub(super) struct PlatformReader<'a> {
    pub(super) api: &'a Api<'a>,
    /// The requests that may be under way at a time; `None` if somebody else counts them.
    pub(super) turns: Option<&'a Semaphore>,
    pub(super) platform: Platform,
    pub(super) limits: Limits,
}

impl<'a> PlatformReader<'a> {
    /// Reads what campaigns did. `take` gets what each page has of an account.
    pub(super) async fn insights(self, days: Days, granularity: Granularity, mut take: impl FnMut(Reading)) -> ListEnd {
        let Days { from, to } = days;
        let (platform, granularity) = (self.platform.as_upper(), granularity.as_str());
        let first =
            format!("/v1/insights?platform={platform}&from={from}&to={to}&granularity={granularity}&limit={ROWS}");
        let mut errors = Vec::new();
        let page = move |target: String| async move {
            let _turn = self.turn().await;
            insights(self.api, &target).await
        };
        let read = read_pages(&first, self.limits, page, |page: InsightsPage| {
            page.accounts.into_iter().map(|account| Reading::of(account, page.days)).for_each(&mut take);
            add_errors(&mut errors, page.failures);
            page.next_cursor
        });
        ListEnd::of(read.await, errors)
    }

    /// Reads the campaigns that are not removed. `take` gets each.
    pub(super) async fn campaigns(self, mut take: impl FnMut(Campaign)) -> ListEnd {
        let states = DeliveryState::ALL.map(DeliveryState::as_str).join(",");
        let platform = self.platform.as_upper();
        // With the filter the API reads the ads too; all states are every campaign.
        let first = format!("/v1/campaigns?platform={platform}&limit={CAMPAIGNS}&delivery_state={states}");
        let mut errors = Vec::new();
        let page = move |target: String| async move {
            let _turn = self.turn().await;
            campaigns::page(self.api, &target).await
        };
        let read = read_pages(&first, self.limits, page, |page: CampaignList| {
            page.campaigns.into_iter().for_each(&mut take);
            add_errors(&mut errors, page.failures);
            page.next_cursor
        });
        ListEnd::of(read.await, errors)
    }

    /// Waits for the turn of a request, which ends with what this returns.
    async fn turn(self) -> Option<SemaphorePermit<'a>> {
        match self.turns {
            // The semaphore is never closed.
            Some(turns) => turns.acquire().await.ok(),
            None => None,
        }
    }
}

impl ListEnd {
    fn of(read: Result<bool, Refusal>, errors: Vec<ConnectionError>) -> ListEnd {
        match read {
            Ok(is_cut) => ListEnd { errors, refusal: None, is_cut },
            Err(refusal) => ListEnd { errors, refusal: Some(refusal), is_cut: false },
        }
    }
}

/// Reads a page of what campaigns did.
async fn insights(api: &Api<'_>, target: &str) -> Result<InsightsPage, Refusal> {
    match read(api, target).await? {
        Reply::Insights(page) => Ok(page),
        other => Err(api.unexpected(&other)),
    }
}

/// Reads what one campaign did in some days.
pub(crate) async fn of_campaign(api: &Api<'_>, id: &str, days: Days) -> Result<CampaignInsights, Refusal> {
    let (path, Days { from, to }) = (campaigns::path(id), days);
    match read(api, &format!("{path}/insights?from={from}&to={to}")).await? {
        Reply::CampaignInsights(insights) => Ok(*insights),
        other => Err(api.unexpected(&other)),
    }
}

/// Reads with the enveloped shape, which has the same names of platforms as the lists of campaigns.
async fn read(api: &Api<'_>, target: &str) -> Result<Reply, Refusal> {
    api.ask(ApiCall { method: "GET", target, body: None, shape: Shape::Enveloped, idempotency_key: None }).await
}
