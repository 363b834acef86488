//! Encrypts tokens before they are stored and decrypts them for use.

use crate::app::App;
use crate::domain::{CustomerId, Grant, Reason};
use crate::error::{Error, Kind};
use crate::platforms::adapter;
use crate::platforms::oauth::Tokens;
use crate::vault::{Binding, Reseal, VaultError};
use jiff::{SignedDuration, Timestamp};
use secrecy::SecretString;

/// Stored lifetime of a token that does not expire: a hundred years.
const NO_EXPIRY: SignedDuration = SignedDuration::from_hours(100 * 365 * 24);

/// The fields of a grant that hold tokens.
#[derive(Clone, Copy)]
pub(super) enum Field {
    Access,
    Refresh,
}

/// Decrypts a token of a grant; `None` when the grant has no refresh token.
pub(super) async fn open(
    app: &App,
    customer: CustomerId,
    grant: &Grant,
    field: Field,
) -> Result<Option<SecretString>, Error> {
    let sealed = match field {
        Field::Access => Some(&grant.access_token),
        Field::Refresh => grant.refresh_token.as_ref(),
    };
    let Some(sealed) = sealed else { return Ok(None) };
    let customer = customer.to_string();
    let opened = app.vault()?.open(binding(&customer, grant, field), sealed).await;
    opened.map(Some).map_err(|error| match error {
        // The token itself may be intact: the connection keeps its state.
        VaultError::NewerRingUnavailable => Error::internal(error).on(grant.platform),
        _ => {
            let message = "The connection's tokens cannot be decrypted; authorize the account again.";
            Error::new(Kind::Forbidden, message).because(Reason::ConnectionBroken).on(grant.platform).caused_by(error)
        }
    })
}

/// Decrypts the access token of a grant, and re-encrypts both tokens if their key is no longer active.
pub(super) async fn access_token(app: &App, customer: CustomerId, grant: &Grant) -> Result<SecretString, Error> {
    let Some(token) = open(app, customer, grant, Field::Access).await? else { return Err(no_access_token()) };
    if let Err(error) = reseal_grant(app, customer, grant).await {
        tracing::warn!(grant = %grant.id.0, %error, source = error.source, "resealing tokens failed");
    }
    Ok(token)
}

/// Reseals the tokens of a grant with the active key, unless both already are.
pub async fn reseal_grant(app: &App, customer: CustomerId, grant: &Grant) -> Result<Reseal, Error> {
    let sealed: Vec<&String> =
        [Some(&grant.access_token), grant.refresh_token.as_ref()].into_iter().flatten().collect();
    if app.vault()?.are_current(&sealed).await {
        return Ok(Reseal::Current);
    }
    let Some(access) = open(app, customer, grant, Field::Access).await? else { return Err(no_access_token()) };
    let refresh_token = match open(app, customer, grant, Field::Refresh).await? {
        Some(token) => Some(seal(app, customer, grant, Field::Refresh, &token).await?),
        None => None,
    };
    let access_token = seal(app, customer, grant, Field::Access, &access).await?;
    let new = Grant { access_token, refresh_token, ..grant.clone() };
    let is_written = app.store.replace_sealed_tokens(customer, grant, &new).await?;
    Ok(if is_written { Reseal::Renewed } else { Reseal::Superseded })
}

fn no_access_token() -> Error {
    Error::internal("a grant has no access token")
}

/// The grant with newly issued tokens, in answer to a request sent at `since`. Without a new refresh token it keeps the
/// current one.
pub async fn seal_tokens(
    app: &App,
    customer: CustomerId,
    grant: &Grant,
    tokens: &Tokens,
    since: Timestamp,
) -> Result<Grant, Error> {
    let kept = match tokens.refresh_token {
        Some(_) => None,
        // Resealed as well: its key may no longer be active.
        None => open(app, customer, grant, Field::Refresh).await?,
    };
    let refresh_token = match tokens.refresh_token.as_ref().or(kept.as_ref()) {
        Some(token) => Some(seal(app, customer, grant, Field::Refresh, token).await?),
        None => None,
    };
    let ttl = tokens.ttl.map_or(Ok(NO_EXPIRY), SignedDuration::try_from).map_err(Error::internal)?;
    let fresh = Grant {
        id: grant.id.clone(),
        platform: grant.platform,
        access_token: seal(app, customer, grant, Field::Access, &tokens.access_token).await?,
        access_expires_at: since.checked_add(ttl).map_err(Error::internal)?,
        access_ttl_s: ttl.as_secs(),
        refresh_token,
        version: grant.version + 1,
        retry_at: None,
        connections: grant.connections,
        ended: false,
        due: None,
    };
    let due = fresh.schedule(adapter(fresh.platform).facts().refresh_policy.timing);
    Ok(Grant { due: Some(due), ..fresh })
}

async fn seal(
    app: &App,
    customer: CustomerId,
    grant: &Grant,
    field: Field,
    secret: &SecretString,
) -> Result<String, Error> {
    let customer = customer.to_string();
    app.vault()?.seal(binding(&customer, grant, field), secret).await.map_err(Error::internal)
}

fn binding<'a>(customer: &'a str, grant: &'a Grant, field: Field) -> Binding<'a> {
    let field = match field {
        Field::Access => "access_token",
        Field::Refresh => "refresh_token",
    };
    Binding { customer, record: &grant.id.0, field }
}
