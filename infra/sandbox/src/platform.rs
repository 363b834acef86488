//! The trait that every sandbox platform implements, and the types in its signatures.

use jiff::Timestamp;
use serde_json::Value;

use crate::account::AccountSummary;
use crate::faults::Call;
use crate::http::{Reply, Request};
use crate::oauth::Grants;
use crate::quirks::{Active, Quirk};

/// What a platform may be told from outside, until reset.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    /// Seconds an access token lives; the platform's own value when absent.
    pub(crate) access_token_ttl_s: Option<i64>,
    /// Milliseconds before every request is looked at.
    pub(crate) latency_ms: u64,
    /// Rows of a page; the platform's own value when absent.
    pub(crate) page_size: Option<usize>,
    /// The quirks that are on.
    pub(crate) quirks: Active,
}

/// The clock and the settings that apply to a request.
pub(crate) struct RequestContext<'a> {
    pub(crate) now: Timestamp,
    pub(crate) settings: &'a Settings,
}

impl RequestContext<'_> {
    /// Whether a quirk of the platform is on.
    pub(crate) fn quirk(&self, name: &str) -> bool {
        self.settings.quirks.contains(name)
    }
}

/// An imitated platform: its state, and how it answers.
pub(crate) trait Platform {
    /// What it is called on pages.
    fn title(&self) -> &'static str;

    /// What a request is about.
    fn call(&self, request: &Request) -> Call;

    /// Lets a request in that may have to wait before it is done; an answer turns it away.
    fn enter(&mut self, _: &Request) -> Option<Reply> {
        None
    }

    /// Learns how a request that was let in is answered.
    fn leave(&mut self, _: &Request, _: &Reply, _: Timestamp) {}

    /// The unpleasant things that it can be told to do.
    fn quirks(&self) -> &'static [Quirk] {
        &[]
    }

    /// Does what is asked, in the platform's own form.
    fn answer(&mut self, request: &Request, moment: &RequestContext<'_>) -> Reply;

    /// Its answer when it is broken inside (500).
    fn broken(&self, request: &Request) -> Reply;

    /// Its answer when there are too many requests, with its own signal of when to come back.
    fn throttled(&self, request: &Request) -> Reply;

    /// Kills the grant that a request uses, as if its user had withdrawn it.
    fn revoke_used(&mut self, request: &Request);

    /// The grants it has given, where people let clients in to ad accounts.
    fn grants(&mut self) -> Option<&mut Grants> {
        None
    }

    /// Opens one more ad account; `None` for a currency that the platform does not know.
    fn open_account(&mut self, currency: &str) -> Option<AccountSummary>;

    /// Its ad accounts, for people.
    fn accounts(&self) -> Vec<AccountSummary>;

    /// Adds to what a campaign has cost by now: a decimal in the account's currency.
    fn spend(&mut self, campaign: &str, amount: &str, now: Timestamp) -> Result<Spent, SpendError>;

    /// Its campaigns, for people, and for tests that compare them with what is known elsewhere: each with at least
    /// `platform`, `account`, `id`, `name`, `status` in the platform's word, `budget` as a decimal of `currency`, its
    /// `budget_period` in the platform's word, and `created` in ISO 8601. Removed ones are among them.
    fn campaigns(&self, now: Timestamp) -> Vec<Value>;
}

/// What a campaign has cost after money was spent, for who asked for it.
pub(crate) struct Spent {
    pub(crate) campaign: String,
    pub(crate) currency: String,
    /// A decimal, in the platform's own number of places.
    pub(crate) sum: String,
}

/// Why money could not be spent.
pub(crate) enum SpendError {
    /// No campaign has that id.
    Unknown,
    /// The amount is no decimal in micros, or too much.
    Amount,
    /// The amount is none that this currency is counted in, or too much.
    Uncounted(String),
}
