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
    /// There is no code, and the user has not denied access. Why, in the platform's words.
    Failed(String),
}

/// Error codes for a denial: RFC 6749, section 4.1.2.1, and two of LinkedIn's own.
const DENIALS: [&str; 3] = ["access_denied", "user_cancelled_authorize", "user_cancelled_login"];
/// The parameters with the code of every platform. A code in another platform's parameter is a malformed callback, not
/// a failed consent.
const CODE_PARAMETERS: [&str; 2] = ["code", "auth_code"];
/// The parameters with the error code and its explanation: those of RFC 6749, and those with which Meta's dialog returns
/// when it cannot be shown.
const ERROR_CODES: [&str; 2] = ["error", "error_code"];
const EXPLANATIONS: [&str; 2] = ["error_description", "error_message"];
/// Characters of the platform's words that are passed on.
const MAX_WORDS_CHARS: usize = 200;

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
        let (code, error) = (single(query, code_parameter)?, first(query, &ERROR_CODES)?);
        let is_of_another = code.is_none() && first(query, &CODE_PARAMETERS)?.is_some();
        if is_of_another || error.is_some_and(|error| !is_visible(error)) {
            return Err(Error::field(code_parameter, "is required, unless error is given"));
        }
        let outcome = match (code, error) {
            (Some(code), None) if is_visible(code) => ConsentOutcome::Granted(code.into()),
            (Some(_), _) => return Err(Error::field(code_parameter, "is malformed, or stands beside an error")),
            (None, Some(error)) if DENIALS.contains(&error) => ConsentOutcome::Denied,
            (None, error) => ConsentOutcome::Failed(words(error, first(query, &EXPLANATIONS)?)),
        };
        Ok(ConsentResponse { state: state.into(), outcome })
    }
}

/// The value of the first of these parameters that is there.
fn first<'a>(query: &'a [(String, String)], names: &[&str]) -> Result<Option<&'a str>, Error> {
    let found = names.iter().map(|name| single(query, name)).collect::<Result<Vec<_>, Error>>()?;
    Ok(found.into_iter().flatten().next())
}

/// What the platform says, without characters that a page or a log cannot show.
fn words(error: Option<&str>, explanation: Option<&str>) -> String {
    let said: Vec<&str> = [error, explanation].into_iter().flatten().collect();
    let is_shown = |character: &char| character.is_ascii_graphic() || character.is_alphanumeric() || *character == ' ';
    let said: String = said.join(": ").chars().filter(is_shown).take(MAX_WORDS_CHARS).collect();
    if said.is_empty() { "it returned neither a code nor an error".to_owned() } else { said }
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

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::Platform;
    use shared::envelope::query::pairs;
    use shared::platforms::adapter;

    fn outcome(platform: Platform, rest: &str) -> Result<ConsentOutcome, Error> {
        let query = pairs(Some(&format!("state={}{rest}", "s".repeat(43))));
        ConsentResponse::parse(&query, adapter(platform)).map(|response| response.outcome)
    }

    fn failure(rest: &str) -> String {
        match outcome(Platform::Beta, rest) {
            Ok(ConsentOutcome::Failed(words)) => words,
            _ => panic!("{rest} is a failed consent"),
        }
    }

    #[test]
    fn a_callback_without_a_code_reports_the_platforms_error() {
        for (rest, words) in [
            ("&error_code=1349048&error_message=Can%27t+load+URL", "1349048: Can't load URL"),
            ("&error=invalid_scope&error_description=Unknown%0A%E2%80%AEscope", "invalid_scope: Unknownscope"),
            ("&error=server_error", "server_error"),
            ("&error_message=Only+words", "Only words"),
            ("", "it returned neither a code nor an error"),
            ("&CODE=x", "it returned neither a code nor an error"),
        ] {
            assert_eq!(failure(rest), words, "{rest}");
        }
        let long = failure(&format!("&error_code=1&error_message={}", "x".repeat(1_000)));
        assert_eq!(long.len(), MAX_WORDS_CHARS);
    }

    #[test]
    fn a_denial_and_a_code_are_told_apart_from_what_is_malformed() {
        let denied = "&error=access_denied&error_code=200&error_description=Permissions+error&error_reason=user_denied";
        assert!(matches!(outcome(Platform::Beta, denied), Ok(ConsentOutcome::Denied)));
        assert!(matches!(outcome(Platform::Gamma, "&auth_code=a&code=b"), Ok(ConsentOutcome::Granted(_))));
        for rest in
            ["&code=", "&code=a&error=access_denied", "&auth_code=a", "&error=", "&error=a&error=a", "&code=a&code=a"]
        {
            assert!(outcome(Platform::Beta, rest).is_err(), "{rest}");
        }
    }
}
