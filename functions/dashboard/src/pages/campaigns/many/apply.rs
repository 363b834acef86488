//! Makes the change of many campaigns. The status is one bulk change of the API; each budget is a change of its own, made
//! only if the campaign still has the budget that the page has shown.

use super::undo::undo_fields;
use super::{ACTION_FIELD, CONCURRENT, Ticked, counted};
use crate::client::api::{Api, Detail, Refusal};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses;
use crate::kit::amount::Amount;
use crate::kit::money::shown;
use crate::pages::campaigns::create::change_id;
use crate::pages::campaigns::create_form::KEY_FIELD;
use crate::pages::campaigns::filter::Filter;
use crate::pages::campaigns::one;
use crate::pages::campaigns::sent::{Changes, named_period};
use crate::pages::campaigns::wire::OneCampaign;
use futures_util::{StreamExt, stream};
use rust_decimal::Decimal;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::{ApiCall, WebRequest};
use std::time::Duration;
use tokio::time::Instant;

/// Time after which no further budget is begun, less than the page has.
pub(super) const BEGIN_TIME: Duration = Duration::from_secs(15);
/// Most campaigns that the notice names.
pub(super) const MAX_NAMED: usize = 8;

/// The body of `setStatuses`.
#[derive(Serialize)]
pub(in super::super) struct SetStatuses<'a> {
    pub(in super::super) status: &'static str,
    pub(in super::super) ids: &'a [String],
}

/// The response to `setStatuses`.
#[derive(Deserialize)]
struct Begun {
    bulk_id: String,
}

/// Begins a change of many campaigns, once for an idempotency key; returns its id.
pub(in super::super) async fn begin(api: &Api<'_>, body: &impl Serialize, key: &str) -> Result<String, Refusal> {
    api.change_once::<Begun>("/v1/campaigns/status", Some(body), key).await.map(|begun| begun.bulk_id)
}

/// The answer to a form that begins one. After a failure or during an earlier request it may have begun: the same form
/// continues it.
pub(in super::super) fn answer(begun: Result<String, Refusal>, key: &str, back: String) -> WebReply {
    match begun {
        Ok(begun) => WebReply::see_other(addresses::bulk_status(&begun)),
        Err(refusal) => {
            let may_have_begun = refusal.status >= 500 || refusal.status == 409;
            let kept = [(KEY_FIELD.to_owned(), key.to_owned())];
            Notice::failure(refusal, if may_have_begun { &kept } else { &[] }).then(back)
        }
    }
}

/// The budget of a campaign as the page has shown it, and the new one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NewBudget {
    id: String,
    was: Decimal,
    new: Decimal,
}

/// What became of a budget.
enum Outcome {
    /// Saved by this change; `None` if the campaign had the budget already.
    Saved(Option<String>),
    /// Not changed: the campaign by its name, and why.
    Refused(Detail),
    /// There was no time to begin.
    NotBegun(String),
}

impl NewBudget {
    /// Reads the field of a row: the id, and the budgets before and after.
    fn read(text: &str) -> Option<NewBudget> {
        let mut parts = text.split(' ');
        let id = parts.next().filter(|id| !id.is_empty())?.to_owned();
        let mut amount = || Decimal::from_str_exact(parts.next()?).ok();
        let (was, new) = (amount()?, amount()?);
        Some(NewBudget { id, was, new })
    }

    /// Changes the budget, unless the campaign has another one by now.
    async fn apply(&self, api: &Api<'_>, key: &str) -> Outcome {
        let path = one::api_path(&self.id);
        let campaign = match api.read::<OneCampaign>(&path).await {
            Ok(one) => one.data,
            Err(refusal) => return refused(&self.id, refusal.message),
        };
        match campaign.amount() {
            // An earlier send of this form may have changed it: then its response is repeated.
            Some(amount) if amount == self.was || amount == self.new => {}
            _ => {
                let was = format!("{} {}", shown(self.was, &campaign.currency), campaign.currency);
                return refused(&campaign.name, format!("was changed since: its budget is no longer {was}."));
            }
        }
        let amount = Amount::typed(&self.new.to_string());
        let budget_period = named_period(campaign.budget_period.as_deref());
        let changes = Changes { name: None, status: None, budget_amount: Some(amount), budget_period };
        let (shape, body) = (changes.shape(), changes.json());
        let key = format!("{key}-{}", self.id);
        let call = ApiCall { method: "PATCH", target: &path, body, shape, idempotency_key: Some(&key) };
        let response = api.call_once(call).await;
        match response.and_then(|response| api.parse::<IgnoredAny>(&response).map(|_| change_id(&response))) {
            Ok(change) => Outcome::Saved(change),
            Err(Refusal { message, .. }) => refused(&campaign.name, message),
        }
    }
}

fn refused(name: &str, message: String) -> Outcome {
    Outcome::Refused(Detail { field: name.to_owned(), message })
}

