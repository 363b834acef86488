//! The reporting currency and the customer's rates to it, as a part of the settings.

use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::SETTINGS;
use crate::kit::amount::plain;
use crate::kit::currencies::option_text;
use crate::kit::form_errors::FormError;
use crate::pages::layout::Layout;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use shared::domain::{Connection, Currency, MAX_RATES, Rate, RateError, Reporting};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// The fields with the currency, and with the currency for which the form was made. The field of a rate begins with the third.
const CURRENCY: &str = "reporting";
const WAS: &str = "was";
const RATE: &str = "rate-";

/// The part of the page.
pub(super) struct ReportingForm {
    /// The currency in force; `None` without one.
    pub(super) code: Option<&'static str>,
    /// The choices, by code: the currencies of the ad accounts, and all others.
    pub(super) groups: [(&'static str, Vec<(&'static str, String)>); 2],
    /// The rates, also of a currency that no ad account has any more.
    pub(super) rates: Vec<RateRow>,
}

/// A rate in the form.
pub(super) struct RateRow {
    /// The id and name of its control.
    pub(super) id: String,
    pub(super) code: &'static str,
    pub(super) value: String,
    /// `30 Nov 2026`; `None` without a rate.
    pub(super) set_on: Option<String>,
}

impl ReportingForm {
    /// The form as the person filled it in before a refusal, or with the rates in force.
    pub(super) fn new(known: Option<&Reporting>, connections: &[Connection], layout: &Layout) -> ReportingForm {
        let mut own: Vec<Currency> =
            connections.iter().filter_map(|one| one.account.as_ref()).map(|account| account.currency).collect();
        own.extend(known.into_iter().flat_map(|known| &known.rates).map(|rate| rate.currency));
        own.sort_by_key(|currency| currency.code());
        own.dedup();
        let row = |known: &Reporting, currency: Currency| {
            let (id, rate) = (format!("{RATE}{}", currency.code()), known.rate(currency));
            let typed = layout.value(&id).map(str::to_owned);
            let value = typed.or_else(|| rate.map(|rate| rate.rate.to_string())).unwrap_or_default();
            RateRow { id, code: currency.code(), value, set_on: rate.map(|rate| day_text(rate.set_on)) }
        };
        let rates = known.into_iter().flat_map(|known| {
            let others = own.iter().filter(|currency| **currency != known.currency);
            others.map(move |currency| row(known, *currency))
        });
        ReportingForm {
            code: known.map(|known| known.currency.code()),
            rates: rates.collect(),
            groups: [
                ("Of your ad accounts", own.iter().map(|currency| choice(*currency)).collect()),
                ("Others", Currency::all().filter(|other| !own.contains(other)).map(choice).collect()),
            ],
        }
    }
}

fn choice(currency: Currency) -> (&'static str, String) {
    (currency.code(), option_text(currency))
}

/// The fields that the page shows again.
pub(crate) fn kept(form: &[(String, String)]) -> Vec<(String, String)> {
    form.iter().filter(|(name, _)| name.starts_with(RATE)).cloned().collect()
}

/// Saves the form: another currency without any rates, or the rates to the one in force.
pub(crate) async fn save(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let today = TimeZone::UTC.to_datetime(request.now).date();
    Ok(match saved(person.account.reporting.as_ref(), &form, today) {
        Ok((reporting, words)) => {
            request.app.store.set_reporting(person.customer(), reporting.as_ref()).await?;
            Notice::success(words)
        }
        Err(errors) => Notice::wrong(errors, &form),
    }
    .then(SETTINGS))
}

