//! Start and end of a campaign: local times of the account, at which a whole day begins or ends.

use crate::domain::TimeRule;
use crate::domain::moment::{MomentError, instant_of};
use crate::platforms::alpha::CAPABILITIES;
use crate::platforms::prelude::*;
use jiff::civil::{Date, DateTime, Time, date, time};

/// Google Ads API: Campaign, `start_date_time` and `end_date_time`. Only some types of campaign have a time of day
/// (Google Ads API: DateError).
const FORMAT: &str = "%Y-%m-%d %H:%M:%S";
const START_OF_DAY: Time = time(0, 0, 0, 0);
const END_OF_DAY: Time = time(23, 59, 59, 0);

/// The last day of the platform's calendar. A campaign that ends then has no end.
pub(in crate::platforms::alpha) const NO_END: Date = date(2037, 12, 30);

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
    if let Some(start) = start {
        check_start(start, time_zone, errors);
    }
    if let Some(end) = end {
        check_end(end, start, time_zone, errors);
    }
    (start, end)
}

/// The local start and end that a change sets. An end that is taken away is `None` too; the update mask names it.
///
/// Google Ads API: DateRangeError. A campaign that has begun keeps its start, and no date is set to a past time.
pub(super) fn of_changes(
    account: &AdAccount,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
    now: Timestamp,
) -> Result<(Option<DateTime>, Option<DateTime>), Error> {
    if changes.start_at == Some(DateChange::Clear) {
        return Err(errors::not_supported(Platform::Alpha, "start_at", "cannot be taken away"));
    }
    let zone = errors::time_zone(Platform::Alpha, account)?;
    let local = |at: Timestamp| at.to_zoned(zone.clone()).datetime();
    let set = |change: Option<DateChange>| change.and_then(DateChange::date).map(local);
    let (start, end) = (set(changes.start_at), set(changes.end_at));
    let mut errors = FieldErrors::default();
    if let Some(start) = start {
        if current.start_at.is_some_and(|start| start <= now) {
            errors.add("start_at", "cannot be changed on Google Ads once the campaign has begun");
        } else if start.date() < local(now).date() {
            errors.add("start_at", TimeRule::FromToday);
        } else if changes.end_at.is_none() && current.end_at.is_some_and(|end| local(end) <= start) {
            errors.add("start_at", TimeRule::BeforeEnd);
        } else {
            check_start(start, &account.time_zone, &mut errors);
        }
    }
    match (end, changes.end_at) {
        (Some(end), _) if end <= local(now) => errors.add("end_at", TimeRule::Ahead),
        (Some(end), _) => check_end(end, start.or(current.start_at.map(local)), &account.time_zone, &mut errors),
        (None, Some(_)) => errors.extend(CAPABILITIES.no_end_error(current.budget_period)),
        (None, None) => {}
    }
    if errors.is_empty() { Ok((start, end)) } else { Err(errors.into_error(Platform::Alpha)) }
}

fn check_start(start: DateTime, time_zone: &str, errors: &mut FieldErrors) {
    if start.time() != START_OF_DAY {
        let day = format!("must be the start of a day (00:00:00 in {time_zone}) on Google Ads; send a plain date");
        errors.add("start_at", day);
    }
}

fn check_end(end: DateTime, start: Option<DateTime>, time_zone: &str, errors: &mut FieldErrors) {
    if start.is_some_and(|start| end <= start) {
        errors.add("end_at", TimeRule::AfterStart);
    } else if end.date() >= NO_END {
        errors.add("end_at", format!("must be before {NO_END} on Google Ads; leave it out for no end"));
    } else if end.time() != END_OF_DAY {
        let day = format!("must be the end of a day (23:59:59 in {time_zone}) on Google Ads; send a plain date");
        errors.add("end_at", day);
    }
}
