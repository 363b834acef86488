//! For tests: the laws of adapters. What every adapter has to keep is asked of all of them here, by the [`Sample`] that
//! each gives; what only one platform does is tested beside its adapter.

mod changes;
mod creates;
mod find;
mod lists;
mod refusals;
mod sample;

use super::{alpha, beta, delta, epsilon, gamma, zeta};
use crate::domain::Platform;
pub(super) use sample::{Reply, Sample, Set, Throttle, with};

/// The samples of all platforms.
fn samples() -> impl Iterator<Item = &'static Sample> {
    Platform::ALL.into_iter().map(|platform| match platform {
        Platform::Alpha => &alpha::sample::SAMPLE,
        Platform::Beta => &beta::sample::SAMPLE,
        Platform::Gamma => &gamma::sample::SAMPLE,
        Platform::Delta => &delta::sample::SAMPLE,
        Platform::Epsilon => &epsilon::sample::SAMPLE,
        Platform::Zeta => &zeta::sample::SAMPLE,
    })
}
