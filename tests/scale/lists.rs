//! `GET /v1/campaigns` of a customer with 1,000 ad accounts.

use super::platform::{Broken, Google, customer_of};
use crate::in_process::{World, json_of, respond};
use serde_json::Value;
use shared::app::App;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::time::{Duration, Instant};

const ACCOUNTS: usize = 1_000;
/// A page of healthy accounts takes no longer.
const PAGE_TIME: Duration = Duration::from_secs(8);

/// A list that was paged to its end.
#[derive(Default)]
struct Walk {
    pages: usize,
    longest: Duration,
    total: Duration,
    campaigns: Vec<usize>,
    /// The connections in `errors`.
    failed: Vec<usize>,
}

async fn walk(world: &World, app: &Arc<App>, limit: usize) -> Walk {
    let mut walk = Walk::default();
    let mut cursor = None;
    loop {
        let after = cursor.map_or_else(String::new, |cursor: String| format!("&cursor={cursor}"));
        let began = Instant::now();
        let path = format!("/v1/campaigns?limit={limit}{after}");
        let response = respond(app, world.request("GET", &path, &[], "")).await;
        assert_eq!(response.status(), 200, "page {}: {:?}", walk.pages + 1, response.body());
        let page = json_of(response.body());
        walk.add(&page, began.elapsed());
        assert!(page["unified"].as_array().is_some_and(|unified| unified.len() <= limit));
        cursor = page["pagination"]["next_cursor"].as_str().map(str::to_owned);
        assert_eq!(page["pagination"]["has_more"], cursor.is_some());
        if cursor.is_none() {
            return walk;
        }
    }
}

impl Walk {
    fn add(&mut self, page: &Value, took: Duration) {
        self.pages += 1;
        self.longest = self.longest.max(took);
        self.total += took;
        let campaigns = page["unified"].as_array().expect("a list").iter();
        self.campaigns.extend(campaigns.map(|campaign| number(&campaign["remote_id"])));
        let failed = page["errors"].as_array().into_iter().flatten();
        self.failed.extend(failed.map(|failure| number(&failure["connection_id"])));
    }
}

/// The number at the end of an id.
fn number(id: &Value) -> usize {
    let id = id.as_str().expect("an id");
    id.trim_start_matches("conn_").parse().expect("a number")
}

/// The campaigns of all accounts in the order of the list.
fn expected(campaigns: fn(usize) -> usize) -> Vec<usize> {
    let of_account = |account| (1..=campaigns(account)).rev().map(move |number| account * 1_000 + number);
    (0..ACCOUNTS).flat_map(of_account).collect()
}

/// The number of campaigns of an ad account.
type CampaignsOf = fn(usize) -> usize;

#[tokio::test(start_paused = true)]
async fn an_account_that_fails_or_hangs_is_in_errors_once() {
    let broken = |account| match account {
        3 | 640 => Some(Broken::Garbage),
        500 => Some(Broken::Hangs),
        _ => None,
    };
    let google = Google::new(|_| 0, broken);
    let (world, app) = customer_of(&google, ACCOUNTS, ACCOUNTS).await;
    let mut walk = walk(&world, &app, 25).await;
    walk.failed.sort_unstable();
    assert_eq!(walk.failed, [3, 500, 640]);
    let asked = google.lists();
    assert!((0..ACCOUNTS).all(|account| asked[&account] == 1 || account == 500), "only the hanging one is retried");
}

#[tokio::test(start_paused = true)]
async fn accounts_of_any_size_are_listed_in_order_without_loss() {
    let campaigns = |account| [0, 0, 3, 0, 40, 1, 0, 7][account % 8];
    let google = Google::new(campaigns, |_| None);
    let (world, app) = customer_of(&google, ACCOUNTS, ACCOUNTS).await;
    let walk = walk(&world, &app, 100).await;
    assert_eq!((walk.failed, walk.campaigns), (Vec::new(), expected(campaigns)));
}

#[tokio::test(start_paused = true)]
async fn a_list_of_1000_sparse_accounts_asks_each_exactly_once() {
    let cases: [(&str, CampaignsOf, usize); 4] = [
        ("no campaigns", |_| 0, 25),
        ("a campaign in every tenth", |account| usize::from(account % 10 == 0), 25),
        ("a campaign in every tenth", |account| usize::from(account % 10 == 0), 5),
        ("a campaign in each", |_| 1, 100),
    ];
    for (case, campaigns, limit) in cases {
        let google = Google::new(campaigns, |_| None);
        let (world, app) = customer_of(&google, ACCOUNTS, ACCOUNTS).await;
        let walk = walk(&world, &app, limit).await;
        let asked = google.lists();
        let pages = walk.pages;
        eprintln!(
            "| {case} | {limit} | {pages} | {:.1} s | {:.1} s | {} |",
            walk.longest.as_secs_f64(),
            walk.total.as_secs_f64(),
            asked.values().sum::<usize>()
        );
        assert_eq!(walk.failed, [0; 0], "{case}: no account failed");
        assert_eq!(walk.campaigns, expected(campaigns), "{case}");
        assert_eq!(asked, (0..ACCOUNTS).map(|account| (account, 1)).collect::<BTreeMap<_, _>>(), "{case}");
        assert!(walk.longest <= PAGE_TIME, "{case}: {:?}", walk.longest);
    }
}
