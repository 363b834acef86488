//! The list of those that do not run.

use super::{Stage, judged};
use serde_json::json;
use shared::domain::Platform;

#[tokio::test(start_paused = true)]
async fn the_filter_finds_what_does_not_run() {
    for platform in Platform::ALL {
        let stage = Stage::new().await;
        let account = stage.world.connect(&stage.app, platform, 1).await.remove(0);
        let mut made = Vec::new();
        for (name, ads) in [
            ("shown", vec!["approved"]),
            ("rejected", vec!["rejected"]),
            ("in review", vec!["in_review"]),
            ("with a fault", vec!["approved", "rejected"]),
        ] {
            let campaign = stage.activate(platform, &account, name).await;
            stage.set_ads(&campaign, &ads).await;
            made.push(campaign);
        }
        let off = stage.activate(platform, &account, "off").await;
        stage.set_status(&off, "PAUSED").await;
        for (states, names) in [
            ("BLOCKED,WAITING", vec!["in review", "rejected"]),
            ("ELIGIBLE", vec!["shown"]),
            ("LIMITED", vec!["with a fault"]),
            ("OFF", vec!["off"]),
            ("UNKNOWN", vec![]),
        ] {
            let listed = stage.ask(200, "GET", &format!("/v1/campaigns?delivery_state={states}"), "").await;
            let rows = listed["unified"].as_array().expect("a list");
            let mut found: Vec<&str> = rows.iter().map(|row| row["name"].as_str().expect("a name")).collect();
            found.sort_unstable();
            assert_eq!(found, names, "{platform} {states}: {listed}");
            for row in rows {
                let (state, _) = judged(&row["delivery"]);
                assert!(states.contains(&state), "{platform} {row}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn pages_of_the_filter_have_each_campaign_once() {
    for platform in Platform::ALL {
        let stage = Stage::new().await;
        let account = stage.world.connect(&stage.app, platform, 1).await.remove(0);
        for number in 0..7 {
            let campaign = stage.activate(platform, &account, &format!("campaign {number}")).await;
            stage.set_ads(&campaign, if number % 2 == 0 { &["rejected"] } else { &["approved"] }).await;
        }
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("/v1/campaigns?delivery_state=BLOCKED&limit=2&cursor={cursor}");
            let page = stage.ask(200, "GET", &path, "").await;
            let rows = page["unified"].as_array().expect("a list");
            found.extend(rows.iter().map(|row| row["name"].as_str().expect("a name").to_owned()));
            match page["pagination"]["next_cursor"].as_str() {
                Some(next) => next.clone_into(&mut cursor),
                None => break,
            }
        }
        found.sort();
        assert_eq!(found, ["campaign 0", "campaign 2", "campaign 4", "campaign 6"], "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_filter_that_is_no_state_names_them() {
    let stage = Stage::new().await;
    let refused = stage.ask(400, "GET", "/v1/campaigns?delivery_state=RUNNING", "").await;
    assert!(refused.to_string().contains("ELIGIBLE, LIMITED, UNKNOWN, WAITING, BLOCKED, OFF"), "{refused}");
    let stage = Stage::running(Platform::Beta).await.0;
    let first = stage.ask(200, "GET", "/v1/campaigns?limit=1&delivery_state=BLOCKED", "").await;
    assert_eq!(first["unified"][0]["delivery"]["ads"]["total"], json!(0), "{first}");
}
