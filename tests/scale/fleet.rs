//! Customers with many grants, written straight into the table: a real consent for each customer and class, and copies.

use super::table::CountedTable;
use super::token_endpoint::{Class, LATENCY, TOKEN_LIFE, TokenEndpoint};
use crate::consents::{ad_account, new_connection, store_consent};
use crate::in_process::engine::{TABLE, table};
use crate::in_process::receivers::Receivers;
use crate::random::Random;
use dynoxide::Database;
use jiff::{SignedDuration, Timestamp};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use shared::app::App;
use shared::clock::Clock;
use shared::domain::{
    Connection, ConnectionId, ConnectionStatus, Customer, CustomerConnections, CustomerId, Grant, GrantId, Plan,
    Platform,
};
use shared::error::Error;
use shared::platforms::AccountSession;
use shared::platforms::config::{Client, PlatformConfig};
use shared::platforms::errors::token_expired;
use shared::platforms::oauth::Tokens;
use shared::platforms::settings::Settings;
use shared::store::{Account, Store, table_keys};
use shared::tokens::{PlatformContext, seal_tokens};
use std::sync::Arc;
use tests::app;
use tokio::time::{Duration, Instant, sleep};

/// The service, its table and its platforms.
#[derive(Clone)]
pub(super) struct Fleet {
    pub(super) app: Arc<App>,
    pub(super) table: CountedTable,
    pub(super) endpoint: TokenEndpoint,
    database: Database,
}

/// A grant that requests use.
#[derive(Clone)]
pub(super) struct UsedGrant {
    pub(super) customer: CustomerId,
    pub(super) grant: GrantId,
}

impl Fleet {
    pub(super) fn new(seed: u64) -> Fleet {
        let database = table();
        let endpoint = TokenEndpoint::new(seed);
        let began = Instant::now();
        let table = CountedTable::new(database.clone());
        let config = |platform| {
            let client = Client { client_id: "id".into(), client_secret: "secret".into(), developer_token: None };
            let config = PlatformConfig::new(platform, client, Settings::default(), Some("http://{platform}"));
            (platform, Arc::new(config))
        };
        let first: Timestamp = "2026-11-20T00:00:00Z".parse().expect("a time");
        let clock = Clock::from_fn(move || first + SignedDuration::try_from(began.elapsed()).expect("a time"));
        let app = App {
            platforms: [Platform::Alpha, Platform::Beta, Platform::Epsilon].map(config).into(),
            ..app(Store::new(table.client(), TABLE), Arc::new(endpoint.clone()), clock, Arc::new(Receivers::default()))
        };
        Fleet { app: Arc::new(app), table, endpoint, database }
    }

    /// Connects ad accounts of a customer, each with a grant of its own. The first tokens of every second one expire at
    /// the same moment, as after an outage; the others are spread over the first hour.
    pub(super) async fn connect(
        &self,
        customer: CustomerId,
        class: Class,
        count: u64,
        random: &mut Random,
    ) -> Vec<UsedGrant> {
        let platform = class.platform();
        let template = self.consent(customer, platform).await;
        let mut used = Vec::new();
        for number in 0..count {
            let left = if number % 2 == 0 { TOKEN_LIFE } else { random.millis(20 * 60_000, 60 * 60_000) };
            let index = self.endpoint.issue(class, Instant::now() + left);
            let grant = self.copy(customer, platform, &template, index, left).await;
            used.push(UsedGrant { customer, grant });
        }
        // The template's tokens are not those of the endpoint.
        for item in &template {
            let key = json!({"pk": {"S": table_keys::customer(customer)}, "sk": item["sk"]});
            let delete = json!({"TableName": TABLE, "Key": key});
            self.database.delete_item(serde_json::from_value(delete).expect("a request")).expect("a write");
        }
        used
    }

