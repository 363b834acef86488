//! The platform engine: the parts of an adapter that are the same for every platform.
//!
//! An adapter states facts and translates; it reads no clock, no settings and no network while it translates. The
//! engine sends, decides the outcome of a create, loops over pages, and joins the parts. A platform that differs
//! overrides a provided method of [`AdPlatform`]; the engine has no switches.
//!
//! A create goes through four steps:
//!
//! 1. [`AdPlatform::prepare_create`] checks and translates the draft once, before anything is stored.
//! 2. [`AdPlatform::complete_create`] adds what only the platform knows, such as a pixel or a campaign group.
//! 3. The engine sends the request once. [`AdPlatform::read_created`] reads the campaign from an answer of success;
//!    [`AdPlatform::create_failure`] tells a refusal from an unknown outcome.
//! 4. [`AdPlatform::finish_create`] reads the campaign back, or switches it off, where the platform makes that
//!    necessary. It cannot fail, because the campaign exists.
//!
//! Lists share their page loop and [`list::by_tokens`]. Four platforms have positions of their own, because they continue
//! after an id, choose the size of each page, or have two lists; one function for all would consist of switches.

pub mod accounts;
pub mod call;
pub mod create;
pub mod find;
pub mod list;
pub mod page;
pub mod spend;

use super::answers;
use super::capabilities::Capabilities;
use super::config::PlatformConfig;
use super::oauth::{self, AuthorizeRequest, CodeExchange, Flow, RefreshPolicy, Tokens};
use super::revocation::{self, Revocation, RevokedGrant};
use super::settings::Settings;
use super::version::ApiVersion;
use crate::domain::{AdAccount, Campaign, CampaignChanges, CampaignDraft, Marker, Platform};
use crate::error::{Error, Kind};
use crate::outbound::{Answer, Outgoing};
use async_trait::async_trait;
use call::{Api, CallContext, Client, Session};
use create::{CreateFailure, CreateInput, PreparedCreate};
use find::{Evidence, Search};
use http::HeaderMap;
use jiff::Timestamp;
use list::{CampaignPage, ListRequest};
use page::{Page, Pages};
use secrecy::SecretString;
use serde_json::value::RawValue;
use std::ops::ControlFlow;
use std::time::Duration;

/// The interface of a platform's adapter: facts, pure translation, and provided methods that call the engine.
///
/// Errors name the platform. [`crate::error::Kind::TokenExpired`] means that the access token was refused (the
/// caller refreshes once); [`crate::error::Kind::Forbidden`] that the account is out of reach for another reason.
#[async_trait]
pub trait AdPlatform: Send + Sync {
    /// The protocol of the platform's API.
    fn api(&self) -> &'static Api;

    /// The capabilities of the platform. Validators and documentation read this table.
    fn capabilities(&self) -> &'static Capabilities;

    /// The version of the platform's API that is called.
    fn api_version(&self, settings: &Settings) -> ApiVersion;

    /// The OAuth flow.
    fn flow(&self) -> &'static Flow;

