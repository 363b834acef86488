//! Start and end of a campaign: local times of the account, at which a whole day begins or ends.

use crate::domain::moment::{MomentError, instant_of};
use crate::platforms::prelude::*;
use jiff::civil::{Date, DateTime, Time, date, time};

/// Google Ads API: Campaign, `start_date_time` and `end_date_time`. Only some types of campaign have a time of day
/// (Google Ads API: DateError).
const FORMAT: &str = "%Y-%m-%d %H:%M:%S";
const START_OF_DAY: Time = time(0, 0, 0, 0);
const END_OF_DAY: Time = time(23, 59, 59, 0);

/// The last day of the platform's calendar. A campaign that ends then has no end.
const NO_END: Date = date(2037, 12, 30);

pub(super) fn start(text: Option<&str>, zone: &TimeZone) -> Option<Timestamp> {
    instant(parse(text), zone)
}

pub(super) fn end(text: Option<&str>, zone: &TimeZone) -> Option<Timestamp> {
    instant(parse(text).filter(|end| end.date() < NO_END), zone)
}

fn parse(text: Option<&str>) -> Option<DateTime> {
    DateTime::strptime(FORMAT, text?).ok()
}

pub(super) fn instant(local: Option<DateTime>, zone: &TimeZone) -> Option<Timestamp> {
    instant_of(local?, zone).ok()
}

/// A date, as the platform reads it.
pub(super) fn written(local: DateTime) -> String {
    local.strftime(FORMAT).to_string()
}

/// The local start and end of a draft, where they are given and valid.
pub(super) fn of_draft(
    input: &CreateInput<'_>,
    zone: &TimeZone,
    errors: &mut FieldErrors,
) -> (Option<DateTime>, Option<DateTime>) {
    let CreateInput { draft, account: AdAccount { time_zone, .. }, .. } = *input;
    let start = draft.start_at.map(|moment| moment.start_in(zone).map_err(MomentError::message));
    let start = start.and_then(|start| errors.check("start_at", start));
    let end = draft.end_at.map(|moment| moment.end_in(zone).map_err(MomentError::message));
    let end = end.and_then(|end| errors.check("end_at", end));
    if start.is_some_and(|start| start.time() != START_OF_DAY) {
        let day = format!("must be the start of a day (00:00:00 in {time_zone}) on Google Ads; send a plain date");
        errors.add("start_at", day);
    }
    match end {
        Some(end) if start.is_some_and(|start| end <= start) => errors.add("end_at", "must be after start_at"),
        Some(end) if end.date() >= NO_END => {
            errors.add("end_at", format!("must be before {NO_END} on Google Ads; leave it out for no end"));
        }
        Some(end) if end.time() != END_OF_DAY => {
            let day = format!("must be the end of a day (23:59:59 in {time_zone}) on Google Ads; send a plain date");
            errors.add("end_at", day);
        }
        _ => {}
    }
    (start, end)
}
