//! The ad accounts that a user reaches.

use super::api::{self, API};
use super::wire::{self, is_id};
use crate::platforms::engine::accounts::{by_id, known_currency};
use crate::platforms::prelude::*;

/// States of accounts that take no campaigns: disabled, about to be closed, closed (Marketing API: Ad Account,
/// `account_status`).
const CLOSED: &[&str] = &["2", "100", "101"];

/// Accounts that can hold campaigns, by id, each once.
pub(super) async fn accounts(call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
    let rows = api::ad_accounts().all(&Client::new(&API, call, Some(token))).await?;
    Ok(by_id(readable(Platform::Beta, &rows, account)?.into_iter().flatten().flatten().collect()))
}

/// An account; `None` for one that takes no campaigns or has an unknown currency. Without a time zone it gets UTC:
/// Meta's times carry their offset, and a campaign takes no dates.
fn account(row: &RawValue) -> Result<Option<AdAccount>, Error> {
    let theirs: wire::AdAccount = serde_json::from_str(row.get()).map_err(|error| unreadable(Platform::Beta, error))?;
    let id = theirs.account_id.filter(|id| is_id(id));
    let id = id.ok_or_else(|| unreadable(Platform::Beta, "an ad account without an id"))?;
    if theirs.account_status.is_some_and(|status| CLOSED.contains(&status.as_str())) {
        return Ok(None);
    }
    let Some(currency) = known_currency(Platform::Beta, &id, theirs.currency.as_deref()) else { return Ok(None) };
    let time_zone = theirs.timezone_name.unwrap_or_else(|| "UTC".to_owned());
    Ok(Some(AdAccount { id, name: theirs.name.unwrap_or_default(), currency, time_zone, manager_id: None }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platforms::fake::{Fake, ok};
    use serde_json::{Value, json};

    fn account(id: &str, currency: &str, status: i64) -> Value {
        json!({"id": format!("act_{id}"), "account_id": id, "name": format!("a{id}"), "currency": currency,
            "timezone_name": "Europe/Berlin", "account_status": status})
    }

    async fn reached(fake: &Fake) -> Result<Vec<AdAccount>, Error> {
        let session = fake.session_of(Platform::Beta, super::super::tests::account());
        accounts(&session.call, &session.token).await
    }

    #[tokio::test]
    async fn all_pages_are_read_and_accounts_without_campaigns_are_left_out() {
        let elsewhere = "http://127.0.0.1:1/evil?access_token=x";
        let first = json!({"data": [account("30", "EUR", 1), account("4", "XAU", 1), account("5", "USD", 101)],
            "paging": {"cursors": {"before": "a", "after": "c+1"}, "next": elsewhere}});
        let empty = json!({"data": [], "paging": {"cursors": {"after": "c2"}, "next": elsewhere}});
        let last = json!({"data": [account("2", "JPY", 9), account("30", "EUR", 1), account("6", "USD", 2)],
            "paging": {"cursors": {"before": "b", "after": "c3"}}});
        let fake = Fake::answering(vec![ok(first), ok(empty), ok(last)]);
        let found = reached(&fake).await.unwrap();
        let seen: Vec<(&str, &str)> =
            found.iter().map(|account| (account.id.as_str(), account.currency.code())).collect();
        assert_eq!(seen, [("2", "JPY"), ("30", "EUR")]);
        assert_eq!((found[1].name.as_str(), found[1].time_zone.as_str()), ("a30", "Europe/Berlin"));
        let requests = fake.requests();
        assert!(requests[0].line.starts_with("GET /v26.0/me/adaccounts?fields="), "{}", requests[0].line);
        assert!(requests[1].line.contains("&after=c%2B1&") && requests[2].line.contains("&after=c2&"));
    }

    #[tokio::test]
    async fn an_unreadable_account_does_not_hide_the_others() {
        let mut plain = account("2", "EUR", 1);
        plain["account_id"] = json!(2);
        plain["account_status"] = json!("1");
        plain["timezone_name"] = json!(7.5);
        let mut closed = account("3", "EUR", 1);
        closed["account_status"] = json!("101");
        let rows = json!([null, {}, {"account_id": "x"}, plain, closed, account("4", "EUR", 77)]);
        let found = reached(&Fake::answering(vec![ok(json!({"data": rows}))])).await.unwrap();
        let ids: Vec<&str> = found.iter().map(|account| account.id.as_str()).collect();
        assert_eq!(ids, ["2", "4"]);
    }

    #[tokio::test]
    async fn a_next_page_without_a_cursor_is_a_failure() {
        let fake = Fake::answering(vec![ok(json!({"data": [], "paging": {"next": "https://elsewhere.example"}}))]);
        assert_eq!(reached(&fake).await.unwrap_err().kind, Kind::PlatformFailed);
        let endless = Fake::new(|_| ok(json!({"data": [], "paging": {"cursors": {"after": "c"}, "next": "x"}})));
        assert_eq!(reached(&endless).await.unwrap_err().kind, Kind::PlatformFailed);
    }
}
