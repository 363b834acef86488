//! Tests of the words.

use super::*;
use rust_decimal::Decimal;
use shared::domain::redirect_uri::RedirectUriError;
use shared::domain::webhook_endpoint::EventTypesError;
use shared::domain::{
    Accepted, AmountRule, BudgetPeriod, CampaignId, ChangeStatement, ChoiceRule, ConnectionId, ConnectionStatement,
    ConnectionStatus, Currency, DefaultsRule, FieldError, MoneyError, Plan, PlanStatement, Platform, RetryStatement,
    Rule, Statement, SubscriptionStatus, TextRule, TimeRule,
};
use uuid::Uuid;

fn said(field: &str, label: &str, typed: &str, rule: impl Into<Rule>) -> String {
    requirement(&Subject { field, label, typed }, &rule.into())
}

fn currency(code: &str) -> Currency {
    Currency::from_code(code).unwrap()
}

#[test]
fn rules_of_amounts_have_a_persons_words() {
    let (usd, jpy) = (currency("USD"), currency("JPY"));
    let (amount, platform) = (Decimal::from(5_000), Platform::Gamma);
    let daily = BudgetPeriod::Daily;
    for (rule, words) in [
        (
            AmountRule::AtLeast { amount: Decimal::ONE, currency: usd, per: daily, platform: Platform::Beta },
            "Meta needs at least 1.00 USD a day.",
        ),
        (
            AmountRule::AtLeast { amount, currency: jpy, per: BudgetPeriod::Lifetime, platform },
            "TikTok needs at least 5,000 JPY in all.",
        ),
        (AmountRule::MonthAtLeast { amount, currency: usd, platform }, "TikTok needs at least 5,000.00 USD a month."),
        (
            AmountRule::AtMost { amount, currency: usd, per: daily, platform },
            "TikTok takes at most 5,000.00 USD a day.",
        ),
        (AmountRule::Decimals { most: 0, currency: usd, platform }, "TikTok takes at most 0 decimals in USD."),
        (AmountRule::Positive, "A budget is more than 0."),
        (AmountRule::NotNegative, "Write 0 or more."),
        (AmountRule::Whole { most: 100 }, "Write a whole number from 0 to 100."),
        (AmountRule::Exact(MoneyError::TooFine(jpy)), "Amounts in JPY have no decimals."),
        (AmountRule::Exact(MoneyError::TooFine(usd)), "Amounts in USD have 2 decimals at most."),
        (AmountRule::Exact(MoneyError::FinerThanMicros), "Write at most six decimals."),
        (AmountRule::Exact(MoneyError::TooLarge), "This amount is too large. The largest is 9223372036854."),
        (AmountRule::Exact(MoneyError::NotExact), "This amount has too many digits."),
        (AmountRule::Largest { amount }, "This amount is too large. The largest is 5000."),
    ] {
        assert_eq!(said("budget_amount", "Budget", "", rule), words);
    }
}

#[test]
fn a_number_is_asked_for_as_it_was_meant() {
    for (typed, words) in [
        ("", "Write an amount."),
        ("1,000", "1,000 can be read two ways: write 1000 or 1.000."),
        ("0,125", "Write a number, such as 250."),
        ("1,234,567", "Write 1234567, without the commas."),
        ("1,234.50", "Write 1234.50, without the comma."),
        ("$300", "Write the number alone, such as 300."),
        ("300 USD", "Write the number alone, such as 300."),
        ("€ 25,50", "Write the number alone, such as 25.50."),
        ("$1,000", "Write the number alone, such as 1000."),
        ("12,34,567", "Write a number, such as 250."),
        ("3 or 4", "Write a number, such as 250."),
        ("a lot", "Write a number, such as 250."),
        ("<b>,1", "Write the number alone, such as 1."),
    ] {
        assert_eq!(said("budget_amount", "Budget", typed, AmountRule::Number), words);
    }
    assert_eq!(said("daily", "A day", "0", AmountRule::Positive), "Write an amount above 0.");
}

