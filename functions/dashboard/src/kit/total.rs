//! The total of numbers that may not all be known. It is exact, and says "at least" if a part is missing.

use rust_decimal::Decimal;

/// A total. A part that is not known, or that no decimal can add, makes it a lower bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Total {
    known: Option<Decimal>,
    is_partial: bool,
}

impl Total {
    /// The total of no part.
    pub(crate) const EMPTY: Total = Total { known: None, is_partial: false };
    /// The total of parts that are all 0.
    pub(crate) const ZERO: Total = Total { known: Some(Decimal::ZERO), is_partial: false };
    /// The total of which nothing is known.
    pub(crate) const UNKNOWN: Total = Total { known: None, is_partial: true };

    /// The total of one part; `None` for one that is not known.
    pub(crate) fn of(part: Option<Decimal>) -> Total {
        Total { known: part, is_partial: part.is_none() }
    }

    /// Adds another total.
    pub(crate) fn add(&mut self, other: Total) {
        let sum = match (self.known, other.known) {
            (Some(known), Some(more)) => known.checked_add(more),
            (known, more) => known.or(more),
        };
        let has_overflowed = sum.is_none() && self.known.is_some();
        self.known = sum.or(self.known);
        self.is_partial |= other.is_partial || has_overflowed;
    }

    /// The same total as a lower bound: a part is missing.
    #[must_use]
    pub(crate) fn lower_bound(self) -> Total {
        Total { is_partial: true, ..self }
    }

    /// The sum of the known parts; `None` without any.
    pub(crate) fn known(self) -> Option<Decimal> {
        self.known
    }

    /// The sum, if every part is known.
    pub(crate) fn exact(self) -> Option<Decimal> {
        if self.is_partial { None } else { self.known }
    }

    /// What the sum is, or is at least. `None` if that says nothing: without a known part, and for 0 beside unknown ones.
    pub(crate) fn value_to_show(self) -> Option<Decimal> {
        self.known.filter(|known| !self.is_partial || !known.is_zero())
    }

    /// The same total of parts that are each so many times as large.
    #[must_use]
    pub(crate) fn times(self, factor: Decimal) -> Total {
        let known = self.known.and_then(|known| known.checked_mul(factor));
        Total { known, is_partial: self.is_partial || known.is_none() && self.known.is_some() }
    }

    /// Whether a part is not known.
    pub(crate) fn is_partial(self) -> bool {
        self.is_partial
    }

    /// Whether a part is not known, so that the sum is a lower bound.
    pub(crate) fn is_lower_bound(self) -> bool {
        self.is_partial && self.value_to_show().is_some()
    }

    /// The sum for people: `at least 1,234.50`; a dash if it says nothing.
    pub(crate) fn text(self, show: impl Fn(Decimal) -> String) -> String {
        match self.value_to_show().map(show) {
            Some(sum) if self.is_partial => format!("at least {sum}"),
            Some(sum) => sum,
            None => "–".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(parts: &[Option<&str>]) -> Total {
        let mut total = Total::default();
        for part in parts {
            total.add(Total::of(part.map(|part| Decimal::from_str_exact(part).unwrap())));
        }
        total
    }

    fn text(parts: &[Option<&str>]) -> String {
        total(parts).text(|sum| sum.to_string())
    }

    #[test]
    fn a_total_is_exact() {
        assert_eq!(text(&[Some("0.1"); 10]), "1.0");
        assert_eq!(text(&[Some("9007199254740993"); 10]), "90071992547409930");
    }

    #[test]
    fn an_unknown_part_makes_a_lower_bound() {
        assert_eq!(text(&[Some("5"), None]), "at least 5");
        assert_eq!(text(&[None, Some("5")]), "at least 5");
        assert_eq!((text(&[None]), text(&[])), ("–".to_owned(), "–".to_owned()));
        assert_eq!(text(&[Some("0"), None]), "–", "at least nothing says nothing");
        assert_eq!((total(&[Some("5"), None]).exact(), total(&[Some("5")]).exact()), (None, Some(Decimal::from(5))));
    }

    #[test]
    fn what_no_decimal_can_add_is_a_lower_bound() {
        let most = Decimal::MAX.to_string();
        assert_eq!(text(&[Some(most.as_str()), Some(most.as_str())]), format!("at least {most}"));
        let half = total(&[Some(most.as_str()), Some("1")]);
        assert_eq!((half.known(), half.exact()), (Some(Decimal::MAX), None));
    }

    #[test]
    fn totals_are_added_in_any_order() {
        let parts = [Some("0.5"), None, Some("7"), Some("-2.25")];
        let mut first = total(&parts[..2]);
        first.add(total(&parts[2..]));
        let mut last = total(&parts[2..]);
        last.add(total(&parts[..2]));
        assert_eq!((first, last), (total(&parts), total(&parts)));
        first.add(Total::default());
        assert_eq!(first, total(&parts));
        first.add(Total::ZERO);
        assert_eq!(first, total(&parts));
    }
}
