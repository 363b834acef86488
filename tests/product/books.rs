//! What the sandbox's books say of each shop, compared with what its owner has asked for.

use super::{Product, Shop};
use crate::spending::running_of;
use rust_decimal::Decimal;
use serde_json::Value;
use std::collections::BTreeMap;

impl Product {
    /// The campaigns in the books, by ad account.
    async fn books(&self) -> BTreeMap<String, Vec<Value>> {
        let listed = self.world.control("GET", "campaigns", &Value::Null).await;
        let mut books: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for campaign in listed["campaigns"].as_array().expect("a list") {
            let account = campaign["account"].as_str().expect("an account").to_owned();
            books.entry(account).or_default().push(campaign.clone());
        }
        books
    }

    /// Every shop has each campaign once, and nothing runs but what it is to run.
    pub(super) async fn judge(&self, step: &str) {
        let books = self.books().await;
        for shop in &self.shops {
            let own = books.get(&shop.account).map_or(&[][..], Vec::as_slice);
            let mut names: Vec<&str> = own.iter().map(|one| one["name"].as_str().expect("a name")).collect();
            names.sort_unstable();
            let expected: Vec<&str> = shop.campaigns.keys().copied().collect();
            assert_eq!(names, expected, "{step}: campaigns of {shop:?}");
            assert_eq!(running_of(own), Decimal::from(shop.running), "{step}: what runs of {shop:?}");
        }
    }

    /// How many of some shops have a campaign.
    pub(super) async fn with_campaigns(&self, shops: &[usize]) -> usize {
        let books = self.books().await;
        let has_any = |shop: &Shop| books.contains_key(&shop.account);
        shops.iter().filter(|number| has_any(&self.shops[**number])).count()
    }
}