/// What a form asks to store, and what the page says of it.
fn saved(
    known: Option<&Reporting>,
    form: &[(String, String)],
    today: Date,
) -> Result<(Option<Reporting>, String), Vec<FormError>> {
    let code = value(form, CURRENCY).unwrap_or_default();
    let currency = match Currency::from_code(code) {
        None if !code.is_empty() => return Err(vec![FormError::new(CURRENCY, "Choose a currency of the list.")]),
        currency => currency,
    };
    let dropped = |to: Option<&Reporting>| match to.filter(|to| !to.rates.is_empty()) {
        Some(to) => format!(" Your rates to {} are deleted.", to.currency.code()),
        None => String::new(),
    };
    let (was, now) = (value(form, WAS).unwrap_or_default(), known.map_or("", |known| known.currency.code()));
    if was == code && was != now {
        let now = if now.is_empty() { "none" } else { now };
        let message = format!("It is {now} by now. Nothing was saved; check the form and save it again.");
        return Err(vec![FormError::new(CURRENCY, message)]);
    }
    match (currency, known) {
        (None, known) => Ok((None, format!("Totals are shown in each currency only.{}", dropped(known)))),
        (Some(currency), Some(known)) if currency == known.currency => {
            // As by the second request of a double click: its rates are to the currency before.
            if was != now {
                return Ok((Some(known.clone()), format!("Totals are shown in {} too.", currency.code())));
            }
            let reporting = known.with_rates(&rates(form)?, today);
            Ok((Some(reporting), format!("The rates to {} are saved.", currency.code())))
        }
        (Some(currency), known) => {
            let words =
                format!("Totals are shown in {} too.{} Set the rates to it below.", currency.code(), dropped(known));
            Ok((Some(Reporting::new(currency)), words))
        }
    }
}

/// The rates of a form. An empty field is none.
fn rates(form: &[(String, String)]) -> Result<Vec<(Currency, Rate)>, Vec<FormError>> {
    let (mut rates, mut errors) = (Vec::new(), Vec::new());
    for (id, text) in form {
        let Some(currency) = id.strip_prefix(RATE).and_then(Currency::from_code) else { continue };
        match text.trim() {
            "" => {}
            text => match Rate::parse(&plain(text)) {
                Ok(rate) if rates.len() < MAX_RATES => rates.push((currency, rate)),
                Ok(_) => errors.push(FormError::new(id, format!("There are {MAX_RATES} rates at most."))),
                Err(error) => errors.push(FormError::new(id, problem(error, currency))),
            },
        }
    }
    if errors.is_empty() { Ok(rates) } else { Err(errors) }
}

/// What is wrong with a rate. The summary of the form has no labels, so it names the currency.
fn problem(error: RateError, currency: Currency) -> String {
    let code = currency.code();
    match error {
        RateError::NoDecimal => format!("Write the rate of {code} as a number with a dot, such as 0.92."),
        RateError::TooFine => format!("The rate of {code} has more than ten digits after the dot."),
        RateError::Zero => format!("The rate of {code} is above 0. Leave it empty to have none."),
        RateError::TooLarge => format!("The rate of {code} is below 1,000,000,000."),
    }
}

