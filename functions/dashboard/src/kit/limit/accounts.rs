//! The ad accounts of a limit's form, by platform.

use super::LimitForm;
use shared::domain::{Currency, Platform};

/// Up to so many accounts there is no search.
const FEW: usize = 10;

/// An ad account that a key may change.
pub(crate) struct AccountChoice {
    pub(crate) id: String,
    pub(crate) platform: Platform,
    /// Its name without the platform: `Harbour Coffee (77)`.
    pub(crate) name: String,
    /// Its currency, once the platform has returned it.
    pub(crate) currency: Option<Currency>,
    pub(crate) is_chosen: bool,
}

impl AccountChoice {
    /// Its name where the platform is not said already: `Meta: Harbour Coffee (77)`.
    pub(super) fn full_name(&self) -> String {
        format!("{}: {}", self.platform.display_name(), self.name)
    }
}

/// The ad accounts of a platform.
pub(crate) struct AccountGroup<'a> {
    pub(crate) platform: Platform,
    pub(crate) accounts: Vec<&'a AccountChoice>,
}

impl LimitForm {
    /// The ad accounts by platform, in the order of the platforms.
    pub(crate) fn groups(&self) -> Vec<AccountGroup<'_>> {
        let of = |platform| {
            let accounts: Vec<_> = self.accounts.iter().filter(|one| one.platform == platform).collect();
            (!accounts.is_empty()).then_some(AccountGroup { platform, accounts })
        };
        Platform::ALL.into_iter().filter_map(of).collect()
    }

    /// How many ad accounts are ticked.
    pub(crate) fn ticked(&self) -> usize {
        self.accounts.iter().filter(|one| one.is_chosen).count()
    }

    /// Whether they are so many that a search helps.
    pub(crate) fn has_search(&self) -> bool {
        self.accounts.len() > FEW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_grouped_by_platform_and_counted() {
        let account = |(id, platform): (&str, Platform)| AccountChoice {
            id: id.to_owned(),
            platform,
            name: format!("Shop {id}"),
            currency: None,
            is_chosen: id == "b",
        };
        let accounts = [("a", Platform::Beta), ("b", Platform::Alpha), ("c", Platform::Beta)].map(account);
        let form = LimitForm { accounts: accounts.into(), ..LimitForm::new(&[], None, Vec::new(), &[]) };
        let shown: Vec<_> = form
            .groups()
            .into_iter()
            .map(|group| {
                (group.platform, group.accounts.iter().map(|one| one.full_name()).collect::<Vec<_>>().join(", "))
            })
            .collect();
        let expected = [
            (Platform::Alpha, "Google Ads: Shop b".to_owned()),
            (Platform::Beta, "Meta: Shop a, Meta: Shop c".to_owned()),
        ];
        assert_eq!(shown, expected);
        assert_eq!((form.ticked(), form.has_search()), (1, false));
    }
}