    /// A consent as the callback stores it; returns the items of its grant and of its connection.
    async fn consent(&self, customer: CustomerId, platform: Platform) -> [Value; 2] {
        let store = &self.app.store;
        let now = self.app.clock.now();
        let empty = Grant::without_tokens(GrantId::generate(), platform, now);
        let grant = seal_tokens(&self.app, customer, &empty, &tokens(0, TOKEN_LIFE), now).await.expect("a grant");
        if store.account(customer, now).await.expect("a read").is_none() {
            let email = String::new();
            let plan = Plan::Enterprise;
            let owner = Customer { id: customer, email, plan, created_at: now, disabled: false };
            store.create_account(&Account::without_key(owner)).await.expect("an account");
        }
        let account = grant.id.0.trim_start_matches("grant_");
        let new = new_connection(ConnectionId::generate(), account);
        store_consent(&self.app, customer, &grant, &[new]).await;
        [table_keys::grant(customer, &grant.id), table_keys::connection(customer, platform, account)].map(|key| {
            let get = json!({"TableName": TABLE, "Key": {"pk": {"S": key.pk}, "sk": {"S": key.sk}}});
            let item = self.database.get_item(serde_json::from_value(get).expect("a request")).expect("a read").item;
            serde_json::to_value(item.expect("an item")).expect("JSON")
        })
    }

    /// A copy of a grant with tokens of the endpoint and a connection that uses it.
    async fn copy(
        &self,
        customer: CustomerId,
        platform: Platform,
        [grant_item, connection_item]: &[Value; 2],
        index: usize,
        left: Duration,
    ) -> GrantId {
        let id = GrantId(format!("grant_{index:08}"));
        let issued_at = self.app.clock.now() - SignedDuration::try_from(TOKEN_LIFE - left).expect("a time");
        let empty = Grant::without_tokens(id.clone(), platform, issued_at);
        let grant =
            seal_tokens(&self.app, customer, &empty, &tokens(index, TOKEN_LIFE), issued_at).await.expect("sealed");
        let mut item = grant_item.clone();
        item["sk"] = json!({"S": table_keys::grant(customer, &id).sk});
        item["grant_id"] = json!({"S": id.0});
        item["access_token"] = json!({"S": grant.access_token});
        item["refresh_token"] = json!({"S": grant.refresh_token});
        item["access_expires_at"] = json!({"S": grant.access_expires_at.to_string()});
        item["version"] = json!({"N": grant.version.to_string()});
        item["due_at"] = json!({"N": grant.due.expect("a time").at.as_second().to_string()});
        item["connections"] = json!({"N": "1"});
        self.put(&item);
        let mut item = connection_item.clone();
        item["sk"] = json!({"S": table_keys::connection(customer, platform, &id.0).sk});
        item["id"] = json!({"S": format!("conn_{index:08}")});
        item["grant_id"] = json!({"S": id.0});
        self.put(&item);
        id
    }

    fn put(&self, item: &Value) {
        let put = json!({"TableName": TABLE, "Item": item});
        self.database.put_item(serde_json::from_value(put).expect("a request")).expect("a write");
    }

    /// A request that uses a grant: reads it, and calls its platform with a valid token.
    pub(super) async fn request(&self, used: &UsedGrant) -> Result<(), Error> {
        let app = &self.app;
        let now = self.app.clock.now();
        let grant = app.store.grant(used.customer, &used.grant).await?.ok_or_else(|| token_expired(Platform::Alpha))?;
        let connection = connection(&used.grant, now);
        let connected = CustomerConnections { connections: vec![connection.clone()], grants: vec![grant] };
        let deadline = Instant::now() + app.platform_timeout;
        let outbound = &app.outbound;
        let context = PlatformContext { app, outbound, customer: used.customer, connected: &connected, now, deadline };
        let endpoint = self.endpoint.clone();
        let call = |_, session: AccountSession| {
            let endpoint = endpoint.clone();
            async move {
                sleep(LATENCY).await;
                let accepted = endpoint.accepts(session.token.expose_secret());
                if accepted { Ok(()) } else { Err(token_expired(Platform::Alpha)) }
            }
        };
        context.in_account(&connection, call).await
    }
}

fn tokens(index: usize, life: Duration) -> Tokens {
    Tokens {
        access_token: format!("access-{index}-0").into(),
        ttl: Some(life),
        refresh_token: Some(format!("refresh-{index}-0").into()),
        granted: None,
    }
}

fn connection(grant: &GrantId, now: Timestamp) -> Connection {
    Connection {
        id: ConnectionId::generate(),
        platform: Platform::Alpha,
        status: ConnectionStatus::Active,
        reason: None,
        label: None,
        external_ref: None,
        campaign_defaults: None,
        account: Some(ad_account(&grant.0)),
        grant_id: Some(grant.clone()),
        created_at: now,
        last_synced_at: None,
        paused_until: None,
    }
}
