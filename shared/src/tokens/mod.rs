//! Calls to platforms on behalf of a customer: a usable access token, and the state of a connection after each call.

mod access;
mod account_pause;
mod checks;
mod connection_state;
mod maintenance;
mod refresh;
mod revoke;
mod seal;

pub use checks::GrantChecks;
pub use connection_state::ConnectionCheck;
pub use seal::{reseal_grant, seal_tokens};

use crate::app::App;
use crate::domain::{
    AdAccount, CampaignChanges, Connection, ConnectionStatus, CustomerConnections, CustomerId, Grant, Platform,
    PlatformCampaign, Reason,
};
use crate::error::{Error, Kind};
use crate::outbound::{CalledAccount, HeaderRecorder, Outbound};
use crate::platforms::errors::token_expired;
use crate::platforms::{AccountSession, AdPlatform, CallContext, DryRun, adapter};
use access::Access;
use jiff::Timestamp;
use std::sync::Arc;
use tokio::time::Instant;

/// The context of calls to platforms within one request: the customer, its connections, and the deadline.
#[derive(Clone, Copy)]
pub struct PlatformContext<'a> {
    /// The parts of the service.
    pub app: &'a Arc<App>,
    /// Sends the calls.
    pub outbound: &'a Outbound,
    pub customer: CustomerId,
    /// The customer's connections and grants, read at the start of the request.
    pub connected: &'a CustomerConnections,
    /// The time of the request.
    pub now: Timestamp,
    /// The end of all platform calls.
    pub deadline: Instant,
}

/// The purpose of work in an ad account.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Reads or changes campaigns: the outcome shows whether the connection works.
    Campaigns,
    /// Reads a report. Reports have rights and limits of their own, so only an ended grant shows in the outcome.
    Report,
}

impl Purpose {
    /// Whether the outcome shows the state of the connection.
    fn shows_state(self, error: Option<&Error>) -> bool {
        self == Purpose::Campaigns || error.is_some_and(|error| error.kind == Kind::TokenExpired)
    }
}

