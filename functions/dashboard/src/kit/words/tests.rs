//! Tests of the words.

use super::*;

fn said(field: &str, label: &str, typed: &str, message: &str) -> String {
    requirement(&Subject { field, label, typed }, message)
}

#[test]
fn requirements_have_a_persons_words() {
    for (field, message, words) in [
        ("budget_amount", "must be at least 1 USD a day on Meta", "Meta needs at least 1.00 USD a day."),
        ("budget_amount", "must be at least 5000 JPY in all on TikTok", "TikTok needs at least 5,000 JPY in all."),
        ("budget_amount", "must be greater than 0", "Write an amount above 0."),
        ("budget_amount", "has more decimals than JPY has (0)", "Amounts in JPY have no decimals."),
        (
            "spending_limit.amounts[0].daily",
            "has more decimals than USD has (2)",
            "Amounts in USD have 2 decimals at most.",
        ),
        ("start_at", "must be RFC 3339 with an offset (2026-12-01T09:00:00Z) or a date (2026-12-01)", "Choose a date."),
        ("end_at", "must be after start_at", "Choose an end after the start."),
        (
            "end_at",
            "is required with a LIFETIME budget on LinkedIn",
            "LinkedIn needs an end for a budget of the whole run.",
        ),
        ("start_at", "must not have passed; leave it out to start now", "Choose a start that has not passed."),
        ("goal", "is not offered on Reddit; use one of WEBSITE_TRAFFIC, LEADS", "Reddit does not have this goal."),
        ("spending_limit.connections", "must have at least one that is ticked", "Choose an ad account."),
        ("name", "must be 1 to 255 characters and not blank; it has 0", "“Name” must not be empty."),
        (
            "name",
            "must be 1 to 255 characters and not blank; it has 300",
            "“Name” must have 1 to 255 characters. It has 300.",
        ),
        ("types", "must have at least one type of event, or be [\"*\"] for all", "Choose an event, or all."),
        ("since", "must be a time with an offset, such as 2026-12-01T09:00:00Z", "Choose a date and a time."),
        (
            "apply_at",
            "must be a whole second with an offset, such as 2026-12-01T09:00:00Z; encode a + as %2B",
            "Choose a date and a time.",
        ),
    ] {
        assert_eq!(said(field, "Name", "", message), words);
    }
}

#[test]
fn a_number_is_asked_for_as_it_was_meant() {
    for (typed, words) in [
        ("25,50", "Write 25.50 with a dot."),
        ("", "Write an amount."),
        ("1,234", "Write a number, such as 25.50."),
        ("1,234,567", "Write a number, such as 25.50."),
        ("1,234.50", "Write a number, such as 25.50."),
        ("a lot", "Write a number, such as 25.50."),
        ("<b>,1", "Write a number, such as 25.50."),
    ] {
        assert_eq!(said("budget_amount", "Budget", typed, "must be a number"), words);
    }
}

#[test]
fn an_unknown_requirement_has_the_label_of_its_field() {
    assert_eq!(said("name", "Name", "", "must rhyme"), "“Name” must rhyme.");
    assert_eq!(said("currency", "Currency", "", "must be after start_at"), "“Currency” must be after start_at.");
}

#[test]
fn messages_say_what_a_person_can_do() {
    for (text, words) in [
        (
            "It is not known yet whether Meta created the campaign \"Spring\". The service usually finds out within two \
             minutes; see GET /v1/campaigns/intents/1. Send the same request again.",
            "Meta has not confirmed “Spring” yet. We are checking.",
        ),
        (
            "Plan starter allows 3 connections, and all are used: remove one with DELETE /v1/connections/{id}, or change \
             to plan pro.",
            "All 3 connections of plan starter are used. Remove one below, or upgrade to pro.",
        ),
        (
            "The card was declined. The payment provider has stored this failure under the Idempotency-Key; use a new key.",
            "Nothing was charged. Try again.",
        ),
        (
            "Meta did not answer in time. It is not known whether this was applied: status. It is safe to repeat the \
             request: fields already applied are skipped.",
            "Meta did not answer in time. It is not known yet whether the change is made. We are checking.",
        ),
        ("Meta refused it: Too low.", "Meta refused it: Too low."),
        ("budget_amount: Google Ads refused the request: Too low.", "Google Ads refused the request: Too low."),
    ] {
        assert_eq!(message(text), words);
    }
}
