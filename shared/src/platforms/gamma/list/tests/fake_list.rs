//! A platform with campaigns that can be read.

use crate::domain::Platform;
use crate::platforms::AccountSession;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use crate::platforms::fixtures;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::sync::{Arc, LockResult, Mutex, MutexGuard};
use url::Url;

/// The creation time of the first campaign, in seconds since the epoch.
const FIRST: i64 = 1_700_000_000;

/// The creation time of a campaign by its id, in seconds after the first; `None` for a campaign without one.
pub(super) type Clock = fn(u64) -> Option<i64>;

/// The platform's campaigns.
pub(super) struct Campaigns {
    rows: Mutex<Vec<(u64, &'static str)>>,
    clock: Clock,
    /// The platform lists by falling id; otherwise by falling time.
    is_by_id: bool,
}

pub(super) type CampaignsHandle = Arc<Campaigns>;

impl Campaigns {
    /// Id and status of each.
    pub(super) fn lock(&self) -> LockResult<MutexGuard<'_, Vec<(u64, &'static str)>>> {
        self.rows.lock()
    }

    /// Their ids in the order of the platform.
    fn sort(&self, rows: &mut [(u64, &'static str)]) {
        rows.sort_by_key(|(id, _)| Reverse(if self.is_by_id { (None, *id) } else { ((self.clock)(*id), *id) }));
    }
}

/// Campaigns with long intervals between them, in the order of their ids.
pub(super) fn campaigns(campaigns: impl IntoIterator<Item = (u64, &'static str)>) -> CampaignsHandle {
    campaigns_by(campaigns, |id| i64::try_from(id * 172_800).ok(), true)
}

pub(super) fn campaigns_by(
    campaigns: impl IntoIterator<Item = (u64, &'static str)>,
    clock: Clock,
    is_by_id: bool,
) -> CampaignsHandle {
    Arc::new(Campaigns { rows: Mutex::new(campaigns.into_iter().collect()), clock, is_by_id })
}

pub(super) fn fake(campaigns: &CampaignsHandle) -> Fake {
    let campaigns = campaigns.clone();
    Fake::new(move |request| response(&campaigns, request))
}

pub(super) fn session(fake: &Fake) -> AccountSession {
    let account = fixtures::account(Platform::Gamma, "USD", "UTC");
    fake.session_of(Platform::Gamma, account)
}

pub(super) fn parameter(request: &ReceivedRequest, name: &str) -> String {
    let url = Url::parse("http://x").unwrap().join(request.line.split(' ').nth(1).unwrap()).unwrap();
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
}

pub(super) fn response(campaigns: &CampaignsHandle, request: &ReceivedRequest) -> ScriptedResponse {
    let filter: Value = serde_json::from_str(&parameter(request, "filtering")).unwrap();
    let data = if request.line.starts_with("GET /open_api/v1.3/report/integrated/get/?") {
        report(&filter, &campaigns.lock().unwrap())
    } else {
        assert!(request.line.starts_with("GET /open_api/v1.3/campaign/get/?"), "{}", request.line);
        let number = |name: &str| parameter(request, name).parse::<usize>().unwrap();
        page(campaigns, &filter, number("page"), number("page_size"))
    };
    ok(json!({"code": 0, "message": "OK", "request_id": "r", "data": data}))
}

/// Pages by number, newest first, deleted campaigns in a list of their own.
fn page(campaigns: &CampaignsHandle, filter: &Value, page: usize, size: usize) -> Value {
    let mut rows = campaigns.lock().unwrap().clone();
    assert!(page >= 1 && (1..=1_000).contains(&size));
    let deleted = filter["primary_status"] == "STATUS_DELETE";
    let only = filter["campaign_ids"][0].as_str().map(|id| id.parse::<u64>().unwrap());
    rows.retain(|(id, status)| (*status == "DELETE") == deleted && only.is_none_or(|only| only == *id));
    campaigns.sort(&mut rows);
    let (count, pages) = (rows.len(), rows.len().div_ceil(size));
    let row = |(id, status): (u64, &str)| {
        let created = (campaigns.clock)(id).map(|created| Timestamp::from_second(FIRST + created).unwrap());
        let created = created.map(|created| created.strftime("%Y-%m-%d %H:%M:%S").to_string());
        json!({"campaign_id": id.to_string(), "campaign_name": format!("c{id}"),
            "advertiser_id": "7000000000000000001", "operation_status": status, "create_time": created})
    };
    let list: Vec<Value> = rows.into_iter().skip((page - 1) * size).take(size).map(row).collect();
    let info = json!({"page": page, "page_size": size, "total_number": count, "total_page": pages});
    json!({"list": list, "page_info": info})
}

/// The spend of a campaign with an even id is that many cents; deleted campaigns have a row only on request.
fn report(filters: &Value, rows: &[(u64, &'static str)]) -> Value {
    let values =
        |filter: &Value| serde_json::from_str::<Vec<String>>(filter["filter_value"].as_str().unwrap()).unwrap();
    let ids = values(&filters[0]);
    let with_deleted = filters.get(1).is_some_and(|filter| values(filter) == ["STATUS_ALL"]);
    let is_shown = |(id, status): &&(u64, &str)| {
        ids.contains(&id.to_string()) && id % 2 == 0 && (with_deleted || *status != "DELETE")
    };
    let row = |(id, _): &(u64, &str)| {
        let spend = format!("0.{id:02}");
        json!({"dimensions": {"campaign_id": id.to_string()}, "metrics": {"spend": spend}})
    };
    json!({"list": rows.iter().filter(is_shown).map(row).collect::<Vec<_>>()})
}
