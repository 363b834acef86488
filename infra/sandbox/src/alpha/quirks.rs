//! Quirks: behavior that Google shows for some customers.
//!
//! Google Cloud API design guide: `ErrorInfo`, `SERVICE_DISABLED` (recorded live of Google Ads, 2022-01).
//! Google Ads API reference v26: `CampaignError`, `MutateError`, `Customer`; EU political advertising. Recorded live: a
//! manager that reads as closed and still works. Not verified: whether Google rejects an omitted `networkSettings` or
//! targets every network, whether it ever omits a zero of a metric, and which changes are exempt while a declaration is
//! missing.

use crate::ads;
use crate::quirks::Quirk;

pub(crate) const DEFAULT_NETWORKS: &str = "default_networks";
pub(crate) const CLOSED_MANAGER: &str = "closed_manager";
pub(crate) const OMITTED_ZEROS: &str = "omitted_zeros";
pub(crate) const SERVICE_DISABLED: &str = "service_disabled";
pub(crate) const UNDECLARED_CUSTOMER: &str = "undeclared_customer";

pub(crate) const QUIRKS: &[Quirk] = &[
    Quirk {
        name: DEFAULT_NETWORKS,
        description: "A create targets every network that it omits: Google search, partners and display.",
    },
    Quirk { name: CLOSED_MANAGER, description: "Managers read as CLOSED, and their clients still work." },
    Quirk { name: OMITTED_ZEROS, description: "Reports on days leave out metrics that are zero, as proto3 JSON may." },
    Quirk {
        name: SERVICE_DISABLED,
        description: "The Cloud project has not enabled the Google Ads API, so every call is refused; not in \"all\".",
    },
    Quirk {
        name: UNDECLARED_CUSTOMER,
        description: "The next request adds a customer whose undeclared campaign blocks all its mutates.",
    },
    ads::UNKNOWN_WORD,
    ads::LATE_STATUS,
    ads::MANY_ADS,
];

/// The customer that the quirk `undeclared_customer` adds. Its id is below the highest, so that it does not change the
/// ids of new accounts.
pub(crate) const UNDECLARED: i64 = 1_002_003_900;
