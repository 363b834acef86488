//! The pause of one campaign: where its platform is silent it is that of ticked ones, which is tried until the platform answers
//! (D230); and a pause that ends at a time.

use super::change::one_change;
use crate::client::api::{Api, Refusal};
use crate::client::campaigns::{BulkTargets, CampaignEdit, StartedBulk, bulk_status, set_statuses, update};
use crate::client::notice::Notice;
use crate::kit::campaign::Switch;
use crate::kit::text::readable;
use crate::kit::words;
use crate::pages::campaigns::form_page;
use crate::pages::campaigns::saved_notice::SavedFields;
use crate::pages::campaigns::undo;
use jiff::Timestamp;
use shared::domain::{Change, ChangeError, ChangeState};
use uuid::Uuid;

/// The button that pauses a campaign until a time: its value has the id and the time.
pub(super) const BUTTON: &str = "pause_until";
/// The time at which the campaign of a form is activated again.
pub(super) const UNTIL_FIELD: &str = "until";

/// Pauses the campaign of a form as ticked ones are paused. The refusal is that of this attempt.
pub(super) async fn keep_trying(api: &Api<'_>, form: &[(String, String)], name: &str) -> Result<Notice, Refusal> {
    let ids = [form_page::id(form).to_owned()];
    let key = Uuid::new_v4().to_string();
    let StartedBulk { bulk, unchanged: _, refused } =
        set_statuses(api, Switch::Pause, BulkTargets::Ids(&ids), &key).await?;
    if let Some(refused) = refused.first() {
        return Ok(not_paused(name, &refused.error));
    }
    let status = bulk_status(api, &bulk.to_string()).await;
    let change = status.ok().and_then(|bulk| bulk.accounts.into_iter().flat_map(|(_, changes)| changes).next());
    let Some(change) = change else { return Ok(tried(name, None, form)) };
    Ok(match (&change.state, SavedFields::of(&change)) {
        (ChangeState::Failed(error), _) => not_paused(name, error),
        (_, Some(saved)) => one_change(api, &change, &saved, form).await,
        (_, None) => tried(name, Some(&change), form),
    })
}

fn not_paused(name: &str, error: &ChangeError) -> Notice {
    Notice { message: format!("{name} is not paused. {}", words::message(&error.message)), ..Notice::default() }
}

/// The notice of a pause that is tried again, with the button that gives it up.
fn tried(name: &str, change: Option<&Change>, form: &[(String, String)]) -> Notice {
    let platform = change.map_or("The platform", |change| change.platform.display_name());
    let message = format!(
        "{name} is not paused yet: {platform} has not confirmed it. The pause is tried again for a week, until {platform} answers."
    );
    let undo = change.map(|change| undo::fields_for_change(change.id, form)).unwrap_or_default();
    Notice::part(message).undone_by(undo)
}

/// Has a campaign that was paused activated at a time, and says so. A pause that has failed ends nowhere.
pub(super) async fn until(api: &Api<'_>, notice: Notice, id: &str, until: &str) -> Notice {
    if !notice.is_success && !notice.is_part {
        return notice;
    }
    let edit = CampaignEdit { status: Some(Switch::Activate.status()), ..CampaignEdit::default() };
    let time = until.parse::<Timestamp>().map_or_else(|_| until.to_owned(), readable);
    match update(api, id, Some(until), &edit).await {
        Ok(_) => Notice { message: format!("{} It is activated again at {time}.", notice.message), ..notice },
        Err(refusal) => {
            let message = format!("{} It stays paused: {}", notice.message, refusal.in_one_message().message);
            Notice { message, is_success: false, is_part: true, ..notice }
        }
    }
}
