//! The service under test: the real code for tokens and leases, over the simulated network and table.

use super::network::Network;
use super::state::{Holder, StateHandle};
use super::store;
use crate::consents::{new_connection, store_consent};
use crate::in_process::engine::TABLE;
use crate::in_process::receivers::Receivers;
use dynoxide::Database;
use http::{HeaderMap, Method};
use jiff::{SignedDuration, Timestamp};
use secrecy::ExposeSecret;
use shared::app::App;
use shared::clock::Clock;
use shared::domain::{
    Connection, ConnectionId, Customer, CustomerConnections, CustomerId, Grant, GrantId, Plan, Platform,
};
use shared::error::{Error, Kind};
use shared::outbound::{OutboundRequest, secret_header};
use shared::platforms::AccountSession;
use shared::platforms::config::{Client, PlatformConfig};
use shared::platforms::errors::token_expired;
use shared::platforms::oauth::Tokens;
use shared::platforms::settings::Settings;
use shared::store::{Account, Store};
use shared::tokens::{PlatformContext, seal_tokens};
use std::collections::BTreeMap;
use std::sync::Arc;
use tests::app;
use tokio::time::{Duration, Instant};
use uuid::Uuid;

/// One process of the service.
#[derive(Clone)]
pub(super) struct Service {
    pub(super) holder: Holder,
    pub(super) app: Arc<App>,
    pub(super) customer: CustomerId,
}

impl Service {
    pub(super) fn start(state: &StateHandle, database: &Database, began: Instant, customer: CustomerId) -> Service {
        let holder = Holder::new(state);
        let platform = if state.lock().platform.rotates { Platform::Epsilon } else { Platform::Alpha };
        let client = Client { client_id: "id".into(), client_secret: "secret".into(), developer_token: None };
        let config = PlatformConfig::new(platform, client, Settings::default(), Some("http://{platform}"));
        let network = Arc::new(Network { holder: holder.clone(), state: state.clone() });
        let first: Timestamp = "2026-11-20T00:00:00Z".parse().expect("a time");
        let clock = Clock::from_fn(move || first + SignedDuration::try_from(began.elapsed()).expect("a time"));
        let app = App {
            platforms: BTreeMap::from([(platform, Arc::new(config))]),
            ..app(
                Store::new(store::client(&holder, state, database), TABLE),
                network,
                clock,
                Arc::new(Receivers::default()),
            )
        };
        Service { holder, app: Arc::new(app), customer }
    }

    /// Connects the ad account, as a callback does.
    pub(super) async fn connect(&self) {
        let now = self.app.clock.now();
        let platform = *self.app.platforms.keys().next().expect("a platform");
        let unsealed = Grant::without_tokens(GrantId("grant_of_the_run".into()), platform, now);
        let tokens = Tokens {
            access_token: "access-0".into(),
            ttl: Some(super::platform::TOKEN_LIFE),
            refresh_token: Some("refresh-0".into()),
            granted: None,
        };
        let grant = seal_tokens(&self.app, self.customer, &unsealed, &tokens, now).await.expect("a grant");
        let store = &self.app.store;
        let customer = Customer {
            id: self.customer,
            email: String::new(),
            plan: Plan::Enterprise,
            created_at: now,
            disabled: false,
        };
        store.create_account(&Account::without_key(customer)).await.expect("an account");
        let new = new_connection(ConnectionId("conn_of_the_run".into()), "1");
        store_consent(&self.app, self.customer, &grant, &[new]).await;
    }

    pub(super) async fn customer_connections(&self) -> Result<CustomerConnections, Error> {
        self.app.store.customer_connections(self.customer, self.app.clock.now()).await
    }

    /// A request of the customer that calls the platform.
    pub(super) async fn request(&self) -> Result<(), Error> {
        let connected = self.customer_connections().await?;
        let context = self.context(&connected);
        let Some(connection) = connected.connections.first() else { return Err(Error::not_found("connection")) };
        context.in_account(connection, |_, session| call(session)).await
    }

    /// Syncs the customer's connections.
    pub(super) async fn sync(&self) -> Result<(), Error> {
        let connected = self.customer_connections().await?;
        for grant in connected.grants.iter().filter(|grant| !grant.ended) {
            self.context(&connected).check_connections(grant).await;
        }
        Ok(())
    }

    /// Refreshes the grant ahead of its expiry, as maintenance does.
    pub(super) async fn refresh_ahead(&self) -> Result<(), Error> {
        let connected = self.customer_connections().await?;
        let deadline = Instant::now() + Duration::from_secs(1_000);
        let context = PlatformContext { deadline, ..self.context(&connected) };
        context.maintain_grant(&connected.grants[0]).await
    }

    /// The customer removes the connection.
    pub(super) async fn remove(&self) -> Result<bool, Error> {
        let connected = self.customer_connections().await?;
        let Some(connection) = connected.connections.first() else { return Ok(false) };
        let removed = {
            let grant = connected.grants.iter().find(|known| Some(&known.id) == connection.grant_id.as_ref());
            self.app.store.remove_connection(self.customer, connection, grant, self.app.clock.now()).await?
        };
        for grant in &connected.grants {
            self.context(&connected).delete_unused_grant(grant).await;
        }
        Ok(removed)
    }

    pub(super) async fn connection(&self) -> Option<Connection> {
        self.customer_connections().await.expect("a read without faults").connections.into_iter().next()
    }

    fn context<'a>(&'a self, connected: &'a CustomerConnections) -> PlatformContext<'a> {
        let deadline = Instant::now() + self.app.platform_timeout;
        let app = &self.app;
        let now = self.app.clock.now();
        PlatformContext { app, outbound: &app.outbound, customer: self.customer, connected, now, deadline }
    }
}

/// The customer of a run.
pub(super) fn customer(seed: u64) -> CustomerId {
    CustomerId(Uuid::from_u128(u128::from(seed)))
}

/// A call to the platform that fails when the token is invalid. It is a POST, which is never retried: a retry would
/// wait for a random time that does not follow from the seed.
async fn call(session: AccountSession) -> Result<(), Error> {
    let platform = session.call.config.platform;
    let mut headers = HeaderMap::new();
    let bearer = format!("Bearer {}", session.token.expose_secret());
    headers.insert("authorization", secret_header(&bearer).map_err(Error::internal)?);
    let url = "http://platform/campaigns".to_owned();
    let request = OutboundRequest { method: Method::POST, url, headers, body: bytes::Bytes::new() };
    match session.call.outbound.send(request, session.call.deadline).await {
        Ok(response) if response.status.is_success() => Ok(()),
        Ok(_) => Err(token_expired(platform)),
        Err(failure) => Err(Error::new(Kind::PlatformFailed, failure.to_string()).on(platform)),
    }
}
