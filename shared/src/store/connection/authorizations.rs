//! OAuth authorizations in progress, between the consent page and the callback, by their `state` parameter. A consent
//! that waits for the caller's confirmation is one by its confirmation code.

use super::item::pending_item;
use crate::domain::{Connection, ConnectionId, CustomerId, ExternalRef, Platform, RedirectUri};
use crate::error::Error;
use crate::store::conditional::conditional_delete;
use crate::store::transactions::{put_write, update_write};
use crate::store::{Store, Values, from_item, number, table_keys, text, to_item};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as, skip_serializing_none};

/// An authorization in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authorization {
    /// SHA-256 of the state, in hex. The state itself is not stored.
    pub state_hash: String,
    pub customer: CustomerId,
    pub platform: Platform,
    pub connection: ConnectionId,
    /// Sealed PKCE verifier.
    pub verifier: String,
    /// The callback address sent to the platform. The token exchange must repeat it.
    pub redirect_uri: String,
    /// Where the user goes, if not to the service's own page.
    pub return_to: Option<ReturnTarget>,
    /// The customer's user who is asked for consent.
    pub external_ref: Option<ExternalRef>,
    /// Expiry of the state.
    pub expires_at: Timestamp,
}

/// The customer's page to which a callback redirects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnTarget {
    /// A redirect URI of the customer, or the page of the dashboard.
    pub uri: RedirectUri,
    /// The caller's own state, which comes back as it is.
    pub state: Option<String>,
    /// Whether the accounts are connected only when the caller confirms that its user has consented.
    pub needs_confirmation: bool,
}

/// The authorizations of a customer that are in progress, as a request has read them.
#[derive(Clone, Debug)]
pub struct InProgress {
    pub pending: Vec<Connection>,
    /// The number of authorizations begun until then; `None` before the first.
    begun: Option<i64>,
}

#[derive(Deserialize)]
struct CountItem {
    begun: i64,
}

#[serde_as]
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct AuthorizationItem {
    customer_id: CustomerId,
    #[serde_as(as = "DisplayFromStr")]
    platform: Platform,
    connection_id: ConnectionId,
    verifier: String,
    redirect_uri: String,
    return_to: Option<String>,
    return_state: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    needs_confirmation: bool,
    /// Sealed authorization code of a consent that waits for its confirmation.
    sealed_code: Option<String>,
    external_ref: Option<ExternalRef>,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
}

impl AuthorizationItem {
    fn of(authorization: &Authorization, sealed_code: Option<&str>) -> AuthorizationItem {
        let return_target = authorization.return_to.as_ref();
        AuthorizationItem {
            customer_id: authorization.customer,
            platform: authorization.platform,
            connection_id: authorization.connection.clone(),
            verifier: authorization.verifier.clone(),
            redirect_uri: authorization.redirect_uri.clone(),
            return_to: return_target.map(|return_target| return_target.uri.as_str().to_owned()),
            return_state: return_target.and_then(|return_target| return_target.state.clone()),
            needs_confirmation: return_target.is_some_and(|return_target| return_target.needs_confirmation),
            sealed_code: sealed_code.map(str::to_owned),
            external_ref: authorization.external_ref.clone(),
            expires_at: authorization.expires_at,
        }
    }

    fn authorization(self, state_hash: &str) -> Result<Authorization, Error> {
        let uri = self.return_to.as_deref().map(RedirectUri::parse).transpose().map_err(Error::internal)?;
        let (state, needs_confirmation) = (self.return_state, self.needs_confirmation);
        Ok(Authorization {
            state_hash: state_hash.to_owned(),
            customer: self.customer_id,
            platform: self.platform,
            connection: self.connection_id,
            verifier: self.verifier,
            redirect_uri: self.redirect_uri,
            return_to: uri.map(|uri| ReturnTarget { uri, state, needs_confirmation }),
            external_ref: self.external_ref,
            expires_at: self.expires_at,
        })
    }
}

