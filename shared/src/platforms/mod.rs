//! The ad platforms: one interface, one folder each, one registry.

pub mod alpha;
pub mod answers;
pub mod beta;
pub mod capabilities;
pub mod config;
pub mod delta;
pub mod epsilon;
#[cfg(test)]
mod fake;
pub mod gamma;
pub mod oauth;
#[cfg(test)]
mod recorded;
pub mod revocation;
pub mod rows;
pub mod settings;
pub mod version;
pub mod zeta;

use crate::domain::{AdAccount, Campaign, CampaignChanges, CampaignDraft, Marker, Platform, StatusSet};
use crate::error::Error;
use crate::outbound::{Answer, Outbound};
use async_trait::async_trait;
use capabilities::Capabilities;
use config::PlatformConfig;
use http::HeaderMap;
use jiff::Timestamp;
use oauth::{AuthorizeRequest, CodeExchange, RefreshPolicy, Tokens};
use secrecy::SecretString;
use settings::Settings;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use version::ApiVersion;

/// The adapter of a platform.
pub fn adapter(platform: Platform) -> &'static dyn AdPlatform {
    match platform {
        Platform::Alpha => &alpha::Alpha,
        Platform::Beta => &beta::Beta,
        Platform::Gamma => &gamma::Gamma,
        Platform::Delta => &delta::Delta,
        Platform::Epsilon => &epsilon::Epsilon,
        Platform::Zeta => &zeta::Zeta,
    }
}

/// What every call to a platform needs, whoever it is for.
#[derive(Clone, Debug)]
pub struct CallContext {
    /// The HTTP client.
    pub outbound: Outbound,
    /// Addresses, and our client there.
    pub config: Arc<PlatformConfig>,
    /// When the call must have ended.
    pub deadline: Instant,
    /// The time of the request.
    pub now: Timestamp,
}

/// A call to a platform on behalf of one ad account.
#[derive(Clone, Debug)]
pub struct Session {
    /// How to reach the platform.
    pub call: CallContext,
    /// Whose campaigns.
    pub account: AdAccount,
    /// A usable access token.
    pub token: SecretString,
}

/// The tokens of a grant that is to end.
#[derive(Debug)]
pub struct RevokedGrant {
    /// The access token, living or not.
    pub access_token: SecretString,
    /// The refresh token, where there is one.
    pub refresh_token: Option<SecretString>,
}

/// One page of an account's campaigns.
#[derive(Debug)]
pub struct CampaignPage {
    /// Campaigns in the platform's order, newest first where it can order so.
    pub campaigns: Vec<Campaign>,
    /// Where the next page begins, for each campaign of this one: `positions[i]` continues after `campaigns[i]`.
    pub positions: Vec<String>,
    /// Whether there are more behind the last.
    pub has_more: bool,
}

/// What to list in one account.
#[derive(Clone, Debug)]
pub struct ListRequest {
    /// States to include.
    pub statuses: StatusSet,
    /// At most this many, at least 1.
    pub limit: usize,
    /// A position of an earlier page.
    pub after: Option<String>,
}

/// The interface that every platform's adapter has.
///
/// Errors name the platform. [`crate::error::Kind::TokenExpired`] means that the access token was refused (the
/// caller refreshes once); [`crate::error::Kind::Forbidden`] that the account is out of reach for another reason.
#[async_trait]
pub trait AdPlatform: Send + Sync {
    /// What the platform can express: the one table that validators and documentation read.
    fn capabilities(&self) -> &'static Capabilities;

    /// The version of the platform's API that is called.
    fn api_version(&self, settings: &Settings) -> ApiVersion;

    /// The address of the consent page.
    fn authorize_url(&self, config: &PlatformConfig, request: &AuthorizeRequest<'_>) -> Result<String, Error>;

    /// Name of the callback's parameter that carries the authorization code.
    fn code_parameter(&self) -> &'static str {
        "code"
    }

    /// What the callback's `iss` parameter must say when it is there (RFC 9207); `None` for a platform that sends none.
    fn issuer(&self) -> Option<&'static str> {
        None
    }

    /// Exchanges an authorization code for tokens.
    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error>;

    /// Obtains a new access token. [`crate::error::Kind::TokenExpired`] when the grant is dead.
    async fn refresh(&self, call: &CallContext, refresh_token: &SecretString) -> Result<Tokens, Error>;

    /// How a refresh behaves there, from which follows how long one refresher has a grant to itself.
    fn refresh_policy(&self) -> &'static RefreshPolicy {
        &RefreshPolicy::REPEATABLE
    }

    /// Ends a grant at the platform. Nothing is sent where the platform has no revocation for what we hold. The
    /// outcome is for the log only: what we keep of the grant is gone already.
    async fn revoke(&self, call: &CallContext, grant: &RevokedGrant) -> Result<(), Error>;

    /// The ad accounts that a token reaches and that can hold campaigns.
    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error>;

    /// Tells an answer by which the platform says that it failed from one by which it refuses: after a failure a read
    /// is sent again, and after several the platform is spared.
    fn is_broken(&self) -> fn(&Answer) -> bool {
        |answer| answer.status.is_server_error()
    }

    /// For how long an answer, of success or not, asks to leave its ad account alone, by its headers. What an error
    /// says in its body is in [`Error::retry_after`].
    fn requested_pause(&self, headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
        answers::retry_after(headers, now)
    }

    /// Refuses what the platform cannot hold, before anything is sent: field by field, in our words.
    fn check_draft(&self, account: &AdAccount, draft: &CampaignDraft) -> Result<(), Error>;

    /// Creates a PAUSED campaign with its own budget, and gives it the marker where the platform has a place for one.
    /// Never retried; when it is not known whether the campaign was created the error is not retryable and says so.
    async fn create_campaign(
        &self,
        session: &Session,
        draft: &CampaignDraft,
        marker: &Marker,
    ) -> Result<Campaign, Error>;

    /// Whether the platform may pass over the order to create a campaign switched off. [`AdPlatform::create_campaign`]
    /// then switches it off; one that comes back switched on could not be.
    fn may_create_active(&self) -> bool {
        false
    }

    /// The campaigns that may have come of a create with this marker: those that carry it, where the platform keeps
    /// it, else all that [`Marker::fits`]; the oldest first. Goes to the end of what there is, or fails: that nothing
    /// is found must mean that nothing is there.
    async fn find_created(
        &self,
        session: &Session,
        draft: &CampaignDraft,
        marker: &Marker,
    ) -> Result<Vec<Campaign>, Error>;

    /// Lists campaigns.
    async fn list_campaigns(&self, session: &Session, request: &ListRequest) -> Result<CampaignPage, Error>;

    /// Reads one campaign, removed ones included where the platform still knows them.
    async fn get_campaign(&self, session: &Session, remote_id: &str) -> Result<Campaign, Error>;

    /// Applies changes that differ from `current` and answers the campaign as it now is. To repeat it is safe. An
    /// error after a part was carried out is of unknown outcome, and may be retryable all the same.
    async fn update_campaign(
        &self,
        session: &Session,
        current: &Campaign,
        changes: &CampaignChanges,
    ) -> Result<Campaign, Error>;

    /// Removes a campaign, or archives it where the platform has no removal.
    async fn delete_campaign(&self, session: &Session, current: &Campaign) -> Result<(), Error>;
}
