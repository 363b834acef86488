//! Filters of `listCampaigns`.

use super::{CampaignStatus, DeliveryState, Platform};

/// A set of campaign statuses. One name in a filter may stand for several statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusSet(u8);

impl StatusSet {
    /// The set of these statuses.
    pub fn of(statuses: &[CampaignStatus]) -> StatusSet {
        StatusSet(statuses.iter().fold(0, |set, status| set | Self::bit(*status)))
    }

    /// The default filter: all statuses but the final ones.
    pub fn not_final() -> StatusSet {
        let shown = CampaignStatus::ALL.into_iter().filter(|status| !status.is_final());
        StatusSet(shown.fold(0, |set, status| set | Self::bit(status)))
    }

    /// The statuses of both sets.
    pub fn with(self, other: StatusSet) -> StatusSet {
        StatusSet(self.0 | other.0)
    }

    /// Returns `true` if the set contains a status.
    pub fn contains(self, status: CampaignStatus) -> bool {
        self.0 & Self::bit(status) != 0
    }

    /// The set as a bit field, for the cursor.
    pub fn bits(self) -> u8 {
        self.0
    }

    fn bit(status: CampaignStatus) -> u8 {
        1 << (status as u8)
    }
}

/// Filters of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListFilters {
    /// Only this platform.
    pub platform: Option<Platform>,
    /// Only this ad account.
    pub account_id: Option<String>,
    /// Only the ad account of this connection.
    pub connection_id: Option<String>,
    /// Only these statuses.
    pub statuses: StatusSet,
    /// Only campaigns whose name contains this, in upper or lower case.
    pub name_contains: Option<String>,
    /// Only campaigns that are shown, or are not, in one of these ways; empty for all.
    pub delivery_states: Vec<DeliveryState>,
}

impl ListFilters {
    /// Whether a name contains what it has to. Platforms differ in their own search by name, so none is asked for it.
    pub fn admits_name(&self, name: &str) -> bool {
        self.name_contains.as_ref().is_none_or(|part| name.to_lowercase().contains(&part.to_lowercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_name_is_found_in_upper_and_lower_case() {
        let statuses = StatusSet::not_final();
        let filters = |part: Option<&str>| ListFilters {
            platform: None,
            account_id: None,
            connection_id: None,
            statuses,
            name_contains: part.map(str::to_owned),
            delivery_states: Vec::new(),
        };
        for (part, name) in [("sale", "Spring SALE 7"), ("É", "café"), ("50%", "50% off"), ("a b", "a b")] {
            assert!(filters(Some(part)).admits_name(name), "{part} {name}");
            assert!(!filters(Some(part)).admits_name("other"), "{part}");
        }
        assert!(filters(None).admits_name("any"));
    }
}
