//! The rows by platform (D236): one row for each, and those of its currencies folded below it. Where the customer has a
//! reporting currency, and a rate for each other one, the row is their sum in it; else it is the first of them, because a sum
//! without some would rank a platform by what has a rate.

use super::lines::{Line, missing_accounts};
use super::order::Order;
use crate::client::readings::InsightsData;
use crate::kit::numbers::Numbers;
use crate::kit::range::Range;
use crate::kit::total::Total;
use shared::domain::{Currency, Reporting};

/// A row and what is folded below it.
pub(super) struct Group {
    pub(super) head: Line,
    /// None if the row is all there is.
    pub(super) parts: Vec<Line>,
    /// Whether the row is a sum of several currencies, or of another one than its own.
    pub(super) is_together: bool,
}

impl Group {
    /// A row with nothing below it.
    fn alone(head: Line) -> Group {
        Group { head, parts: Vec::new(), is_together: false }
    }

    /// What opens the rows below it: `In 3 currencies`.
    pub(super) fn fold(&self) -> Option<String> {
        match (self.parts.as_slice(), self.is_together) {
            ([], _) => None,
            ([only], true) => Some(format!("In {}", only.currency.code())),
            (parts, true) => Some(format!("In {} currencies", parts.len())),
            ([_], false) => Some("1 other currency".to_owned()),
            (parts, false) => Some(format!("{} other currencies", parts.len())),
        }
    }
}

/// The groups of some rows by platform, in their order.
pub(super) fn groups(
    gathered: &InsightsData,
    lines: Vec<Line>,
    order: Order,
    reporting: Option<&Reporting>,
) -> Vec<Group> {
    let mut platforms: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        match platforms.iter_mut().find(|own| own[0].platform == line.platform) {
            Some(own) => own.push(line),
            None => platforms.push(vec![line]),
        }
    }
    let mut groups: Vec<Group> = platforms.into_iter().map(|own| group(gathered, own, reporting)).collect();
    if let Some(reporting) = reporting {
        sort(&mut groups, order, &[&[reporting.currency], gathered.currencies().as_slice()].concat());
    }
    groups
}

/// Sorts the groups by their rows.
fn sort(groups: &mut [Group], order: Order, currencies: &[Currency]) {
    let mut heads: Vec<Line> = groups.iter().map(|group| group.head.clone()).collect();
    order.sort(&mut heads, currencies);
    groups.sort_by_key(|group| heads.iter().position(|head| head.platform == group.head.platform));
}

fn group(gathered: &InsightsData, mut own: Vec<Line>, reporting: Option<&Reporting>) -> Group {
    let together = reporting.and_then(|reporting| together(gathered, &own, reporting));
    let is_one = |head: &Line| own.len() == 1 && own[0].currency == head.currency;
    match together {
        Some(head) if !is_one(&head) => Group { head, parts: own, is_together: true },
        _ => {
            let head = own.remove(0);
            Group { parts: own, ..Group::alone(head) }
        }
    }
}

/// The sum of some rows of a platform in the reporting currency; `None` without rows.
fn together(gathered: &InsightsData, lines: &[Line], reporting: &Reporting) -> Option<Line> {
    let first = lines.first()?;
    let missing = missing_accounts(gathered, first.platform);
    let numbers: Vec<(Currency, &Numbers)> = lines.iter().map(|line| (line.currency, &line.now)).collect();
    let now = sum(reporting, &numbers);
    let before: Option<Vec<(Currency, &Numbers)>> =
        lines.iter().map(|line| Some((line.currency, line.before.as_ref()?))).collect();
    Some(Line {
        platform: first.platform,
        account: None,
        campaign: None,
        accounts: lines.iter().map(|line| line.accounts).sum(),
        missing,
        is_incomplete: missing > 0 || lines.iter().any(|line| line.is_incomplete),
        read_at: lines.iter().filter_map(|line| line.read_at).min(),
        as_of: lines.iter().filter_map(|line| line.as_of).min(),
        range: Range::shared(lines.iter().map(|line| line.range))?,
        currency: reporting.currency,
        now: if missing > 0 { now.lower_bound() } else { now },
        before: before.map(|before| sum(reporting, &before)),
    })
}

/// The sum of numbers of several currencies.
fn sum(reporting: &Reporting, parts: &[(Currency, &Numbers)]) -> Numbers {
    let mut sum = Numbers::default();
    parts.iter().for_each(|(_, numbers)| sum.add(numbers));
    let amount = |of: fn(&Numbers) -> Total| {
        let known = || parts.iter().filter_map(|(currency, numbers)| Some((*currency, of(numbers).known()?)));
        let total = known().next().map_or(Total::EMPTY, |_| Total::of(reporting.together(known())));
        if parts.iter().any(|(_, numbers)| of(numbers).is_partial()) { total.lower_bound() } else { total }
    };
    Numbers {
        spend: amount(|numbers| numbers.spend),
        conversion_value: amount(|numbers| numbers.conversion_value),
        ..sum
    }
}
