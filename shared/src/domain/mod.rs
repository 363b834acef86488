//! What the service talks about: campaigns, connections, customers, money. No I/O, and nobody's JSON.

pub mod billing;
pub mod campaign;
pub mod connection;
pub mod customer;
pub mod listing;
pub mod moment;
pub mod money;
pub mod platform;
pub mod redirect_uri;

pub use billing::{BillingStatus, Standing, SubscriptionStatus};
pub use campaign::{BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignId, CampaignStatus, Goal};
pub use connection::{AdAccount, Connection, ConnectionId, ConnectionStatus, Grant, GrantId, Links};
pub use customer::{Customer, CustomerId, Plan, PlanLimits, Usage};
pub use listing::{ListFilters, StatusSet};
pub use moment::Moment;
pub use money::{Currency, Micros, MoneyError};
pub use platform::Platform;
pub use redirect_uri::{RedirectUri, RedirectUriId, RegisteredUri};
