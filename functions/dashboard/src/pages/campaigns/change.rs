//! Changes and deletes a campaign.

use super::change_form::{PERIOD_FIELD, WAS_PERIOD_FIELD};
use super::dry_run::{DryRun, Run};
use super::filter::Filter;
use super::one;
use super::saved::Saved;
use super::sent::{self, Changes, Outcome, named_period, told_wait};
use super::undo::undo_fields;
use super::wire::MONTHLY;
use crate::client::accounts;
use crate::client::api::{Api, Refusal};
use crate::client::changes;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses;
use crate::kit::amount::Amount;
use crate::kit::form_errors::{Control, FormError};
use crate::kit::form_fields::picked;
use crate::kit::moment::moment;
use crate::pages::layout::{isolated, path_segment};
use rust_decimal::Decimal;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// The controls of the form.
const CONTROLS: &[Control] = &[
    ("name", "name", "Name"),
    ("budget_amount", "budget_amount", "Budget"),
    ("budget_period", PERIOD_FIELD, "Period"),
    ("apply_at", "apply_at", "Time"),
];
/// The fields that the form is shown with again.
pub(crate) const FIELDS: [&str; 5] = ["id", "name", "budget_amount", PERIOD_FIELD, TIME_FIELD];
/// The field with the time for which a change is scheduled; empty for now.
pub(super) const TIME_FIELD: &str = "apply_at";

/// Changes the name, the status or the budget, now or later.
pub(crate) async fn change(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = of_row(request.form()?);
    if changes_nothing(&form) {
        return Ok(Notice::success("Nothing is changed: the values are as before.").then(back(&form)));
    }
    if lacks_time(&form) {
        return Ok(without_time().then(back(&form)));
    }
    if let Some(error) = lacks_amount(&form) {
        return Ok(Notice::wrong(vec![error], &picked(&form, &FIELDS)).then(back(&form)));
    }
    let api = Api::new(request, person);
    let page = back(&form);
    Ok(match send(&api, "PATCH", &form, Some(&changes(&form))).await {
        Ok(Outcome::Checking(changes)) => return Ok(WebReply::see_other(addresses::outcome(&changes))),
        Ok(outcome) => notice(&api, &outcome, &form).await,
        Err(refusal) => Notice::refused(refusal, CONTROLS, &picked(&form, &FIELDS)),
    }
    .then(page))
}

/// The form of a button in a row of the list, which names its campaign in its value, with the fields of other forms.
fn of_row(mut form: Vec<(String, String)>) -> Vec<(String, String)> {
    for (button, status) in [("pause", "PAUSED"), ("activate", "ACTIVE")] {
        if let Some(id) = value(&form, button).map(str::to_owned) {
            form.extend([("id".to_owned(), id), ("status".to_owned(), status.to_owned())]);
        }
    }
    form
}

/// The dry run of a change, by the platform of the campaign.
pub(super) async fn dry_run(api: &Api<'_>, form: &[(String, String)]) -> Result<Result<Vec<Run>, Refusal>, Error> {
    let body = serde_json::to_string(&changes(form)).map_err(Error::internal)?;
    let path = one::api_path(id(form));
    let (run, connections) = tokio::join!(DryRun::fetch(api, "PATCH", &path, body), accounts::connections(api));
    // Without the connections the account has its number.
    Ok(run.map(|run| run.run(&connections.unwrap_or_default())))
}

/// Whether a form has the values that the page showed.
pub(super) fn changes_nothing(form: &[(String, String)]) -> bool {
    matches!(changes(form), Changes { name: None, status: None, budget_amount: None, budget_period: None })
}

/// What is wrong with a form whose budget has another period and the amount of before.
pub(super) fn lacks_amount(form: &[(String, String)]) -> Option<FormError> {
    let Changes { budget_amount, budget_period, .. } = changes(form);
    let per = if budget_period? == MONTHLY { "month" } else { "day" };
    budget_amount.is_none().then(|| FormError::new("budget_amount", format!("Write the amount of a {per}.")))
}

/// Deletes a campaign at its platform, now or later.
pub(crate) async fn delete(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if lacks_time(&form) {
        return Ok(without_time().then(back(&form)));
    }
    let deleted = send(&Api::new(request, person), "DELETE", &form, None).await;
    let list = Filter::of_form(&form).path();
    Ok(match deleted {
        Ok(Outcome::Waits { change, at }) => {
            Notice::success(told_wait(at, true)).undone_by(undo_fields(&change, &form)).then(back(&form))
        }
        Ok(Outcome::Checking(changes)) => WebReply::see_other(addresses::outcome(&changes)),
        Ok(_) => Notice::success(deleted_words(value(&form, "name"))).then(list),
        Err(refusal) if refusal.status == 404 => {
            let message = "There is no such campaign. If you have just deleted it, it is gone.".to_owned();
            Notice::failure(Refusal { message, ..refusal }, &[]).then(list)
        }
        Err(refusal) => Notice::failure(refusal, &[]).then(back(&form)),
    })
}

