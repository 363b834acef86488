//! The result of a handler, before it has a shape and a status.

use super::{
    BulkReport, BulkStatus, CallbackRedirect, ChangeList, ChangeReview, DeliveryList, DocsPage, EventList, Limits,
    OAuthReply, Page, PlatformTable, RpcReply, Shape, TargetResult, UsageLogs, UsersReply, WebReply,
};
use crate::domain::delivery::EndpointHealth;
use crate::domain::{
    ActiveCampaigns, AdDelivery, ApiKeyInfo, BillingStatus, Campaign, CampaignDefaults, CampaignId, Change, Connection,
    ConnectionId, Create, Currency, Customer, Days, DefaultsSource, Delivery, Granularity, HeldCampaigns, InsightsRow,
    KeyDisplay, KeyId, Platform, PlatformAd, RegisteredUri, ShownRequest, SkippedAccount, SpendingLimit, StopProgress,
    StoredResponse, WebhookEndpoint, WebhookSecret,
};
use crate::error::Error;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use secrecy::SecretString;
use serde_json::Value;
use std::collections::HashMap;
use uuid::Uuid;

/// The successful result of a handler. It knows neither status codes nor shapes.
#[derive(Debug)]
pub enum Reply {
    Created(Box<Campaign>),
    /// The results of a create with `targets`. Enveloped shape only.
    Targets(Vec<TargetResult>),
    /// The stored response to an earlier request with the same `Idempotency-Key`.
    Replayed(StoredResponse),
    /// The outcome of a create request.
    Intents {
        /// The id that the caller asked about.
        request_id: Uuid,
        /// One create for each target.
        creates: Vec<Create>,
    },
    Change(Box<Change>),
    /// A change that waits for a person, with what they decide on.
    Review(Box<ChangeReview>),
    /// The changes of a bulk change.
    Bulk(BulkReport),
    /// How far a bulk change is.
    BulkStatus(BulkStatus),
    /// A change that waits for its time, or for a person.
    Waiting(Box<Change>),
    /// A page of the history.
    Changes(ChangeList),
    /// A campaign, read or changed.
    Campaign(Box<Campaign>),
    /// A page of campaigns.
    Campaigns(CampaignList),
    CampaignInsights(Box<CampaignInsights>),
    /// Whether a campaign is shown, and its ads.
    CampaignDelivery(Box<CampaignDelivery>),
    /// A page of what campaigns did.
    Insights(InsightsPage),
    /// The requests that a create or an update would send.
    DryRun(DryRunReport),
    /// Success without content.
    Done,
    /// The start of an authorization.
    Authorize {
        platform: Platform,
        /// The PENDING connection.
        connection: ConnectionId,
        /// URL of the platform's consent page. Secret, because it contains the state.
        authorize_url: SecretString,
    },
    /// A page of connections, or the whole list.
    Connections(ConnectionPage),
    Connection(Box<Connection>),
    /// What a removal of a connection would leave behind.
    RemovalPreview(Box<RemovalPreview>),
    /// The connections of a consent that was confirmed.
    Confirmed {
        connections: Vec<Connection>,
        /// Ad accounts of the consent that were not connected.
        skipped: Vec<SkippedAccount>,
    },
    /// Connections after a check with the platforms.
    Synced {
        /// Number of connections that their platform confirmed.
        synced: usize,
        /// All connections that are not PENDING.
        connections: Vec<Connection>,
        /// Number of connections that are still to be checked.
        remaining: usize,
    },
    /// The capabilities of the platforms.
    Platforms(Vec<PlatformTable>),
    /// The service answers.
    Health,
    /// The OpenAPI document: of one shape, or of both.
    Description(Option<Shape>),
    /// A page of the reference.
    Docs(DocsPage),
    /// A document that tells agents' hosts how to sign in.
    Metadata(Value),
    /// A response of the sign-in of assistants.
    OAuth(OAuthReply),
    RedirectUriRegistered(RegisteredUri),
    RedirectUris(Vec<RegisteredUri>),
    KeyCreated {
        key: Box<ApiKeyInfo>,
        /// The key's secret. No later response contains it.
        secret: SecretString,
        limit: Option<SpendingLimit>,
    },
    Keys {
        keys: Vec<ApiKeyInfo>,
        /// The key of the request.
        current: Option<KeyId>,
        limits: HashMap<KeyId, SpendingLimit>,
    },
    /// A key that was changed.
    Key {
        key: Box<ApiKeyInfo>,
        /// The key of the request.
        current: Option<KeyId>,
        limit: Option<SpendingLimit>,
    },
    /// What is left of limits.
    Limits(Box<Limits>),
    /// A user, read or changed, or a page of users.
    Users(UsersReply),
    /// The key of the request has a new secret.
    KeyRotated {
        /// Its new secret. No later response contains it.
        secret: SecretString,
        /// The parts of the secret that are safe to display.
        display: KeyDisplay,
        created_at: Timestamp,
    },
    /// A key is stopped.
    KeyStopped {
        stopped_at: Timestamp,
        progress: StopProgress,
    },
    WebhookEndpointCreated {
        endpoint: Box<WebhookEndpoint>,
        /// The secret that signs. No later response contains it.
        secret: WebhookSecret,
    },
    /// Endpoints with their health.
    WebhookEndpoints(Vec<(WebhookEndpoint, EndpointHealth)>),
    /// An endpoint, and the end of its pause, if nothing is sent to it now.
    WebhookEndpoint {
        endpoint: Box<WebhookEndpoint>,
        paused_until: Option<Timestamp>,
    },
    /// An endpoint has a new secret.
    WebhookSecretRotated {
        endpoint: Box<WebhookEndpoint>,
        /// The new secret. No later response contains it.
        secret: WebhookSecret,
    },
    Events(EventList),
    Deliveries(DeliveryList),
    /// A test send, with its attempt.
    Delivery(Box<Delivery>),
    /// So many events are delivered once more.
    EventsReplayed(usize),
    UsageLogs(UsageLogs),
    /// A checkout session of the payment provider.
    Checkout {
        checkout_url: String,
        session_id: String,
    },
    /// A session of the payment provider's customer portal.
    Portal {
        portal_url: String,
    },
    /// Plan, subscription and usage of the customer.
    BillingStatus(BillingStatus),
    Customer {
        customer: Customer,
        /// Number of connected ad accounts.
        connections_count: usize,
        /// Id of the customer at the payment provider.
        payment_customer_id: Option<String>,
    },
    /// A webhook event was accepted.
    Received,
    /// An HTML page.
    Page(Page),
    /// A redirect to the caller's own page.
    Redirect(CallbackRedirect),
    /// A response of the dashboard.
    Web(WebReply),
    /// A response to an agent.
    Rpc(RpcReply),
}

