//! Changes and deletes a campaign.

use super::change_form::{WAS_PERIOD_FIELD, edit, lacks_amount, leaps, time};
use super::control::activation_question;
use super::pause;
use crate::client::api::{Api, Refusal};
use crate::client::campaigns::{self, CampaignEdit, EditOutcome, MONTHLY};
use crate::client::changes;
use crate::client::notice::Notice;
use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::addresses;
use crate::kit::campaign::{CampaignSummary, Switch};
use crate::kit::campaign_forms::{CHANGE_FIELDS, PERIOD_FIELD, TIME_FIELD};
use crate::kit::form_errors::Control;
use crate::kit::form_fields::pick;
use crate::kit::text::{isolated, path_segment};
use crate::pages::campaigns::filter::Filter;
use crate::pages::campaigns::form_page;
use crate::pages::campaigns::saved_notice::{SavedFields, raise_words, waiting_words};
use crate::pages::campaigns::undo;
use shared::domain::{Change, ChangeId};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use std::slice;

/// The controls of the form.
const CONTROLS: &[Control] = &[
    ("name", "name", "Name"),
    ("budget_amount", "budget_amount", "Budget"),
    ("budget_period", PERIOD_FIELD, "Period"),
    ("apply_at", TIME_FIELD, "Time"),
];

/// Changes the name, the status or the budget, now or later.
pub(crate) async fn change(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = of_row(request.form()?);
    let page = form_page::path(&form);
    let edit = edit(&form);
    if edit.is_empty() {
        return Ok(Notice::success("Nothing to save: the values are the same.").then(page));
    }
    if lacks_time(&form) {
        return Ok(without_time().then(page));
    }
    if let Some(error) = lacks_amount(&form).or_else(|| leaps(&form)) {
        return Ok(Notice::wrong(vec![error], &pick(&form, &CHANGE_FIELDS)).then(form_page::of_refused(&form)));
    }
    if edit.switch() == Some(Switch::Activate)
        && let Some(question) = activation_question(&readings::known_budgets(request, person).await, &form)
    {
        // The page of the campaign has its budget, also for a button of the list.
        return Ok(question.then(form_page::of_campaign(&form)));
    }
    let api = Api::new(request, person);
    Ok(match campaigns::update(&api, form_page::id(&form), time(&form).as_deref(), &edit).await {
        Ok(EditOutcome::Checking(changes)) => WebReply::see_other(outcome(&changes, &form)),
        Ok(outcome) => then_until(&api, notice(&api, &outcome, &form).await, &form).await.then(page),
        Err(refusal) => not_made(request, person, &edit, &form, refusal).await,
    })
}

/// The answer to a change that was refused. A pause goes on where its platform is silent.
async fn not_made(
    request: &WebRequest,
    person: &SignedIn,
    edit: &CampaignEdit<'_>,
    form: &[(String, String)],
    mut refusal: Refusal,
) -> WebReply {
    if let Some(switch) = edit.switch().filter(|_| time(form).is_none()) {
        let api = Api::new(request, person);
        let name = name(request, person, form_page::id(form)).await;
        if switch == Switch::Pause && refusal.is_of_silence() {
            match pause::keep_trying(&api, form, &name).await {
                Ok(notice) => return then_until(&api, notice, form).await.then(form_page::path(form)),
                Err(again) => refusal = again,
            }
        }
        refusal = not_switched(refusal, switch, &name);
    }
    Notice::refused(refusal, CONTROLS, &pick(form, &CHANGE_FIELDS)).then(form_page::of_refused(form))
}

/// The name of a campaign for a sentence, as it was kept last.
async fn name(request: &WebRequest, person: &SignedIn, id: &str) -> String {
    let kept = readings::kept_campaigns(request, person).await;
    kept.get(id).map_or_else(|| "The campaign".to_owned(), |campaign| isolated(&campaign.name))
}

/// A refusal that says whether the campaign is paused or activated.
fn not_switched(refusal: Refusal, switch: Switch, name: &str) -> Refusal {
    let (done, reason) = (switch.participle(), &refusal.message);
    let message = if refusal.is_unknown() {
        format!("It is not known whether {name} is {done}: it is looked at again, see Activity. {reason}")
    } else {
        format!("{name} is not {done}. {reason}")
    };
    Refusal { message, ..refusal }
}

