//! What the removal of a connection leaves behind at its platform (D172).

/// The campaigns of an ad account that are ACTIVE at the platform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActiveCampaigns {
    pub count: usize,
    /// Whether there are more.
    pub has_more: bool,
}

/// Numbers of campaigns of an ad account for which this service does something in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeldCampaigns {
    /// With a start or an end that it holds, and that lies ahead.
    pub dated: usize,
    /// With a monthly budget.
    pub monthly: usize,
}
