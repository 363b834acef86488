use super::*;
use crate::error::Kind;
use crate::platforms::delta::translate::tests::account as our_account;
use crate::platforms::fake::{Fake, ok};
use serde_json::{Value, json};

async fn found(rows: Value) -> Result<Vec<String>, Error> {
    let fake = Fake::answering(vec![ok(json!({"elements": rows, "metadata": {}}))]);
    let session = fake.session_of(Platform::Delta, our_account());
    Ok(accounts(&session.call, &session.token, TOKEN_DELAY).await?.into_iter().map(|one| one.id).collect())
}

fn row(id: &Value) -> Value {
    json!({"id": id, "name": "x", "currency": "USD", "status": "ACTIVE"})
}

#[tokio::test]
async fn an_account_that_cannot_be_read_costs_only_itself() {
    let malformed =
        [json!(null), json!(7), json!({}), row(&json!(null)), row(&json!("x")), row(&json!(0)), row(&json!(1.5))];
    for malformed in malformed {
        assert_eq!(
            found(json!([row(&json!(6)), malformed, row(&json!("5"))])).await.unwrap(),
            ["5", "6"],
            "{malformed}"
        );
    }
}

#[tokio::test]
async fn accounts_of_which_none_can_be_read_are_a_failure() {
    let error = found(json!([row(&json!(null)), {}])).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true));
    assert_eq!(found(json!([])).await.unwrap(), [""; 0], "a user may have none");
}
