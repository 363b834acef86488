mod refusals;

use super::*;
use crate::platforms::alpha::sample::SAMPLE;

#[test]
fn the_smallest_budget_is_named_to_the_last_digit() {
    let message = |name| SAMPLE.error_in(400, name).message.to_string();
    let daily = message("budget-below-minimum");
    assert!(daily.ends_with("The smallest daily budget that it takes here is 1.43 EUR."), "{daily}");
    let total = message("total-below-minimum");
    assert!(total.ends_with("The smallest total budget that it takes here is 4500 JPY."), "{total}");
}

#[test]
fn all_errors_of_a_refusal_are_in_the_message() {
    let error = SAMPLE.error_in(400, "two-errors");
    assert!(error.message.contains("greater than the maximum") && error.message.contains("not found"), "{error}");
}

#[test]
fn a_delay_is_never_cut_short_and_never_absurd() {
    let cases = [("30s", Some(30)), ("1.5s", Some(2)), ("1.000s", Some(1)), ("30", Some(30)), ("0s", Some(0))];
    let malformed = [
        ("", None),
        ("s", None),
        ("-1s", None),
        ("1m", None),
        ("1.5.5s", None),
        ("9".repeat(40).leak(), Some(604_800)),
    ];
    for (text, expected) in cases.into_iter().chain(malformed) {
        assert_eq!(seconds(text).map(|wait| wait.as_secs()), expected, "{text}");
    }
}