/// The platform of all targets; `None` if there are several.
fn only(mut platforms: impl Iterator<Item = Platform>) -> Option<Platform> {
    let first = platforms.next()?;
    platforms.all(|platform| platform == first).then_some(first)
}

impl Reply {
    /// The platform that the reply is about, if it is exactly one.
    pub fn platform(&self) -> Option<Platform> {
        match self {
            Reply::Created(campaign) | Reply::Campaign(campaign) => Some(campaign.id.platform()),
            Reply::Change(change) | Reply::Waiting(change) => Some(change.platform),
            Reply::Review(review) => Some(review.change.platform),
            Reply::CampaignInsights(insights) => Some(insights.campaign.platform()),
            Reply::CampaignDelivery(read) => Some(read.campaign.id.platform()),
            Reply::Targets(results) => only(results.iter().map(|result| result.platform)),
            Reply::Rpc(reply) => reply.platform,
            Reply::DryRun(report) => only(report.results.iter().map(|result| result.platform)),
            _ => None,
        }
    }
}

/// A page of the list that merges all connections. One that fails is named beside the others (D9).
#[derive(Debug)]
pub struct CampaignList {
    pub campaigns: Vec<Campaign>,
    /// Opaque cursor; `None` on the last page.
    pub next_cursor: Option<String>,
    /// Connections that could not be read.
    pub failures: Vec<(Platform, ConnectionId, Error)>,
}

/// A page of the list of connections.
#[derive(Debug)]
pub struct ConnectionPage {
    pub connections: Vec<Connection>,
    /// Opaque cursor; `None` on the last page.
    pub next_cursor: Option<String>,
}

/// What runs and waits in the ad account of a connection that somebody is about to remove (D172).
#[derive(Debug)]
pub struct RemovalPreview {
    pub connection_id: ConnectionId,
    /// What is ACTIVE there; the connection and the error if the platform could not be asked.
    pub active: Result<ActiveCampaigns, (Platform, ConnectionId, Error)>,
    pub held: HeldCampaigns,
    /// Changes of its campaigns that wait for their time, and those that wait for a person.
    pub waiting: (usize, usize),
}

/// The result of a dry run.
#[derive(Debug)]
pub struct DryRunReport {
    /// Whether the request has `targets`, so that the response has a list.
    pub is_list: bool,
    /// A result for each target.
    pub results: Vec<DryRunResult>,
}

