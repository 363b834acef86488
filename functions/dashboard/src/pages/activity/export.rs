//! The activity of the filter as a file.

use super::filter::list;
use crate::client::api::Api;
use crate::client::changes::{CHANGES, ChangeList, EXPORT_TITLES};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::ACTIVITY;
use crate::kit::csv::{self, Csv, PAGE_SIZE};
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

/// Sends the file, which begins with the newest change.
pub(crate) async fn download(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let filter = list(&request.query).without_cursor();
    let mut csv = Csv::new(EXPORT_TITLES);
    let add = |csv: &mut Csv, page: ChangeList| {
        page.export().into_iter().for_each(|cells| csv.row(cells));
        page.next_cursor().map(str::to_owned)
    };
    let filled = csv.fill(&Api::new(request, person), &filter.api_target(CHANGES, PAGE_SIZE), add).await;
    Ok(match filled {
        Ok(()) => csv.reply("activity", &csv::day(request.now)),
        Err(refusal) => Notice::failure(refusal, &[]).then(ACTIVITY),
    })
}
