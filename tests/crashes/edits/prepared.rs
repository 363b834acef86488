//! The state before an update or a removal: a campaign, and optionally limits of its user and of the key that created it.

use super::client::Client;
use super::spending_limit::{Limited, set_limits};
use crate::crashes::environment::{Environment, EnvironmentOptions, Snapshot};
use crate::crashes::snapshots::Snapshots;
use serde_json::Value;
use shared::domain::{KeyId, Platform};
use std::sync::Arc;

static WITH_CAMPAIGN: Snapshots<State> = Snapshots::new();

/// The state that schedules copy.
struct State {
    snapshot: Snapshot,
    campaign: String,
    owner: String,
    key: Option<KeyId>,
}

/// The parties of a run.
pub(super) struct Prepared {
    pub(super) client: Client,
    /// The secret of the owner's key. The client has it too, unless a key with a limit is its own.
    pub(super) owner: String,
    /// The key with a limit.
    pub(super) key: Option<KeyId>,
}

/// A copy of an environment with one campaign. A key with a limit, whose rule for approval may be null, creates it and is
/// the client's.
pub(super) async fn prepared(platform: Platform, limited: Limited, approval: &Value, keeps_log: bool) -> Prepared {
    let name = format!("{platform} {limited:?} {approval}");
    let (environment, campaign, owner, key) = WITH_CAMPAIGN.copy(
        &name,
        async || prepare(platform, limited, approval).await,
        |state| {
            let State { snapshot, campaign, owner, key } = state;
            (snapshot.fork(keeps_log), campaign.clone(), owner.clone(), key.clone())
        },
    );
    Prepared { client: Client::of(&Arc::new(environment), campaign).await, owner, key }
}

async fn prepare(platform: Platform, limited: Limited, approval: &Value) -> State {
    let accounts = vec![(platform, 1)];
    let options = EnvironmentOptions { accounts, store_attempts: 1, keeps_log: false };
    let mut environment = Environment::connected(&options);
    let owner = environment.in_process.api_key.clone();
    let key = set_limits(&mut environment, limited, approval).await;
    let campaign = Client::create(&environment).await;
    State { snapshot: Snapshot::of(environment), campaign, owner, key }
}
