//! A platform with campaigns, as far as reading goes.

use crate::domain::{AdAccount, Currency, Platform};
use crate::platforms::Session;
use crate::platforms::fake::{Answered, Asked, Fake, ok};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use url::Url;

/// The platform's campaigns: id and status.
pub(super) type World = Arc<Mutex<Vec<(u64, &'static str)>>>;

pub(super) fn world(campaigns: impl IntoIterator<Item = (u64, &'static str)>) -> World {
    Arc::new(Mutex::new(campaigns.into_iter().collect()))
}

pub(super) fn fake(world: &World) -> Fake {
    let world = world.clone();
    Fake::new(move |asked| answer(&world, asked))
}

pub(super) fn session(fake: &Fake) -> Session {
    let account = AdAccount {
        id: "7000000000000000001".into(),
        name: String::new(),
        currency: Currency::from_code("USD").unwrap(),
        time_zone: "UTC".into(),
        manager_id: None,
    };
    fake.session_of(Platform::Gamma, account)
}

pub(super) fn parameter(asked: &Asked, name: &str) -> String {
    let url = Url::parse("http://x").unwrap().join(asked.line.split(' ').nth(1).unwrap()).unwrap();
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
}

pub(super) fn answer(world: &World, asked: &Asked) -> Answered {
    let filter: Value = serde_json::from_str(&parameter(asked, "filtering")).unwrap();
    let data = if asked.line.starts_with("GET /open_api/v1.3/report/integrated/get/?") {
        report(&filter, &world.lock().unwrap())
    } else {
        assert!(asked.line.starts_with("GET /open_api/v1.3/campaign/get/?"), "{}", asked.line);
        let number = |name: &str| parameter(asked, name).parse::<usize>().unwrap();
        page(&filter, number("page"), number("page_size"), world.lock().unwrap().clone())
    };
    ok(json!({"code": 0, "message": "OK", "request_id": "r", "data": data}))
}

/// Pages by number, newest first, deleted ones apart.
fn page(filter: &Value, page: usize, size: usize, mut rows: Vec<(u64, &'static str)>) -> Value {
    assert!(page >= 1 && (1..=1_000).contains(&size));
    let deleted = filter["primary_status"] == "STATUS_DELETE";
    let only = filter["campaign_ids"][0].as_str().map(|id| id.parse::<u64>().unwrap());
    rows.retain(|(id, status)| (*status == "DELETE") == deleted && only.is_none_or(|only| only == *id));
    rows.sort();
    rows.reverse();
    let (count, pages) = (rows.len(), rows.len().div_ceil(size));
    let row = |(id, status): (u64, &str)| {
        json!({"campaign_id": id.to_string(), "campaign_name": format!("c{id}"),
            "advertiser_id": "7000000000000000001", "operation_status": status})
    };
    let list: Vec<Value> = rows.into_iter().skip((page - 1) * size).take(size).map(row).collect();
    let info = json!({"page": page, "page_size": size, "total_number": count, "total_page": pages});
    json!({"list": list, "page_info": info})
}

/// Campaigns with an even id have spent that many cents; deleted ones show only where they are asked for.
fn report(filters: &Value, rows: &[(u64, &'static str)]) -> Value {
    let values =
        |filter: &Value| serde_json::from_str::<Vec<String>>(filter["filter_value"].as_str().unwrap()).unwrap();
    let ids = values(&filters[0]);
    let with_deleted = filters.get(1).is_some_and(|filter| values(filter) == ["STATUS_ALL"]);
    let is_shown = |(id, status): &&(u64, &str)| {
        ids.contains(&id.to_string()) && id % 2 == 0 && (with_deleted || *status != "DELETE")
    };
    let row = |(id, _): &(u64, &str)| json!({"dimensions": {"campaign_id": id.to_string()}, "metrics": {"spend": format!("0.{id:02}")}});
    json!({"list": rows.iter().filter(is_shown).map(row).collect::<Vec<_>>()})
}
