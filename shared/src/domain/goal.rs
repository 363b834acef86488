//! Objectives of campaigns.

use super::variants;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// Objective of a campaign: the values of both response shapes, which overlap.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::Display, EnumString, IntoStaticStr, VariantArray, Serialize, Deserialize,
)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Goal {
    /// `AWARENESS` in the flat shape, `BRAND_AWARENESS` in the enveloped shape.
    BrandAwareness,
    /// Enveloped shape only; the flat shape shows `AWARENESS`.
    Reach,
    /// `TRAFFIC` in the flat shape, `WEBSITE_TRAFFIC` in the enveloped shape.
    WebsiteTraffic,
    /// `LEADS` in both shapes.
    Leads,
    /// `SALES` in both shapes.
    Sales,
    /// Flat shape only; the enveloped shape shows `SALES`.
    Conversions,
    /// Enveloped shape only.
    AppPromotion,
}

impl Goal {
    /// Every goal.
    pub const ALL: [Goal; 7] = variants();

    /// The name in the table. The shapes have names of their own.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the name in the table.
    pub fn parse(name: &str) -> Option<Goal> {
        name.parse().ok()
    }
}
