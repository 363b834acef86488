//! Who calls, and in which version of the API.
//!
//! API reference: Authentication; Versioning.

use super::error::StripeError;
use crate::http::Request;
use crate::oauth::{basic, bearer};

/// The secret key of the payment provider's one account.
pub const KEY: &str = "sk_test_51SandboxOfUnifiedAds";

/// The version that answers when none is asked for, and whose objects all versions get.
pub(super) const VERSION: &str = "2026-10-28.endive";

/// Refuses a request without the secret key, as a bearer token or as a user name.
pub(super) fn check(request: &Request) -> Result<(), StripeError> {
    let given = bearer(request).map(str::to_owned).or_else(|| basic(request).map(|(user, _)| user));
    match given.as_deref() {
        Some(KEY) => Ok(()),
        Some(odd) if !odd.is_empty() => {
            Err(StripeError::unauthorized(format!("Invalid API Key provided: {}", hidden(odd))))
        }
        _ => Err(StripeError::unauthorized(
            "You did not provide an API key. You need to provide your API key in the Authorization header, using \
             Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See \
             https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.",
        )),
    }
}

/// A key as an error may show it: its kind and its end.
fn hidden(key: &str) -> String {
    let all: Vec<char> = key.chars().collect();
    let shown = |at: usize| at < 8 || at + 4 >= all.len();
    let masked = all.iter().enumerate().map(|(at, letter)| if shown(at) { *letter } else { '*' });
    if all.len() < 16 { "*".repeat(all.len()) } else { masked.collect() }
}

/// The version of the request, which the answer repeats.
pub(super) fn version(request: &Request) -> Result<&str, StripeError> {
    let version = request.header("stripe-version").unwrap_or(VERSION);
    if is_version(version) {
        return Ok(version);
    }
    Err(StripeError::invalid(format!("Invalid Stripe API version: {version}")))
}

/// `2024-06-20`, or with a name after it: `2026-10-28.endive`.
fn is_version(text: &str) -> bool {
    let (day, name) = text.split_once('.').unwrap_or((text, "none"));
    let named = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
    named && day.len() == 10 && day.parse::<jiff::civil::Date>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_a_day_and_perhaps_a_name() {
        for good in ["2026-10-28.endive", "2024-06-20"] {
            assert!(is_version(good), "{good}");
        }
        for bad in ["", "endive", "2026-13-01.endive", "2026-10-28.", "2026-10-28.Endive", "20261028"] {
            assert!(!is_version(bad), "{bad}");
        }
    }

    #[test]
    fn an_error_shows_no_whole_key() {
        assert_eq!(hidden("sk_test_abcdefghijkl"), "sk_test_********ijkl");
        assert_eq!(hidden("short"), "*****");
    }
}
