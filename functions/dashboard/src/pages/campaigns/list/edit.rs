//! The form that changes the budget of a campaign in its row. One row at a time has it, so that the page stays small.

use crate::client::changes::GoingOn;
use crate::client::notice::Notice;
use crate::client::readings::CampaignRow;
use crate::kit::addresses::{self, BACK, CAMPAIGNS, FILL, NEED};
use crate::kit::campaign::CampaignSummary;
use crate::kit::money;
use crate::kit::month;
use crate::pages::campaigns::filter::Filter;
use crate::pages::campaigns::form_page::Origin;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::BudgetPeriod;
use shared::envelope::query::value;
use url::form_urlencoded::Serializer;

/// The parameter of the address that opens the form of a campaign.
const EDIT: &str = "edit";

/// The budget of a campaign in the form.
pub(super) struct BudgetForm {
    /// `USD a day`
    pub(super) unit: String,
    pub(super) currency: &'static str,
    /// The period, as the API names it.
    pub(super) period: &'static str,
    /// The amount that the row shows.
    pub(super) was: String,
    /// The amount as the person has typed it.
    pub(super) amount: String,
    /// What the page that the person comes from advises: `The month needs about 5,893.90 CAD to run to its end.`
    pub(super) advice: Option<String>,
    /// The amount of the advice, and the same form with it in the field; `None` if it is there.
    pub(super) advised: Option<(String, String)>,
    /// That it has spent its budget of today: `364.91 USD is spent today already: only a pause stops it today.`
    pub(super) spent: Option<String>,
    /// Why it was refused.
    pub(super) error: Option<String>,
    /// Another page than the list, to which the form leads back: its name in a form, and its address.
    pub(super) origin: Option<(&'static str, String)>,
}

/// The campaign whose form is open: that of a form which has failed, or the one that the address names.
pub(super) fn opened<'a>(query: &'a [(String, String)], notice: Option<&'a Notice>) -> Option<&'a str> {
    let failed = notice.filter(|notice| notice.value("budget_amount").is_some()).and_then(|notice| notice.value("id"));
    failed.or_else(|| value(query, EDIT)).filter(|id| !id.is_empty())
}

/// The campaign whose change was refused.
pub(super) fn refused(notice: Option<&Notice>) -> Option<&str> {
    notice.filter(|notice| !notice.is_success && !notice.is_part).and_then(|notice| notice.value("id"))
}

/// Why the budget of a form was refused: what is wrong with it, or all that is known, in the words of the platform too. The
/// notice at the top of the page may be out of sight.
fn error(notice: &Notice) -> Option<String> {
    refused(Some(notice))?;
    notice.value("budget_amount")?;
    let at_field = notice.errors.iter().find(|error| error.id == "budget_amount").map(|error| &error.message);
    let theirs = notice.details.iter().filter(|detail| detail.field.is_empty()).map(|detail| &detail.message);
    let parts: Vec<&str> =
        std::iter::once(at_field.unwrap_or(&notice.message)).chain(theirs).map(String::as_str).collect();
    Some(parts.join(" "))
}

impl BudgetForm {
    /// The form for a campaign; `None` without a budget of its own.
    pub(super) fn of(campaign: &CampaignSummary, notice: Option<&Notice>) -> Option<BudgetForm> {
        let (currency, period) = (campaign.currency.code(), campaign.budget_period);
        let was = money::form_amount(campaign.budget_amount?, currency);
        let typed = notice.and_then(|notice| notice.value("budget_amount"));
        Some(BudgetForm {
            unit: format!("{currency}{}", money::span_of(period)),
            currency,
            period: period.map_or("", BudgetPeriod::as_str),
            amount: typed.unwrap_or(&was).to_owned(),
            was,
            advice: None,
            advised: None,
            spent: None,
            error: notice.and_then(error),
            origin: None,
        })
    }
}

impl BudgetForm {
    /// The id of what stands below the field; empty if nothing does.
    pub(super) fn hint_id(&self) -> &'static str {
        if self.spent.is_some() || self.advice.is_some() { "budget-hint" } else { "" }
    }
}

