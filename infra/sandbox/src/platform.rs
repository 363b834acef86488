//! The trait of a sandbox platform, and the types in its signatures.

use crate::account::AccountSummary;
use crate::delivery::Delivery;
pub(crate) use crate::delivery::SpendError;
use crate::faults::RequestKind;
use crate::http::{Reply, Request};
use crate::oauth::Grants;
use crate::quirks::{Active, Quirk};
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;

/// Settings of a platform at `/_sandbox/settings`, until a reset.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    /// Lifetime of access tokens in seconds; `None` is the platform's own.
    pub(crate) access_token_ttl_s: Option<i64>,
    /// Delay before every request in milliseconds.
    pub(crate) latency_ms: u64,
    /// Rows per page; `None` is the platform's own.
    pub(crate) page_size: Option<usize>,
    /// The quirks that are on.
    pub(crate) quirks: Active,
}

/// The clock and the settings of a request.
pub(crate) struct RequestContext<'a> {
    pub(crate) now: Timestamp,
    pub(crate) settings: &'a Settings,
}

impl RequestContext<'_> {
    /// True if a quirk of the platform is on.
    pub(crate) fn quirk(&self, name: &str) -> bool {
        self.settings.quirks.contains(name)
    }

    /// Lifetime of a new access token in seconds: the setting, or the platform's own.
    pub(crate) fn access_token_ttl(&self, default: i64) -> i64 {
        self.settings.access_token_ttl_s.unwrap_or(default)
    }
}

/// A sandbox platform: its state, and its responses.
pub(crate) trait Platform {
    /// Name on pages.
    fn title(&self) -> &'static str;

    /// Classifies a request, so that faults can match it.
    fn request_kind(&self, request: &Request) -> RequestKind;

    /// Called before the request's latency and fault. A reply rejects the request.
    fn begin(&mut self, _: &Request) -> Option<Reply> {
        None
    }

    /// Called with the reply to a request that [`Platform::begin`] accepted.
    fn finish(&mut self, _: &Request, _: &Reply, _: Timestamp) {}

    /// The platform's quirks.
    fn quirks(&self) -> &'static [Quirk] {
        &[]
    }

    /// Executes a request.
    fn answer(&mut self, request: &Request, context: &RequestContext<'_>) -> Reply;

    /// The platform's own form of an internal error (500).
    fn internal_error(&self, request: &Request) -> Reply;

    /// The platform's own form of a rate limit (429), with its retry signal.
    fn rate_limited(&self, request: &Request) -> Reply;

    /// Revokes the grant that a request uses, as if its user had revoked it.
    fn revoke_grant_in_use(&mut self, request: &Request);

    /// The platform's grants; `None` without OAuth.
    fn grants(&mut self) -> Option<&mut Grants> {
        None
    }

    /// Opens an ad account; `None` for a currency that the platform does not support.
    fn open_account(&mut self, currency: &str) -> Option<AccountSummary>;

    /// The platform's ad accounts.
    fn accounts(&self) -> Vec<AccountSummary>;

    /// Adds `amount`, a decimal in the account's currency, to the spend of a campaign.
    fn spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<TotalSpend, SpendError>;

    /// Sets what a campaign did on a day of its account's reports, in place of what it had.
    fn deliver(&mut self, campaign: &str, day: Date, delivery: &Delivery) -> Result<(), SpendError>;

    /// Every campaign, removed ones too, for people and for tests that compare them with the service's. Each has at
    /// least `platform`, `account`, `id`, `name`, `status` and `budget_period` in the platform's words, `budget` as a
    /// decimal of `currency`, and `created` in ISO 8601.
    fn campaigns(&self, now: Timestamp) -> Vec<Value>;
}

/// Total spend of a campaign.
pub(crate) struct TotalSpend {
    pub(crate) campaign: String,
    pub(crate) currency: String,
    /// A decimal with the platform's number of places.
    pub(crate) total: String,
}
