//! Refresh tokens: the next tokens, the hour of the former one, replays, and the end of ninety days.

use super::{Stage, TOKEN, refresh_form, tokens};
use shared::auth::RefreshToken;
use shared::domain::KeyId;

const HOUR: u64 = 60 * 60;
const DAY: u64 = 24 * HOUR;

impl Stage {
    /// The generation that a refresh token names.
    async fn generation(&self, token: &str) -> u64 {
        let vault = self.app.vault().expect("a vault");
        RefreshToken::open(vault, token).await.expect("a ring").expect("a token").generation
    }

    /// Asserts that an assistant is signed out because of a replay, and that no token works.
    async fn replayed(&self, key: &KeyId, access: &[&str]) {
        assert_eq!(self.signed_out(key).await, Some("token_reused"));
        for token in access {
            assert_eq!(self.mcp(token).await, 401);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_refresh_gives_the_next_tokens_and_keeps_those_that_are_in_use() {
    let stage = Stage::new().await;
    let (key, first) = stage.connected().await;
    let second = stage.refresh(&first.refresh).await;
    assert_eq!((stage.generation(&first.refresh).await, stage.generation(&second.refresh).await), (1, 2));
    assert_eq!((stage.mcp(&first.access).await, stage.mcp(&second.access).await), (200, 200));
    let widened = stage.ok(TOKEN, &refresh_form(&second.refresh, &[("scope", "read write billing")])).await;
    assert_eq!(widened["scope"], "campaigns");
    assert_eq!(stage.record(&key).await.generation, 3);
}

#[tokio::test(start_paused = true)]
async fn the_former_refresh_token_answers_for_an_hour_without_a_write() {
    let stage = Stage::new().await;
    let (key, first) = stage.connected().await;
    stage.refresh(&first.refresh).await;
    let written = stage.record(&key).await;
    stage.seconds(HOUR - 1).await;
    let again = stage.refresh(&first.refresh).await;
    assert_eq!(stage.generation(&again.refresh).await, 2);
    assert_eq!(stage.record(&key).await, written);
    let third = stage.refresh(&again.refresh).await;
    assert_eq!(stage.mcp(&third.access).await, 200);
}

#[tokio::test(start_paused = true)]
async fn a_former_refresh_token_after_its_hour_ends_all() {
    let stage = Stage::new().await;
    let (key, first) = stage.connected().await;
    let second = stage.refresh(&first.refresh).await;
    stage.seconds(HOUR).await;
    assert_eq!(stage.refused(TOKEN, &refresh_form(&first.refresh, &[])).await, "invalid_grant");
    stage.replayed(&key, &[&first.access, &second.access]).await;
    assert_eq!(stage.refused(TOKEN, &refresh_form(&second.refresh, &[])).await, "invalid_grant");
}

#[tokio::test(start_paused = true)]
async fn a_token_of_two_generations_ago_ends_all_at_once() {
    let stage = Stage::new().await;
    let (key, first) = stage.connected().await;
    let second = stage.refresh(&first.refresh).await;
    let third = stage.refresh(&second.refresh).await;
    assert_eq!(stage.refused(TOKEN, &refresh_form(&first.refresh, &[])).await, "invalid_grant");
    stage.replayed(&key, &[&second.access, &third.access]).await;
    let events = stage.owner("GET", "/v1/events?type=api_key.rotated", &serde_json::Value::Null).await.1;
    assert_eq!(events["events"].as_array().map(Vec::len), Some(1), "an event tells it: {events}");
}

#[tokio::test(start_paused = true)]
async fn another_client_refreshes_nothing_and_ends_nothing() {
    let stage = Stage::new().await;
    let (key, first) = stage.connected().await;
    let written = stage.record(&key).await;
    for other in ["https://chatgpt.com/oauth/client.json", "dcr.eyJuIjoiQ2xhdWRlIn0", "Claude"] {
        let form = refresh_form(&first.refresh, &[("client_id", other)]);
        assert_eq!(stage.refused(TOKEN, &form).await, "invalid_grant", "{other}");
    }
    assert_eq!(stage.record(&key).await, written);
    assert_eq!(stage.mcp(&stage.refresh(&first.refresh).await.access).await, 200);
}

#[tokio::test(start_paused = true)]
async fn a_refresh_token_that_is_not_used_ends_after_ninety_days() {
    let stage = Stage::new().await;
    let (_, used) = stage.connected().await;
    let (_, unused) = stage.connected().await;
    stage.seconds(50 * DAY).await;
    let used = stage.refresh(&used.refresh).await;
    stage.seconds(40 * DAY).await;
    assert_eq!(stage.refused(TOKEN, &refresh_form(&unused.refresh, &[])).await, "invalid_grant");
    let answer = stage.ok(TOKEN, &refresh_form(&used.refresh, &[])).await;
    assert_eq!(stage.mcp(&tokens(&answer).access).await, 200);
}
