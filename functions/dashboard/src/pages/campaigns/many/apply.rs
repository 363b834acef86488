//! Makes the change of many campaigns. The status is one bulk change of the API; each budget is a change of its own, made
//! only if the campaign still has the budget that the page has shown.

use super::ticked::{ACTION_FIELD, CONCURRENT, MAX_CAMPAIGNS, Ticked};
use crate::client::api::Api;
use crate::client::campaigns::{self, CampaignEdit, Chosen, named_period, set_statuses};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::amount::Amount;
use crate::kit::campaign::{Switch, counted};
use crate::kit::campaign_forms::KEY_FIELD;
use crate::kit::form_errors::Detail;
use crate::kit::money::in_currency;
use crate::pages::campaigns::bulk::answer;
use crate::pages::campaigns::filter::Filter;
use crate::pages::campaigns::undo_form;
use futures_util::{StreamExt, stream};
use rust_decimal::Decimal;
use shared::domain::{BudgetPeriod, ChangeId};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use std::time::Duration;
use tokio::time::Instant;

/// Time after which no further budget is begun, less than the page has.
pub(super) const BEGIN_TIME: Duration = Duration::from_secs(15);
/// Most campaigns that the notice names.
pub(super) const MAX_NAMED: usize = 8;

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
    Saved(Option<ChangeId>),
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
        let campaign = match campaigns::one(api, &self.id).await {
            Ok(campaign) => campaign,
            Err(refusal) => return refused(&self.id, refusal.message),
        };
        match campaign.budget_amount {
            // An earlier send of this form may have changed it: then its response is repeated.
            Some(amount) if amount == self.was || amount == self.new => {}
            _ => {
                let was = in_currency(self.was, campaign.currency);
                return refused(&campaign.name, format!("was changed since: its budget is no longer {was}."));
            }
        }
        let edit = CampaignEdit {
            budget_amount: Some(Amount::typed(&self.new.to_string())),
            budget_period: named_period(campaign.budget_period.map(BudgetPeriod::as_str)),
            ..CampaignEdit::default()
        };
        match campaigns::update_once(api, &self.id, &edit, &format!("{key}-{}", self.id)).await {
            // The change at the platform is the first.
            Ok(changes) => Outcome::Saved(changes.first().copied()),
            Err(refusal) => refused(&campaign.name, refusal.in_full()),
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
        (Some(key), Some("pause")) => Ok(switch_all(&api, &ticked, Switch::Pause, key).await),
        (Some(key), Some("activate")) => Ok(switch_all(&api, &ticked, Switch::Activate, key).await),
        (Some(key), Some("budget")) => Ok(set_budgets(&api, &ticked, &form, key).await),
        _ => {
            let message = "The form is not complete, so nothing is changed. Tick the campaigns again.".to_owned();
            Ok(Notice { message, ..Notice::default() }.then(ticked.list.path()))
        }
    }
}

async fn switch_all(api: &Api<'_>, ticked: &Ticked, switch: Switch, key: &str) -> WebReply {
    if let Some(message) = ticked.refusal() {
        return Notice { message: message.to_owned(), ..Notice::default() }.then(ticked.list.path());
    }
    let begun = set_statuses(api, switch, Chosen::Ids(&ticked.ids), key).await;
    answer(begun, key, ticked.path(&ticked.ids))
}

async fn set_budgets(api: &Api<'_>, ticked: &Ticked, form: &[(String, String)], key: &str) -> WebReply {
    let budgets = form.iter().filter(|(name, _)| name == "budget");
    let budgets: Option<Vec<NewBudget>> = budgets.map(|(_, text)| NewBudget::read(text)).collect();
    let budgets = budgets.filter(|budgets| (1..=MAX_CAMPAIGNS).contains(&budgets.len()));
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
    let undo = undo_form::of_changes(&made, list);
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
    use jiff::Timestamp;
    use uuid::Uuid;

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
        let ids = [0, 1].map(|number| ChangeId::new(Timestamp::UNIX_EPOCH, Uuid::nil(), number));
        let (notice, left) = told(ids.map(|id| Outcome::Saved(Some(id))).into());
        assert!(notice.is_success && left.is_empty());
        assert_eq!(notice.undo[0], ("changes".to_owned(), ids.map(|id| id.to_string()).join(",")));
        assert_eq!(notice.message, "Saved: the budgets of 2 campaigns.");
        let (notice, left) = told(vec![Outcome::Saved(None), refused("Spring", "Too low.".to_owned())]);
        assert!(!notice.is_success && left.is_empty() && notice.undo.is_empty());
        assert_eq!(notice.message, "1 of 2 campaigns saved. Not saved:");
        assert_eq!((notice.details[0].field.as_str(), notice.details[0].message.as_str()), ("Spring", "Too low."));
        let (notice, left) = told(vec![Outcome::Saved(None), Outcome::NotBegun("alpha_1_2".to_owned())]);
        assert_eq!((left, notice.is_success), (vec!["alpha_1_2".to_owned()], false));
    }
}
