//! The addresses of the pages that other pages link to.

pub(crate) const HOME: &str = "/dashboard";
pub(crate) const SIGN_IN: &str = "/dashboard/sign-in";
pub(crate) const CALLBACK: &str = "/dashboard/callback";
pub(crate) const SIGN_OUT: &str = "/dashboard/sign-out";
pub(crate) const KEYS: &str = "/dashboard/keys";
pub(crate) const CONNECTIONS: &str = "/dashboard/connections";
pub(crate) const CAMPAIGNS: &str = "/dashboard/campaigns";
pub(crate) const PREVIEW: &str = "/dashboard/campaigns/preview";
pub(crate) const CHANGE_PREVIEW: &str = "/dashboard/campaigns/change/preview";
pub(crate) const INSIGHTS: &str = "/dashboard/insights";
pub(crate) const USAGE: &str = "/dashboard/usage";
pub(crate) const BILLING: &str = "/dashboard/billing";
pub(crate) const SETTINGS: &str = "/dashboard/settings";
