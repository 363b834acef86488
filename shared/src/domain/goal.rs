//! Objectives of campaigns.

/// Objective of a campaign: the values of both response shapes, which overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    pub const ALL: [Goal; 7] = [
        Goal::BrandAwareness,
        Goal::Reach,
        Goal::WebsiteTraffic,
        Goal::Leads,
        Goal::Sales,
        Goal::Conversions,
        Goal::AppPromotion,
    ];
}
