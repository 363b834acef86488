//! The page that a form about a campaign is on, to which its answer leads back.

use super::bulk::status_page;
use super::filter::Filter;
use crate::kit::addresses::{self, BACK, HOME, MONTHS, OF_BULK, TO_HOME, TO_MONTHS, of_user};
use shared::envelope::query::value;

/// Another page from which a person has come to the form of a row of the list, and to which that leads back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Home,
    Months,
}

impl Origin {
    /// The one that a form or an address names.
    pub(super) fn of(named: &[(String, String)]) -> Option<Origin> {
        match value(named, BACK) {
            Some(TO_HOME) => Some(Origin::Home),
            Some(TO_MONTHS) => Some(Origin::Months),
            _ => None,
        }
    }

    /// Its name in a form.
    pub(super) fn name(self) -> &'static str {
        match self {
            Origin::Home => TO_HOME,
            Origin::Months => TO_MONTHS,
        }
    }

    /// The page; of the months, the row of a campaign. They are those of the user of the list.
    pub(super) fn path(self, id: &str, list: &Filter) -> String {
        match self {
            Origin::Home => HOME.to_owned(),
            Origin::Months => {
                let page = list.user.as_ref().map_or_else(|| MONTHS.to_owned(), |user| of_user(MONTHS, user));
                format!("{page}#{}", addresses::campaign_row(id))
            }
        }
    }
}

/// The campaign of a form.
pub(super) fn id(form: &[(String, String)]) -> &str {
    value(form, "id").unwrap_or_default()
}

/// Whether the form is in the list, and not on the page of its campaign.
pub(super) fn is_in_list(form: &[(String, String)]) -> bool {
    value(form, BACK) != Some("one")
}

/// The page that the form is on; in the list, the row of the campaign.
pub(super) fn path(form: &[(String, String)]) -> String {
    let list = Filter::of_form(form);
    if let Some(bulk) = value(form, OF_BULK) {
        status_page(bulk, &list)
    } else if let Some(origin) = Origin::of(form) {
        origin.path(id(form), &list)
    } else if is_in_list(form) {
        format!("{}#{}", list.path(), addresses::campaign_row(id(form)))
    } else {
        of_campaign(form)
    }
}

/// The page of the campaign of a form.
pub(super) fn of_campaign(form: &[(String, String)]) -> String {
    addresses::campaign_of_list(id(form), &Filter::of_form(form).list())
}

/// The page of a form that was refused; in the list, the field of the budget, which then has the focus.
pub(super) fn of_refused(form: &[(String, String)]) -> String {
    if is_in_list(form) && value(form, "budget_amount").is_some() {
        let list = Filter::of_form(form).path();
        let mark = if list.contains('?') { '&' } else { '?' };
        let back = Origin::of(form).map(|origin| format!("{mark}{BACK}={}", origin.name())).unwrap_or_default();
        format!("{list}{back}#budget_amount")
    } else {
        path(form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields::form;

    #[test]
    fn a_form_leads_back_to_its_page() {
        assert_eq!(path(&form(&[("id", "alpha_1_2"), ("back", "one")])), "/dashboard/campaigns/one?id=alpha_1_2");
        assert_eq!(path(&form(&[("id", "a"), ("back", "list")])), "/dashboard/campaigns#c-a");
        let of_list = form(&[("id", "a"), ("back", "one"), ("list", "status=PAUSED")]);
        assert_eq!(path(&of_list), "/dashboard/campaigns/one?id=a&list=status%3DPAUSED");
        let of_bulk = form(&[("of", "blk_1"), ("list", "status=PAUSED")]);
        assert_eq!(path(&of_bulk), "/dashboard/campaigns/status?id=blk_1&list=status%3DPAUSED");
        let budget = form(&[("id", "a"), ("back", "list"), ("budget_amount", "x"), ("list", "sort=name")]);
        assert_eq!(of_refused(&budget), "/dashboard/campaigns?sort=name#budget_amount");
        assert_eq!(of_refused(&of_list), path(&of_list));
        let months = |list| form(&[("id", "a"), ("back", "months"), ("budget_amount", "9"), ("list", list)]);
        assert_eq!(path(&months("q=Spring")), "/dashboard/months#c-a");
        assert_eq!(path(&months("q=Spring&external_ref=shop42")), "/dashboard/months?external_ref=shop42#c-a");
        assert_eq!(of_refused(&months("q=Spring")), "/dashboard/campaigns?q=Spring&back=months#budget_amount");
        assert_eq!(of_refused(&months("")), "/dashboard/campaigns?back=months#budget_amount");
        let home = [("id", "a"), ("back", "home")];
        assert_eq!((path(&form(&home)), of_refused(&form(&home))), (HOME.to_owned(), HOME.to_owned()));
        let budget = form(&[home[0], home[1], ("budget_amount", "x"), ("list", "q=Spring")]);
        assert_eq!(of_refused(&budget), "/dashboard/campaigns?q=Spring&back=home#budget_amount");
        let other = form(&[("id", "a&b"), ("back", "https://example.com/"), ("list", "status=PAUSED")]);
        assert_eq!(path(&other), "/dashboard/campaigns?status=PAUSED#c-a%26b");
    }
}