/// The notice of a pause with the activation that ends it, if the form asks for one.
async fn then_until(api: &Api<'_>, notice: Notice, form: &[(String, String)]) -> Notice {
    match value(form, pause::UNTIL_FIELD) {
        Some(until) => pause::until(api, notice, form_page::id(form), until).await,
        None => notice,
    }
}

/// The form of a button in a row of the list, which names its campaign in its value, with the fields of other forms.
fn of_row(mut form: Vec<(String, String)>) -> Vec<(String, String)> {
    for switch in [Switch::Pause, Switch::Activate] {
        if let Some(id) = value(&form, switch.button()).map(str::to_owned) {
            form.extend([("id".to_owned(), id), ("status".to_owned(), switch.status().to_owned())]);
        }
    }
    let until = value(&form, pause::BUTTON).and_then(|named| named.split_once(' '));
    if let Some((id, until)) = until.map(|(id, until)| (id.to_owned(), until.to_owned())) {
        let status = Switch::Pause.status().to_owned();
        form.extend([("id".to_owned(), id), ("status".to_owned(), status), (pause::UNTIL_FIELD.to_owned(), until)]);
    }
    form
}

/// Deletes a campaign at its platform, now or later.
pub(crate) async fn delete(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let page = form_page::path(&form);
    if lacks_time(&form) {
        return Ok(without_time().then(page));
    }
    let api = Api::new(request, person);
    let deleted = campaigns::delete(&api, form_page::id(&form), time(&form).as_deref()).await;
    let list = Filter::of_form(&form).path();
    Ok(match deleted {
        Ok(EditOutcome::Waits { change, at }) => {
            Notice::success(waiting_words(at, true)).undone_by(undo::fields_for_change(change, &form)).then(page)
        }
        Ok(EditOutcome::Checking(changes)) => WebReply::see_other(outcome(&changes, &form)),
        Ok(EditOutcome::Deleted | EditOutcome::Made(_) | EditOutcome::Several(_)) => {
            Notice::success(deleted_words(value(&form, "name"))).then(list)
        }
        Err(refusal) if refusal.status == 404 => {
            let message = "This campaign does not exist. If you just deleted it, it is gone.".to_owned();
            Notice::failure(Refusal { message, ..refusal }, &[]).then(list)
        }
        Err(refusal) => Notice::failure(refusal, &[]).then(page),
    })
}

/// The page of changes whose outcome is not known yet, which leads back to the list.
fn outcome(changes: &[ChangeId], form: &[(String, String)]) -> String {
    let list = Filter::of_form(form).list();
    let page = addresses::outcome(changes);
    if list.is_empty() { page } else { format!("{page}&list={}", path_segment(&list)) }
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
    Notice { message: "Nothing has changed. Choose a time first.".to_owned(), ..Notice::default() }
}

