//! Tests of the words of statements for programs.

use super::*;
use crate::domain::{
    CampaignId, ChoiceRule, ConnectionId, ConnectionStatus, Currency, Plan, Platform, SubscriptionStatus, TimeRule,
};
use uuid::Uuid;

fn words(statements: impl IntoIterator<Item = (impl Into<Statement>, &'static str)>) {
    for (statement, words) in statements {
        let statement: Statement = statement.into();
        assert_eq!(statement.to_string(), words, "{statement:?}");
    }
}

#[test]
fn statements_about_changes_have_words() {
    let (platform, name, request) = (Platform::Beta, "Spring".to_owned(), Uuid::nil());
    let campaign = CampaignId::parse("beta_7_1").unwrap();
    let until = "2026-12-01T00:00:00Z".parse().unwrap();
    words([
        (
            ChangeStatement::CreateUnknown { platform, name: name.clone(), request, is_keyed: true },
            "It is not known yet whether Meta created the campaign \"Spring\". The service usually finds out within a \
             minute; see GET /v1/campaigns/intents/00000000-0000-0000-0000-000000000000. Send the same request again with \
             the same Idempotency-Key; it creates nothing twice.",
        ),
        (
            ChangeStatement::CreateUnknown { platform, name: name.clone(), request, is_keyed: false },
            "It is not known yet whether Meta created the campaign \"Spring\". The service usually finds out within a \
             minute; see GET /v1/campaigns/intents/00000000-0000-0000-0000-000000000000. Do not send the create again \
             before that page shows not_created.",
        ),
        (
            ChangeStatement::CreatedActive { name: name.clone(), campaign, request },
            "Meta created the campaign \"Spring\" as active, and pausing it failed: it may be running. Its id is beta_7_1. \
             The service usually pauses it within a minute; see GET \
             /v1/campaigns/intents/00000000-0000-0000-0000-000000000000. Do not create it again.",
        ),
        (
            ChangeStatement::OpenCreates { name, number: 50 },
            "50 creates of the campaign \"Spring\" in this ad account have an unknown outcome. Nothing was sent. Wait \
             until GET /v1/campaigns/intents/{request_id} shows their outcomes, or use another name.",
        ),
        (
            ChangeStatement::FieldsUnknown(vec!["name".to_owned()]),
            "It is not known whether this was applied: name. It is safe to repeat the request: fields already applied are \
             skipped.",
        ),
        (
            ChangeStatement::FieldsUnknown(vec!["name".to_owned(), "status".to_owned()]),
            "It is not known which of these were applied: name, status. It is safe to repeat the request: fields already \
             applied are skipped.",
        ),
        (
            ChangeStatement::RemovalUnknown,
            "It is not known whether the campaign was removed. It is safe to repeat the request: 404 means that it was.",
        ),
        (ChangeStatement::NotNow("No access.".into()), "This is not possible now: No access."),
        (
            ChangeStatement::MonthSpent { until },
            "The campaign's monthly budget allows no more until 2026-12-01T00:00:00Z. Raise budget_amount, and this \
             service activates it itself unless somebody has paused it since: then activate it a minute later. Or send a \
             DAILY budget_period with its amount first.",
        ),
    ]);
}

#[test]
fn statements_about_connections_have_words() {
    let (platform, account) = (Platform::Alpha, || "7".to_owned());
    let (id, status) = (ConnectionId("conn_1".to_owned()), ConnectionStatus::Revoked);
    let currency = Currency::from_code("USD").unwrap();
    words([
        (
            ConnectionStatement::Missing { platform, account: account(), others: Vec::new() },
            "There is no active connection to the ad account 7 on alpha_ads. Connect one: GET \
             /v1/connections/alpha_ads/authorize.",
        ),
        (
            ConnectionStatement::Missing { platform, account: account(), others: vec!["8".to_owned(), "9".to_owned()] },
            "There is no active connection to the ad account 7 on alpha_ads. Connect one: GET \
             /v1/connections/alpha_ads/authorize, or use one that is connected: 8, 9.",
        ),
        (
            ConnectionStatement::Broken { id, platform, account: account(), status, why: "It ended.".to_owned() },
            "The connection conn_1 to the ad account 7 on alpha_ads is REVOKED. It ended.",
        ),
        (
            ConnectionStatement::Ended { platform, account: account() },
            "The ad account 7 is no longer connected. Connect it again: GET /v1/connections/alpha_ads/authorize.",
        ),
        (
            ConnectionStatement::AuthorizationEnded(platform),
            "Google Ads no longer accepts this authorization; authorize the account again: GET \
             /v1/connections/alpha_ads/authorize.",
        ),
        (
            ConnectionStatement::CurrencyChanged { account: account(), currency },
            "The ad account 7 has the currency USD now; check its connection: POST /v1/connections/sync.",
        ),
    ]);
}

#[test]
fn statements_about_plans_have_words() {
    let (plan, larger, status) = (Plan::Starter, Plan::Pro, SubscriptionStatus::new("active"));
    words([
        (
            PlanStatement::Connections { plan, most: 3, larger },
            "Plan starter allows 3 connections, and all are used: remove one with DELETE /v1/connections/{id}, or change \
             to plan pro.",
        ),
        (
            PlanStatement::Authorizations { plan, most: 10 },
            "Plan starter allows 10 authorizations in progress. Finish one, remove one with DELETE \
             /v1/connections/{id}, or retry after the seconds in the Retry-After header.",
        ),
        (
            PlanStatement::Targets { plan, larger },
            "Plan starter does not include targets: change to plan pro, or send one create for each ad account.",
        ),
        (
            PlanStatement::Had { plan: larger, status: status.clone() },
            "You already have the plan pro (active). Manage the subscription in the portal: POST /v1/billing/portal.",
        ),
        (
            PlanStatement::Subscribed(status),
            "You already have a subscription (active) and would pay for a second one as well. Change or cancel it in the \
             portal: POST /v1/billing/portal.",
        ),
        (
            PlanStatement::Repeated("The card was declined.".into()),
            "The card was declined. The payment provider has stored this failure under the Idempotency-Key; use a new key.",
        ),
    ]);
}

#[test]
fn statements_about_retries_have_words() {
    words([
        (
            RetryStatement::InProgress,
            "Another request with this Idempotency-Key, or for a campaign of this name, is in progress. Send the request \
             again in a moment to get its response.",
        ),
        (
            RetryStatement::OtherRequest,
            "This Idempotency-Key belongs to a different request. Use a new key for a new request, and the same key only \
             with the same path and body, and with the same API key if that has a limit.",
        ),
        (
            RetryStatement::EarlierUnknown,
            "The outcome of the earlier request is unknown. Send it again with the same Idempotency-Key.",
        ),
    ]);
}

#[test]
fn a_statement_is_one_or_several_sentences_or_fields() {
    let fields = vec![
        FieldError::new("end_at", TimeRule::AfterStart),
        FieldError::new("goal", ChoiceRule::OneOf("SALES".to_owned())),
    ];
    let several = Statement::from("Meta did not answer in time.").and(ChangeStatement::FieldsUnknown(Vec::new()));
    let words_of_several = several.to_string();
    assert!(words_of_several.starts_with("Meta did not answer in time. It is not known "), "{words_of_several}");
    assert_eq!(several.and("End.").to_string(), format!("{words_of_several} End."));
    words([
        (
            Statement::NoSuch("campaign".to_owned()),
            "There is no such campaign. GET /v1/campaigns lists those of your connected ad accounts.",
        ),
        (Statement::NoSuch("person".to_owned()), "There is no such person."),
        (Statement::Fields(fields), "end_at must be after start_at; goal must be one of SALES"),
        ("Words.".into(), "Words."),
    ]);
}

#[test]
fn statements_of_changes_are_read_as_they_were_stored() {
    let platform = Platform::Zeta;
    let ended = ConnectionStatement::AuthorizationEnded(platform);
    for statement in [
        Statement::from("Words."),
        Statement::from(ended.clone()).and(ChangeStatement::FieldsUnknown(vec!["name".to_owned()])),
        Statement::Fields(vec![FieldError::new("goal", ChoiceRule::Offered { platform, instead: None })]),
        ChangeStatement::NotNow(ended.into()).into(),
    ] {
        let stored = serde_json::to_string(&statement).unwrap();
        assert_eq!(serde_json::from_str::<Statement>(&stored).unwrap(), statement, "{stored}");
    }
    let never = Statement::from(RetryStatement::InProgress);
    assert!(serde_json::to_string(&never).is_err(), "no change has it");
}
