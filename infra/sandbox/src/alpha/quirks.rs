//! Quirks: what Google does to some customers.
//!
//! Google Ads API reference v26: `CampaignError`. Not verified: whether an omitted `networkSettings` is refused or buys
//! every network.

use crate::quirks::Quirk;

pub(crate) const DEFAULT_NETWORKS: &str = "default_networks";

pub(crate) const QUIRKS: &[Quirk] = &[Quirk {
    name: DEFAULT_NETWORKS,
    what: "A create may omit networks, and then buys each that it omits: Google search, partners and display.",
}];