#[test]
fn rules_of_choices_have_a_persons_words() {
    let platform = Platform::Zeta;
    let offered = || ChoiceRule::Offered { platform, instead: None };
    let periods = || Accepted::Periods(vec![BudgetPeriod::Daily]);
    let required = |one_of: Option<&str>| ChoiceRule::Required { one_of: one_of.map(str::to_owned) };
    for (field, rule, words) in [
        ("goal", offered(), "Reddit does not have this goal."),
        ("budget_period", offered(), "Reddit does not have this budget period."),
        ("campaign_defaults.language", offered(), "“Label” is not offered on Reddit."),
        (
            "budget_period",
            ChoiceRule::OfferedWithGoal { platform, instead: periods() },
            "Reddit does not have this budget period with this goal.",
        ),
        (
            "status",
            ChoiceRule::Settable { platform, instead: periods() },
            "“Label” cannot be set to this value on Reddit.",
        ),
        ("goal", required(Some("A, B")), "Choose a goal."),
        ("budget_period", required(Some("A, B")), "Choose a budget period."),
        ("platform", required(Some("A, B")), "“Label” is required: one of A, B."),
        ("name", required(None), "“Label” must not be empty."),
        ("goal", ChoiceRule::OneOf("A".to_owned()), "Choose a goal."),
        ("budget_period", ChoiceRule::OneOf("A".to_owned()), "Choose a budget period."),
        ("status", ChoiceRule::OneOf("A".to_owned()), "“Label” must be one of A."),
        ("currency", ChoiceRule::Currency, "Write three letters, such as USD."),
        ("spending_limit.connections", ChoiceRule::SomeConnection, "Choose an ad account."),
        ("scopes", ChoiceRule::SomeScope("read".to_owned()), "Choose what the key may do."),
        ("types", ChoiceRule::EventTypes(EventTypesError::Empty), "Choose an event, or all."),
        (
            "types",
            ChoiceRule::EventTypes(EventTypesError::AllAndOthers),
            "“Label” must not have other types beside \"*\", which stands for all.",
        ),
    ] {
        assert_eq!(said(field, "Label", "", rule), words);
    }
}

#[test]
fn rules_of_defaults_have_a_persons_words() {
    let (platform, known) = (Platform::Delta, "de, en".to_owned());
    for (rule, words) in [
        (
            DefaultsRule::Set { platform },
            "LinkedIn needs a country and a language for new campaigns. Set them on the page Connections.",
        ),
        (DefaultsRule::Required { platform }, "LinkedIn needs a country and a language."),
        (DefaultsRule::RequiredWithCategories { platform }, "Write the country in which the ads are shown."),
        (DefaultsRule::OnlyWithCategories { platform }, "Tick a category, or leave the country empty."),
        (
            DefaultsRule::Country { shown_by: Some(platform) },
            "Write the two letters of a country in which LinkedIn shows ads, such as DE.",
        ),
        (DefaultsRule::Country { shown_by: None }, "Write the two letters of a country, such as DE."),
        (DefaultsRule::Language { platform, known }, "LinkedIn has these languages: de, en."),
    ] {
        assert_eq!(said("campaign_defaults.country", "Country", "", rule), words);
    }
}

#[test]
fn rules_of_texts_have_a_persons_words() {
    let platform = Platform::Gamma;
    for (rule, words) in [
        (TextRule::Length { most: 255, has: 0 }, "“Name” must not be empty."),
        (TextRule::Length { most: 255, has: 300 }, "“Name” must have 1 to 255 characters. It has 300."),
        (TextRule::OneLine, "“Name” must be one line of text."),
        (TextRule::Trimmed, "Remove the spaces around the name."),
        (TextRule::AtLeast { characters: 3, platform }, "TikTok needs a name of at least 3 characters."),
        (
            TextRule::Characters { most: 255, has: 256, platform },
            "“Name” must be at most 255 characters on TikTok; it is 256.",
        ),
        (TextRule::Bytes { most: 255, has: 256, platform }, "TikTok takes a name of at most 255 bytes. It has 256."),
        (TextRule::NoEmoji { found: '⭐', platform }, "TikTok takes no emoji in a name: '⭐'."),
        (
            TextRule::RedirectUri(RedirectUriError::NotAbsolute),
            "Write the whole address, such as https://example.com/connected.",
        ),
        (TextRule::RedirectUri(RedirectUriError::Fragment), "Remove the # and what follows it."),
        (
            TextRule::RedirectUri(RedirectUriError::NotCanonical("https://a.example/".to_owned())),
            "Write it as https://a.example/.",
        ),
        (TextRule::RedirectUri(RedirectUriError::TooLong), "“Name” must have at most 2048 bytes."),
    ] {
        assert_eq!(said("name", "Name", "", rule), words);
    }
}

