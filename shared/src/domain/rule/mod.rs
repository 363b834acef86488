//! What a field of a request must satisfy, as data. Its words for programs are here; the dashboard has those for people.

mod amount;
mod choice;
mod defaults;
mod text;
mod time;

pub use amount::AmountRule;
pub use choice::{Accepted, ChoiceRule};
pub use defaults::DefaultsRule;
pub use text::TextRule;
pub use time::TimeRule;

use super::MoneyError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An invalid field of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldError {
    /// The field's path in the request: `budget_amount`, `targets[0].platform`, `body`.
    pub field: String,
    /// What it must satisfy. A response adds the accepted values in its own spelling.
    pub rule: Rule,
}

/// What a field must satisfy. Displayed, it continues the field's name: `must be after start_at`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rule {
    Amount(AmountRule),
    Choice(ChoiceRule),
    Defaults(DefaultsRule),
    Text(TextRule),
    Time(TimeRule),
    /// One that programs and people are told in the same words.
    Stated(String),
}

impl FieldError {
    /// An error of one field.
    pub fn new(field: impl Into<String>, rule: impl Into<Rule>) -> FieldError {
        FieldError { field: field.into(), rule: rule.into() }
    }
}

impl Rule {
    /// The values that the field can have instead, where each shape spells them in its own way.
    pub fn accepted(&self) -> Option<&Accepted> {
        match self {
            Rule::Choice(rule) => rule.accepted(),
            Rule::Amount(_) | Rule::Defaults(_) | Rule::Text(_) | Rule::Time(_) | Rule::Stated(_) => None,
        }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.field, self.rule)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Amount(rule) => rule.fmt(f),
            Rule::Choice(rule) => rule.fmt(f),
            Rule::Defaults(rule) => rule.fmt(f),
            Rule::Text(rule) => rule.fmt(f),
            Rule::Time(rule) => rule.fmt(f),
            Rule::Stated(words) => f.write_str(words),
        }
    }
}

impl From<AmountRule> for Rule {
    fn from(rule: AmountRule) -> Rule {
        Rule::Amount(rule)
    }
}

impl From<MoneyError> for Rule {
    fn from(reason: MoneyError) -> Rule {
        AmountRule::Exact(reason).into()
    }
}

impl From<ChoiceRule> for Rule {
    fn from(rule: ChoiceRule) -> Rule {
        Rule::Choice(rule)
    }
}

impl From<DefaultsRule> for Rule {
    fn from(rule: DefaultsRule) -> Rule {
        Rule::Defaults(rule)
    }
}

impl From<TextRule> for Rule {
    fn from(rule: TextRule) -> Rule {
        Rule::Text(rule)
    }
}

impl From<TimeRule> for Rule {
    fn from(rule: TimeRule) -> Rule {
        Rule::Time(rule)
    }
}

impl From<String> for Rule {
    fn from(words: String) -> Rule {
        Rule::Stated(words)
    }
}

impl From<&str> for Rule {
    fn from(words: &str) -> Rule {
        Rule::Stated(words.to_owned())
    }
}

#[cfg(test)]
mod tests;
