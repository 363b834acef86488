//! Domain types: campaigns, connections, customers, money. No I/O and no wire format of the API.
//!
//! A type that derives `Serialize` and `Deserialize` is stored as it is. Existing records lack a new field of it, so the
//! field is an `Option` or has `serde(default)`. Where the table has another form, or a type has a secret,
//! the module `store` has the mapping.

pub mod ad_delivery;
pub mod allowance;
pub mod api_keys;
mod assistant;
pub mod billing;
pub mod budget_period;
pub mod bulk;
pub mod campaign;
mod campaign_defaults;
pub mod campaign_id;
pub mod campaign_status;
pub mod change;
pub mod connection;
pub mod customer;
pub mod dates;
pub mod delivery;
mod digest;
pub mod erasure;
pub mod event;
pub mod external_ref;
pub mod goal;
pub mod grant;
mod hidden;
pub mod insights;
pub mod left_behind;
mod listing;
pub mod maintenance_schedule;
mod messages;
pub mod moment;
pub mod money;
pub mod monthly;
mod percent;
pub mod person;
pub mod plan;
pub mod platform;
pub mod rate_limit;
pub mod reason;
pub mod redirect_uri;
mod reference;
mod reporting;
mod rights;
mod rule;
pub(crate) mod running;
mod saved_view;
pub mod scope;
pub mod spending;
mod statement;
pub mod stop;
pub mod team;
#[cfg(test)]
pub(crate) mod test_random;
mod text;
pub mod usage_log;
pub mod users;
pub mod webhook_endpoint;

pub use ad_delivery::{
    AdCounts, AdDelivery, AdReview, AdState, Ads, AdsUnread, DeliveryReason, DeliveryState, Effect, Hold, Level,
    PlatformAd, ReasonGroup, Rejection, Signals,
};
pub use allowance::{Allowance, LimitExceeded};
pub use api_keys::{
    ApiKeyInfo, ApiKeys, KeyDisplay, KeyId, MAX_ASSISTANTS, MAX_KEYS, MAX_LIMITED_KEYS, RemovalError, UpdateError,
};
pub use assistant::{
    Assistant, ClientKey, Code, CodeOutcome, REGISTRATION_PREFIX, RefreshOutcome, SignOut, SignOutReason,
};
pub use billing::{BillingStatus, SubscriptionState, SubscriptionStatus};
pub use budget_period::BudgetPeriod;
pub use bulk::{BulkAccount, BulkAction, BulkId, Listing, MAX_BULK_IDS, NewBudget, RefusedCampaign};
pub use campaign::{
    Campaign, CampaignChanges, CampaignDraft, CampaignRecord, MAX_NAME_CHARS, MonthSpend, PlatformCampaign,
};
pub use campaign_defaults::{CampaignDefaults, DefaultsSource};
pub use campaign_id::CampaignId;
pub use campaign_status::CampaignStatus;
pub use change::{
    Action, Approval, Approver, Attempt, CampaignValues, CapacityError, Change, ChangeError, ChangeFilters, ChangeId,
    ChangeKind, ChangeOrigin, ChangeState, ChangeStatus, ChangeTarget, ChangedFields, Create, EditedFields, Ending,
    Executor, Inverse, MAX_AWAITING, MAX_SCHEDULED, Marker, NewCampaign, NewMonthlyBudget, NextLook, Purpose, ReadBy,
    ReportedStates, Requester, Settlement, Transition, Undoable, WaitRequest, WaitingChange, check_capacity,
    is_schedulable, named_period, undo_all,
};
pub use connection::{
    AdAccount, Connection, ConnectionFilters, ConnectionId, ConnectionStatus, ConnectionUpdate, CustomerConnections,
    SkipReason, SkippedAccount,
};
pub use customer::{Customer, CustomerId, Usage};
pub use dates::{DateChange, HeldDates, Holder};
pub use delivery::{Delivery, DeliveryStatus};
pub use digest::{MAX_IDEMPOTENCY_KEY_LENGTH, is_idempotency_key, sha256_hex};
pub use erasure::Erasure;
pub use event::{
    BillingBefore, ConnectionBefore, Event, EventFilters, EventId, EventKind, KeyBefore, KeySnapshot, Occurrence,
    QuotaThreshold, ReadCampaign, ReportedQuota, Subject, UserBefore, UserSnapshot,
};
pub use external_ref::ExternalRef;
pub use goal::Goal;
pub use grant::{Grant, GrantDue, GrantId, GrantQueue, RefreshTiming};
pub use hidden::{is_hidden, is_invisible};
pub use insights::{Days, Granularity, InsightsRow};
pub use left_behind::{ActiveCampaigns, HeldCampaigns};
pub use listing::{ListFilters, StatusSet};
pub use messages::{ShownRequest, StoredResponse};
pub use moment::Moment;
pub use money::{Currency, Micros, MoneyError};
pub use monthly::MonthlyBudget;
pub use percent::{Percent, PercentError, PercentOfError};
pub use person::{Invitation, Inviter, Person, PersonId, Session};
pub use plan::{Plan, PlanLimits};
pub use platform::Platform;
pub use rate_limit::RateLimit;
pub use reason::Reason;
pub use redirect_uri::{MAX_REDIRECT_URIS, RedirectUri, RedirectUriId, RegisteredUri};
pub use reference::Reference;
pub use reporting::{DatedRate, MAX_RATES, Rate, RateError, Reporting};
pub use rights::{Resource, Rights, UserConnections};
pub use rule::{Accepted, AmountRule, ChoiceRule, DefaultsRule, FieldError, Rule, TextRule, TimeRule};
pub use saved_view::{MAX_VIEW_NAME, MAX_VIEWS, SavedView, ViewError};
pub use scope::Scope;
pub use spending::{LimitRefusal, Spending, SpendingLimit};
pub use statement::{ChangeStatement, ConnectionStatement, PlanStatement, RetryStatement, Statement};
pub use stop::{Stop, StopProgress};
pub use team::{Role, TeamRefusal};
pub(crate) use text::AmountAsText;
pub use usage_log::{UsageEntry, UsageFilters, UsagePosition};
pub use users::{User, UserUpdate};
pub use webhook_endpoint::{
    EndpointChanges, EndpointId, EndpointSecrets, EndpointStatus, EndpointUrl, EventTypes, MAX_WEBHOOK_ENDPOINTS,
    PayloadShape, PreviousSecret, SECRET_OVERLAP, SealedSecret, WebhookEndpoint, WebhookSecret,
};

use strum::VariantArray;

/// The variants of an enum, in their order. An array of another length does not compile.
const fn variants<T: Copy + VariantArray, const N: usize>() -> [T; N] {
    match T::VARIANTS.as_array() {
        Some(variants) => *variants,
        None => panic!("the length is not the number of variants"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only the table has these names. The document of the API has those of other enums, and a test compares.
    #[test]
    fn the_names_in_the_table_are_stable() {
        let statuses = ["ACTIVE", "PAUSED", "ENDED", "DRAFT", "ARCHIVED", "SCHEDULED_FOR_DELETION", "UNSPECIFIED"];
        assert_eq!(CampaignStatus::ALL.map(CampaignStatus::as_str), statuses);
        let goals = ["BRAND_AWARENESS", "REACH", "WEBSITE_TRAFFIC", "LEADS", "SALES", "CONVERSIONS", "APP_PROMOTION"];
        assert_eq!(Goal::ALL.map(Goal::as_str), goals);
        assert_eq!(Role::ALL.map(Role::as_str), ["OWNER", "MEMBER", "VIEWER"]);
    }
}
