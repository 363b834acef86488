//! The activity of the filter as a file.

use super::filter::{api_target, list};
use crate::client::all_pages::fill;
use crate::client::api::Api;
use crate::client::changes;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::ACTIVITY;
use crate::kit::changes::{EXPORT_TITLES, export_rows};
use crate::kit::csv::{self, Csv, PAGE_SIZE};
use shared::envelope::{ChangeList, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;

/// Sends the file, which begins with the newest change.
pub(crate) async fn download(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let first = api_target(&list(&request.query).without_cursor(), PAGE_SIZE);
    let user = users::named(&request.query)?;
    let api = &Api::new(request, person).acting_for(user.as_ref());
    let read = |target: String| async move { changes::list(api, &target).await };
    let add = |csv: &mut Csv, ChangeList { changes, next_cursor, .. }| {
        export_rows(&changes, request.now).into_iter().for_each(|cells| csv.row(cells));
        next_cursor
    };
    let mut csv = Csv::new(EXPORT_TITLES);
    let filled = fill(&mut csv, &first, read, add).await;
    Ok(match filled {
        Ok(()) => csv.reply("activity", &csv::day(request.now)),
        Err(refusal) => Notice::failure(refusal, &[]).then(ACTIVITY),
    })
}
