//! What a field must satisfy.

use crate::kit::amount::{is_digits, with_dot};
use crate::kit::money::amount_text;
use rust_decimal::Decimal;
use shared::domain::redirect_uri::RedirectUriError;
use shared::domain::webhook_endpoint::EventTypesError;
use shared::domain::{
    AmountRule, BudgetPeriod, ChoiceRule, Currency, DefaultsRule, Micros, MoneyError, Platform, Rule, TextRule,
    TimeRule,
};

/// The field of a form that a rule is about.
pub(crate) struct Subject<'a> {
    /// Its name in the API; the last part counts: `spending_limit.amounts[0].daily`.
    pub(crate) field: &'a str,
    /// Its label on the page.
    pub(crate) label: &'a str,
    /// Its value.
    pub(crate) typed: &'a str,
}

impl Subject<'_> {
    fn name(&self) -> &str {
        self.field.rsplit('.').next().unwrap_or_default()
    }

    /// The words for programs, after the label.
    fn stated(&self, rule: impl ToString) -> String {
        format!("“{}” {}.", self.label, rule.to_string())
    }

    fn not_empty(&self) -> String {
        format!("“{}” must not be empty.", self.label)
    }
}

/// The sentence for a rule: `Meta needs at least 1.00 USD a day.`
pub(crate) fn requirement(subject: &Subject<'_>, rule: &Rule) -> String {
    match rule {
        Rule::Amount(rule) => amount(subject, rule),
        Rule::Choice(rule) => choice(subject, rule),
        Rule::Defaults(rule) => defaults(rule),
        Rule::Text(rule) => text(subject, rule),
        Rule::Time(rule) => time(subject, *rule),
        Rule::Stated(words) => subject.stated(words),
    }
}

fn amount(subject: &Subject<'_>, rule: &AmountRule) -> String {
    let too_large = |largest: Decimal| format!("This amount is too large. The largest is {largest}.");
    match *rule {
        AmountRule::Number => number(subject.typed.trim()),
        AmountRule::Positive if subject.name() == "budget_amount" => "A budget is more than 0.".to_owned(),
        AmountRule::Positive => "Write an amount above 0.".to_owned(),
        AmountRule::NotNegative => "Write 0 or more.".to_owned(),
        AmountRule::Whole { most } => format!("Write a whole number from 0 to {most}."),
        AmountRule::Exact(MoneyError::TooFine(currency)) => match currency.decimals() {
            0 => format!("Amounts in {} have no decimals.", currency.code()),
            decimals => format!("Amounts in {} have {decimals} decimals at most.", currency.code()),
        },
        AmountRule::Exact(MoneyError::FinerThanMicros) => "Write at most six decimals.".to_owned(),
        AmountRule::Exact(MoneyError::TooLarge) => too_large(Micros::largest()),
        AmountRule::Exact(MoneyError::NotExact) => "This amount has too many digits.".to_owned(),
        AmountRule::Largest { amount } => too_large(amount),
        AmountRule::Decimals { most, currency, platform } => {
            format!("{} takes at most {most} decimals in {}.", platform.display_name(), currency.code())
        }
        AmountRule::AtLeast { amount, currency, per, platform } => at_least(amount, currency, per, platform),
        AmountRule::MonthAtLeast { amount, currency, platform } => {
            at_least(amount, currency, BudgetPeriod::Monthly, platform)
        }
        AmountRule::AtMost { amount, currency, per, platform } => {
            format!("{} takes at most {}.", platform.display_name(), budget(amount, currency, per))
        }
    }
}

fn at_least(amount: Decimal, currency: Currency, per: BudgetPeriod, platform: Platform) -> String {
    format!("{} needs at least {}.", platform.display_name(), budget(amount, currency, per))
}

fn budget(amount: Decimal, currency: Currency, per: BudgetPeriod) -> String {
    format!("{} {} {}", amount_text(amount, currency.code()), currency.code(), per.span())
}

/// The sentence for what is no number, by how it was meant.
pub(crate) fn number(typed: &str) -> String {
    if typed.is_empty() {
        return "Write an amount.".to_owned();
    }
    if let Some(meant) = without_commas(typed) {
        return match typed.split_once(',') {
            Some((whole, part)) if is_digits(whole) && is_digits(part) => {
                format!("{typed} can be read two ways: write {meant} or {whole}.{part}.")
            }
            Some((_, rest)) => {
                let commas = if rest.contains(',') { "commas" } else { "comma" };
                format!("Write {meant}, without the {commas}.")
            }
            None => format!("Write {meant}."),
        };
    }
    // A sign or the letters of a currency, before or behind.
    let bare = typed.trim_matches(|letter: char| !letter.is_ascii_digit());
    let meant = if is_number(bare) { Some(bare.to_owned()) } else { with_dot(bare).or_else(|| without_commas(bare)) };
    match meant {
        Some(meant) => format!("Write the number alone, such as {meant}."),
        None => "Write a number, such as 250.".to_owned(),
    }
}

/// Commas before three digits each separate thousands: `1,234.50`.
fn without_commas(typed: &str) -> Option<String> {
    let (whole, cents) = typed.split_once('.').map_or((typed, None), |(whole, cents)| (whole, Some(cents)));
    let mut groups = whole.split(',');
    groups.next().filter(|first| is_digits(first) && first.len() <= 3 && !first.starts_with('0'))?;
    let mut rest = groups.peekable();
    rest.peek()?;
    let is_grouped = rest.all(|group| is_digits(group) && group.len() == 3);
    (is_grouped && cents.is_none_or(is_digits)).then(|| typed.replace(',', ""))
}

