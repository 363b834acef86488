//! The life of a connection, with every failure that a platform can cause.

pub(crate) mod api_keys;
pub(crate) mod assistants;
pub(crate) mod billing;
pub(crate) mod campaigns;
mod connections;
pub(crate) mod webhook_endpoints;

use crate::leaks::fixture::Fixture;
use campaigns::{change_campaigns, change_campaigns_with_faults};
use connections::{fail_callbacks, fail_consents, refresh_with_faults, remove_with_faults};

/// The faults that the sandbox can inject into a call.
const FAULTS: [&str; 6] = ["error", "drop", "drop_after", "throttle", "garbage", "revoked"];

/// Runs the scenario of one platform. At its end there is a connection with tokens, and a pending authorization.
pub(crate) async fn run(fixture: &Fixture, platform: &str) {
    fail_callbacks(fixture, platform).await;
    fail_consents(fixture, platform).await;
    fixture.connect(platform).await;
    change_campaigns(fixture, platform).await;
    change_campaigns_with_faults(fixture, platform).await;
    refresh_with_faults(fixture, platform).await;
    remove_with_faults(fixture, platform).await;
    fixture.connect(platform).await;
    fixture.consent(platform, "approve").await;
}
