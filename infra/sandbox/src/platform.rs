//! What the sandbox asks of every platform, and the list of them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::alpha::{self, Alpha};
use crate::beta::{self, Beta};
use crate::delta::{self, Delta};
use crate::epsilon::{self, Epsilon};
use crate::faults::Operation;
use crate::gamma::{self, Gamma};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::Grants;
use crate::page::AccountCard;
use crate::quirks::{Active, Quirk};
use crate::stripe::{self, Stripe};
use crate::zeta::{self, Zeta};

/// What a request is about, for matching it with faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// The consent page; no fault touches it.
    Consent,
    /// One of the operations that faults are set on.
    Known(Operation),
    /// Anything else; only faults on `any` touch it.
    Other,
}

impl Call {
    /// What a request of a token address is about, by its grant type: faults tell the two apart.
    pub(crate) fn exchange(request: &Request) -> Self {
        match Pairs::parse(&request.body).get("grant_type") {
            Some("authorization_code") => Self::Known(Operation::Token),
            Some("refresh_token") => Self::Known(Operation::Refresh),
            _ => Self::Other,
        }
    }

    /// Whether the request cannot change what the platform holds.
    pub(crate) fn reads(self) -> bool {
        let Self::Known(operation) = self else { return false };
        matches!(operation, Operation::List | Operation::Get | Operation::Accounts)
    }
}

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

/// The moment of a request: the clock and the settings that apply to it.
pub(crate) struct Moment<'a> {
    pub(crate) now: Timestamp,
    pub(crate) settings: &'a Settings,
}

impl Moment<'_> {
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
    fn answer(&mut self, request: &Request, moment: &Moment<'_>) -> Reply;

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
    fn open_account(&mut self, currency: &str) -> Option<AccountCard>;

    /// Its ad accounts, for people.
    fn accounts(&self) -> Vec<AccountCard>;

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

/// Every platform's state, and the payment provider's; this is what `sandbox.json` holds.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Platforms {
    alpha_ads: Alpha,
    beta_ads: Beta,
    delta_ads: Delta,
    epsilon_ads: Epsilon,
    gamma_ads: Gamma,
    zeta_ads: Zeta,
    pub(crate) stripe: Stripe,
}

impl Platforms {
    pub(crate) fn get(&self, word: &str) -> Option<&dyn Platform> {
        match word {
            alpha::WORD => Some(&self.alpha_ads),
            beta::WORD => Some(&self.beta_ads),
            delta::WORD => Some(&self.delta_ads),
            epsilon::WORD => Some(&self.epsilon_ads),
            gamma::WORD => Some(&self.gamma_ads),
            zeta::WORD => Some(&self.zeta_ads),
            stripe::WORD => Some(&self.stripe),
            _ => None,
        }
    }

    pub(crate) fn get_mut(&mut self, word: &str) -> Option<&mut dyn Platform> {
        match word {
            alpha::WORD => Some(&mut self.alpha_ads),
            beta::WORD => Some(&mut self.beta_ads),
            delta::WORD => Some(&mut self.delta_ads),
            epsilon::WORD => Some(&mut self.epsilon_ads),
            gamma::WORD => Some(&mut self.gamma_ads),
            zeta::WORD => Some(&mut self.zeta_ads),
            stripe::WORD => Some(&mut self.stripe),
            _ => None,
        }
    }
}

/// The wire word among [`crate::PLATFORMS`] that equals `word`.
pub(crate) fn word(word: &str) -> Option<&'static str> {
    crate::PLATFORMS.iter().find(|known| **known == word).copied()
}

/// The first part of every path that is answered and recorded: a platform's word, or the payment
/// provider's.
pub(crate) fn receiver(first: &str) -> Option<&'static str> {
    word(first).or_else(|| (first == stripe::WORD).then_some(stripe::WORD))
}
