//! Tokens of assistants. What is no token costs no call.

use super::stage::Stage;
use super::table::Row;
use crate::assistants::{Consent, REVOKE, TOKEN, consent, consent_for, exchange_form, refresh_form, tokens};
use lambda_http::{Body, Request};
use serde_json::Value;
use shared::domain::{PersonId, Plan, Platform, Scope};

/// An assistant from its first code to its sign-out.
pub(super) async fn story() -> Vec<Row> {
    let mut stage = Stage::new(Plan::Enterprise, &[Platform::Alpha]).await;
    let ada = PersonId("ada".to_owned());
    let (app, customer) = (stage.app(), stage.in_process.customer);
    let first = consent(&app, customer, Scope::Campaigns, &ada).await;
    post(&mut stage, "made up", 400, TOKEN, &refresh_form("uar_test_made-up", &[])).await;
    let given = tokens(&post(&mut stage, "a code", 200, TOKEN, &exchange_form(&first.code, &[])).await);
    let next = post(&mut stage, "a refresh", 200, TOKEN, &refresh_form(&given.refresh, &[])).await;
    post(&mut stage, "the former refresh token", 200, TOKEN, &refresh_form(&given.refresh, &[])).await;
    post(&mut stage, "another refresh", 200, TOKEN, &refresh_form(&tokens(&next).refresh, &[])).await;
    post(&mut stage, "a replay", 400, TOKEN, &refresh_form(&given.refresh, &[])).await;
    let Consent { code, .. } = consent_for(&app, customer, &first.key, Scope::Campaigns, &ada).await;
    let given = tokens(&post(&mut stage, "the code of a new consent", 200, TOKEN, &exchange_form(&code, &[])).await);
    post(&mut stage, "made up", 200, REVOKE, "token=uat_test_made-up").await;
    post(&mut stage, "a token", 200, REVOKE, &format!("token={}", given.access)).await;
    stage.rows
}

async fn post(stage: &mut Stage, case: &str, status: u16, path: &str, form: &str) -> Value {
    let request = http::Request::post(path).header("content-type", "application/x-www-form-urlencoded");
    let request: Request = request.body(Body::from(form)).expect("a request");
    stage.count_as(case, status, request).await
}