impl PlatformContext<'_> {
    /// Runs `work` in the ad account of a connection: acquires a usable token, runs the work, and records the state of
    /// the connection.
    ///
    /// A refused access token is refreshed once and the work repeated, because a refused call has no effect. If the
    /// grant has ended, its connections become REVOKED, and only a new authorization ends that. If the account is
    /// unreachable for another reason, the connection becomes ERROR, and ACTIVE once it works again. Nothing is sent
    /// while the platform asks for a pause.
    pub async fn in_account<T, F>(
        &self,
        connection: &Connection,
        work: impl Fn(&'static dyn AdPlatform, AccountSession) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        self.run_for(Purpose::Campaigns, connection, &work).await
    }

    /// Reads a campaign in the ad account of a connection.
    pub async fn get_campaign(&self, connection: &Connection, remote_id: &str) -> Result<PlatformCampaign, Error> {
        let read = |adapter: &'static dyn AdPlatform, session: AccountSession| async move {
            adapter.get_campaign(&session, remote_id).await
        };
        self.in_account(connection, read).await
    }

    /// Asks what an update would send, and whether the platform would accept it. `current` is the campaign as it was read, and
    /// the changes differ from it; without any nothing is sent.
    pub async fn dry_run_update(
        &self,
        connection: &Connection,
        current: &PlatformCampaign,
        changes: &CampaignChanges,
    ) -> Result<DryRun, Error> {
        if changes.is_empty() {
            return Ok(DryRun::new(Vec::new(), Ok(())));
        }
        let run = |adapter: &'static dyn AdPlatform, session: AccountSession| async move {
            adapter.dry_run_update(&session, current, changes).await
        };
        self.in_account(connection, run).await
    }

    /// Like [`PlatformContext::in_account`] for work that reads a report. Its outcome says nothing about the account,
    /// unless the grant has ended: a report that is refused or throttled must not stop changes of campaigns. Only the
    /// headers of the responses may pause the account.
    pub async fn read_report<T, F>(
        &self,
        connection: &Connection,
        work: impl Fn(&'static dyn AdPlatform, AccountSession) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        self.run_for(Purpose::Report, connection, &work).await
    }

    async fn run_for<T, F>(
        &self,
        purpose: Purpose,
        connection: &Connection,
        work: &impl Fn(&'static dyn AdPlatform, AccountSession) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let account = match &connection.account {
            Some(account) if connection.status != ConnectionStatus::Revoked => account,
            _ => return Err(token_expired(connection.platform)),
        };
        self.require_not_paused(connection)?;
        let outcome = match self.acquire_for(connection).await {
            Ok(access) => self.run(purpose, connection, account, access, work).await,
            Err(error) => Err(error),
        };
        let error = outcome.as_ref().err();
        if purpose.shows_state(error) {
            self.record_state(connection, error).await;
        }
        outcome
    }

    async fn acquire_for(&self, connection: &Connection) -> Result<Access, Error> {
        self.acquire(find_grant(self.connected, connection)?).await
    }

    /// Runs the work, and once more with a fresh token if the platform refuses the first.
    async fn run<T, F>(
        &self,
        purpose: Purpose,
        connection: &Connection,
        account: &AdAccount,
        access: Access,
        work: &impl Fn(&'static dyn AdPlatform, AccountSession) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        match self.run_once(purpose, connection, account, &access, work).await {
            Err(refused) if refused.kind == Kind::TokenExpired => {
                let renewed = self.renew(access).await?;
                self.run_once(purpose, connection, account, &renewed, work).await
            }
            outcome => outcome,
        }
    }

    /// Runs the work under the platform's call policy, and records the pause that its responses ask for.
    async fn run_once<T, F>(
        &self,
        purpose: Purpose,
        connection: &Connection,
        account: &AdAccount,
        access: &Access,
        work: &impl Fn(&'static dyn AdPlatform, AccountSession) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let Access { adapter, call, token, .. } = access;
        let breakers = match purpose {
            Purpose::Campaigns => &call.config.breakers,
            Purpose::Report => &call.config.report_breakers,
        };
        let recorder = HeaderRecorder::default();
        let called = CalledAccount {
            customer: self.customer.0,
            user: connection.external_ref.as_ref().map(|user| user.as_str().into()),
            account: account.id.as_str().into(),
        };
        let outbound = call.outbound.with_call_policy(breakers, called.clone(), adapter.facts().is_broken);
        let outbound = outbound.with_recorder(&recorder);
        let call = CallContext { outbound, ..call.clone() };
        let session = AccountSession { call, account: account.clone(), token: token.clone() };
        let outcome = work(*adapter, session).await;
        let requested = account_pause::requested_pause(*adapter, &recorder, self.app.clock.now());
        let error = match purpose {
            Purpose::Campaigns => outcome.as_ref().err(),
            Purpose::Report => None,
        };
        self.record_pause(connection, requested, error).await;
        let wait = requested.or_else(|| breakers.open_breaker(&called).map(|open_breaker| open_breaker.wait));
        outcome.map_err(|error| account_pause::with_retry_after(error, wait))
    }

    /// The adapter of a platform and the context of a call to it.
    pub fn call_context(&self, platform: Platform) -> Result<(&'static dyn AdPlatform, CallContext), Error> {
        let Some(config) = self.app.platform_config(platform) else {
            let message = format!("OAuth client for {platform} is not configured; the platform cannot be connected.");
            return Err(Error::new(Kind::NotSupported, message).because(Reason::NotConfigured).on(platform));
        };
        let call = CallContext {
            outbound: self.outbound.clone(),
            config: config.clone(),
            deadline: self.deadline,
            now: self.now,
        };
        Ok((adapter(platform), call))
    }
}

/// The grant of a connection, from the same read of the store.
fn find_grant<'a>(connected: &'a CustomerConnections, connection: &Connection) -> Result<&'a Grant, Error> {
    let grant = connection.grant_id.as_ref().and_then(|id| connected.grant(id));
    grant.ok_or_else(|| token_expired(connection.platform))
}
