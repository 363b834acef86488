//! The page that a form about a campaign is on, to which its answer leads back.

use super::bulk::status_page;
use super::filter::Filter;
use crate::kit::addresses;
use shared::envelope::query::value;

/// The field with the bulk change on whose page the form is.
const BULK_PAGE_FIELD: &str = "of";

/// The campaign of a form.
pub(super) fn id(form: &[(String, String)]) -> &str {
    value(form, "id").unwrap_or_default()
}

/// Whether the form is in the list, and not on the page of its campaign.
pub(super) fn is_in_list(form: &[(String, String)]) -> bool {
    value(form, "back") != Some("one")
}

/// The page that the form is on; in the list, the row of the campaign.
pub(super) fn path(form: &[(String, String)]) -> String {
    let list = Filter::of_form(form);
    if let Some(bulk) = value(form, BULK_PAGE_FIELD) {
        status_page(bulk, &list)
    } else if is_in_list(form) {
        format!("{}#{}", list.path(), addresses::campaign_row(id(form)))
    } else {
        addresses::campaign_of_list(id(form), &list.list())
    }
}

/// The page of a form that was refused; in the list, the field of the budget, which then has the focus.
pub(super) fn of_refused(form: &[(String, String)]) -> String {
    if is_in_list(form) && value(form, "budget_amount").is_some() {
        format!("{}#budget_amount", Filter::of_form(form).path())
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
        let other = form(&[("id", "a&b"), ("back", "https://example.com/"), ("list", "status=PAUSED")]);
        assert_eq!(path(&other), "/dashboard/campaigns?status=PAUSED#c-a%26b");
    }
}
