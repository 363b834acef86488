//! The authorization response of a platform (RFC 6749, section 4.1.2).

use secrecy::SecretString;
use shared::error::Error;
use shared::platforms::AdPlatform;

/// The query parameters of the callback.
pub(super) struct ConsentResponse {
    pub(super) state: SecretString,
    pub(super) outcome: ConsentOutcome,
}

/// The user's decision.
pub(super) enum ConsentOutcome {
    /// The user granted access. The authorization code.
    Granted(SecretString),
    /// The user denied access.
    Denied,
    /// The platform could not show its consent page. Its error code.
    Failed(String),
}

/// Error codes for a denial: RFC 6749, section 4.1.2.1, and two of LinkedIn's own.
const DENIALS: [&str; 3] = ["access_denied", "user_cancelled_authorize", "user_cancelled_login"];

impl ConsentResponse {
    /// Parses the query and ignores parameters that platforms add. A different issuer in `iss` indicates a mix-up
    /// attack (RFC 9207, section 2.4).
    pub(super) fn parse(query: &[(String, String)], adapter: &dyn AdPlatform) -> Result<ConsentResponse, Error> {
        if let Some(issuer) = adapter.facts().issuer
            && single(query, "iss")?.is_some_and(|received| received != issuer)
        {
            return Err(Error::field("iss", "is not the issuer of the authorization request"));
        }
        let code_parameter = adapter.facts().code_parameter;
        let state = single(query, "state")?.filter(|state| is_state(state));
        let state = state.ok_or_else(|| Error::field("state", "is missing or malformed"))?;
        let outcome = match (single(query, code_parameter)?, single(query, "error")?) {
            (Some(code), None) if is_visible(code) => ConsentOutcome::Granted(code.into()),
            (None, Some(error)) if DENIALS.contains(&error) => ConsentOutcome::Denied,
            (None, Some(error)) if is_visible(error) => ConsentOutcome::Failed(error.chars().take(100).collect()),
            _ => return Err(Error::field(code_parameter, "is required, unless error is given")),
        };
        Ok(ConsentResponse { state: state.into(), outcome })
    }
}

fn single<'a>(query: &'a [(String, String)], name: &str) -> Result<Option<&'a str>, Error> {
    let mut values = query.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        (_, Some(_)) => Err(Error::field(name, "is given twice")),
    }
}

/// Codes and errors are visible ASCII characters (RFC 6749, appendices A.7 and A.11). The length limit is ours.
fn is_visible(text: &str) -> bool {
    (1..=4096).contains(&text.len()) && text.bytes().all(|byte| (0x20..=0x7e).contains(&byte))
}

/// States are 43 characters of base64url.
fn is_state(text: &str) -> bool {
    text.len() == 43 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}
