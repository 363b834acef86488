//! Consents that are stored straight into the table, as a callback stores them.

use jiff::SignedDuration;
use shared::app::App;
use shared::domain::{AdAccount, ConnectionId, Currency, CustomerId, Grant};
use shared::store::{Authorization, Consent, NewConnection, Stored};

/// Stores the first consent of a grant to new ad accounts.
pub(crate) async fn store_consent(app: &App, customer: CustomerId, grant: &Grant, accounts: &[NewConnection]) {
    let store = &app.store;
    let now = app.clock.now();
    let pending = &accounts[0].id;
    let authorization = Authorization {
        state_hash: pending.0.clone(),
        customer,
        platform: grant.platform,
        connection: pending.clone(),
        verifier: String::new(),
        redirect_uri: String::new(),
        return_to: None,
        external_ref: None,
        expires_at: now,
    };
    let seen = store.authorizations_in_progress(customer, now).await;
    let until = now + SignedDuration::from_mins(30);
    let begun = store.begin_authorization(&authorization, &seen.expect("a read"), now, until).await;
    assert!(begun.expect("PENDING"), "nobody else begins one");
    let platform = grant.platform;
    let consent = Consent { customer, platform, grant, old_grants: &[], pending, limit: None, now };
    assert_eq!(store.connect(&consent, accounts, false).await.expect("a write"), Stored::All);
}

/// A new connection of an ad account.
pub(crate) fn new_connection(id: ConnectionId, account: &str) -> NewConnection {
    NewConnection { id, label: None, external_ref: None, account: ad_account(account), known: None }
}

/// An ad account without anything of note.
pub(crate) fn ad_account(id: &str) -> AdAccount {
    AdAccount {
        id: id.to_owned(),
        name: String::new(),
        currency: Currency::from_code("USD").expect("a currency"),
        time_zone: "UTC".to_owned(),
        manager_id: None,
    }
}