fn day_text(day: Date) -> String {
    day.strftime("%-d %b %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::connections::tests::connection;
    use crate::kit::form_fields;
    use crate::kit::together::tests::euros;
    use shared::domain::{ConnectionStatus, Platform};

    fn after(known: Option<&Reporting>, form: &[(&str, &str)]) -> Result<(Option<Reporting>, String), Vec<FormError>> {
        saved(known, &form_fields::form(form), jiff::civil::date(2026, 12, 2))
    }

    #[test]
    fn the_form_has_a_rate_for_each_other_currency_of_the_accounts() {
        let accounts = [connection("conn_1", Platform::Alpha, ConnectionStatus::Active)];
        let form =
            |known: Option<Reporting>| ReportingForm::new(known.as_ref(), &accounts, &Layout::signed_out("Settings"));
        let rows = |known| {
            let rows = form(known).rates.into_iter();
            rows.map(|row| (row.id, row.value, row.set_on.unwrap_or_default())).collect::<Vec<_>>()
        };
        let row = |id: &str, value: &str, day: &str| (id.to_owned(), value.to_owned(), day.to_owned());
        assert_eq!(rows(Some(euros(&[]))), [row("rate-USD", "", "")]);
        let old = [row("rate-JPY", "0.006", "30 Nov 2026"), row("rate-USD", "", "")];
        assert_eq!(rows(Some(euros(&[("JPY", "0.006")]))), old, "no account has yen any more");
        assert!(rows(None).is_empty());
        let ReportingForm { groups: [(_, own), (_, others)], code, .. } = form(None);
        assert_eq!((own, code), (vec![("USD", "USD: United States dollar".to_owned())], None));
        let has = |code: &str| others.iter().any(|(other, _)| *other == code);
        assert!(has("EUR") && !has("USD"));
    }

    #[test]
    fn rates_are_saved_and_an_empty_one_is_removed() {
        let known = euros(&[("USD", "0.92"), ("JPY", "0.006")]);
        let form =
            [("was", "EUR"), ("reporting", "EUR"), ("rate-USD", " 0,92 "), ("rate-CHF", "1.07"), ("rate-JPY", "")];
        let (saved, words) = after(Some(&known), &form).unwrap();
        let rates = saved.unwrap().rates.into_iter();
        let shown: Vec<String> =
            rates.map(|rate| format!("{} {} {}", rate.currency.code(), rate.rate, rate.set_on)).collect();
        assert_eq!(shown, ["CHF 1.07 2026-12-02", "USD 0.92 2026-11-30"]);
        assert_eq!(words, "The rates to EUR are saved.");
    }

    #[test]
    fn another_currency_drops_the_rates_and_says_so() {
        let known = euros(&[("USD", "0.92")]);
        let form = [("was", "EUR"), ("reporting", "USD"), ("rate-USD", "0.92"), ("rate-JPY", "0.006")];
        let (saved, words) = after(Some(&known), &form).unwrap();
        let dollars = saved.unwrap();
        assert_eq!((dollars.currency.code(), dollars.rates.len()), ("USD", 0));
        assert_eq!(words, "Totals are shown in USD too. Your rates to EUR are deleted. Set the rates to it below.");
        assert_eq!(after(Some(&dollars), &form).unwrap().0, Some(dollars), "the second click saves no old rates");
        let stale = [("was", "EUR"), ("reporting", "EUR"), ("rate-USD", "0.92")];
        let refused = after(Some(&Reporting::new(Currency::from_code("USD").unwrap())), &stale).unwrap_err();
        assert_eq!(refused[0].message, "It is USD by now. Nothing was saved; check the form and save it again.");
        let (none, words) = after(Some(&known), &[("was", "EUR"), ("reporting", "")]).unwrap();
        assert_eq!(
            (none, words.as_str()),
            (None, "Totals are shown in each currency only. Your rates to EUR are deleted.")
        );
    }

    #[test]
    fn a_wrong_rate_is_refused_at_its_field() {
        let wrong = |form: &[(&str, &str)]| {
            let errors = after(Some(&euros(&[])), &[&[("was", "EUR"), ("reporting", "EUR")], form].concat());
            errors.unwrap_err().into_iter().map(|error| (error.id, error.message)).collect::<Vec<_>>()
        };
        for (typed, message) in [
            ("0,925", "Write the rate of USD as a number with a dot, such as 0.92."),
            ("0.12345678901", "The rate of USD has more than ten digits after the dot."),
            ("0", "The rate of USD is above 0. Leave it empty to have none."),
            ("1000000000", "The rate of USD is below 1,000,000,000."),
        ] {
            let errors = wrong(&[("rate-USD", typed), ("rate-JPY", "0.006")]);
            assert_eq!(errors, [("rate-USD".to_owned(), message.to_owned())]);
        }
        let names: Vec<String> =
            Currency::all().take(MAX_RATES + 1).map(|one| format!("rate-{}", one.code())).collect();
        let many: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
        assert_eq!(wrong(&many).len(), 1);
        assert!(after(None, &[("reporting", "EURO")]).is_err());
    }
}