/// That a campaign has spent the budget of today, which a lower one does not stop.
pub(super) fn spent(row: &CampaignRow, now: Timestamp) -> Option<String> {
    let spent = row.numbers.spend.today.text(|amount| money::in_currency(amount, row.campaign.currency));
    row.is_too_fast(now).then(|| format!("{spent} is spent today already: only a pause stops it today."))
}

/// What the page of months advises for the campaign whose form the address opens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Need {
    pub(super) amount: Decimal,
    /// Whether the person has chosen it, so that it is in the field. It is checked as any other amount.
    pub(super) is_filled: bool,
}

/// The advice that the address has.
pub(super) fn need(query: &[(String, String)]) -> Option<Need> {
    let amount = Decimal::from_str_exact(value(query, NEED)?).ok().filter(|need| *need > Decimal::ZERO)?;
    Some(Need { amount, is_filled: value(query, FILL) == Some("yes") })
}

/// The form with the advice for a monthly budget, in the list of a filter.
pub(super) fn advised(
    form: BudgetForm,
    need: Option<Need>,
    (campaign, goes_on): (&CampaignSummary, &GoingOn),
    (origin, filter): (Option<Origin>, &Filter),
) -> BudgetForm {
    let (Some(Need { amount, is_filled }), Some(month)) = (need, campaign.monthly) else { return form };
    let (id, need) = (campaign.id.to_string(), amount.normalize().to_string());
    let shown = money::in_currency(amount, campaign.currency);
    let restarts = campaign.is_month_spent && month::restarts_with(amount, month, campaign.place());
    let advice = Some(match restarts {
        true if goes_on.contains_key(&campaign.id) => format!("{shown} a month restarts it today."),
        true => format!("With {shown} a month you can activate it again today."),
        false => format!("The month needs about {shown} to run to its end at this pace."),
    });
    // What the person has typed and sent stays in the field.
    if is_filled && form.error.is_none() {
        return BudgetForm { advice, amount: money::form_amount(amount, form.currency), ..form };
    }
    let mut query = Serializer::new(filter.list());
    query.extend_pairs([(EDIT, id.as_str()), (NEED, need.as_str()), (FILL, "yes")]);
    query.extend_pairs(origin.map(|origin| (BACK, origin.name())));
    let path = format!("{CAMPAIGNS}?{}#{}", query.finish(), addresses::BUDGET);
    BudgetForm { advice, advised: Some((money::amount_text(amount, form.currency), path)), ..form }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::campaign::tests::campaign;
    use crate::kit::form_fields::form;
    use shared::domain::CampaignStatus;

    #[test]
    fn a_form_that_failed_is_open_with_what_was_typed() {
        let query = form(&[("edit", "alpha_1_2")]);
        assert_eq!(opened(&query, None), Some("alpha_1_2"));
        let values = form(&[("id", "alpha_1_3"), ("budget_amount", "1,5")]);
        let failed = Notice { values, message: "Too low.".to_owned(), ..Notice::default() };
        assert_eq!(opened(&query, Some(&failed)), Some("alpha_1_3"));
        assert_eq!(opened(&[], Some(&Notice::success("Saved."))), None);
        let campaign = campaign("alpha_1_3", CampaignStatus::Active);
        let shown = BudgetForm::of(&campaign, Some(&failed)).unwrap();
        assert_eq!((shown.was.as_str(), shown.amount.as_str(), shown.unit.as_str()), ("10.00", "1,5", "USD a day"));
        assert_eq!((shown.error.as_deref(), refused(Some(&failed))), (Some("Too low."), Some("alpha_1_3")));
        let saved = Notice::success("Saved.");
        assert_eq!((BudgetForm::of(&campaign, Some(&saved)).unwrap().error, refused(Some(&saved))), (None, None));
        let none = CampaignSummary { budget_amount: None, ..campaign };
        assert!(BudgetForm::of(&none, None).is_none());
    }
}
