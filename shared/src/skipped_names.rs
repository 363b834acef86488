//! The names of the ad accounts that a consent has left out, on their way to the dashboard (D237).

use crate::domain::{CustomerId, SkippedAccount};
use crate::secrets::ReloadingVault;
use crate::vault::Binding;
use secrecy::{ExposeSecret, SecretString};

/// Most characters of a name, and most bytes of all, so that the address stays short.
const MAX_NAME_CHARS: usize = 60;
const MAX_BYTES: usize = 1_200;

/// The names, by the number of the ad account.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SkippedNames(Vec<(String, String)>);

impl SkippedNames {
    /// The names of accounts, as many as fit.
    pub fn of(accounts: &[SkippedAccount]) -> SkippedNames {
        let mut left = MAX_BYTES;
        let named = accounts.iter().map(|one| &one.account).filter(|account| !account.name.is_empty());
        let short = named.map(|account| (account.id.clone(), account.name.chars().take(MAX_NAME_CHARS).collect()));
        let fits = |(id, name): &(String, String)| match left.checked_sub(id.len() + name.len()) {
            Some(rest) => {
                left = rest;
                true
            }
            None => false,
        };
        SkippedNames(short.take_while(fits).collect())
    }

    /// The name of an account.
    pub fn get(&self, number: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == number).map(|(_, name)| name.as_str())
    }

    /// The names for the address, readable for this customer alone; `None` without any.
    pub async fn seal(&self, vault: &ReloadingVault, customer: CustomerId) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        let json = SecretString::from(serde_json::to_string(&self.0).ok()?);
        vault.seal(binding(&customer.to_string()), &json).await.ok()
    }

    /// The names of an address; none if another customer, or nobody of this service, has made it.
    pub async fn open(vault: &ReloadingVault, customer: CustomerId, sealed: &str) -> SkippedNames {
        let Ok(json) = vault.open(binding(&customer.to_string()), sealed).await else { return SkippedNames::default() };
        SkippedNames(serde_json::from_str(json.expose_secret()).unwrap_or_default())
    }
}

impl FromIterator<(String, String)> for SkippedNames {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(names: I) -> SkippedNames {
        SkippedNames(names.into_iter().collect())
    }
}

fn binding(customer: &str) -> Binding<'_> {
    Binding { customer, record: "", field: "skipped_names" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{AdAccount, Currency, SkipReason};
    use crate::vault::KeyRing;
    use uuid::Uuid;

    fn skipped(number: usize, name: &str) -> SkippedAccount {
        let account = AdAccount {
            id: number.to_string(),
            name: name.to_owned(),
            currency: Currency::from_code("USD").unwrap(),
            time_zone: "UTC".to_owned(),
            manager_id: None,
        };
        SkippedAccount { account, reason: SkipReason::PlanLimit }
    }

    #[tokio::test]
    async fn names_are_for_the_customer_of_the_consent() {
        let ring = format!(r#"{{"active":"k1","keys":{{"k1":"{}="}}}}"#, "A".repeat(43));
        let vault = ReloadingVault::fixed(&serde_json::from_str::<KeyRing>(&ring).unwrap()).unwrap();
        let [own, other] = [1, 2].map(|number| CustomerId(Uuid::from_u128(number)));
        let names = SkippedNames::of(&[skipped(77, "Harbour Coffee"), skipped(78, "")]);
        let sealed = names.seal(&vault, own).await.unwrap();
        assert!(!sealed.contains("Harbour"), "{sealed}");
        let opened = SkippedNames::open(&vault, own, &sealed).await;
        assert_eq!((opened.get("77"), opened.get("78")), (Some("Harbour Coffee"), None));
        assert_eq!(SkippedNames::open(&vault, other, &sealed).await, SkippedNames::default());
        assert_eq!(SkippedNames::open(&vault, own, "v1.k1.x.y").await, SkippedNames::default());
        assert_eq!(SkippedNames::default().seal(&vault, own).await, None);
    }

    #[test]
    fn the_address_stays_short() {
        let many: Vec<SkippedAccount> = (100..200).map(|number| skipped(number, &"é".repeat(90))).collect();
        let SkippedNames(names) = SkippedNames::of(&many);
        assert_eq!((names.len(), names[0].1.chars().count()), (9, MAX_NAME_CHARS));
    }
}
