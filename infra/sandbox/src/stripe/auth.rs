//! Authentication and the API version of a request.
//!
//! API reference: Authentication; Versioning.

use super::error::StripeError;
use crate::http::Request;
use crate::oauth::{basic, bearer};

/// Secret key of the payment provider's only account.
pub const KEY: &str = "sk_test_51SandboxOfUnifiedAds";

/// The default version. All versions get its objects.
pub(super) const VERSION: &str = "2026-10-28.endive";

/// Checks the secret key, given as a bearer token or as the user name of Basic authentication.
pub(super) fn check(request: &Request) -> Result<(), StripeError> {
    let given = bearer(request).map(str::to_owned).or_else(|| basic(request).map(|(user, _)| user));
    match given.as_deref() {
        Some(KEY) => Ok(()),
        Some(other) if !other.is_empty() => {
            Err(StripeError::unauthorized(format!("Invalid API Key provided: {}", mask(other))))
        }
        _ => Err(StripeError::unauthorized(
            "You did not provide an API key. You need to provide your API key in the Authorization header, using \
             Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See \
             https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.",
        )),
    }
}

/// A key for an error message: its prefix and its end.
fn mask(key: &str) -> String {
    let all: Vec<char> = key.chars().collect();
    let shown = |at: usize| at < 8 || at + 4 >= all.len();
    let masked = all.iter().enumerate().map(|(at, letter)| if shown(at) { *letter } else { '*' });
    if all.len() < 16 { "*".repeat(all.len()) } else { masked.collect() }
}

/// The version of the request, which the response repeats.
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
    fn a_version_is_a_date_with_an_optional_name() {
        for good in ["2026-10-28.endive", "2024-06-20"] {
            assert!(is_version(good), "{good}");
        }
        for bad in ["", "endive", "2026-13-01.endive", "2026-10-28.", "2026-10-28.Endive", "20261028"] {
            assert!(!is_version(bad), "{bad}");
        }
    }

    #[test]
    fn an_error_masks_the_key() {
        assert_eq!(mask("sk_test_abcdefghijkl"), "sk_test_********ijkl");
        assert_eq!(mask("short"), "*****");
    }
}