impl Store {
    /// Reads the authorizations in progress. The count is read first, so that one that begins between the two reads is
    /// not overlooked by [`Store::begin_authorization`].
    pub async fn authorizations_in_progress(&self, customer: CustomerId, now: Timestamp) -> Result<InProgress, Error> {
        let count = self.read(&table_keys::authorization_count(customer)).await?;
        let count = count.map(from_item::<CountItem>).transpose()?;
        let pending = self.pending_connections(customer, now).await?;
        Ok(InProgress { pending, begun: count.map(|count| count.begun) })
    }

    /// Stores an authorization and its PENDING connection in one transaction. `false`, with nothing stored, if another
    /// one has begun since `seen` was read.
    pub async fn begin_authorization(
        &self,
        authorization: &Authorization,
        seen: &InProgress,
        now: Timestamp,
        pending_until: Timestamp,
    ) -> Result<bool, Error> {
        let item = AuthorizationItem::of(authorization, None);
        let state = to_item(&table_keys::authorization(&authorization.state_hash), &item)?;
        let pending = pending_item(authorization, now, pending_until)?;
        let count = self
            .update_item(&table_keys::authorization_count(authorization.customer))
            .update_expression("ADD begun :one")
            .value(":one", number(1));
        let count = match seen.begun {
            None => count.condition_expression("attribute_not_exists(pk)"),
            Some(begun) => count.condition_expression("begun = :begun").value(":begun", number(begun)),
        };
        let writes = vec![put_write(self.put_item(state))?, put_write(self.put_item(pending))?, update_write(count)?];
        Ok(self.transact(writes).await?.is_empty())
    }

    /// Takes an authorization; of several calls with one state exactly one gets it. `None` for a state that is unknown,
    /// expired, used, or of another platform. A call with the wrong platform does not use up the state.
    pub async fn take_authorization(
        &self,
        state_hash: &str,
        platform: Platform,
        now: Timestamp,
    ) -> Result<Option<Authorization>, Error> {
        let delete = self
            .delete_item(&table_keys::authorization(state_hash))
            .condition_expression("platform = :platform AND expires_at > :now AND attribute_not_exists(sealed_code)")
            .values([(":platform", text(platform.as_str())), (":now", number(now.as_second()))]);
        let Some(attributes) = conditional_delete(delete).await? else { return Ok(None) };
        from_item::<AuthorizationItem>(attributes)?.authorization(state_hash).map(Some)
    }

    /// Stores an authorization whose consent waits for the caller's confirmation, with its sealed authorization code.
    /// `state_hash` is that of the confirmation.
    pub async fn hold_consent(&self, authorization: &Authorization, sealed_code: &str) -> Result<(), Error> {
        let item = AuthorizationItem::of(authorization, Some(sealed_code));
        self.put(to_item(&table_keys::authorization(&authorization.state_hash), &item)?).await
    }

    /// Takes a consent that waits for its confirmation, and its sealed code; of several calls exactly one gets it. `None`
    /// for one that is unknown, expired, taken, or of another connection. A call with another connection uses up
    /// nothing.
    pub async fn take_held_consent(
        &self,
        state_hash: &str,
        connection: &ConnectionId,
        now: Timestamp,
    ) -> Result<Option<(Authorization, String)>, Error> {
        let delete = self
            .delete_item(&table_keys::authorization(state_hash))
            .condition_expression("connection_id = :connection AND expires_at > :now AND attribute_exists(sealed_code)")
            .values([(":connection", text(&connection.0)), (":now", number(now.as_second()))]);
        let Some(attributes) = conditional_delete(delete).await? else { return Ok(None) };
        let mut item: AuthorizationItem = from_item(attributes)?;
        let code = item.sealed_code.take().ok_or_else(|| Error::internal("a held consent without its code"))?;
        Ok(Some((item.authorization(state_hash)?, code)))
    }
}
