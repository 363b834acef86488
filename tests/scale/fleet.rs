//! Customers with many grants, written straight into the table: a real consent for each platform, and copies.

use super::class::Class;
use super::table::CountedTable;
use super::token_endpoint::{Issued, LATENCY, TokenEndpoint};
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
use std::collections::BTreeMap;
use std::sync::Arc;
use tests::app;
use tokio::time::{Duration, Instant, sleep};
use uuid::Uuid;

const PLATFORMS: [Platform; 3] = [Platform::Alpha, Platform::Beta, Platform::Epsilon];

/// The service, its table and its platforms.
#[derive(Clone)]
pub(super) struct Fleet {
    pub(super) app: Arc<App>,
    pub(super) table: CountedTable,
    pub(super) endpoint: TokenEndpoint,
    database: Database,
    /// The items of a grant and of its connection.
    templates: Arc<BTreeMap<Platform, [Value; 2]>>,
}

/// A grant that requests use.
#[derive(Clone)]
pub(super) struct UsedGrant {
    pub(super) customer: CustomerId,
    pub(super) grant: GrantId,
}

impl Fleet {
    pub(super) async fn new(seed: u64) -> Fleet {
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
            platforms: PLATFORMS.map(config).into(),
            ..app(Store::new(table.client(), TABLE), Arc::new(endpoint.clone()), clock, Arc::new(Receivers::default()))
        };
        let mut fleet = Fleet { app: Arc::new(app), table, endpoint, database, templates: Arc::default() };
        let mut templates = BTreeMap::new();
        for platform in PLATFORMS {
            templates.insert(platform, fleet.consent(platform).await);
        }
        fleet.templates = Arc::new(templates);
        fleet
    }

    /// Connects ad accounts of a customer, each with a grant of its own.
    pub(super) async fn connect(
        &self,
        customer: CustomerId,
        class: Class,
        count: u64,
        random: &mut Random,
    ) -> Vec<UsedGrant> {
        let mut connected = Vec::new();
        for number in 0..count {
            let grant = self.copy(customer, class, class.first_age(number, random)).await;
            connected.push(UsedGrant { customer, grant });
        }
        connected
    }

    /// Stores a consent as the callback does, and takes the items of its grant and of its connection out of the table:
    /// its tokens are not those of the endpoint.
    async fn consent(&self, platform: Platform) -> [Value; 2] {
        let customer = CustomerId(Uuid::max());
        let store = &self.app.store;
        let now = self.app.clock.now();
        let empty = Grant::without_tokens(GrantId::generate(), platform, now);
        let grant = seal_tokens(&self.app, customer, &empty, &tokens(Class::Used, 0), now).await.expect("a grant");
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
            let key = json!({"pk": {"S": key.pk}, "sk": {"S": key.sk}});
            let delete = json!({"TableName": TABLE, "Key": key, "ReturnValues": "ALL_OLD"});
            let delete = serde_json::from_value(delete).expect("a request");
            let item = self.database.delete_item(delete).expect("a write").attributes;
            serde_json::to_value(item.expect("an item")).expect("JSON")
        })
    }

    /// Copies the consent of a platform for a grant whose first tokens have an age; returns its id.
    async fn copy(&self, customer: CustomerId, class: Class, age: Duration) -> GrantId {
        let now = self.app.clock.now();
        let issued_at = now - SignedDuration::try_from(age).expect("a time");
        let expires_at = Instant::now() + class.life().saturating_sub(age);
        let left = |at: Timestamp| Duration::try_from(at.duration_since(now)).unwrap_or_default();
        let due_by = class.due_by(issued_at).map(|at| Instant::now() + left(at));
        let index = self.endpoint.issue(Issued { class, expires_at, due_by });
        let id = GrantId(format!("grant_{index:08}"));
        let empty = Grant::without_tokens(id.clone(), class.platform(), issued_at);
        let grant = seal_tokens(&self.app, customer, &empty, &tokens(class, index), issued_at).await.expect("sealed");
        let [grant_item, connection_item] = &self.templates[&class.platform()];
        let partition = json!({"S": table_keys::customer(customer)});
        let mut item = grant_item.clone();
        item["pk"] = partition.clone();
        item["sk"] = json!({"S": table_keys::grant(customer, &id).sk});
        item["grant_id"] = json!({"S": id.0});
        item["access_token"] = json!({"S": grant.access_token});
        item["access_ttl_s"] = json!({"N": grant.access_ttl_s.to_string()});
        item["refresh_token"] = json!({"S": grant.refresh_token});
        item["access_expires_at"] = json!({"S": grant.access_expires_at.to_string()});
        item["version"] = json!({"N": grant.version.to_string()});
        item["due_at"] = json!({"N": grant.due.expect("a time").at.as_second().to_string()});
        item["connections"] = json!({"N": "1"});
        self.put(&item);
        let mut item = connection_item.clone();
        item["pk"] = partition;
        item["sk"] = json!({"S": table_keys::connection(customer, class.platform(), &id.0).sk});
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

/// The tokens of a grant. Meta has no refresh token: its access token takes that place.
fn tokens(class: Class, index: usize) -> Tokens {
    let name = if class.platform() == Platform::Beta { "access" } else { "refresh" };
    Tokens {
        access_token: format!("access-{index}-0").into(),
        ttl: Some(class.stored_life()),
        refresh_token: Some(format!("{name}-{index}-0").into()),
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
