//! Reverts what a key did: gives the ticked campaigns the values back that they had before it, by one bulk change (D175).
//! The same form stops the key first, if the person wants both.

use super::since::Since;
use super::stop_and_revert::stop_and_revert;
use crate::client::api::{Api, Refusal};
use crate::client::campaigns;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::bulk_status;
use crate::kit::campaign::campaign_count;
use crate::kit::campaign_forms::KEY_FIELD;
use crate::kit::text::path_segment;
use crate::pages::kept_form::recent_first;
use shared::domain::{KeyId, MAX_BULK_IDS};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// The field with the changes of a ticked campaign.
const CHANGES_FIELD: &str = "changes";
/// The button that stops the key first.
const STOP_FIELD: &str = "stop";
/// The button that counts again, without the script.
const COUNT_FIELD: &str = "count";
/// The field of each campaign of the form: its id, a space, and its first change, with which it is found among the ticked.
const ROW_FIELD: &str = "row";
/// The campaigns that are not ticked, in the address of the page.
const LEFT_OUT_FIELD: &str = "without";

/// The longest address to which a sign-in leads back.
const MAX_ADDRESS: usize = 500;

/// A revert that a person has asked for.
pub(super) struct Asked<'a> {
    pub(super) api: Api<'a>,
    pub(super) key: KeyId,
    pub(super) since: Since,
    /// The changes of the ticked campaigns.
    pub(super) ids: Vec<String>,
    /// Makes a double click or a reload revert once.
    pub(super) form_key: &'a str,
    pub(super) page: String,
}

/// Reverts the ticked campaigns of a form, once for its idempotency key.
pub(crate) async fn revert(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let key = KeyId(value(&form, "id").unwrap_or_default().to_owned());
    let since = Since::of(&form, false);
    let page = since.page(&key.0);
    if value(&form, COUNT_FIELD).is_some() {
        return Ok(WebReply::see_other(format!("{}#total", count_page(&page, &form))));
    }
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let ids: Vec<String> = ticked(&form).map(str::to_owned).collect();
    let form_key = value(&form, KEY_FIELD).filter(|key| !key.is_empty());
    let Some(form_key) = form_key.filter(|_| !ids.is_empty()) else {
        let message = "Nothing is done: tick at least one campaign.".to_owned();
        return Ok(Notice { message, ..Notice::default() }.then(page));
    };
    let asked = Asked { api: Api::new(request, person), key, since, ids, form_key, page };
    if value(&form, STOP_FIELD).is_some() {
        return Ok(stop_and_revert(request, person, asked).await);
    }
    Ok(match campaigns::undo_set(&asked.api, &asked.ids, form_key).await {
        Ok(started) if started.refused.is_empty() => WebReply::see_other(bulk_status(&started.bulk.to_string())),
        Ok(started) => {
            let stay = campaign_count(started.refused.len());
            let message = format!("{stay} cannot be reverted any more. Look at what was changed since.");
            Notice::part(message).then(bulk_status(&started.bulk.to_string()))
        }
        Err(refusal) => not_reverted(refusal, form_key).then(asked.page),
    })
}

/// The changes of the ticked campaigns of a form.
fn ticked(form: &[(String, String)]) -> impl Iterator<Item = &str> {
    form.iter().filter(|(name, _)| name == CHANGES_FIELD).flat_map(|(_, ids)| ids.split(','))
}

/// The page with the ticks of a form, which leaves out the other campaigns: most forms have few of them.
fn count_page(page: &str, form: &[(String, String)]) -> String {
    let rows = form.iter().filter(|(name, _)| name == ROW_FIELD).filter_map(|(_, row)| row.split_once(' '));
    let is_ticked = |first: &str| ticked(form).any(|id| id == first);
    let left_out: Vec<&str> = rows.filter(|(_, first)| !is_ticked(first)).map(|(campaign, _)| campaign).collect();
    format!("{page}&wait=all&{LEFT_OUT_FIELD}={}", path_segment(&left_out.join(",")))
}

/// The page of a form after a sign-in, with its ticks unless too many are taken away for an address.
pub(crate) fn ticked_page(form: &[(String, String)]) -> String {
    let page = Since::of(form, false).page(value(form, "id").unwrap_or_default());
    let ticked = count_page(&page, form);
    if ticked.len() <= MAX_ADDRESS { ticked } else { page }
}

/// The campaigns that the address of the page leaves out.
pub(super) fn left_out(query: &[(String, String)]) -> Vec<String> {
    let ids = value(query, LEFT_OUT_FIELD).unwrap_or_default().split(',').take(MAX_BULK_IDS);
    ids.filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

/// What is said of a revert that has not begun.
pub(super) fn not_reverted(refusal: Refusal, form_key: &str) -> Notice {
    // It may have begun: the same form continues it.
    let may_have_begun = refusal.status >= 500 || refusal.status == 409;
    let kept = [(KEY_FIELD.to_owned(), form_key.to_owned())];
    Notice::failure(refusal, if may_have_begun { &kept } else { &[] })
}

#[cfg(test)]
#[test]
fn a_form_that_is_counted_again_keeps_what_is_ticked() {
    let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let form = [
        field(ROW_FIELD, "alpha_1_2 chg_1"),
        field(CHANGES_FIELD, "chg_1,chg_2"),
        field(ROW_FIELD, "beta_1_3 chg_3"),
        field(ROW_FIELD, "beta_1_4 chg_4"),
    ];
    let page = count_page("/one?id=key_1&since=day", &form);
    assert_eq!(page, "/one?id=key_1&since=day&wait=all&without=beta_1_3%2Cbeta_1_4");
    let with_id = [vec![field("id", "key_1")], form.to_vec()].concat();
    assert_eq!(ticked_page(&with_id), "/dashboard/keys/one?id=key_1&since=day&wait=all&without=beta_1_3%2Cbeta_1_4");
    let many = (0..50).map(|number| field(ROW_FIELD, &format!("beta_1_{number} chg_{number}"))).collect::<Vec<_>>();
    assert_eq!(ticked_page(&many), "/dashboard/keys/one?id=&since=day");
    assert_eq!(left_out(&[field(LEFT_OUT_FIELD, "beta_1_3,beta_1_4")]), ["beta_1_3", "beta_1_4"]);
    assert!(left_out(&[field(LEFT_OUT_FIELD, "")]).is_empty(), "all are ticked");
}