/// What was saved, with a button that undoes it.
async fn notice(api: &Api<'_>, outcome: &EditOutcome, form: &[(String, String)]) -> Notice {
    let changes = match outcome {
        EditOutcome::Made(Some(change)) => slice::from_ref(change),
        EditOutcome::Several(_) if ends_month(form) => return Notice::success(ENDED),
        EditOutcome::Several(changes) => changes.as_slice(),
        EditOutcome::Waits { change, at } => {
            let words = waiting_words(*at, time(form).is_some());
            return Notice::success(words).undone_by(undo::fields_for_change(*change, form));
        }
        EditOutcome::Made(None) | EditOutcome::Deleted | EditOutcome::Checking(_) => {
            return Notice::success(unchanged(value(form, "status")));
        }
    };
    let mut read = Vec::new();
    for change in changes {
        read.extend(changes::one(api, &change.to_string()).await);
    }
    // A step of a monthly budget follows from its amount.
    read.retain(|change| !change.is_step);
    let made: Vec<(&Change, SavedFields<'_>)> =
        read.iter().filter_map(|change| Some((change, SavedFields::of(change)?))).collect();
    let is_in_list = form_page::is_in_list(form);
    match made.as_slice() {
        [] => Notice::success("Saved."),
        [(change, saved)] => one_change(api, change, saved, form).await,
        // No button undoes several together.
        [..] => {
            let words: Vec<String> = made.iter().map(|(_, saved)| saved.words(is_in_list)).collect();
            Notice::success(words.join(" "))
        }
    }
}

/// What one change has saved.
pub(super) async fn one_change(
    api: &Api<'_>,
    change: &Change,
    saved: &SavedFields<'_>,
    form: &[(String, String)],
) -> Notice {
    let undo = change.inverse().map(|_| undo::fields_for_change(change.id, form));
    let words = saved.words(form_page::is_in_list(form));
    let open = if saved.is_lowered() { changes::open(api, Some(form_page::id(form))).await } else { Vec::new() };
    let raise = saved.raise_after(&open).map(|raise| raise_words(raise, &Filter::of_form(form).list()));
    let (words, link) = match raise {
        Some((raise, link)) => (format!("{words} {raise}"), Some(link)),
        None if saved.raises_paused_month() => {
            let after = after_raise(api, form_page::id(form)).await.map(|after| format!(" {after}"));
            (format!("{words}{}", after.unwrap_or_default()), None)
        }
        None => (words, None),
    };
    Notice { link, ..Notice::success(words) }.undone_by(undo.unwrap_or_default())
}

/// Whether a campaign whose month was spent goes on after a raise, in words.
async fn after_raise(api: &Api<'_>, id: &str) -> Option<String> {
    let (campaign, scheduled) = tokio::join!(campaigns::one(api, id), changes::scheduled(api, Some(id)));
    let campaign = campaign.ok()?;
    let resumption = changes::going_on(&scheduled).get(&campaign.id).copied();
    CampaignSummary::from(&campaign).after_raise(resumption, api.now())
}

/// The notice of a monthly budget that has ended.
const ENDED: &str = "Saved. The monthly budget has ended: the campaign has the daily one below.";

/// Whether a form gives a campaign with a monthly budget another one.
fn ends_month(form: &[(String, String)]) -> bool {
    let is_month = |field| value(form, field) == Some(MONTHLY);
    is_month(WAS_PERIOD_FIELD) && !is_month(PERIOD_FIELD)
}

/// The notice of a change that has changed nothing at the platform.
fn unchanged(status: Option<&str>) -> &'static str {
    match status {
        Some("PAUSED") => "It is paused: nothing is spent until you activate it.",
        Some("ACTIVE") => "It is active already.",
        _ => "Nothing to change: the campaign already has these values.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields::form as fields;
    use shared::domain::Reason;

    #[test]
    fn a_failed_switch_says_whether_the_campaign_has_it() {
        let told = |switch, reason| {
            let message = "LinkedIn failed to answer properly.".to_owned();
            let refusal = Refusal { status: 0, message, details: Vec::new(), reason, request_id: String::new() };
            not_switched(refusal, switch, "“Spring”").message
        };
        let silent = told(Switch::Pause, Some(Reason::PlatformFailed));
        assert_eq!(silent, "“Spring” is not paused. LinkedIn failed to answer properly.");
        let silent = told(Switch::Activate, Some(Reason::PlatformFailed));
        assert_eq!(silent, "“Spring” is not activated. LinkedIn failed to answer properly.");
        for reason in [None, Some(Reason::Internal), Some(Reason::OutcomeUnknown)] {
            let unknown = told(Switch::Pause, reason);
            assert!(
                unknown.starts_with("It is not known whether “Spring” is paused: it is looked at again"),
                "{unknown}"
            );
        }
    }

    #[test]
    fn a_button_of_a_row_names_its_campaign() {
        let form = of_row(fields(&[("list", "status=PAUSED"), ("activate", "alpha_1_2")]));
        assert_eq!(serde_json::to_string(&edit(&form)).unwrap(), r#"{"status":"ACTIVE"}"#);
        assert_eq!(form_page::path(&form), "/dashboard/campaigns?status=PAUSED#c-alpha_1_2");
        let until = of_row(fields(&[("back", "months"), ("pause_until", "alpha_1_2 2026-12-01T00:00:00Z")]));
        assert_eq!(serde_json::to_string(&edit(&until)).unwrap(), r#"{"status":"PAUSED"}"#);
        assert_eq!(value(&until, "until"), Some("2026-12-01T00:00:00Z"));
        assert_eq!(form_page::path(&until), "/dashboard/months#c-alpha_1_2");
    }
}
