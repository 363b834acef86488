//! A link among others of which one is in force: a period, a month, a tab.

/// A choice that is an address.
pub(crate) struct Link {
    pub(crate) text: String,
    pub(crate) path: String,
    pub(crate) is_current: bool,
}
