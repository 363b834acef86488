//! The waits that the usage headers ask for. They come with successes too. The platform sends no `Retry-After`.
//!
//! <https://developers.facebook.com/docs/graph-api/overview/rate-limiting>

use crate::platforms::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_with::apply;
use std::collections::BTreeMap;

/// The pause for an account with a used-up share, where no header says when it regains some. Shares are of the last
/// hour, so every minute a little comes back.
const FULL_SHARE_PAUSE: Duration = Duration::from_secs(60);
/// A used-up share, in percent.
const FULL: f64 = 100.0;
/// The use case of reports, which has a share of its own.
const REPORTS: &str = "ads_insights";

/// `X-App-Usage`, and one entry of `X-Business-Use-Case-Usage`. Shares are in percent.
#[apply(f64 => #[serde(default, deserialize_with = "percent")])]
#[derive(Debug, Deserialize)]
struct Usage {
    /// The use case: `ads_management`.
    #[serde(rename = "type")]
    use_case: Option<String>,
    call_count: f64,
    total_time: f64,
    total_cputime: f64,
    /// Minutes; zero while nothing is throttled.
    estimated_time_to_regain_access: Option<u64>,
}

impl Usage {
    fn is_full(&self) -> bool {
        self.call_count.max(self.total_time).max(self.total_cputime) >= FULL
    }

    fn is_of_reports(&self) -> bool {
        self.use_case.as_deref() == Some(REPORTS)
    }
}

/// `X-Ad-Account-Usage`.
#[derive(Debug, Deserialize)]
struct AccountUsage {
    #[serde(deserialize_with = "percent")]
    acc_id_util_pct: f64,
    /// Seconds.
    reset_time_duration: Option<u64>,
}

/// Reads a number, or a string with one. Anything else is 0.
fn percent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    let text = value.as_str().and_then(|text| text.parse().ok());
    Ok(value.as_f64().or(text).unwrap_or_default())
}

/// The pause for the account: as long as the platform says that it refuses calls, and a default when the share of the
/// account, of its business or of our app is used up. The share of reports pauses nothing, because campaigns can be
/// changed without reports.
pub(super) fn requested_pause(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let mut usage = by_business(headers);
    usage.retain(|usage| !usage.is_of_reports());
    let of_business = usage.iter().any(Usage::is_full);
    let of_app = parsed::<Usage>(headers, "x-app-usage").is_some_and(|usage| usage.is_full());
    let full = (of_business || of_app).then_some(FULL_SHARE_PAUSE);
    let of_account = parsed::<AccountUsage>(headers, "x-ad-account-usage");
    let of_account = of_account.filter(|usage| usage.acc_id_util_pct >= FULL);
    let of_account = of_account.map(|usage| usage.reset_time_duration.map_or(FULL_SHARE_PAUSE, Duration::from_secs));
    until_access(&usage).max(response_body::retry_after(headers, now)).max(of_account).or(full)
}

/// The longest wait that the headers ask for.
pub(super) fn wait(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    until_access(&by_business(headers)).max(response_body::retry_after(headers, now))
}

/// The time until all use cases have access again.
fn until_access(usage: &[Usage]) -> Option<Duration> {
    let minutes = usage.iter().filter_map(|usage| usage.estimated_time_to_regain_access).max();
    minutes.filter(|minutes| *minutes > 0).map(|minutes| Duration::from_secs(minutes.saturating_mul(60)))
}

/// `X-Business-Use-Case-Usage` of all businesses or accounts: the only header that says when calls are accepted again.
fn by_business(headers: &HeaderMap) -> Vec<Usage> {
    let usage: BTreeMap<String, Vec<Usage>> = parsed(headers, "x-business-use-case-usage").unwrap_or_default();
    usage.into_values().flatten().collect()
}

fn parsed<T: DeserializeOwned>(headers: &HeaderMap, name: &str) -> Option<T> {
    serde_json::from_str(headers.get(name)?.to_str().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUSINESS: &str = "x-business-use-case-usage";

    fn pause(name: &'static str, value: &str) -> Option<u64> {
        let headers = HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())]);
        requested_pause(&headers, "2026-11-20T00:00:00Z".parse().unwrap()).map(|wait| wait.as_secs())
    }

    #[test]
    fn a_share_that_is_used_up_asks_for_a_pause_and_less_does_not() {
        let business = |count: &str, minutes: u32| {
            let value = format!(
                r#"{{"2112":[{{"type":"ads_insights","call_count":1,"total_cputime":1,"total_time":1,
                "estimated_time_to_regain_access":0}},{{"type":"ads_management","call_count":{count},"total_cputime":21,
                "total_time":24,"estimated_time_to_regain_access":{minutes},"ads_api_access_tier":"standard_access"}}]}}"#
            );
            pause(BUSINESS, &value.replace('\n', ""))
        };
        assert_eq!(business("99", 0), None);
        assert_eq!(business("100", 0), Some(60));
        assert_eq!(business("100", 19), Some(19 * 60), "minutes");
        assert_eq!(business("12", 3), Some(180), "it refuses calls, although the counts are low");
    }

    #[test]
    fn the_share_of_reports_delays_reports_and_pauses_nothing() {
        let value = r#"{"2112":[{"type":"ads_insights","call_count":100,"estimated_time_to_regain_access":5}]}"#;
        let headers = HeaderMap::from_iter([(BUSINESS.parse().unwrap(), value.parse().unwrap())]);
        let wait = wait(&headers, "2026-11-20T00:00:00Z".parse().unwrap());
        assert_eq!((pause(BUSINESS, value), wait), (None, Some(Duration::from_secs(300))));
    }

    #[test]
    fn the_shares_of_the_app_and_of_the_account_count_too() {
        assert_eq!(pause("x-app-usage", r#"{"call_count":28,"total_time":25,"total_cputime":25}"#), None);
        assert_eq!(pause("x-app-usage", r#"{"call_count":28,"total_time":103,"total_cputime":25}"#), Some(60));
        let account = |percent: &str| {
            let tier = "standard_access";
            let value =
                format!(r#"{{"acc_id_util_pct":{percent},"reset_time_duration":127,"ads_api_access_tier":"{tier}"}}"#);
            pause("x-ad-account-usage", &value)
        };
        assert_eq!(account("9.67"), None);
        assert_eq!(account("100"), Some(127));
        assert_eq!(account("\"100.5\""), Some(127), "some versions write numbers as text");
    }

    #[test]
    fn an_unreadable_header_asks_for_no_pause() {
        for value in ["", "{", "[]", r#"{"1":{}}"#, r#"{"1":[{"call_count":"many"}]}"#] {
            assert_eq!(pause(BUSINESS, value), None, "{value}");
        }
        assert_eq!(pause("retry-after", "30"), Some(30));
    }
}
