//! Refusals that are not about one campaign, as the calls that write pass them on.

use super::*;

const OPERATION: &str = include_str!("../fixtures/errors/eu-declaration-required.json");
const CUSTOMER: &str = include_str!("../fixtures/errors/eu-declaration-of-customer.json");
const MESSAGE: &str = "Mutates are generally not allowed if the customer contains non-exempt campaigns without the EU \
    political advertising declaration.";

fn assert_says_what_to_do(error: &Error) {
    assert_eq!((error.kind, error.retryable), (Kind::PlatformRefused, false), "{error}");
    assert!(!error.unknown_outcome, "{error}");
    assert!(error.message.contains(MESSAGE) && error.message.contains("declare"), "{}", error.message);
    assert_eq!(error.platform_error.as_ref().map(|reported| reported.message.as_str()), Some(MESSAGE));
}

async fn create_answered(status: u16, body: &str) -> Error {
    let draft = CampaignDraft::new("Winter".into(), Goal::Sales, Decimal::TEN, BudgetPeriod::Daily);
    let fake = Fake::answering(vec![(status, body.to_owned())]);
    create(&Alpha, &fake.session(), &draft, &marker()).await.unwrap_err()
}

#[tokio::test]
async fn a_missing_eu_declaration_is_told_on_a_create() {
    for (status, body) in [(400, OPERATION), (400, CUSTOMER), (403, CUSTOMER)] {
        assert_says_what_to_do(&create_answered(status, body).await);
    }
}

#[tokio::test]
async fn a_create_at_a_retired_version_is_certain_to_have_made_nothing() {
    let retired = include_str!("../fixtures/errors/version-retired.json");
    let error = create_answered(400, retired).await;
    assert_eq!((error.kind, error.retryable, error.unknown_outcome), (Kind::PlatformFailed, false, false));
    assert!(create_answered(503, retired).await.unknown_outcome);
}

#[tokio::test]
async fn a_missing_eu_declaration_is_told_on_a_change_and_a_removal() {
    let fake = Fake::answering(vec![(400, CUSTOMER.to_owned()), (400, CUSTOMER.to_owned())]);
    let session = fake.session();
    let row = include_str!("../fixtures/row-daily.json");
    let current = crate::platforms::alpha::translate::campaign(&session.account, row).unwrap();
    let renamed = CampaignChanges { name: Some("New".into()), ..CampaignChanges::default() };
    assert_says_what_to_do(&Alpha.update_campaign(&session, &current, &renamed).await.unwrap_err());
    assert_says_what_to_do(&Alpha.delete_campaign(&session, &current).await.unwrap_err());
}
