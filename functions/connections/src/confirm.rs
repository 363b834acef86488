//! `confirmConnection`: a consent that connects nothing until the caller has confirmed that its own user gave it. Until
//! then the platform's code is kept, and no token exists that would have to be revoked (D89).

use crate::authorize::{VERIFIER_FIELD, hash_of};
use crate::connect::{ConnectedAccounts, connect, delete_pending, open_verifier};
use crate::list::find_connection;
use jiff::SignedDuration;
use secrecy::{ExposeSecret, SecretString};
use shared::domain::{ConnectionStatus, Reason};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{AuthorizationOutcome, Reply, read_confirmation};
use shared::error::{Error, Kind};
use shared::serve::{ApiRequest, Call};
use shared::store::{Authorization, ConnectionRef};
use shared::vault::{Binding, random_token};

/// The time in which a consent can be confirmed. Some platforms' codes live no longer.
const CONFIRMATION_TTL: SignedDuration = SignedDuration::from_mins(10);
/// The name that binds the sealed authorization code to its field.
const CODE_FIELD: &str = "code";

/// Keeps the platform's code until the caller confirms the consent.
pub(crate) async fn hold_consent(
    request: &ApiRequest,
    authorization: &Authorization,
    code: &SecretString,
) -> Result<AuthorizationOutcome, Error> {
    let confirmation_code = random_token().map_err(Error::internal)?;
    let state_hash = confirmation_hash(&confirmation_code);
    let verifier = open_verifier(request, authorization).await?;
    let vault = request.app.vault()?;
    let customer = authorization.customer.to_string();
    let binding = |field| Binding { customer: &customer, record: &state_hash, field };
    let verifier = vault.seal(binding(VERIFIER_FIELD), &verifier).await.map_err(Error::internal)?;
    let code = vault.seal(binding(CODE_FIELD), code).await.map_err(Error::internal)?;
    let expires_at = request.now + CONFIRMATION_TTL;
    let held = Authorization { state_hash: state_hash.clone(), verifier, expires_at, ..authorization.clone() };
    request.app.store.hold_consent(&held, &code).await?;
    Ok(AuthorizationOutcome::AwaitsConfirmation { id: authorization.connection.clone(), code: confirmation_code })
}

/// Connects the ad accounts of a consent. Its code works once.
pub(crate) async fn confirm(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let confirmation_code = read_confirmation(call.request.json_body()?)?;
    let connection = find_connection(call)?;
    if connection.status != ConnectionStatus::Pending {
        let message = format!("The connection is {}, not PENDING: nothing waits here.", connection.status.as_str());
        return Err(Error::new(Kind::Conflict, message).because(Reason::NotWaiting));
    }
    let state_hash = confirmation_hash(&confirmation_code);
    let taken = call.store().take_held_consent(&state_hash, &connection.id, call.request.now).await?;
    let (authorization, sealed) = taken.ok_or_else(|| {
        let message = "Nothing waits for this confirmation_code: it is not that of the connection, was used, or is older \
                       than ten minutes. Authorize again.";
        Error::new(Kind::Conflict, message).because(Reason::NotWaiting)
    })?;
    let connected = connect_held(call, &authorization, &sealed).await;
    if connected.is_err() {
        delete_pending(&call.request, &authorization).await;
    }
    let ConnectedAccounts { connections, skipped, id: _ } = connected?;
    let ids: Vec<_> = connections.iter().map(|new| new.id.clone()).collect();
    let names: Vec<_> = ids.iter().map(|id| ConnectionRef::Id(id.0.clone())).collect();
    let mut stored = call.store().named_connections(call.customer.id, &names, call.request.now).await?.connections;
    stored.retain(|connection| ids.contains(&connection.id));
    Ok(Reply::Confirmed { connections: stored, skipped })
}

async fn connect_held(call: &Call, authorization: &Authorization, sealed: &str) -> Result<ConnectedAccounts, Error> {
    let customer = authorization.customer.to_string();
    let binding = Binding { customer: &customer, record: &authorization.state_hash, field: CODE_FIELD };
    let code = call.request.app.vault()?.open(binding, sealed).await.map_err(Error::internal)?;
    connect(&call.request, authorization, &code, &call.customer).await.map_err(confirmation_error)
}

/// An error of the authorization as an error of the field `confirmation_code`, which stands for it. `TokenExpired` would
/// be about a connection, and there is none yet.
fn confirmation_error(error: Error) -> Error {
    let message = match error.kind {
        Kind::TokenExpired => "belongs to a code that the platform does not accept; authorize again",
        Kind::Validation => "belongs to an authorization that was withdrawn; authorize again",
        // The code is used up, and its connection is gone: the same request would find nothing.
        _ => {
            let message = error.message.clone().and("Nothing was connected; authorize again.");
            return Error { message, ..error.not_retryable() };
        }
    };
    let Error { platform, platform_error, .. } = error;
    Error { platform, platform_error, ..Error::field("confirmation_code", message) }
}

/// The stored form of a confirmation code. It differs from that of a state, so that a callback never counts as a
/// confirmation.
fn confirmation_hash(code: &SecretString) -> String {
    hash_of(&format!("confirmation of {}", code.expose_secret()).into())
}
