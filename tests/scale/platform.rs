//! A platform with any number of ad accounts: Google Ads, cut to the searches that a list and a check send. The sandbox
//! would read the requests of a thousand users as well, but slowly in a debug build.

use crate::consents::{new_connection, store_consent};
use crate::in_process::engine::{Straight, client_over};
use crate::in_process::{World, clock};
use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::{ConnectionId, Grant, GrantId, Plan, Platform};
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use shared::platforms::oauth::Tokens;
use shared::store::NewConnection;
use shared::tokens::seal_tokens;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, sleep};

/// The duration of a platform call.
pub(super) const CALL: Duration = Duration::from_millis(300);
/// The id of the first ad account. All ids have the same length, so their order is that of the numbers.
const FIRST_ACCOUNT: usize = 1_000_000;

/// The platform, and the calls that it received.
pub(super) struct Google {
    /// The number of campaigns in an account.
    campaigns: fn(usize) -> usize,
    /// Accounts whose list hangs or fails.
    broken: fn(usize) -> Option<Broken>,
    lists: Mutex<BTreeMap<usize, usize>>,
    checks: Mutex<BTreeMap<usize, usize>>,
    in_flight: AtomicUsize,
    peak: AtomicUsize,
}

/// The fault of an account.
#[derive(Clone, Copy)]
pub(super) enum Broken {
    /// The response is unreadable.
    Garbage,
    /// No response comes.
    Hangs,
}

impl std::fmt::Debug for Google {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Google")
    }
}

impl Google {
    pub(super) fn new(campaigns: fn(usize) -> usize, broken: fn(usize) -> Option<Broken>) -> Arc<Google> {
        let (lists, checks) = Default::default();
        let (in_flight, peak) = Default::default();
        Arc::new(Google { campaigns, broken, lists, checks, in_flight, peak })
    }

    /// The largest number of calls that were in flight at a time.
    pub(super) fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    /// Takes the number of lists of each account.
    pub(super) fn lists(&self) -> BTreeMap<usize, usize> {
        std::mem::take(&mut self.lists.lock().expect("the lists"))
    }

    /// Takes the number of checks of each user.
    pub(super) fn checks(&self) -> BTreeMap<usize, usize> {
        std::mem::take(&mut self.checks.lock().expect("the checks"))
    }

    fn body(&self, request: &OutboundRequest) -> Value {
        if request.url.ends_with("customers:listAccessibleCustomers") {
            let token = request.headers["authorization"].to_str().expect("a token");
            let user: usize = token.rsplit('-').next().and_then(|user| user.parse().ok()).expect("a user");
            *self.checks.lock().expect("the checks").entry(user).or_default() += 1;
            return json!({"resourceNames": [format!("customers/{}", FIRST_ACCOUNT + user)]});
        }
        let account = account_of(&request.url);
        let body: Value = serde_json::from_slice(&request.body).expect("JSON");
        let query = body["query"].as_str().expect("a query");
        let rows = if query.ends_with("FROM customer") {
            let id = (FIRST_ACCOUNT + account).to_string();
            vec![json!({"customer": {"id": id, "currencyCode": "USD", "timeZone": "UTC", "status": "ENABLED"}})]
        } else {
            *self.lists.lock().expect("the lists").entry(account).or_default() += 1;
            let after = number_after(query, "campaign.id < ").unwrap_or(usize::MAX);
            let limit = number_after(query, "LIMIT ").expect("a limit");
            let ids = (1..=(self.campaigns)(account)).rev().map(|number| account * 1_000 + number);
            ids.filter(|id| *id < after).take(limit).map(row).collect()
        };
        json!({"results": rows, "fieldMask": "x"})
    }
}

fn row(id: usize) -> Value {
    json!({"campaign": {"id": id.to_string(), "name": "c", "status": "ENABLED"},
        "campaignBudget": {"period": "DAILY", "amountMicros": "12500000"}, "customer": {"currencyCode": "USD"},
        "metrics": {"costMicros": "1"}})
}

/// The account that a URL names.
fn account_of(url: &str) -> usize {
    let id = number_after(url, "/customers/").expect("an account");
    id - FIRST_ACCOUNT
}

fn number_after(text: &str, word: &str) -> Option<usize> {
    let (_, rest) = text.split_once(word)?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[async_trait]
impl Transport for Google {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let body = self.body(&request);
        let is_list = request.url.ends_with("googleAds:search") && body["results"][0]["customer"]["id"].is_null();
        let broken = is_list.then(|| (self.broken)(account_of(&request.url))).flatten();
        self.peak.fetch_max(self.in_flight.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        sleep(if matches!(broken, Some(Broken::Hangs)) { Duration::from_secs(3_600) } else { CALL }).await;
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
        let body = if broken.is_some() { "garbage".to_owned() } else { body.to_string() };
        Ok(OutboundResponse { status: StatusCode::OK, headers: HeaderMap::new(), body: Bytes::from(body) })
    }
}

/// A customer of the platform with so many ad accounts, under one grant or each under a grant of its own.
pub(super) async fn customer_of(google: &Arc<Google>, accounts: usize, per_grant: usize) -> (World, Arc<App>) {
    let world = World::new(clock(1), Plan::Enterprise).await;
    let app = Arc::new(world.app(client_over(Straight(world.database.clone())), google.clone()));
    let numbers: Vec<usize> = (0..accounts).collect();
    for numbers in numbers.chunks(per_grant) {
        connect(&world, &app, numbers).await;
    }
    (world, app)
}

/// Connects ad accounts with one grant, as a callback does.
async fn connect(world: &World, app: &App, accounts: &[usize]) {
    let now = app.clock.now();
    let first = accounts[0];
    let empty = Grant::without_tokens(GrantId(format!("grant_{first:032}")), Platform::Alpha, now);
    let tokens =
        Tokens { access_token: format!("token-{first}").into(), ttl: None, refresh_token: None, granted: None };
    let grant = seal_tokens(app, world.customer, &empty, &tokens, now).await.expect("a grant");
    let connection = |number: &usize| {
        new_connection(ConnectionId(format!("conn_{number:032}")), &(FIRST_ACCOUNT + number).to_string())
    };
    let new: Vec<NewConnection> = accounts.iter().map(connection).collect();
    store_consent(app, world.customer, &grant, &new).await;
}