/// `Deleted “Spring”: the campaign does not run and spends nothing more.`
fn deleted_words(name: Option<&str>) -> String {
    let name = name.map(|name| format!(" {}", isolated(name))).unwrap_or_default();
    format!("Deleted{name}: the campaign does not run and spends nothing more.")
}

/// Whether a form for a later time has none. Without one it would act at once.
fn lacks_time(form: &[(String, String)]) -> bool {
    value(form, "later").is_some() && time(form).is_none()
}

fn without_time() -> Notice {
    Notice { message: "Nothing is changed. Choose a time first.".to_owned(), ..Notice::default() }
}

/// Makes the request of a form, for the form's time if it has one.
async fn send(
    api: &Api<'_>,
    method: &'static str,
    form: &[(String, String)],
    changes: Option<&Changes<'_>>,
) -> Result<Outcome, Refusal> {
    let path = one::api_path(id(form));
    let at = time(form).map(|at| format!("?{TIME_FIELD}={}", path_segment(&at)));
    sent::send(api, method, &format!("{path}{}", at.unwrap_or_default()), changes).await
}

/// The time of a form for the API; `None` for now.
pub(super) fn time(form: &[(String, String)]) -> Option<String> {
    moment(value(form, TIME_FIELD).unwrap_or_default().trim())
}

fn id(form: &[(String, String)]) -> &str {
    value(form, "id").unwrap_or_default()
}

/// Whether the form is in the list, and not on the page of its campaign.
pub(super) fn is_in_list(form: &[(String, String)]) -> bool {
    value(form, "back") != Some("one")
}

/// The page that the form is on; in the list, the row of the campaign.
pub(super) fn back(form: &[(String, String)]) -> String {
    let list = Filter::of_form(form);
    if is_in_list(form) {
        format!("{}#{}", list.path(), addresses::campaign_row(id(form)))
    } else {
        addresses::campaign_of_list(id(form), &list.list())
    }
}

/// The fields that differ from what the page showed, which the form carries as `was_…`.
fn changes(form: &[(String, String)]) -> Changes<'_> {
    let changed = |name: &str, shown: &str| {
        let typed = value(form, name)?.trim();
        (typed != value(form, shown).unwrap_or_default().trim()).then_some(typed)
    };
    let budget_amount = changed("budget_amount", "was_budget_amount").filter(|typed| !is_same_amount(typed, form));
    let budget_amount = budget_amount.map(Amount::typed);
    let of_month = named_period(value(form, PERIOD_FIELD)).filter(|_| budget_amount.is_some());
    Changes {
        name: changed("name", "was_name"),
        status: value(form, "status").filter(|status| !status.is_empty()),
        budget_period: changed(PERIOD_FIELD, WAS_PERIOD_FIELD).or(of_month),
        budget_amount,
    }
}

/// Whether an amount is the one that the page showed, however it is written.
fn is_same_amount(typed: &str, form: &[(String, String)]) -> bool {
    let amount = |text: &str| Decimal::from_str_exact(text.trim()).ok();
    let shown = value(form, "was_budget_amount").and_then(amount);
    shown.is_some() && amount(typed) == shown
}

/// What was saved, with a button that undoes it.
async fn notice(api: &Api<'_>, outcome: &Outcome, form: &[(String, String)]) -> Notice {
    let change = match outcome {
        Outcome::Made(Some(change)) => change,
        Outcome::Several => return Notice::success(several(form)),
        Outcome::Waits { change, at } => {
            return Notice::success(told_wait(*at, time(form).is_some())).undone_by(undo_fields(change, form));
        }
        Outcome::Made(None) | Outcome::Deleted | Outcome::Checking(_) => {
            return Notice::success(unchanged(value(form, "status")));
        }
    };
    let change = changes::one(api, change).await;
    let Some((change, saved)) = change.as_ref().ok().and_then(|change| Some((change, Saved::of(change)?))) else {
        return Notice::success("Saved.");
    };
    let undo = saved.undone().map(|_| undo_fields(&change.id.to_string(), form));
    Notice::success(saved.words(is_in_list(form))).undone_by(undo.unwrap_or_default())
}

