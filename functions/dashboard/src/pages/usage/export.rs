//! The request log of the filter as a file.

use super::filter::LOG;
use super::log::{Entry, LogPage, platform_name};
use crate::client::api::Api;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::USAGE;
use crate::kit::csv::{self, Cell, Csv, PAGE_SIZE};
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

const TITLES: &[&str] =
    &["Time", "Method", "Path", "Status", "Duration (ms)", "Platform", "Platform time (ms)", "Request id", "Entry"];

/// Sends the file, which begins with the newest request.
pub(crate) async fn download(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let filter = super::filter::list(&request.query).without_cursor();
    let mut csv = Csv::new(TITLES);
    let add = |csv: &mut Csv, page: LogPage| {
        page.usage_logs.iter().for_each(|entry| csv.row(cells(entry)));
        page.pagination.next_cursor
    };
    let filled = csv.fill(&Api::new(request, person), &filter.api_target(LOG, PAGE_SIZE), add).await;
    Ok(match filled {
        Ok(()) => csv.reply("usage", &csv::day(request.now)),
        Err(refusal) => Notice::failure(refusal, &[]).then(USAGE),
    })
}

fn cells(entry: &Entry) -> [Cell; 9] {
    [
        Cell::plain(entry.timestamp),
        Cell::text(entry.method.as_str()),
        Cell::text(entry.path.as_str()),
        Cell::plain(entry.status_code),
        Cell::plain(entry.response_time_ms),
        Cell::text(entry.platform.as_deref().map(platform_name).unwrap_or_default()),
        Cell::known(entry.platform_time_ms),
        Cell::text(entry.request_id.as_str()),
        Cell::text(entry.id.as_str()),
    ]
}
