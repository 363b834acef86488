//! What the API says, in a person's words. What no table has stays as the API says it.

mod pattern;
mod table;

use crate::kit::money::shown;
use pattern::{captures, filled};
use rust_decimal::Decimal;
use table::{MESSAGES, REQUIREMENTS};

/// The field of a form that a message is about.
pub(crate) struct Subject<'a> {
    /// Its name in the API; the last part counts: `spending_limit.amounts[0].daily`.
    pub(crate) field: &'a str,
    /// Its label on the page.
    pub(crate) label: &'a str,
    /// What stands in it.
    pub(crate) typed: &'a str,
}

/// The sentence for a requirement of a field: `must be at least 1 USD a day on Meta`.
pub(crate) fn requirement(subject: &Subject<'_>, message: &str) -> String {
    let field = subject.field.rsplit('.').next().unwrap_or_default();
    if message == "must be a number" {
        return number(subject.typed.trim());
    }
    let known = REQUIREMENTS.iter().filter(|(of, _, _)| of.is_empty() || of.split(' ').any(|of| of == field));
    let found = known.filter_map(|(_, pattern, words)| captures(pattern, message).map(|parts| (words, parts))).next();
    let Some((words, parts)) = found else { return format!("“{}” {message}.", subject.label) };
    filled(words, |slot| match slot {
        "label" => subject.label.to_owned(),
        "amount" => amount(&parts),
        number => part(&parts, number),
    })
}

/// The message of an error without what only programs can do.
pub(crate) fn message(text: &str) -> String {
    let text = without_field(text);
    let found = MESSAGES.iter().find_map(|(pattern, words)| captures(pattern, text).map(|parts| (words, parts)));
    found.map_or_else(|| text.to_owned(), |(words, parts)| filled(words, |slot| part(&parts, slot)))
}

/// A message without the name of a field before it, as the enveloped shape has it.
fn without_field(text: &str) -> &str {
    let is_field =
        |name: &str| name.contains('_') && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    text.split_once(": ").filter(|(name, _)| is_field(name)).map_or(text, |(_, message)| message)
}

fn part(parts: &[&str], number: &str) -> String {
    let number: usize = number.parse().unwrap_or_default();
    number.checked_sub(1).and_then(|at| parts.get(at)).copied().unwrap_or_default().to_owned()
}

/// The first two parts as an amount: `1.00 USD`.
fn amount(parts: &[&str]) -> String {
    let [number, currency, ..] = parts else { return String::new() };
    let exact = Decimal::from_str_exact(number).map(|amount| shown(amount, currency));
    format!("{} {currency}", exact.unwrap_or_else(|_| (*number).to_owned()))
}

/// A comma before one or two digits is meant as a dot. Before three it may separate thousands.
fn number(typed: &str) -> String {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match typed.split_once(',') {
        _ if typed.is_empty() => "Write an amount.".to_owned(),
        Some((whole, cents)) if is_digits(whole) && is_digits(cents) && cents.len() <= 2 => {
            format!("Write {whole}.{cents} with a dot.")
        }
        _ => "Write a number, such as 25.50.".to_owned(),
    }
}

#[cfg(test)]
mod tests;
