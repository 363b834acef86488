//! What the clients order, and what they are told.

use serde_json::{Value, json};

/// Numbers from a seed (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// From `least` to below `end`.
    pub(crate) fn between(&mut self, least: u64, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        least + (mixed ^ (mixed >> 31)) % (end - least)
    }
}

/// An ad account that campaigns are ordered in.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) platform: String,
    pub(crate) account: String,
}

/// A create, of a name that no other has.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) name: String,
    /// As a decimal without zeros at its end.
    pub(crate) budget: String,
    pub(crate) key: Option<String>,
    pub(crate) body: String,
    /// How many campaigns are wanted.
    pub(crate) targets: usize,
}

impl Order {
    /// The next order of a client: keyed or not, in one account or in all of them.
    pub(crate) fn new(name: String, places: &[Place], random: &mut Random) -> Order {
        let budget = format!("{}.{}", random.between(50, 900), random.between(1, 10));
        let amount: Value = serde_json::from_str(&budget).unwrap();
        let key = (random.between(0, 3) > 0).then(|| format!("key of {name}").replace(' ', "-"));
        let mut body = json!({"name": name, "budget_amount": amount, "budget_period": "DAILY"});
        let targets = if random.between(0, 4) == 0 {
            let target = |place: &Place| {
                let platform = place.platform.trim_end_matches("_ads").to_uppercase();
                json!({"platform": platform, "organization_id": place.account})
            };
            body["goal"] = json!("WEBSITE_TRAFFIC");
            body["targets"] = places.iter().map(target).collect();
            places.len()
        } else {
            let place = usize::try_from(random.between(0, places.len() as u64)).unwrap();
            body["goal"] = json!("TRAFFIC");
            body["platform"] = json!(places[place].platform);
            1
        };
        Order { name, budget, key, body: body.to_string(), targets }
    }
}

/// An answer as a client has it.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) status: u16,
    pub(crate) text: String,
    pub(crate) is_replayed: bool,
    /// In seconds.
    pub(crate) retry_after: Option<u64>,
}

impl Heard {
    /// The ids of the campaigns that it says were created.
    pub(crate) fn campaigns(&self) -> Vec<String> {
        let body: Value = serde_json::from_str(&self.text).unwrap_or_default();
        let id = |campaign: &Value| campaign["id"].as_str().map(str::to_owned);
        match body["data"].as_array() {
            Some(results) => results.iter().filter_map(|result| id(&result["campaign"])).collect(),
            None => id(&body).into_iter().collect(),
        }
    }
}

/// An order, and what came of it so far.
#[derive(Clone, Debug)]
pub(crate) struct Dealing {
    pub(crate) order: Order,
    pub(crate) heard: Vec<Heard>,
    /// How many of its requests broke off without an answer.
    pub(crate) broken: usize,
}

impl Dealing {
    pub(crate) fn of(order: Order) -> Dealing {
        Dealing { order, heard: Vec::new(), broken: 0 }
    }

    /// Whether the client goes on: without a key he takes whatever he gets, even if that is nothing.
    pub(crate) fn is_open(&self) -> bool {
        let is_final = |heard: &Heard| heard.status == 201 || heard.is_replayed;
        self.order.key.is_some() && !self.heard.last().is_some_and(is_final)
    }
}
