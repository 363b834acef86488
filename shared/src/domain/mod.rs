//! What the service talks about: campaigns, connections, customers, money. No I/O, and nobody's JSON.

pub mod allowance;
pub mod billing;
pub mod campaign;
pub mod connection;
pub mod customer;
pub mod intent;
pub mod listing;
pub mod moment;
pub mod money;
pub mod platform;
pub mod rate;
pub mod redirect_uri;
pub mod stored_response;
pub mod usage_log;

pub use allowance::{Allowance, Refusal};
pub use billing::{BillingStatus, SubscriptionState, SubscriptionStatus};
pub use campaign::{BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignId, CampaignStatus, Goal};
pub use connection::{AdAccount, Connection, ConnectionId, ConnectionStatus, CustomerConnections, Grant, GrantId};
pub use customer::{Customer, CustomerId, Plan, PlanLimits, Usage};
pub use intent::{Intent, IntentId, IntentState, Marker, Refused};
pub use listing::{ListFilters, StatusSet};
pub use moment::Moment;
pub use money::{Currency, Micros, MoneyError};
pub use platform::Platform;
pub use rate::Rate;
pub use redirect_uri::{RedirectUri, RedirectUriId, RegisteredUri};
pub use stored_response::StoredResponse;
pub use usage_log::{UsageEntry, UsageFilters, UsagePosition};
