//! Plans and their limits.

use super::variants;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// A plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Plan {
    /// The free plan.
    Starter,
    /// The standard paid plan.
    Pro,
    /// The plan without a connection limit.
    Enterprise,
}

/// Limits of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanLimits {
    /// Sustained requests per minute.
    pub requests_per_minute: u32,
    /// Requests at once, after idle time.
    pub burst: u32,
    /// Requests per billing period.
    pub requests_per_period: u64,
    /// Requests at a time that wait for ad platforms: a share of the functions' concurrency.
    pub requests_in_flight: u32,
    /// Connected ad accounts, without PENDING ones; `None` for no limit.
    pub connections: Option<usize>,
    /// `true` if `createCampaign` accepts several targets.
    pub has_targets: bool,
}

impl Plan {
    /// The limits of the plan: the only table of plans.
    pub const fn limits(self) -> PlanLimits {
        match self {
            Plan::Starter => PlanLimits {
                requests_per_minute: 60,
                burst: 6,
                requests_per_period: 10_000,
                requests_in_flight: 10,
                connections: Some(3),
                has_targets: false,
            },
            Plan::Pro => PlanLimits {
                requests_per_minute: 600,
                burst: 60,
                requests_per_period: 250_000,
                requests_in_flight: 25,
                connections: Some(25),
                has_targets: true,
            },
            Plan::Enterprise => PlanLimits {
                requests_per_minute: 6_000,
                burst: 600,
                requests_per_period: 5_000_000,
                requests_in_flight: 100,
                connections: None,
                has_targets: true,
            },
        }
    }

    /// Every plan.
    pub const ALL: [Plan; 3] = variants();

    /// The name in the API: `starter`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<Plan> {
        name.parse().ok()
    }

    /// The smallest plan with sufficient limits.
    pub fn smallest_with(is_enough: impl Fn(&PlanLimits) -> bool) -> Plan {
        Self::ALL.into_iter().find(|plan| is_enough(&plan.limits())).unwrap_or(Plan::Enterprise)
    }
}
