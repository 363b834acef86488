//! An ad account as pages and control answers show it.

/// An ad account, as a person sees it.
pub(crate) struct AccountSummary {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) currency: String,
    pub(crate) time_zone: String,
    /// Words such as "manager" and "test".
    pub(crate) marks: Vec<&'static str>,
}
