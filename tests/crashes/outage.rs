//! An outage: for a while one connection of several is unusable. Its grant is revoked at the platform, or the customer
//! removes it; then the account is connected again.

use super::environment::{Environment, Target};
use crate::in_process::{self, json_of};
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, sleep};

/// A removal that conflicts with another change of the connection is repeated.
const MAX_REMOVALS: usize = 10;

/// A consent that meets a throttle is given again.
const MAX_CONSENTS: usize = 10;

/// The cause of an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The platform revokes the grant with the next call that uses it. All accounts of the grant are affected.
    Revoked,
    /// The customer removes the connection of the platform's first account.
    Removed,
}

/// An outage on one platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outage {
    pub(super) platform: Platform,
    pub(super) cause: Cause,
}

/// The outage of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutageState {
    outage: Outage,
    has_ended: bool,
}

impl Outage {
    /// Every outage on one of these platforms.
    pub(super) fn each(platforms: &[(Platform, usize)]) -> Vec<Outage> {
        let causes = |platform| [Cause::Revoked, Cause::Removed].map(|cause| Outage { platform, cause });
        platforms.iter().flat_map(|(platform, _)| causes(*platform)).collect()
    }
}

impl Environment {
    /// Makes a connection unusable.
    pub(super) async fn begin_outage(&self, outage: Outage) {
        self.log.record(|| format!("outage begins: {outage:?}"));
        *self.outage.lock().expect("the outage") = Some(OutageState { outage, has_ended: false });
        match outage.cause {
            Cause::Revoked => self.let_revocations(outage.platform, 1).await,
            Cause::Removed => self.remove_first_connection(outage.platform).await,
        }
    }

    /// Connects all accounts of the platform again.
    pub(super) async fn end_outage(&self, outage: Outage) {
        self.let_revocations(outage.platform, 0).await;
        let name = format!("accounts?platform={}", outage.platform);
        let listed = self.in_process.control("GET", &name, &Value::Null).await;
        let listed = listed["accounts"].as_array().expect("a list").clone();
        let mut ids: Vec<String> =
            listed.iter().map(|account| account["id"].as_str().expect("an id").to_owned()).collect();
        ids.retain(|id| self.targets.contains(&(outage.platform, id.trim_start_matches("act_").to_owned())));
        self.authorize_again(outage.platform, &ids).await;
        *self.outage.lock().expect("the outage") = Some(OutageState { outage, has_ended: true });
        self.log.record(|| "outage ends".to_owned());
    }

    /// Gives a new consent, as often as the page asks to try again: other calls of the run may be throttled meanwhile.
    async fn authorize_again(&self, platform: Platform, ids: &[String]) {
        for _ in 0..MAX_CONSENTS {
            let page = self.in_process.try_authorize(&self.start_without_faults().app, platform, ids).await;
            if page.status() == 200 {
                return;
            }
            self.log.record(|| format!("not connected: {:?}", page.body()));
            sleep(Duration::from_secs(1)).await;
        }
        panic!("{platform} is not connected again");
    }

    /// Whether an outage of a target has begun, even if it has ended since.
    pub(super) fn was_down(&self, target: &Target) -> bool {
        let state = *self.outage.lock().expect("the outage");
        state.is_some_and(|OutageState { outage, .. }| match outage.cause {
            Cause::Revoked => target.0 == outage.platform,
            Cause::Removed => Some(target) == self.first_target(outage.platform),
        })
    }

    /// Waits until the outage that has begun, if any, is over.
    pub(super) async fn wait_for_end_of_outage(&self) {
        while self.outage.lock().expect("the outage").is_some_and(|state| !state.has_ended) {
            sleep(Duration::from_secs(1)).await;
        }
    }

    fn first_target(&self, platform: Platform) -> Option<&Target> {
        self.targets.iter().find(|target| target.0 == platform)
    }

    /// Sets the number of further calls to the platform that revoke their grant.
    async fn let_revocations(&self, platform: Platform, times: u32) {
        let order = json!({"platform": platform.as_str(), "operation": "any", "fault": "revoked", "times": times});
        self.in_process.control("POST", "faults", &order).await;
    }

    async fn remove_first_connection(&self, platform: Platform) {
        let app = &self.start_without_faults().app;
        let (_, account) = self.first_target(platform).expect("a connected account");
        for _ in 0..MAX_REMOVALS {
            let listed = in_process::respond(app, self.request("GET", "/v1/connections", None, "")).await;
            let listed = json_of(listed.body())["connections"].as_array().expect("a list").clone();
            let is_of_account = |known: &&Value| {
                known["platform"] == platform.as_str() && known["remote_account_id"] == account.as_str()
            };
            let Some(connection) = listed.iter().find(is_of_account) else { return };
            let path = format!("/v1/connections/{}", connection["id"].as_str().expect("an id"));
            in_process::respond(app, self.request("DELETE", &path, None, "")).await;
        }
        panic!("the connection to {account} on {platform} is not removed");
    }
}
