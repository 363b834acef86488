//! Changes JSON texts of the API for agents: names from platforms are data and never instructions, and no amount can be
//! misread. Numbers pass as they are, without a float in between.

use crate::object::{Object, array, json_text, object};
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use shared::domain::{Currency, is_hidden};

/// Longest text in an answer, in characters. Cursors and tokens are shorter.
const MAX_TEXT: usize = 1_500;

/// A JSON text of the API for an agent: with clean texts, and with each amount once more as a text with its currency.
pub(crate) fn for_agents(json: &str) -> String {
    value(json, None)
}

/// `currency` is that of the nearest object around the value.
fn value(json: &str, currency: Option<&str>) -> String {
    let json = json.trim();
    match json.as_bytes().first() {
        Some(b'{') => members(&Object::parse(json).unwrap_or_default(), currency),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
            array(items.into_iter().map(|item| value(item.get(), currency)))
        }
        Some(b'"') => json_text(&clean(&serde_json::from_str::<String>(json).unwrap_or_default())),
        _ => json.to_owned(),
    }
}

fn members(all: &Object<'_>, currency: Option<&str>) -> String {
    let own = all.text("currency");
    let currency = own.as_deref().or(currency);
    let amount = |name: &str| Some(amount_text(all.amount(name)?, currency?));
    let month = monthly_budget_text(all, currency).map(|month| format!(", within {month}")).unwrap_or_default();
    let budget =
        amount("budget_amount").map(|amount| amount + period_text(all.text("budget_period").as_deref()) + &month);
    let added = [("budget", budget), ("spend_text", amount("spend"))];
    let added = added.into_iter().filter_map(|(name, text)| Some((name, json_text(&text?))));
    object(all.members().map(|(name, json)| (name, value(json, currency))).chain(added))
}

/// An amount that cannot be misread: `50.00 USD`.
pub(crate) fn amount_text(amount: Decimal, currency: &str) -> String {
    let digits = Currency::from_code(currency).map_or_else(|| amount.to_string(), |known| known.padded(amount));
    format!("{digits} {currency}")
}

/// The monthly budget of a campaign, whose daily one follows from it: `3000.00 USD a month`.
pub(crate) fn monthly_budget_text(campaign: &Object<'_>, currency: Option<&str>) -> Option<String> {
    Some(amount_text(campaign.nested("pacing")?.amount("amount")?, currency?) + period_text(Some("MONTHLY")))
}

/// What a budget is for.
pub(crate) fn period_text(period: Option<&str>) -> &'static str {
    match period {
        Some("DAILY") => " a day",
        Some("MONTHLY") => " a month",
        Some(_) => " in all",
        None => "",
    }
}

/// A text without characters that hide or reorder others: controls, bidirectional marks and zero-width spaces. The joiners
/// stay, which scripts and emoji need. A line break becomes a space.
pub(crate) fn clean(text: &str) -> String {
    let kept = text.chars().filter_map(|c| match c {
        '\t' | '\n' | '\r' => Some(' '),
        _ if c.is_control() || is_hidden(c) => None,
        _ => Some(c),
    });
    truncate(&kept.collect::<String>(), MAX_TEXT)
}

/// A text of at most so many characters. One that is cut ends with an ellipsis.
pub(crate) fn truncate(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_has_its_currency_beside_it() {
        for (json, budget) in [
            (r#"{"budget_amount":50,"budget_period":"DAILY","currency":"USD"}"#, "50.00 USD a day"),
            (r#"{"budget_amount":5000,"budget_period":"LIFETIME","currency":"JPY"}"#, "5000 JPY in all"),
            (r#"{"budget_amount":0.125,"budget_period":"DAILY","currency":"KWD"}"#, "0.125 KWD a day"),
            (r#"{"budget_amount":12345678901234567890.01,"currency":"USD"}"#, "12345678901234567890.01 USD"),
        ] {
            let text = for_agents(json);
            assert!(text.contains(&format!(r#""budget":"{budget}""#)), "{text}");
            assert!(text.starts_with(&json[..20]), "the number stays as it was: {text}");
        }
        let paced = r#"{"budget_amount":96.77,"budget_period":"DAILY","pacing":{"amount":3000},"currency":"USD"}"#;
        let text = for_agents(paced);
        assert!(text.contains(r#""budget":"96.77 USD a day, within 3000.00 USD a month""#), "{text}");
        let rows = for_agents(r#"{"currency":"EUR","rows":[{"spend":1.5},{"spend":null}]}"#);
        assert_eq!(rows, r#"{"currency":"EUR","rows":[{"spend":1.5,"spend_text":"1.50 EUR"},{"spend":null}]}"#);
    }

    #[test]
    fn a_name_has_no_characters_that_hide_others() {
        let hidden = "a\u{202E}b\u{200B}c\u{7}d\te\nf\u{E0041}g\u{FEFF}\u{2066}h\u{E0101}\u{FE05}\u{3164}";
        assert_eq!(clean(hidden), "abcd e fgh");
        assert_eq!(clean("i\u{17B4}j\u{FFF0}k\u{13430}l\u{1BCA3}m"), "ijklm");
        for kept in ["Ünïcödé 日本語", "❤\u{FE0F}", "👩\u{200D}👧", "می\u{200C}خواهم", "<b>\"'&"] {
            assert_eq!(clean(kept), kept);
        }
        assert_eq!(for_agents("[\"a\\u202e\", 1e400, 0.10, true]"), "[\"a\",1e400,0.10,true]");
    }

    #[test]
    fn a_long_text_is_cut_visibly() {
        assert_eq!(truncate("abc", 3), "abc");
        assert_eq!(truncate("abcd", 3), "ab…");
        assert_eq!(clean(&"é".repeat(2_000)).chars().count(), MAX_TEXT);
    }
}
