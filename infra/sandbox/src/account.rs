//! An ad account as pages and control responses show it.

/// An ad account in a form that all platforms share.
pub(crate) struct AccountSummary {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) currency: String,
    pub(crate) time_zone: String,
    /// Properties such as "manager" and "test".
    pub(crate) marks: Vec<&'static str>,
}
