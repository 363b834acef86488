//! Tokens between the platform and the record: sealed on the way in, opened on the way out.

use crate::app::App;
use crate::domain::{CustomerId, Grant};
use crate::error::{Error, Kind};
use crate::platforms::oauth::Tokens;
use crate::vault::{Binding, VaultError};
use jiff::{SignedDuration, Timestamp};
use secrecy::SecretString;

/// What stands in the record for a token without an end: a hundred years.
const WITHOUT_END: SignedDuration = SignedDuration::from_hours(100 * 365 * 24);

/// The fields of a grant that hold tokens.
#[derive(Clone, Copy)]
pub(super) enum Field {
    Access,
    Refresh,
}

/// The token in a field of a grant; `None` when the grant has no refresh token.
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
    let opened = app.keys.open(binding(&customer, grant, field), sealed).await;
    opened.map(Some).map_err(|error| match error {
        // Says nothing about the connection.
        VaultError::NoNewerRing => Error::internal(error).on(grant.platform),
        _ => {
            let message = "The connection's tokens cannot be opened; authorize the account again.";
            Error::new(Kind::Forbidden, message).on(grant.platform).caused_by(error)
        }
    })
}

/// The access token of a grant, whose seals are renewed on the way.
pub(super) async fn access_token(app: &App, customer: CustomerId, grant: &Grant) -> Result<SecretString, Error> {
    let Some(token) = open(app, customer, grant, Field::Access).await? else { return Err(no_access_token()) };
    if let Err(error) = renew_seals(app, customer, grant).await {
        tracing::warn!(grant = %grant.id.0, %error, source = error.source, "tokens were not sealed anew");
    }
    Ok(token)
}

/// What was to be done about a grant's seals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seals {
    /// Nothing: both tokens are sealed with the active key.
    Current,
    /// Both tokens were sealed anew.
    Renewed,
    /// Other tokens were stored meanwhile, or the grant was removed; nothing was written.
    Overtaken,
}

/// Seals the tokens of a grant anew when one of them is sealed with a key that is no longer the active one.
pub async fn renew_seals(app: &App, customer: CustomerId, grant: &Grant) -> Result<Seals, Error> {
    let seals: Vec<&String> = [Some(&grant.access_token), grant.refresh_token.as_ref()].into_iter().flatten().collect();
    if app.keys.are_current(&seals).await {
        return Ok(Seals::Current);
    }
    let Some(access) = open(app, customer, grant, Field::Access).await? else { return Err(no_access_token()) };
    let refresh_token = match open(app, customer, grant, Field::Refresh).await? {
        Some(token) => Some(seal(app, customer, grant, Field::Refresh, &token).await?),
        None => None,
    };
    let access_token = seal(app, customer, grant, Field::Access, &access).await?;
    let new = Grant { access_token, refresh_token, ..grant.clone() };
    let is_ours = app.store.replace_sealed_tokens(customer, grant, &new).await?;
    Ok(if is_ours { Seals::Renewed } else { Seals::Overtaken })
}

fn no_access_token() -> Error {
    Error::internal("a grant has no access token")
}

/// The grant as it is after tokens were issued for it, on a request that was sent at `since`. An answer without a
/// refresh token keeps the old one.
pub async fn seal_tokens(
    app: &App,
    customer: CustomerId,
    grant: &Grant,
    tokens: &Tokens,
    since: Timestamp,
) -> Result<Grant, Error> {
    let kept = match tokens.refresh_token {
        Some(_) => None,
        // Sealed anew too: its key may be on the way out.
        None => open(app, customer, grant, Field::Refresh).await?,
    };
    let refresh_token = match tokens.refresh_token.as_ref().or(kept.as_ref()) {
        Some(token) => Some(seal(app, customer, grant, Field::Refresh, token).await?),
        None => None,
    };
    let ttl = tokens.ttl.map_or(Ok(WITHOUT_END), SignedDuration::try_from).map_err(Error::internal)?;
    Ok(Grant {
        id: grant.id.clone(),
        platform: grant.platform,
        access_token: seal(app, customer, grant, Field::Access, &tokens.access_token).await?,
        access_expires_at: since.checked_add(ttl).map_err(Error::internal)?,
        access_ttl_s: ttl.as_secs(),
        refresh_token,
        version: grant.version + 1,
        retry_at: None,
        ended: false,
    })
}

async fn seal(
    app: &App,
    customer: CustomerId,
    grant: &Grant,
    field: Field,
    secret: &SecretString,
) -> Result<String, Error> {
    let customer = customer.to_string();
    app.keys.seal(binding(&customer, grant, field), secret).await.map_err(Error::internal)
}

fn binding<'a>(customer: &'a str, grant: &'a Grant, field: Field) -> Binding<'a> {
    let field = match field {
        Field::Access => "access_token",
        Field::Refresh => "refresh_token",
    };
    Binding { customer, record: &grant.id.0, field }
}
