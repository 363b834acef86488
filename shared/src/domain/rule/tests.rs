//! Tests of the words of rules for programs.

use super::*;
use crate::domain::redirect_uri::RedirectUriError;
use crate::domain::webhook_endpoint::EventTypesError;
use crate::domain::{BudgetPeriod, CampaignStatus, Currency, Goal, Platform};
use rust_decimal::Decimal;

fn usd() -> Currency {
    Currency::from_code("USD").unwrap()
}

fn words(rules: impl IntoIterator<Item = (impl Into<Rule>, &'static str)>) {
    for (rule, words) in rules {
        let rule: Rule = rule.into();
        assert_eq!(rule.to_string(), words, "{rule:?}");
    }
}

#[test]
fn rules_of_amounts_have_words() {
    let (amount, currency, platform) = (Decimal::from(5), usd(), Platform::Beta);
    let yen = Currency::from_code("JPY").unwrap();
    words([
        (AmountRule::Number, "must be a number"),
        (AmountRule::Positive, "must be greater than 0"),
        (AmountRule::NotNegative, "must be 0 or more"),
        (AmountRule::Whole { most: 1_000 }, "must be a whole number from 0 to 1000"),
        (AmountRule::Exact(MoneyError::TooFine(yen)), "has more decimals than JPY has (0)"),
        (AmountRule::Exact(MoneyError::FinerThanMicros), "is finer than a millionth"),
        (AmountRule::Exact(MoneyError::TooLarge), "is too large: the maximum is 9223372036854"),
        (AmountRule::Exact(MoneyError::NotExact), "has more than 28 digits"),
        (AmountRule::Largest { amount }, "is too large: the maximum is 5"),
        (AmountRule::Decimals { most: 1, currency, platform }, "must have at most 1 decimals in USD on Meta"),
        (
            AmountRule::AtLeast { amount, currency, per: BudgetPeriod::Daily, platform },
            "must be at least 5 USD a day on Meta",
        ),
        (
            AmountRule::AtMost { amount, currency, per: BudgetPeriod::Lifetime, platform },
            "must be at most 5 USD in all on Meta",
        ),
        (
            AmountRule::MonthAtLeast { amount, currency, platform },
            "must be at least 5 USD a month on Meta: 31 days of its smallest daily budget, which this service sets each \
             day",
        ),
    ]);
}

#[test]
fn rules_of_choices_have_words() {
    let platform = Platform::Zeta;
    let periods = || Accepted::Periods(vec![BudgetPeriod::Daily]);
    words([
        (ChoiceRule::Required { one_of: None }, "is required"),
        (ChoiceRule::Required { one_of: Some("A, B".to_owned()) }, "is required: one of A, B"),
        (ChoiceRule::OneOf("A, B".to_owned()), "must be one of A, B"),
        (ChoiceRule::Offered { platform, instead: None }, "is not offered on Reddit"),
        (ChoiceRule::OfferedWithGoal { platform, instead: periods() }, "is not offered on Reddit with this goal"),
        (ChoiceRule::Settable { platform, instead: periods() }, "cannot be set to this value on Reddit"),
        (ChoiceRule::Currency, "must be a three-letter code of ISO 4217, such as USD"),
        (ChoiceRule::SomeConnection, "must have at least one connection"),
        (ChoiceRule::SomeScope("read, write".to_owned()), "must have at least one of read, write"),
        (ChoiceRule::EventTypes(EventTypesError::Empty), "must have at least one type of event, or be [\"*\"] for all"),
    ]);
}

#[test]
fn rules_of_defaults_have_words() {
    let (platform, known) = (Platform::Delta, "de, en".to_owned());
    words([
        (
            DefaultsRule::Set { platform },
            "is required on LinkedIn: set the country and the language of new campaigns on the connection, on the page \
             Connections of the dashboard or with PATCH /v1/connections/{id} and a body such as \
             {\"campaign_defaults\":{\"country\":\"DE\",\"language\":\"de\"}}",
        ),
        (DefaultsRule::Required { platform }, "is required on LinkedIn"),
        (
            DefaultsRule::RequiredWithCategories { platform: Platform::Beta },
            "is required on Meta with special_ad_categories",
        ),
        (
            DefaultsRule::OnlyWithCategories { platform: Platform::Beta },
            "is for special_ad_categories on Meta, and there are none",
        ),
        (DefaultsRule::Country { shown_by: None }, "must be the two-letter code of a country, such as DE"),
        (
            DefaultsRule::Country { shown_by: Some(platform) },
            "must be the two-letter code of a country in which LinkedIn shows ads, such as DE",
        ),
        (DefaultsRule::Language { platform, known }, "must be one of de, en"),
    ]);
}

#[test]
fn rules_of_texts_have_words() {
    let platform = Platform::Gamma;
    words([
        (TextRule::Length { most: 255, has: 300 }, "must be 1 to 255 characters and not blank; it has 300"),
        (TextRule::OneLine, "must not contain control characters or line breaks"),
        (TextRule::Trimmed, "must not start or end with a space"),
        (TextRule::AtLeast { characters: 3, platform }, "must have at least 3 characters on TikTok"),
        (TextRule::Characters { most: 255, has: 256, platform }, "must be at most 255 characters on TikTok; it is 256"),
        (TextRule::Bytes { most: 255, has: 256, platform }, "must be at most 255 bytes of UTF-8 on TikTok; it is 256"),
        (TextRule::NoEmoji { found: '⭐', platform }, "must not contain emoji on TikTok: '⭐'"),
        (
            TextRule::RedirectUri(RedirectUriError::NotCanonical("https://a.example/".to_owned())),
            "must be in canonical form: https://a.example/",
        ),
    ]);
}

#[test]
fn rules_of_times_have_words() {
    let (period, platform) = (BudgetPeriod::Lifetime, Platform::Delta);
    words([
        (TimeRule::Moment, "must be RFC 3339 with an offset (2026-12-01T09:00:00Z) or a date (2026-12-01)"),
        (TimeRule::CalendarDay, "is not a day of the calendar"),
        (TimeRule::Instant, "must be a time with an offset, such as 2026-12-01T09:00:00Z"),
        (
            TimeRule::WholeSecond,
            "must be a whole second with an offset, such as 2026-12-01T09:00:00Z; encode a + as %2B",
        ),
        (TimeRule::AfterStart, "must be after start_at"),
        (TimeRule::BeforeEnd, "must be before end_at"),
        (TimeRule::Ahead, "must not have passed"),
        (TimeRule::AheadOrNone, "must not have passed; leave it out to start now"),
        (TimeRule::FromToday, "must not be before the current day"),
        (TimeRule::EndRequired { period, platform }, "is required with a LIFETIME budget on LinkedIn"),
        (TimeRule::Schedulable, "must be at least a minute and at most a year ahead"),
        (
            TimeRule::NotWithMonth,
            "must not be sent with a MONTHLY budget, or with the budget of a campaign that has one, which changes at \
             once: send the request at that time",
        ),
        (TimeRule::Kept, "must not be more than 30 days ago: events are kept for so long"),
    ]);
}

#[test]
fn rules_of_campaigns_are_read_as_they_were_stored() {
    let (platform, currency) = (Platform::Beta, usd());
    let amount = Decimal::new(12_345, 2);
    let goals = Some(Accepted::Goals(vec![Goal::Reach]));
    let statuses = Accepted::Statuses(vec![CampaignStatus::Paused]);
    let rules: [Rule; 7] = [
        AmountRule::AtLeast { amount, currency, per: BudgetPeriod::Daily, platform }.into(),
        MoneyError::TooFine(currency).into(),
        ChoiceRule::Offered { platform, instead: goals }.into(),
        ChoiceRule::Settable { platform, instead: statuses }.into(),
        TextRule::NoEmoji { found: '⭐', platform }.into(),
        TimeRule::EndRequired { period: BudgetPeriod::Total, platform }.into(),
        "cannot be changed".into(),
    ];
    for rule in rules {
        let stored = serde_json::to_string(&rule).unwrap();
        assert_eq!(serde_json::from_str::<Rule>(&stored).unwrap(), rule, "{stored}");
    }
}