fn is_number(typed: &str) -> bool {
    let (whole, cents) = typed.split_once('.').map_or((typed, None), |(whole, cents)| (whole, Some(cents)));
    is_digits(whole) && cents.is_none_or(is_digits)
}

fn choice(subject: &Subject<'_>, rule: &ChoiceRule) -> String {
    match (rule, subject.name()) {
        (ChoiceRule::Required { .. } | ChoiceRule::OneOf(_), "goal") => "Choose a goal.".to_owned(),
        (ChoiceRule::Required { .. } | ChoiceRule::OneOf(_), "budget_period") => "Choose a budget period.".to_owned(),
        (ChoiceRule::Required { one_of: None }, _) => subject.not_empty(),
        (ChoiceRule::Offered { platform, .. }, "goal") => {
            format!("{} does not have this goal.", platform.display_name())
        }
        (ChoiceRule::Offered { platform, .. }, "budget_period") => {
            format!("{} does not have this budget period.", platform.display_name())
        }
        (ChoiceRule::OfferedWithGoal { platform, .. }, _) => {
            format!("{} does not have this budget period with this goal.", platform.display_name())
        }
        (ChoiceRule::Currency, _) => "Write three letters, such as USD.".to_owned(),
        (ChoiceRule::SomeConnection, _) => "Choose an ad account.".to_owned(),
        (ChoiceRule::SomeScope(_), _) => "Choose what the key may do.".to_owned(),
        (ChoiceRule::EventTypes(EventTypesError::Empty), _) => "Choose an event, or all.".to_owned(),
        (
            ChoiceRule::Required { .. }
            | ChoiceRule::OneOf(_)
            | ChoiceRule::Offered { .. }
            | ChoiceRule::Settable { .. }
            | ChoiceRule::EventTypes(
                EventTypesError::AllAndOthers | EventTypesError::Unknown(_) | EventTypesError::Repeated(_),
            ),
            _,
        ) => subject.stated(rule),
    }
}

fn defaults(rule: &DefaultsRule) -> String {
    match rule {
        DefaultsRule::Set { platform } => format!(
            "{} needs a country and a language for new campaigns. Set them on the page Connections.",
            platform.display_name()
        ),
        DefaultsRule::Required { platform } => format!("{} needs a country and a language.", platform.display_name()),
        DefaultsRule::RequiredWithCategories { .. } => "Write the country in which the ads are shown.".to_owned(),
        DefaultsRule::OnlyWithCategories { .. } => "Tick a category, or leave the country empty.".to_owned(),
        DefaultsRule::Country { shown_by: None } => "Write the two letters of a country, such as DE.".to_owned(),
        DefaultsRule::Country { shown_by: Some(platform) } => {
            format!("Write the two letters of a country in which {} shows ads, such as DE.", platform.display_name())
        }
        DefaultsRule::Language { platform, known } => {
            format!("{} has these languages: {known}.", platform.display_name())
        }
    }
}

fn text(subject: &Subject<'_>, rule: &TextRule) -> String {
    match rule {
        TextRule::Length { has: 0, .. } => subject.not_empty(),
        TextRule::Length { most, has } => {
            format!("“{}” must have 1 to {most} characters. It has {has}.", subject.label)
        }
        TextRule::OneLine => format!("“{}” must be one line of text.", subject.label),
        TextRule::Trimmed => "Remove the spaces around the name.".to_owned(),
        TextRule::AtLeast { characters, platform } => {
            format!("{} needs a name of at least {characters} characters.", platform.display_name())
        }
        TextRule::Bytes { most, has, platform } => {
            format!("{} takes a name of at most {most} bytes. It has {has}.", platform.display_name())
        }
        TextRule::NoEmoji { found, platform } => {
            format!("{} takes no emoji in a name: {found:?}.", platform.display_name())
        }
        TextRule::RedirectUri(RedirectUriError::NotAbsolute) => {
            "Write the whole address, such as https://example.com/connected.".to_owned()
        }
        TextRule::RedirectUri(RedirectUriError::Fragment) => "Remove the # and what follows it.".to_owned(),
        TextRule::RedirectUri(RedirectUriError::NotCanonical(canonical)) => format!("Write it as {canonical}."),
        TextRule::Characters { .. }
        | TextRule::RedirectUri(
            RedirectUriError::TooLong
            | RedirectUriError::ForbiddenCharacter
            | RedirectUriError::Scheme
            | RedirectUriError::UserInfo
            | RedirectUriError::NotHttps
            | RedirectUriError::Loopback,
        ) => subject.stated(rule),
    }
}

fn time(subject: &Subject<'_>, rule: TimeRule) -> String {
    let words = match rule {
        TimeRule::Moment => "Choose a date.",
        TimeRule::CalendarDay => "Choose a day that there is.",
        TimeRule::Instant | TimeRule::WholeSecond => "Choose a date and a time.",
        TimeRule::AfterStart => "Choose an end after the start.",
        TimeRule::BeforeEnd => "Choose a start before the end.",
        TimeRule::Ahead if subject.name() == "end_at" => "Choose an end that has not passed.",
        TimeRule::Ahead | TimeRule::AheadOrNone | TimeRule::FromToday => "Choose a start that has not passed.",
        TimeRule::EndRequired { period: _, platform } => {
            return format!("{} needs an end for a budget of the whole run.", platform.display_name());
        }
        TimeRule::Schedulable => "Choose a time from a minute to a year ahead.",
        TimeRule::NotWithMonth => "A monthly budget changes at once. Leave the time empty, or change the budget then.",
        TimeRule::Kept => "Choose a time of the last 30 days.",
    };
    words.to_owned()
}