/// Makes the change of the form, once for its idempotency key.
pub(crate) async fn apply(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let ticked = Ticked::read(&form);
    let api = Api::new(request, person);
    let key = value(&form, KEY_FIELD).filter(|key| !key.is_empty());
    match (key, value(&form, ACTION_FIELD)) {
        (Some(key), Some("pause")) => Ok(set_statuses(&api, &ticked, "PAUSED", key).await),
        (Some(key), Some("activate")) => Ok(set_statuses(&api, &ticked, "ACTIVE", key).await),
        (Some(key), Some("budget")) => Ok(set_budgets(&api, &ticked, &form, key).await),
        _ => {
            let message = "The form is not complete, so nothing is changed. Tick the campaigns again.".to_owned();
            Ok(Notice { message, ..Notice::default() }.then(ticked.list.path()))
        }
    }
}

async fn set_statuses(api: &Api<'_>, ticked: &Ticked, status: &'static str, key: &str) -> WebReply {
    if let Some(message) = ticked.refusal() {
        return Notice { message: message.to_owned(), ..Notice::default() }.then(ticked.list.path());
    }
    let begun = begin(api, &SetStatuses { status, ids: &ticked.ids }, key).await;
    answer(begun, key, ticked.path(&ticked.ids))
}

async fn set_budgets(api: &Api<'_>, ticked: &Ticked, form: &[(String, String)], key: &str) -> WebReply {
    let budgets = form.iter().filter(|(name, _)| name == "budget");
    let budgets: Option<Vec<NewBudget>> = budgets.map(|(_, text)| NewBudget::read(text)).collect();
    let budgets = budgets.filter(|budgets| (1..=super::MAX_CAMPAIGNS).contains(&budgets.len()));
    let Some(budgets) = budgets else {
        let message = "The form is not complete, so nothing is changed. Tick the campaigns again.".to_owned();
        return Notice { message, ..Notice::default() }.then(ticked.list.path());
    };
    let until = Instant::now() + BEGIN_TIME;
    let outcomes = stream::iter(budgets).map(|budget| async move {
        if Instant::now() >= until { Outcome::NotBegun(budget.id) } else { budget.apply(api, key).await }
    });
    let outcomes: Vec<Outcome> = outcomes.buffered(CONCURRENT).collect().await;
    let (notice, left) = told(outcomes, &ticked.list);
    notice.then(if left.is_empty() { ticked.list.path() } else { ticked.path(&left) })
}

/// The notice of the outcomes with a button that undoes what is saved, and the campaigns that were not begun.
fn told(outcomes: Vec<Outcome>, list: &Filter) -> (Notice, Vec<String>) {
    let total = outcomes.len();
    let (mut saved, mut made, mut details, mut left) = (0, Vec::new(), Vec::new(), Vec::new());
    for outcome in outcomes {
        match outcome {
            Outcome::Saved(change) => {
                saved += 1;
                made.extend(change);
            }
            Outcome::Refused(detail) => details.push(detail),
            Outcome::NotBegun(id) => left.push(id),
        }
    }
    let undo = undo_fields(&made, list);
    if saved == total {
        return (Notice::success(format!("Saved: the budgets of {}.", counted(saved))).undone_by(undo), left);
    }
    let mut message = format!("{saved} of {} saved.", counted(total));
    match details.len() {
        0 => {}
        1..=MAX_NAMED => message.push_str(" Not saved:"),
        number => message = format!("{message} {number} are not, the first of them:"),
    }
    if !left.is_empty() {
        message = format!("There was no time for all: those below are not begun. {message}");
    }
    details.truncate(MAX_NAMED);
    (Notice { message, details, undo, ..Notice::default() }.fitting(), left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_the_id_and_both_budgets() {
        let read = NewBudget::read("alpha_1_2 12.5 13.75").unwrap();
        assert_eq!(
            (read.id.as_str(), read.was.to_string(), read.new.to_string()),
            ("alpha_1_2", "12.5".to_owned(), "13.75".to_owned())
        );
        for text in ["", "alpha_1_2", "alpha_1_2 1", "alpha_1_2 a 2", " 1 2"] {
            assert_eq!(NewBudget::read(text), None, "{text}");
        }
    }

    #[test]
    fn the_notice_counts_and_names_what_is_not_saved() {
        let told = |outcomes| told(outcomes, &Filter::of(&[]));
        let saved = |change: Option<&str>| Outcome::Saved(change.map(str::to_owned));
        let (notice, left) = told(vec![saved(Some("chg_1")), saved(Some("chg_2"))]);
        assert!(notice.is_success && left.is_empty());
        assert_eq!(notice.undo[0], ("changes".to_owned(), "chg_1,chg_2".to_owned()));
        assert_eq!(notice.message, "Saved: the budgets of 2 campaigns.");
        let (notice, left) = told(vec![saved(None), refused("Spring", "Too low.".to_owned())]);
        assert!(!notice.is_success && left.is_empty() && notice.undo.is_empty());
        assert_eq!(notice.message, "1 of 2 campaigns saved. Not saved:");
        assert_eq!((notice.details[0].field.as_str(), notice.details[0].message.as_str()), ("Spring", "Too low."));
        let (notice, left) = told(vec![saved(None), Outcome::NotBegun("alpha_1_2".to_owned())]);
        assert_eq!((left, notice.is_success), (vec!["alpha_1_2".to_owned()], false));
    }
}
