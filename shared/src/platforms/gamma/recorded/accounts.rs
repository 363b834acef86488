//! Ad accounts, tokens and their revocation.

use super::*;
use crate::platforms::gamma::accounts::accounts;
use crate::platforms::oauth::CodeExchange;
use crate::platforms::{AdPlatform, RevokedGrant};
use secrecy::ExposeSecret;
use serde_json::{Value, json};

/// Id, name, currency and time zone of each account that the token reaches.
async fn described(reached: &str, info: String) -> (Fake, Vec<[String; 4]>) {
    let fake = by_path([("/oauth2/advertiser/get/", enveloped(reached)), ("/advertiser/info/", info)]);
    let session = session(&fake, "1");
    let found = accounts(&session.call, &session.token).await.unwrap();
    let shown = found.into_iter().map(|one| [one.id, one.name, one.currency.code().to_owned(), one.time_zone]);
    (fake, shown.collect())
}

pub(super) async fn an_account_that_is_not_confirmed_stays(body: &str) {
    let (_, found) = described(r#"[{"advertiser_id":"7644143197428744199"}]"#, body.to_owned()).await;
    assert_eq!(found, [["7644143197428744199", "NangoAds Sandbox", "USD", "Pacific/Apia"]]);
}

pub(super) async fn a_suspended_account_stays_beside_a_good_one(body: &str) {
    let expected = [
        ["7001035076276387841", "Airbyte0827", "RUB", "Europe/Moscow"],
        ["7002238017842757633", "Airbyte0830", "USD", "America/Los_Angeles"],
    ];
    let reached = r#"[{"advertiser_id":7001035076276387841},{"advertiser_id":7002238017842757633}]"#;
    let (_, found) = described(reached, enveloped(body)).await;
    assert_eq!(found, expected);
    for status in ["\"STATUS_OF_THE_FUTURE\"", "null", "7", "{}"] {
        let replaced = body.replace("\"STATUS_LIMIT\"", status);
        assert_eq!(described(reached, enveloped(&replaced)).await.1, expected, "{status}");
    }
}

pub(super) async fn every_account_that_a_token_reaches_is_described(body: &str) {
    let info = |id: u64| json!({"advertiser_id": id, "name": null, "currency": "USD"});
    let infos = json!([info(7001035076276387841), info(7001040009704833026), info(7002238017842757633)]);
    let (fake, found) = described(body, enveloped(&infos.to_string())).await;
    let ids: Vec<&str> = found.iter().map(|[id, ..]| id.as_str()).collect();
    assert_eq!(ids, ["7001035076276387841", "7001040009704833026", "7002238017842757633"]);
    let line = &fake.requests()[1].line;
    assert!(ids.iter().all(|id| line.contains(id)), "{line}");
}

pub(super) async fn a_token_without_an_end_is_read(body: &str) {
    let fake = by_path([("/oauth2/access_token/", body.to_owned())]);
    let (code, verifier) = ("the-code".into(), "v".repeat(43).into());
    let exchange = CodeExchange { code: &code, redirect_uri: "https://us.example/callback", verifier: &verifier };
    let tokens = Gamma.exchange(&session(&fake, "1").call, exchange).await.unwrap();
    assert_eq!(tokens.access_token.expose_secret(), "xxxxxxxxxxxxx");
    assert!(tokens.ttl.is_none() && tokens.refresh_token.is_none());
    let asked = Gamma.facts().flow.scopes;
    assert_eq!(tokens.missing_scopes(asked), ["Ad Account Management", "Ads Management"], "it is one for reports");
}

pub(super) async fn a_revocation_has_nothing_to_read(body: &str) {
    let fake = by_path([("/oauth2/revoke_token/", body.to_owned())]);
    let grant = RevokedGrant { access_token: "the-token".into(), refresh_token: None };
    Gamma.revoke(&session(&fake, "1").call, &grant).await.unwrap();
    let response: Value = serde_json::from_str(body).unwrap();
    assert_eq!(response["data"], json!({}));
}