/// The result of a dry run for one target.
#[derive(Debug)]
pub struct DryRunResult {
    pub platform: Platform,
    /// Connection, where one was found.
    pub connection_id: Option<ConnectionId>,
    /// Ad account, where a connection was found.
    pub account_id: Option<String>,
    /// The verdict if nothing speaks against the write.
    pub verdict: DryRunVerdict,
    /// The requests that would be sent, in their order.
    pub requests: Vec<ShownRequest>,
    /// True if the platform itself checked the requests.
    pub is_checked_by_platform: bool,
    /// Whether the change would wait for a person.
    pub needs_approval: bool,
    /// Whether a campaign that does not run may run after the change, now or at its start.
    pub activates: bool,
    /// The campaign defaults of a create, and who has set them.
    pub defaults: Option<(CampaignDefaults, DefaultsSource)>,
    /// The reason why the requests would fail.
    pub outcome: Result<(), Error>,
}

/// What a write would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DryRunVerdict {
    WouldCreate,
    WouldUpdate,
    /// The campaign has the values already.
    WouldChangeNothing,
}

impl DryRunVerdict {
    /// The name in the API: `would_create`.
    pub fn as_str(self) -> &'static str {
        match self {
            DryRunVerdict::WouldCreate => "would_create",
            DryRunVerdict::WouldUpdate => "would_update",
            DryRunVerdict::WouldChangeNothing => "would_change_nothing",
        }
    }
}

/// A page of insights over all connections.
#[derive(Debug)]
pub struct InsightsPage {
    pub days: Days,
    pub granularity: Granularity,
    /// Ad accounts that were read, each with its rows.
    pub accounts: Vec<AccountInsights>,
    /// Opaque cursor; `None` on the last page.
    pub next_cursor: Option<String>,
    /// Connections that could not be read.
    pub failures: Vec<(Platform, ConnectionId, Error)>,
}

/// Whether a campaign is shown, and why not.
#[derive(Debug)]
pub struct CampaignDelivery {
    pub campaign: Campaign,
    pub delivery: AdDelivery,
    /// All ads that were read, in the platform's order.
    pub ads: Vec<PlatformAd>,
    /// The time at which the platform was asked.
    pub read_at: Timestamp,
}

/// The insights of a campaign.
#[derive(Debug)]
pub struct CampaignInsights {
    pub campaign: CampaignId,
    pub days: Days,
    pub granularity: Granularity,
    /// The rows, and the facts of their ad account.
    pub account: AccountInsights,
}

/// The insights of an ad account.
#[derive(Debug)]
pub struct AccountInsights {
    pub platform: Platform,
    pub connection_id: ConnectionId,
    /// Identifier of the ad account on the platform.
    pub account_id: String,
    pub currency: Currency,
    /// IANA name of the time zone of the days.
    pub time_zone: String,
    /// How conversions are assigned to days, in the platform's words.
    pub attribution: &'static str,
    /// The time at which the platform was asked.
    pub as_of: Timestamp,
    /// Last day that was asked for.
    pub last_day: Date,
    /// The numbers of a day may change for so many days after it.
    pub restated_days: i32,
    pub rows: Vec<InsightsRow>,
}

impl AccountInsights {
    /// The day after which no number of these days changes.
    pub fn final_after(&self) -> Date {
        self.last_day.saturating_add(self.restated_days.days())
    }

    /// The first day whose numbers may still change. Earlier days are final.
    pub fn first_open_day(&self) -> Date {
        let zone = TimeZone::get(&self.time_zone).unwrap_or(TimeZone::UTC);
        zone.to_datetime(self.as_of).date().saturating_sub(self.restated_days.days())
    }

    /// Says of a row whether its numbers change no more. A row of the whole range is as open as its last day.
    pub fn finality(&self) -> impl Fn(&InsightsRow) -> bool + use<> {
        let (first_open_day, last_day) = (self.first_open_day(), self.last_day);
        move |row| row.date.unwrap_or(last_day) < first_open_day
    }
}

#[cfg(test)]
#[test]
fn the_days_of_insights_are_those_of_the_account() {
    let first_open_day = |time_zone: &str| {
        let insights = AccountInsights {
            platform: Platform::Beta,
            connection_id: ConnectionId("conn_1".to_owned()),
            account_id: "1".to_owned(),
            currency: Currency::from_code("USD").unwrap(),
            time_zone: time_zone.to_owned(),
            attribution: "",
            as_of: "2026-11-28T05:00:00Z".parse().unwrap(),
            last_day: jiff::civil::date(2026, 11, 28),
            restated_days: 3,
            rows: Vec::new(),
        };
        insights.first_open_day().to_string()
    };
    assert_eq!(first_open_day("America/Los_Angeles"), "2026-11-24", "it is still the 27th there");
    assert_eq!(first_open_day("Asia/Tokyo"), "2026-11-25");
}