#[test]
fn the_example_of_an_address_is_that_of_the_api() {
    let example = "such as https://example.com/connected";
    assert!(RedirectUriError::NotAbsolute.to_string().contains(example));
    assert!(said("uri", "URI", "", TextRule::RedirectUri(RedirectUriError::NotAbsolute)).contains(example));
}

#[test]
fn rules_of_times_have_a_persons_words() {
    let (period, platform) = (BudgetPeriod::Lifetime, Platform::Delta);
    for (field, rule, words) in [
        ("start_at", TimeRule::Moment, "Choose a date."),
        ("end_at", TimeRule::CalendarDay, "Choose a day that there is."),
        ("since", TimeRule::Instant, "Choose a date and a time."),
        ("apply_at", TimeRule::WholeSecond, "Choose a date and a time."),
        ("end_at", TimeRule::AfterStart, "Choose an end after the start."),
        ("start_at", TimeRule::BeforeEnd, "Choose a start before the end."),
        ("end_at", TimeRule::Ahead, "Choose an end that has not passed."),
        ("start_at", TimeRule::Ahead, "Choose a start that has not passed."),
        ("start_at", TimeRule::AheadOrNone, "Choose a start that has not passed."),
        ("start_at", TimeRule::FromToday, "Choose a start that has not passed."),
        ("end_at", TimeRule::EndRequired { period, platform }, "LinkedIn needs an end for a budget of the whole run."),
        ("apply_at", TimeRule::Schedulable, "Choose a time from a minute to a year ahead."),
        (
            "apply_at",
            TimeRule::NotWithMonth,
            "A monthly budget changes at once. Leave the time empty, or change the budget then.",
        ),
        ("since", TimeRule::Kept, "Choose a time of the last 30 days."),
    ] {
        assert_eq!(said(field, "Label", "", rule), words);
    }
}

#[test]
fn a_stated_rule_has_the_label_of_its_field() {
    assert_eq!(said("name", "Name", "", "must rhyme"), "“Name” must rhyme.");
}

