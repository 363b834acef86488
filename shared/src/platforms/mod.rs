//! The ad platforms: one interface, one folder each, one registry.

pub mod alpha;
pub mod beta;
pub mod capabilities;
pub mod config;
mod defaults;
pub mod delta;
pub mod engine;
pub mod epsilon;
pub mod errors;
#[cfg(test)]
mod fake;
pub mod field_errors;
#[cfg(test)]
mod fixtures;
pub mod gamma;
#[cfg(test)]
mod laws;
pub mod oauth;
mod prelude;
#[cfg(test)]
mod recorded;
pub mod response_body;
pub mod revocation;
pub mod rows;
pub mod settings;
pub mod version;
pub mod zeta;

use crate::domain::Platform;
pub use engine::AdPlatform;
pub use engine::ads::{AdsReport, AdsRequest};
pub use engine::call::{AccountSession, CallContext};
pub use engine::create::{CreateInput, PreparedCreate};
pub use engine::dry_run::DryRun;
pub use engine::insights::{InsightsFacts, InsightsPage, InsightsRequest};
pub use engine::list::{AccountPage, CampaignPage, ListRequest};
pub use revocation::RevokedGrant;

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
