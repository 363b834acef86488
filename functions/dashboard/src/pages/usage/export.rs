//! The request log of the filter as a file.

use crate::client::all_pages::fill;
use crate::client::api::Api;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::usage::{self, LOG};
use crate::client::users;
use crate::kit::addresses::USAGE;
use crate::kit::csv::{self, Cell, Csv, PAGE_SIZE};
use shared::domain::{Platform, UsageEntry};
use shared::envelope::{UsageLogs, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;

const TITLES: &[&str] =
    &["Time", "Method", "Path", "Status", "Duration (ms)", "Platform", "Platform time (ms)", "Request id", "Entry"];

/// Sends the file, which begins with the newest request.
pub(crate) async fn download(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let filter = super::filter::list(&request.query).without_cursor();
    let user = users::named(&request.query)?;
    let api = &Api::new(request, person).acting_for(user.as_ref());
    let mut csv = Csv::new(TITLES);
    let page = |target: String| async move { usage::page(api, &target).await };
    let add = |csv: &mut Csv, UsageLogs { entries, next_cursor }: UsageLogs| {
        entries.iter().for_each(|entry| csv.row(cells(entry)));
        next_cursor
    };
    Ok(match fill(&mut csv, &filter.api_target(LOG, PAGE_SIZE), page, add).await {
        Ok(()) => csv.reply("usage", &csv::day(request.now)),
        Err(refusal) => Notice::failure(refusal, &[]).then(USAGE),
    })
}

fn cells(entry: &UsageEntry) -> [Cell; 9] {
    [
        Cell::plain(entry.at),
        Cell::text(entry.method.as_str()),
        Cell::text(entry.path.as_str()),
        Cell::plain(entry.status),
        Cell::plain(entry.response_time_ms),
        Cell::text(entry.platform.map(Platform::display_name).unwrap_or_default()),
        Cell::known(entry.platform_time_ms),
        Cell::text(entry.request_id.to_string()),
        Cell::text(entry.id()),
    ]
}