    /// The token revocation of RFC 7009; `None` for a platform that has none for the tokens we hold.
    fn revocation(&self) -> Option<&'static Revocation> {
        None
    }

    /// Name of the callback's parameter that carries the authorization code.
    fn code_parameter(&self) -> &'static str {
        "code"
    }

    /// The only value that the callback's `iss` parameter may have (RFC 9207); `None` for a platform that sends none.
    fn issuer(&self) -> Option<&'static str> {
        None
    }

    /// The behavior of a refresh, which decides the duration of the lease on a grant.
    fn refresh_policy(&self) -> &'static RefreshPolicy {
        &RefreshPolicy::REPEATABLE
    }

    /// Recognizes a failure of the platform itself, as opposed to a refusal. After a failure a read is sent again, and
    /// after several the circuit breaker opens.
    fn is_broken(&self) -> fn(&Answer) -> bool {
        |answer| answer.status.is_server_error()
    }

    /// The pause for the ad account that the headers of any answer request. The wait in the body of an error is in
    /// [`Error::retry_after`].
    fn requested_pause(&self, headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
        answers::retry_after(headers, now)
    }

    /// The address of the consent page.
    fn authorize_url(&self, config: &PlatformConfig, request: &AuthorizeRequest<'_>) -> Result<String, Error> {
        oauth::authorize_url(config, self.flow(), request)
    }

    /// Exchanges an authorization code for tokens.
    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        oauth::exchange(call, self.flow(), exchange).await
    }

    /// Obtains a new access token. [`crate::error::Kind::TokenExpired`] when the grant is revoked.
    async fn refresh(&self, call: &CallContext, refresh_token: &SecretString) -> Result<Tokens, Error> {
        oauth::refresh(call, self.flow(), refresh_token).await
    }

    /// Ends a grant at the platform. The outcome is for the log only: our record of the grant is deleted already.
    async fn revoke(&self, call: &CallContext, grant: &RevokedGrant) -> Result<(), Error> {
        match self.revocation() {
            Some(revocation) => revocation::revoke(call, revocation, grant).await,
            None => Ok(()),
        }
    }

    /// The ad accounts that a token reaches and that can hold campaigns.
    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error>;

    /// Checks a draft and translates it. Rejects what the platform cannot hold, field by field.
    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error>;

    /// Adds to a create the parts that only the platform knows. It creates no campaign.
    async fn complete_create(&self, _: &Session, prepared: &PreparedCreate) -> Result<PreparedCreate, Error> {
        Ok(prepared.clone())
    }

    /// Reads the new campaign from an answer of success.
    fn read_created(&self, account: &AdAccount, prepared: &PreparedCreate, answer: &Answer) -> Result<Campaign, Error>;

    /// Separates a refused create from one of unknown outcome.
    fn create_failure(&self, answer: &Answer, error: Error) -> CreateFailure {
        CreateFailure::of(answer, error)
    }

    /// Completes a campaign that was just created.
    async fn finish_create(&self, _: &Session, created: Campaign) -> Campaign {
        created
    }

    /// Creates a PAUSED campaign with its own budget. Never retried; when the outcome is not known the error says so
    /// and is not retryable.
    async fn create_campaign(&self, session: &Session, prepared: &PreparedCreate) -> Result<Campaign, Error> {
        let prepared = self.complete_create(session, prepared).await?;
        let read = |answer: &Answer| self.read_created(&session.account, &prepared, answer);
        let failure = |answer: &Answer, error| self.create_failure(answer, error);
        let created = create::send(&Client::of(self.api(), session), &prepared, read, failure).await?;
        Ok(self.finish_create(session, created).await)
    }

    /// The platform may ignore the PAUSED state of a create. [`AdPlatform::finish_create`] then switches the
    /// campaign off; one that is returned as ACTIVE could not be.
    fn may_create_active(&self) -> bool {
        false
    }

    /// The request for a page of campaigns, to search for the create of a draft.
    fn find_request(&self, account: &AdAccount, draft: &CampaignDraft, token: Option<&str>) -> Result<Outgoing, Error>;

    /// Reads a page of campaigns. `called` is the address that the answer came from.
    fn read_page(&self, called: &str, answer: &Answer) -> Result<Page, Error>;

    /// Reads a campaign from a row; `None` for a row without a visible campaign.
    fn read_row(&self, account: &AdAccount, row: &RawValue, now: Timestamp) -> Result<Option<Campaign>, Error>;

    /// The relation of a campaign to the create of a draft.
    fn evidence(&self, campaign: &Campaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error>;

    /// Returns `true` if no campaign after this page can be the result of the create.
    fn is_past(&self, _: &[Campaign], _: &Marker) -> bool {
        false
    }

    /// The error of a call that names no campaign. A 404 then is about the ad account.
    fn account_error(&self, error: Error) -> Error {
        error
    }

    /// The campaigns that a create with this marker may have created: those that carry it, where the platform keeps
    /// it, else all that fit the draft; the oldest first. Reads to the end of what there is, or fails: an empty
    /// result means that there is no such campaign.
    async fn find_created(
        &self,
        session: &Session,
        draft: &CampaignDraft,
        marker: &Marker,
    ) -> Result<Vec<Campaign>, Error> {
        let (account, platform) = (&session.account, self.api().platform);
        let request = |token: Option<&str>| self.find_request(account, draft, token);
        let pages = Pages::new(request, |called, answer| self.read_page(called, answer));
        let mut search = Search::default();
        let visit = |_: Option<&str>, page: Page| {
            // A row that cannot be read may be the campaign.
            let rows = page.rows.iter().filter_map(|row| self.read_row(account, row, session.call.now).transpose());
            let rows: Result<Vec<Campaign>, Error> = rows.collect();
            let rows = rows.map_err(|error| not_absent(platform, error))?;
            let is_past = self.is_past(&rows, marker);
            for campaign in rows {
                search.add(self.evidence(&campaign, draft, marker)?, campaign);
            }
            Ok(if is_past { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let client = Client::of(self.api(), session);
        pages.visit(&client, None, visit).await.map_err(|error| self.account_error(error))?;
        search.result(platform)
    }

    /// Lists campaigns.
    async fn list_campaigns(&self, session: &Session, request: &ListRequest) -> Result<CampaignPage, Error>;

    /// Reads one campaign, removed ones included where the platform still knows them.
    async fn get_campaign(&self, session: &Session, remote_id: &str) -> Result<Campaign, Error>;

    /// Applies changes that differ from `current` and returns the changed campaign. Safe to repeat. An error after a
    /// part was applied is of unknown outcome, and may be retryable.
    async fn update_campaign(
        &self,
        session: &Session,
        current: &Campaign,
        changes: &CampaignChanges,
    ) -> Result<Campaign, Error>;

    /// Removes a campaign, or archives it where the platform has no removal.
    async fn delete_campaign(&self, session: &Session, current: &Campaign) -> Result<(), Error>;
}

/// A campaign of another account in a search is an answer to another question, and does not prove absence.
fn not_absent(platform: Platform, error: Error) -> Error {
    if error.kind == Kind::NotFound { answers::unreadable(platform, error) } else { error }
}

#[cfg(test)]
mod tests;
