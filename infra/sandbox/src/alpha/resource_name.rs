//! Resource names: `customers/{customer}/campaigns/{id}`.

use super::error::AdsError;

/// A mutable resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Resource {
    Campaign,
    Budget,
}

impl Resource {
    fn collection(self) -> &'static str {
        match self {
            Self::Campaign => "campaigns",
            Self::Budget => "campaignBudgets",
        }
    }

    /// The key of its operation in `googleAds:mutate`.
    pub(crate) fn operation(self) -> &'static str {
        match self {
            Self::Campaign => "campaign_operation",
            Self::Budget => "campaign_budget_operation",
        }
    }

    /// The resource name of an id.
    pub(crate) fn name(self, customer: i64, id: i64) -> String {
        format!("customers/{customer}/{}/{id}", self.collection())
    }

    /// The id in a resource name of this customer. A temporary id is negative.
    pub(crate) fn id(self, name: &str, customer: i64) -> Result<i64, AdsError> {
        let malformed = || {
            let code = ("requestError", "RESOURCE_NAME_MALFORMED");
            AdsError::new(code, "Resource name is malformed.").with_trigger(name)
        };
        let parts: Vec<&str> = name.split('/').collect();
        let ["customers", owner, collection, id] = parts[..] else { return Err(malformed()) };
        let number = |text: &str| text.parse::<i64>().map_err(|_| malformed());
        let (owner, id) = (number(owner)?, number(id)?);
        if collection != self.collection() || id == 0 || name.contains('+') {
            return Err(malformed());
        }
        if owner == customer { Ok(id) } else { Err(not_found(name)) }
    }
}

/// The customer has no such resource.
pub(crate) fn not_found(name: &str) -> AdsError {
    AdsError::new(("mutateError", "RESOURCE_NOT_FOUND"), "Resource was not found.").with_trigger(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_an_id_and_an_invalid_one_an_error_code() {
        let id = |name| Resource::Campaign.id(name, 7).map_err(|error| error.code.1);
        assert_eq!(id("customers/7/campaigns/12"), Ok(12));
        assert_eq!(id("customers/7/campaigns/-1"), Ok(-1));
        assert_eq!(id("customers/8/campaigns/12"), Err("RESOURCE_NOT_FOUND"));
        for bad in ["customers/7/campaignBudgets/1", "12", "customers/7/campaigns/x", "customers/7/campaigns/0"] {
            assert_eq!(id(bad), Err("RESOURCE_NAME_MALFORMED"), "{bad}");
        }
    }
}
