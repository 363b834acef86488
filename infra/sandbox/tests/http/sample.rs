//! What the laws know of a platform: how to ask it, and where its answers hold what.

use crate::client::Response;
use crate::oauth_client::{Call, OAuthClient};
use crate::{alpha, beta, delta, epsilon, gamma, zeta};
use serde_json::Value;

/// A platform, as the laws ask it.
pub(crate) struct Sample {
    pub(crate) oauth: OAuthClient,
    /// Ad accounts in several currencies: the first of the consent page, in dollars, then one in yen.
    pub(crate) accounts: &'static [&'static str],
    /// A currency in which control can open an account, and the id of that account.
    pub(crate) new_account: [&'static str; 2],
    pub(crate) unknown_currency: &'static str,
    /// The status of a new, a running and a deleted campaign.
    pub(crate) statuses: [&'static str; 3],
    /// What an account needs before its first campaign.
    pub(crate) prepare: Option<fn(account: &str) -> Call>,
    /// The create of a campaign, paused if the platform can, with a budget of 50 dollars per day, or 5000 in another currency.
    pub(crate) create: fn(account: &str, name: &str) -> Call,
    /// The id in the response to a create.
    pub(crate) created: fn(&Response) -> String,
    pub(crate) get: fn(account: &str, id: &str) -> Call,
    pub(crate) list: fn(account: &str) -> Call,
    /// The call of the page after a page of a list; `None` after the last one.
    pub(crate) next: fn(account: &str, page: &Value) -> Option<Call>,
    pub(crate) update: fn(account: &str, id: &str, change: Change) -> Call,
    pub(crate) delete: fn(account: &str, id: &str) -> Call,
    /// The report of a campaign on a range of days, both included: a row for each day or one for all.
    pub(crate) report: fn(account: &str, id: &str, range: [&str; 2], by_day: bool) -> Call,
    /// Whether faults tell a report from a read of campaigns.
    pub(crate) has_report_operation: bool,
    /// Path of the list of ad accounts.
    pub(crate) account_list: &'static str,
    pub(crate) places: Places,
    pub(crate) words: Words,
    /// The platform's words in a response: status and code; `None` for a success.
    pub(crate) refusal: fn(&Response) -> Option<String>,
}

/// A change of a campaign.
pub(crate) enum Change {
    Name(&'static str),
    /// 60 dollars per day.
    Budget,
    /// The campaign may run.
    Run,
}

/// JSON pointers into responses.
pub(crate) struct Places {
    /// The campaigns in a list.
    pub(crate) rows: &'static str,
    /// Id and name in such a row.
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    /// Whether the newest campaign comes first.
    pub(crate) newest_first: bool,
    /// The rows of a report.
    pub(crate) report: &'static str,
    /// The cost in a row, and its unit.
    pub(crate) spend: &'static str,
    pub(crate) spend_is_micros: bool,
    /// The other numbers in a row.
    pub(crate) numbers: &'static [&'static str],
    /// Whether a delivery has whole conversions, and a cost whose total fits.
    pub(crate) checks_deliveries: bool,
}

/// What the platform says, as [`Sample::refusal`] reads it.
pub(crate) struct Words {
    pub(crate) unknown_token: &'static str,
    pub(crate) expired_token: &'static str,
    pub(crate) revoked_token: &'static str,
    pub(crate) foreign_account: &'static str,
    pub(crate) unknown_campaign: &'static str,
    /// An internal error of the API and of the token endpoint.
    pub(crate) failed: [&'static str; 2],
    /// A rate limit of both.
    pub(crate) throttled: [&'static str; 2],
    /// A header of a throttled list, and the end of its value.
    pub(crate) wait: Option<(&'static str, &'static str)>,
    /// Texts on the consent page.
    pub(crate) page: &'static [&'static str],
    /// The redirect of a denied consent, after the redirect URI.
    pub(crate) denied: &'static str,
    /// Changes of an authorization request that get an error page with a status.
    pub(crate) untrusted: &'static [(&'static str, &'static str, u16)],
    /// Changes of a code exchange and what the platform says. None of them uses the code up.
    pub(crate) bad_exchanges: &'static [(&'static str, &'static str, &'static str)],
    /// A revocation, where the platform refuses it; else empty.
    pub(crate) revocation: &'static str,
    pub(crate) used_code: &'static str,
    /// The renewal of a revoked grant, where there is a renewal.
    pub(crate) dead_renewal: &'static str,
}

pub(crate) static SAMPLES: [Sample; 6] =
    [alpha::SAMPLE, beta::SAMPLE, gamma::SAMPLE, delta::SAMPLE, epsilon::SAMPLE, zeta::SAMPLE];

impl Sample {
    pub(crate) fn platform(&self) -> &'static str {
        self.oauth.platform
    }

    /// The rows at a place of a response.
    pub(crate) fn rows(body: &Value, place: &str) -> Vec<Value> {
        body.pointer(place).and_then(Value::as_array).cloned().unwrap_or_default()
    }
}

/// A text or a number, as a text.
pub(crate) fn text(value: &Value, place: &str) -> String {
    let found = value.pointer(place).unwrap_or(&Value::Null);
    found.as_str().map_or_else(|| found.to_string(), str::to_owned)
}