fn messages(all: impl IntoIterator<Item = (impl Into<Statement>, &'static str)>) {
    for (statement, words) in all {
        assert_eq!(message(&statement.into()), words);
    }
}

#[test]
fn statements_about_changes_say_what_a_person_can_do() {
    let (platform, name, request) = (Platform::Beta, || "Spring".to_owned(), Uuid::nil());
    let campaign = CampaignId::parse("beta_7_1").unwrap();
    let until = "2026-12-01T00:00:00Z".parse().unwrap();
    messages([
        (
            ChangeStatement::CreateUnknown { platform, name: name(), request, is_keyed: true },
            "Meta has not confirmed “Spring” yet. We are checking.",
        ),
        (
            ChangeStatement::CreatedActive { name: name(), campaign, request },
            "Meta created “Spring” as active, so it may be running. We are pausing it.",
        ),
        (
            ChangeStatement::OpenCreates { name: name(), number: 50 },
            "Earlier campaigns with the name “Spring” are not confirmed yet, so nothing was sent. Wait, or choose another \
             name.",
        ),
        (
            ChangeStatement::FieldsUnknown(vec!["status".to_owned()]),
            "It is not known yet whether the change is made. We are checking.",
        ),
        (ChangeStatement::RemovalUnknown, "It is not known yet whether the campaign is deleted. We are checking."),
        (
            ChangeStatement::MonthSpent { until },
            "The budget of this month is spent. Raise it to restart now. Otherwise the campaign restarts at \
             1 Dec 2026, 00:00 UTC, unless somebody has paused it since: activate it then.",
        ),
        (
            ChangeStatement::NotNow(Statement::NoSuch("campaign".to_owned())),
            "This is not possible now: There is no such campaign.",
        ),
    ]);
}

#[test]
fn statements_about_connections_say_what_a_person_can_do() {
    let (platform, account) = (Platform::Alpha, || "7".to_owned());
    let (id, status) = (ConnectionId("conn_1".to_owned()), ConnectionStatus::Revoked);
    let broken = "The ad account 7 has no working connection. Look at it under Connections.";
    messages([
        (ConnectionStatement::Missing { platform, account: account(), others: vec!["8".to_owned()] }, broken),
        (ConnectionStatement::Broken { id, platform, account: account(), status, why: String::new() }, broken),
        (
            ConnectionStatement::Ended { platform, account: account() },
            "The ad account 7 is no longer connected. Connect it again under Connections.",
        ),
        (
            ConnectionStatement::AuthorizationEnded(platform),
            "Google Ads no longer accepts this authorization. Connect the ad account again under Connections.",
        ),
        (
            ConnectionStatement::CurrencyChanged { account: account(), currency: currency("USD") },
            "The ad account 7 has the currency USD now. Check it under Connections.",
        ),
    ]);
}

#[test]
fn statements_about_plans_say_what_a_person_can_do() {
    let (plan, larger, status) = (Plan::Starter, Plan::Pro, SubscriptionStatus::new("active"));
    messages([
        (
            PlanStatement::Connections { plan, most: 3, larger },
            "All 3 connections of plan starter are used. Remove one, or upgrade to pro.",
        ),
        (
            PlanStatement::Authorizations { plan, most: 10 },
            "10 connections are in progress. Finish one, or remove one.",
        ),
        (PlanStatement::Targets { plan, larger }, "Plan starter creates in one ad account at a time."),
        (
            PlanStatement::Had { plan: larger, status: status.clone() },
            "You already have the plan pro (active). Manage the subscription in the portal.",
        ),
        (
            PlanStatement::Subscribed(status),
            "You already have a subscription (active) and would pay for a second one as well. Change or cancel it in the \
             portal.",
        ),
        (PlanStatement::Repeated("The card was declined.".into()), "Nothing was charged. Try again."),
    ]);
}

#[test]
fn statements_about_retries_say_what_a_person_can_do() {
    messages([
        (
            RetryStatement::InProgress,
            "An earlier send of this form, or another campaign with this name, is still in progress.",
        ),
        (RetryStatement::OtherRequest, "This form was sent before with other values, so nothing more was done."),
        (
            RetryStatement::EarlierUnknown,
            "What became of the earlier send is not known. Send the form again as it is: nothing is done twice.",
        ),
    ]);
}

#[test]
fn statements_that_are_joined_keep_their_words() {
    let unknown = ChangeStatement::FieldsUnknown(vec!["status".to_owned()]);
    let ended = ConnectionStatement::AuthorizationEnded(Platform::Beta);
    let fields = vec![
        FieldError::new("end_at", TimeRule::AfterStart),
        FieldError::new("name", TextRule::Length { most: 255, has: 0 }),
    ];
    messages([
        (
            Statement::from("Meta did not answer in time.").and(unknown),
            "Meta did not answer in time. It is not known yet whether the change is made. We are checking.",
        ),
        (
            Statement::from(ended).and("Part of the change was applied first."),
            "Meta no longer accepts this authorization. Connect the ad account again under Connections. Part of the change \
             was applied first.",
        ),
        (Statement::Fields(fields), "Choose an end after the start. “Name” must not be empty."),
        (Statement::NoSuch("webhook endpoint".to_owned()), "There is no such webhook endpoint."),
        ("Meta refused it: Too low.".into(), "Meta refused it: Too low."),
    ]);
}

#[test]
fn a_stored_message_loses_the_name_of_a_field() {
    assert_eq!(
        stored("budget_amount: Google Ads refused the request: Too low."),
        "Google Ads refused the request: Too low."
    );
    assert_eq!(stored("Meta refused it: Too low."), "Meta refused it: Too low.");
}
