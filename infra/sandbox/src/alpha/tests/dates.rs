//! Changes of the dates of campaigns.

use super::*;
use crate::platform::AdPlatform;

const START: &str = "start_date_time";
const END: &str = "end_date_time";

impl Session {
    /// Updates the dates that the mask names.
    fn move_dates(&mut self, campaign: &str, dates: Value, mask: &[&str]) -> (u16, Value) {
        let update = with(json!({ "resourceName": campaign }), dates);
        let operation = json!({ "update": update, "updateMask": mask.join(",") });
        self.mutate(USD, json!([{ "campaignOperation": operation }]))
    }

    fn dates(&mut self, campaign: &str) -> [Value; 2] {
        ["campaign.start_date_time", "campaign.end_date_time"].map(|field| self.field(campaign, field))
    }
}

fn dates(start: &str, end: &str) -> Value {
    json!({ "startDateTime": format!("{start} 00:00:00"), "endDateTime": format!("{end} 23:59:59") })
}

/// A refusal of a date.
fn refusal(code: &str, field: &str) -> (u16, Vec<(String, String)>) {
    let place = format!("mutate_operations[0].campaign_operation.update.{field}");
    (400, error(&format!("dateRangeError.{code}"), &place))
}

fn outcome((status, body): (u16, Value)) -> (u16, Vec<(String, String)>) {
    (status, errors(&body))
}

#[test]
fn both_dates_may_move_past_the_old_ones_at_once() {
    let mut session = Session::new();
    let (campaign, _) = session.campaign(USD, dates("2026-04-01", "2026-04-10"));
    let later = dates("2026-05-01", "2026-05-10");
    for mask in [[START, END], [END, START]] {
        assert_eq!(session.move_dates(&campaign, later.clone(), &mask).0, 200, "{mask:?}");
        assert_eq!(session.dates(&campaign), ["2026-05-01 00:00:00", "2026-05-10 23:59:59"].map(Value::from));
        assert_eq!(session.move_dates(&campaign, dates("2026-03-10", "2026-03-20"), &mask).0, 200, "{mask:?}");
    }
    let alone = outcome(session.move_dates(&campaign, later.clone(), &[START]));
    assert_eq!(alone, refusal("START_DATE_AFTER_END_DATE", START));
    let early = outcome(session.move_dates(&campaign, dates("2026-03-10", "2026-03-09"), &[END]));
    assert_eq!(early, refusal("START_DATE_AFTER_END_DATE", END));
    let past = outcome(session.move_dates(&campaign, dates("2026-03-01", "2026-03-01"), &[START]));
    assert_eq!(past, refusal("CANNOT_SET_DATE_TO_PAST", START));
    let past = outcome(session.move_dates(&campaign, dates("2026-03-01", "2026-03-01"), &[END]));
    assert_eq!(past, refusal("CANNOT_SET_DATE_TO_PAST", END));
    assert_eq!(session.dates(&campaign), ["2026-03-10 00:00:00", "2026-03-20 23:59:59"].map(Value::from));
}

#[test]
fn an_ended_campaign_runs_again_after_its_end_moves_ahead() {
    let mut session = Session::new();
    let ended = with(dates("2026-03-02", "2026-03-05"), json!({ "status": "ENABLED" }));
    let (campaign, _) = session.campaign(USD, ended);
    session.now = "2026-03-02T12:30:00Z".parse().unwrap();
    session.platform.accounts.iter_mut().flat_map(|account| account.campaigns.values_mut()).for_each(|campaign| {
        campaign.start = "2026-02-01 00:00:00".to_owned();
        campaign.end = Some("2026-02-05 23:59:59".to_owned());
    });
    assert_eq!(session.field(&campaign, "campaign.primary_status"), "ENDED");
    assert_eq!(session.move_dates(&campaign, dates("2026-02-01", "2026-03-31"), &[END]).0, 200);
    assert_eq!(session.field(&campaign, "campaign.primary_status"), "NOT_ELIGIBLE", "it has no ad");
}

#[test]
fn the_books_have_the_dates_as_instants() {
    let mut session = Session::new();
    session.campaign(USD, dates("2026-04-01", "2026-04-10"));
    session.campaign(USD, json!({ "name": "Open" }));
    let books = session.platform.campaigns(session.now);
    let held: Vec<[&Value; 2]> = books.iter().map(|book| [&book["start_at"], &book["end_at"]]).collect();
    let [dated, open] = held.as_slice() else { panic!("{books:?}") };
    assert_eq!(*dated, [&json!("2026-04-01T04:00:00Z"), &json!("2026-04-11T03:59:59Z")], "in New York");
    assert_eq!(*open, [&json!("2026-03-02T05:00:00Z"), &Value::Null]);
}
