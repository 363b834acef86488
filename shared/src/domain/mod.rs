//! Domain types: campaigns, connections, customers, money. No I/O and no JSON.

pub mod allowance;
pub mod billing;
pub mod campaign;
pub mod campaign_id;
pub mod connection;
pub mod customer;
pub mod grant;
pub mod intent;
pub mod listing;
pub mod maintenance;
pub mod moment;
pub mod money;
pub mod platform;
pub mod rate_limit;
pub mod redirect_uri;
pub mod stored_response;
pub mod usage_log;

pub use allowance::{Allowance, LimitExceeded};
pub use billing::{BillingStatus, SubscriptionState, SubscriptionStatus};
pub use campaign::{BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignStatus, Goal};
pub use campaign_id::CampaignId;
pub use connection::{AdAccount, Connection, ConnectionId, ConnectionStatus, CustomerConnections};
pub use customer::{Customer, CustomerId, Plan, PlanLimits, Usage};
pub use grant::{Grant, GrantId};
pub use intent::{Intent, IntentId, IntentState, Marker, PlatformRefusal};
pub use listing::{ListFilters, StatusSet};
pub use moment::Moment;
pub use money::{Currency, Micros, MoneyError};
pub use platform::Platform;
pub use rate_limit::RateLimit;
pub use redirect_uri::{RedirectUri, RedirectUriId, RegisteredUri};
pub use stored_response::StoredResponse;
pub use usage_log::{UsageEntry, UsageFilters, UsagePosition};
