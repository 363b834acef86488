//! Exact money, end to end: every currency, random amounts. An amount is read back equal, or it was refused.

use crate::random::Random;
use crate::sample::Sample;
use crate::world::World;
use serde_json::json;
use serde_json::value::RawValue;
use shared::domain::Currency;
use shared::domain::money::decimal_from_number;
use std::collections::BTreeMap;

/// The number of amounts for each currency of each platform.
const AMOUNTS: u64 = 2;

/// All currency codes that the service accepts.
fn currencies() -> Vec<&'static str> {
    let letters = b'A'..=b'Z';
    let mut codes = Vec::new();
    for first in letters.clone() {
        for second in letters.clone() {
            for third in letters.clone() {
                let code = [first, second, third];
                let code = std::str::from_utf8(&code).expect("letters");
                codes.extend(Currency::from_code(code).map(Currency::code));
            }
        }
    }
    codes
}

/// An amount of at least 200, sometimes with more decimals than any currency has.
fn amount(random: &mut Random) -> String {
    let size = 10_u64.pow(u32::try_from(3 + random.below(4)).expect("small"));
    let whole = 200 + random.below(size);
    let fraction: String = (0..random.below(5)).map(|_| random.below(10).to_string()).collect();
    if fraction.is_empty() { whole.to_string() } else { format!("{whole}.{fraction}") }
}

#[derive(serde::Deserialize)]
struct Budget {
    budget_amount: Box<RawValue>,
}

#[derive(serde::Deserialize)]
struct Data {
    data: Budget,
}

/// The scenario of one platform: one account in every currency that it supports.
pub(crate) async fn what_goes_out_comes_back_equal(platform: &str, upper: &str) {
    let world = World::start().await;
    let mut accounts = BTreeMap::new();
    for code in currencies() {
        let ask = world.control("POST", "accounts").json(&json!({"platform": platform, "currency": code}));
        let response = ask.send().await.expect("a response");
        if response.status.is_success() {
            accounts.insert(response.json()["account"]["id"].as_str().expect("an id").to_owned(), code);
        }
    }
    let ids: Vec<&str> = accounts.keys().map(String::as_str).collect();
    world.connect(platform, &ids).await;
    let mut random = Random::new(Sample::of_run().first_seed());
    let mut created = 0;
    for connection in world.connections().await {
        let account = connection["remote_account_id"].as_str().expect("an account");
        // One platform's consent page shows its accounts with a prefix that they do not have elsewhere.
        let (_, code) = accounts.iter().find(|(id, _)| id.ends_with(account)).expect("an account of ours");
        for number in 0..AMOUNTS {
            let amount = amount(&mut random);
            created += u32::from(round_trip(&world, upper, account, code, &amount, number).await);
        }
    }
    assert!(
        // Most amounts have more decimals than some currencies.
        accounts.len() >= 3 && created as usize * 3 >= accounts.len(),
        "{created} created in {} accounts",
        accounts.len()
    );
}

/// Whether a campaign was created; it then reads back with the same amount.
async fn round_trip(world: &World, upper: &str, account: &str, code: &str, amount: &str, number: u64) -> bool {
    let body = format!(
        r#"{{"name":"{code} {number}","goal":"WEBSITE_TRAFFIC","budget_amount":{amount},"budget_period":"DAILY","platform":"{upper}","organization_id":"{account}"}}"#
    );
    let response = world.ask("POST", "/v1/campaigns").text("application/json", body).send().await.expect("a response");
    let sent = decimal_from_number(amount).expect("a number");
    let too_fine = Currency::from_code(code).expect("a currency").check(sent).is_err();
    if response.status != 201 {
        assert!(matches!(response.status.as_u16(), 400 | 422), "{code} {amount}: {response:?}");
        assert!(response.text.contains("budget"), "{code} {amount}: {response:?}");
        return false;
    }
    assert!(!too_fine, "{code} {amount} was created and cannot be held");
    let id = response.json()["data"]["id"].as_str().expect("an id").to_owned();
    let read = world.ask("GET", &format!("/v1/campaigns/{id}")).header("x-api-shape", "enveloped").expect(200).await;
    for text in [&response.text, &read.text] {
        let came: Data = serde_json::from_str(text).expect("a campaign");
        let came = decimal_from_number(came.data.budget_amount.get()).expect("a number");
        assert_eq!(came, sent, "{code} {amount}");
    }
    true
}
