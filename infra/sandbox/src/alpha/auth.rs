//! Access tokens and the customers that they grant access to.
//!
//! Google Ads API: Call structure.

use super::error::{AdsError, ErrorCode};
use super::failure::{Failure, Status};
use super::state::Alpha;
use crate::http::Request;
use crate::oauth::{Consent, TokenError, bearer};
use jiff::Timestamp;

/// The scope that every call requires.
pub(crate) const SCOPE: &str = "https://www.googleapis.com/auth/adwords";

fn failure(status: Status, code: ErrorCode, why: &str) -> Failure {
    Failure::one(status, AdsError::new(code, why))
}

/// Returns the consent behind the access token of a request.
pub(crate) fn authenticate(alpha: &Alpha, request: &Request, now: Timestamp) -> Result<Consent, Failure> {
    let invalid = |value, why| Err(failure(Status::Unauthenticated, ("authenticationError", value), why));
    if request.header("authorization").is_none() {
        let why = "Request is missing required authentication credential. Expected OAuth 2 access \
                   token, login cookie or other valid authentication credential.";
        return Err(Failure::Gateway(Status::Unauthenticated, why, "CREDENTIALS_MISSING"));
    }
    let Some(token) = bearer(request) else {
        return invalid("OAUTH_TOKEN_HEADER_INVALID", "OAuth token HTTP header is malformed.");
    };
    let grant = match alpha.grants.find_by_access_token(token, now.as_second()) {
        Ok(grant) => grant,
        Err(TokenError::Unknown) => return invalid("OAUTH_TOKEN_INVALID", "OAuth token in the header is not valid."),
        Err(TokenError::Expired) => return invalid("OAUTH_TOKEN_EXPIRED", "OAuth token in the header has expired."),
        Err(TokenError::Revoked) => {
            return invalid("OAUTH_TOKEN_REVOKED", "OAuth token in the header has been revoked.");
        }
    };
    if !grant.consent.scopes.iter().any(|scope| scope == SCOPE) {
        let why = "Request had insufficient authentication scopes.";
        return Err(Failure::Gateway(Status::PermissionDenied, why, "ACCESS_TOKEN_SCOPE_INSUFFICIENT"));
    }
    Ok(grant.consent.clone())
}

/// Whether the consent covers an account directly.
pub(crate) fn has_account(consent: &Consent, account: i64) -> bool {
    consent.accounts.iter().any(|chosen| *chosen == account.to_string())
}

/// Returns the index of a customer that the consent covers, directly or through the manager in `login-customer-id`.
pub(crate) fn authorize(
    alpha: &Alpha,
    consent: &Consent,
    customer: &str,
    login_customer: Option<&str>,
) -> Result<usize, Failure> {
    let customer = parse_customer_id(customer).ok_or_else(|| {
        let code = ("requestError", "INVALID_CUSTOMER_ID");
        failure(Status::InvalidArgument, code, "The customer id has to be ten digits.")
    })?;
    let login_customer = match login_customer {
        None => customer,
        Some(text) => parse_customer_id(text).ok_or_else(|| {
            let code = ("headerError", "INVALID_LOGIN_CUSTOMER_ID");
            failure(Status::InvalidArgument, code, "The login customer id has to be ten digits.")
        })?,
    };
    let denied = |value, why| failure(Status::PermissionDenied, ("authorizationError", value), why);
    let found = alpha.accounts.iter().enumerate().find(|(_, account)| account.id == customer);
    match found {
        Some((index, account)) if has_account(consent, login_customer) => {
            if login_customer == customer || account.parent == Some(login_customer) {
                return Ok(index);
            }
            Err(denied(
                "INVALID_LOGIN_CUSTOMER_ID_SERVING_CUSTOMER_ID_COMBINATION",
                "The login customer has no access to the customer.",
            ))
        }
        _ => Err(denied(
            "USER_PERMISSION_DENIED",
            "User doesn't have permission to access customer. If it is reached through a manager, \
             the manager's id has to be in the login-customer-id header.",
        )),
    }
}

fn parse_customer_id(text: &str) -> Option<i64> {
    let is_valid = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_valid { text.parse().ok() } else { None }
}