/// The notice of several changes, which no button undoes together.
fn several(form: &[(String, String)]) -> &'static str {
    match value(form, WAS_PERIOD_FIELD) == Some(MONTHLY) && value(form, PERIOD_FIELD) != Some(MONTHLY) {
        true => "Saved. The monthly budget has ended: the campaign has the daily one below.",
        false => "Saved.",
    }
}

/// The notice of a change that has changed nothing at the platform.
fn unchanged(status: Option<&str>) -> &'static str {
    match status {
        Some("PAUSED") => "It is paused: nothing is spent until you activate it.",
        Some("ACTIVE") => "It is active already.",
        _ => "Nothing is changed: the campaign has these values already.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields::form;

    fn sent(fields: &[(&str, &str)]) -> String {
        serde_json::to_string(&changes(&form(fields))).unwrap()
    }

    #[test]
    fn only_what_differs_is_sent() {
        let shown = [("was_name", "Spring"), ("was_budget_amount", "25.5")];
        assert_eq!(sent(&[&shown[..], &[("name", "Spring"), ("budget_amount", "25.5")]].concat()), "{}");
        let both = [&shown[..], &[("name", "Summer"), ("budget_amount", "60.25")]].concat();
        assert_eq!(sent(&both), r#"{"name":"Summer","budget_amount":60.25}"#);
        assert_eq!(sent(&[&shown[..], &[("budget_amount", "")]].concat()), r#"{"budget_amount":""}"#);
        assert_eq!(sent(&[("status", "ACTIVE")]), r#"{"status":"ACTIVE"}"#);
    }

    #[test]
    fn a_monthly_budget_names_its_period_and_another_period_needs_its_amount() {
        let shown = [("was_budget_amount", "3000"), ("was_budget_period", "MONTHLY")];
        let typed =
            |amount, period| form(&[&shown[..], &[("budget_amount", amount), ("budget_period", period)]].concat());
        let sent = |amount, period| serde_json::to_string(&changes(&typed(amount, period))).unwrap();
        assert_eq!(sent("3000", "MONTHLY"), "{}");
        assert_eq!(sent("3500", "MONTHLY"), r#"{"budget_amount":3500,"budget_period":"MONTHLY"}"#);
        assert_eq!(sent("100", "DAILY"), r#"{"budget_amount":100,"budget_period":"DAILY"}"#);
        let error = lacks_amount(&typed("3000", "DAILY")).unwrap();
        assert_eq!((error.id.as_str(), error.message.as_str()), ("budget_amount", "Write the amount of a day."));
        assert!(lacks_amount(&typed("3000.00", "DAILY")).is_some(), "the same amount");
        assert_eq!(lacks_amount(&typed("100", "DAILY")), None);
        assert_eq!(lacks_amount(&typed("3000", "MONTHLY")), None);
    }

    #[test]
    fn a_button_of_a_row_names_its_campaign() {
        let form = of_row(form(&[("list", "status=PAUSED"), ("activate", "alpha_1_2")]));
        assert_eq!(serde_json::to_string(&changes(&form)).unwrap(), r#"{"status":"ACTIVE"}"#);
        assert_eq!(back(&form), "/dashboard/campaigns?status=PAUSED#c-alpha_1_2");
    }

    #[test]
    fn a_form_leads_back_to_its_page() {
        assert_eq!(back(&form(&[("id", "alpha_1_2"), ("back", "one")])), "/dashboard/campaigns/one?id=alpha_1_2");
        assert_eq!(back(&form(&[("id", "a"), ("back", "list")])), "/dashboard/campaigns#c-a");
        let of_list = form(&[("id", "a"), ("back", "one"), ("list", "status=PAUSED")]);
        assert_eq!(back(&of_list), "/dashboard/campaigns/one?id=a&list=status%3DPAUSED");
        let other = form(&[("id", "a&b"), ("back", "https://example.com/"), ("list", "status=PAUSED")]);
        assert_eq!(back(&other), "/dashboard/campaigns?status=PAUSED#c-a%26b");
    }

    #[test]
    fn a_change_that_waits_names_its_time() {
        let at = "2026-12-24T17:00:00Z".parse().unwrap();
        let cancel = "Until then you can cancel it under Activity.";
        assert_eq!(told_wait(at, true), format!("The change is scheduled for 24 Dec 2026, 17:00 UTC. {cancel}"));
        let start = "The campaign starts at 24 Dec 2026, 17:00 UTC, and the change waits for that.";
        assert_eq!(told_wait(at, false), format!("{start} {cancel}"));
        assert_eq!(time(&form(&[("apply_at", "2026-12-24T17:00")])).as_deref(), Some("2026-12-24T17:00:00Z"));
        assert_eq!(time(&form(&[("apply_at", " ")])), None);
    }
}
