//! Sign-ins in progress, between the start and the issuer's redirect, by their `state` parameter.

use crate::error::Error;
use crate::store::conditional::conditional_delete;
use crate::store::{Store, Values, from_item, number, table_keys, text, to_item};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

/// Lifetime of a sign-in in progress.
const SIGN_IN_TTL: SignedDuration = SignedDuration::from_mins(10);

/// Names an invitation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvitedTo {
    /// The customer's id.
    pub customer: Uuid,
    /// SHA-256 of the invitation, in hex.
    pub hash: String,
}

/// A sign-in in progress.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignIn {
    /// SHA-256 of the secret of the browser that began it, in hex. PKCE verifier and nonce derive from that secret.
    pub browser: String,
    /// The page of the dashboard to show afterwards.
    pub return_to: String,
    /// The invitation that the person follows.
    pub invitation: Option<InvitedTo>,
    /// Whether the issuer must ask the person again.
    pub must_be_recent: bool,
}

#[derive(Serialize, Deserialize)]
struct SignInItem {
    #[serde(flatten)]
    sign_in: SignIn,
    /// Seconds since 1970.
    expires_at: i64,
}

impl Store {
    /// Stores a sign-in in progress.
    pub async fn put_sign_in(&self, state_hash: &str, sign_in: SignIn, now: Timestamp) -> Result<(), Error> {
        let item = SignInItem { sign_in, expires_at: (now + SIGN_IN_TTL).as_second() };
        let item = to_item(&table_keys::sign_in(state_hash), &item)?;
        self.put(item).await
    }

    /// Takes a sign-in; of several calls with one state exactly one gets it. `None` for a state that is unknown,
    /// expired, used, or of another browser, whose call does not use it up.
    pub async fn take_sign_in(&self, state_hash: &str, browser: &str, now: Timestamp) -> Result<Option<SignIn>, Error> {
        let delete = self
            .delete_item(&table_keys::sign_in(state_hash))
            .condition_expression("browser = :browser AND expires_at > :now")
            .values([(":browser", text(browser)), (":now", number(now.as_second()))]);
        let item = conditional_delete(delete).await?;
        item.map(|item| from_item::<SignInItem>(item).map(|item| item.sign_in)).transpose()
    }
}
