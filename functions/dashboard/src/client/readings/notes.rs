//! Notes the changes that people make, so that the next page shows them although its rows were read before.

use super::kept;
use crate::kit::campaign::CampaignSummary;
use jiff::{SignedDuration, Timestamp};
use lambda_http::http::StatusCode;
use shared::app::App;
use shared::domain::{BulkId, CustomerId};
use shared::envelope::{Reply, status_of};
use shared::error::Error;
use shared::serve::WebRequest;
use shared::store::{KeptChange, KeptOverview};

const CAMPAIGNS: &str = "/v1/campaigns";
const CHANGES: &str = "/v1/changes/";
const UNDO: &str = "/undo";
/// How long a bulk change counts as running if no page has seen its end.
const BULK_TIME: SignedDuration = SignedDuration::from_secs(30);

/// What the note of a bulk change has in place of values if it pauses everything.
const PAUSED_ALL: &str = "paused_all";
/// The name of a bulk change that may have begun although its request failed.
const UNKNOWN_BULK: &str = "bulk_unknown";

/// What a request may have changed.
#[derive(Debug, PartialEq, Eq)]
enum Scope<'a> {
    Campaign(&'a str),
    /// New campaigns somewhere.
    New,
    /// Many campaigns, for some time.
    Many,
    /// The campaign of a change that is undone.
    Undone,
}

/// What a request of the API may have changed, by its outcome; `None` if it is certain that nothing has changed.
///
/// A replayed bulk change or undo is not noted again: the first request has noted it.
pub(crate) fn change(method: &str, target: &str, outcome: &Result<Reply, Error>, now: Timestamp) -> Option<KeptChange> {
    let scope = scope(method, target)?;
    let was_noted_before = matches!(scope, Scope::Many | Scope::Undone) && matches!(outcome, Ok(Reply::Replayed(_)));
    if was_noted_before || is_without_effect(outcome) {
        return None;
    }
    let any = KeptChange::of_any(now);
    Some(match scope {
        Scope::Campaign(id) => KeptChange { campaign: Some(id.to_owned()), values: values(method, outcome), ..any },
        Scope::New => any,
        Scope::Undone if !matches!(outcome, Ok(Reply::Bulk(_))) => KeptChange { campaign: undone(outcome), ..any },
        Scope::Many | Scope::Undone => {
            KeptChange { bulk: Some(bulk(outcome)), open_until: Some(now + BULK_TIME), ..any }
        }
    })
}

/// Whether a request is refused, so that it has changed nothing. A conflict is not such a refusal: it may be with an
/// earlier attempt of the same request.
fn is_without_effect(outcome: &Result<Reply, Error>) -> bool {
    let status = match outcome {
        Ok(Reply::Replayed(stored)) => StatusCode::from_u16(stored.status).unwrap_or_default(),
        Ok(_) => StatusCode::OK,
        Err(error) => status_of(error.kind),
    };
    status.is_client_error() && status != StatusCode::CONFLICT
}

/// The id of the bulk change that a request has begun.
fn bulk(outcome: &Result<Reply, Error>) -> String {
    match outcome {
        Ok(Reply::Bulk(report)) => report.bulk.to_string(),
        _ => UNKNOWN_BULK.to_owned(),
    }
}

/// The campaign of a change that is undone, if the outcome names it.
fn undone(outcome: &Result<Reply, Error>) -> Option<String> {
    match outcome {
        Ok(Reply::Change(change)) => change.campaign.as_ref().map(ToString::to_string),
        _ => None,
    }
}

/// The values of the campaign after a request, if its outcome contains them.
fn values(method: &str, outcome: &Result<Reply, Error>) -> Option<String> {
    match (method, outcome) {
        ("DELETE", Ok(Reply::Done)) => kept::removed(),
        ("PATCH", Ok(Reply::Campaign(campaign))) => kept::values(&CampaignSummary::from(campaign.as_ref())),
        _ => None,
    }
}

/// Notes that any campaigns may have changed until now.
pub(crate) async fn note_any(request: &WebRequest, customer: CustomerId) {
    note(&request.app, customer, &KeptChange::of_any(request.app.clock.now())).await;
}

/// Notes that a bulk change pauses everything. Pages offer its undo for as long as the note is kept: a day.
pub(crate) async fn note_pause_of_all(request: &WebRequest, customer: CustomerId, bulk: BulkId) {
    let (now, values) = (request.app.clock.now(), Some(PAUSED_ALL.to_owned()));
    let open_until = Some(now + BULK_TIME);
    let change = KeptChange { bulk: Some(bulk.to_string()), open_until, values, ..KeptChange::of_any(now) };
    note(&request.app, customer, &change).await;
}

/// Notes that a bulk change is undone: it is not offered a second time.
pub(crate) async fn note_undone(request: &WebRequest, customer: CustomerId, bulk: &str) {
    let change = KeptChange { bulk: Some(bulk.to_owned()), ..KeptChange::of_any(request.app.clock.now()) };
    note(&request.app, customer, &change).await;
}

/// The latest pause of everything that is not undone.
pub(super) fn latest_pause_of_all(kept: &KeptOverview) -> Option<String> {
    let is_pause = |change: &&KeptChange| change.values.as_deref() == Some(PAUSED_ALL);
    let latest = kept.changes.iter().filter(is_pause).max_by_key(|change| change.at)?;
    latest.bulk.clone()
}

/// Notes that a bulk change has ended until now. Without the note it counts as running for [`BULK_TIME`].
pub(crate) async fn note_end(request: &WebRequest, customer: CustomerId, bulk: &str) {
    note_end_at(request, customer, bulk, request.app.clock.now()).await;
}

/// Notes that a bulk change has ended at a time.
pub(super) async fn note_end_at(request: &WebRequest, customer: CustomerId, bulk: &str, at: Timestamp) {
    if let Err(error) = request.app.store.keep_bulk_end(customer, bulk, at).await {
        tracing::warn!(%error, source = error.source, "the overview does not know of the end of a bulk change yet");
    }
}

/// Notes a change. A failure is logged: then the pages show the change some minutes later.
pub(crate) async fn note(app: &App, customer: CustomerId, change: &KeptChange) {
    if let Err(error) = app.store.keep_change(customer, change).await {
        tracing::warn!(%error, source = error.source, "the overview does not know of a change yet");
    }
}

fn scope<'a>(method: &str, target: &'a str) -> Option<Scope<'a>> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    if method == "GET" || query.contains("dry_run=true") {
        return None;
    }
    if let Some(id) = path.strip_prefix(CHANGES).and_then(|rest| rest.strip_suffix(UNDO)) {
        return Some(if BulkId::parse(id).is_some() { Scope::Many } else { Scope::Undone });
    }
    let rest = path.strip_prefix(CAMPAIGNS)?;
    match rest.strip_prefix('/') {
        None => rest.is_empty().then_some(Scope::New),
        Some("status" | "budgets") => Some(Scope::Many),
        Some(id) => (!id.contains('/')).then_some(Scope::Campaign(id)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::sample::update;
    use shared::domain::{CampaignChanges, StoredResponse};
    use shared::envelope::BulkReport;
    use shared::error::Kind;
    use uuid::Uuid;

    fn now() -> Timestamp {
        "2026-11-23T12:00:00Z".parse().unwrap()
    }

    fn done() -> Result<Reply, Error> {
        Ok(Reply::Done)
    }

    #[test]
    fn only_requests_that_may_have_changed_something_are_noted() {
        let of = |method, target, outcome: Result<Reply, Error>| {
            change(method, target, &outcome, now()).map(|change| (change.campaign, change.at, change.values.is_some()))
        };
        let failed = |kind| Err(Error::new(kind, "No."));
        assert_eq!(of("GET", "/v1/campaigns", done()), None);
        assert_eq!(of("PATCH", "/v1/campaigns/beta_7_1?dry_run=true", done()), None);
        assert_eq!(of("PATCH", "/v1/campaigns/beta_7_1", failed(Kind::Validation)), None);
        assert_eq!(of("POST", "/v1/api-keys", done()), None);
        let unknown = Some((Some("beta_7_1".to_owned()), now(), false));
        for kind in [Kind::PlatformTimeout, Kind::Internal, Kind::Conflict] {
            assert_eq!(of("PATCH", "/v1/campaigns/beta_7_1", failed(kind)), unknown, "it may have taken effect");
        }
        let replayed = |status| Ok(Reply::Replayed(StoredResponse { status, headers: vec![], body: String::new() }));
        assert_eq!(of("PATCH", "/v1/campaigns/beta_7_1", replayed(422)), None);
        assert_eq!(of("PATCH", "/v1/campaigns/beta_7_1", replayed(200)), unknown, "its values are those of then");
        let removed = Some((Some("beta_7_1".to_owned()), now(), true));
        assert_eq!(of("DELETE", "/v1/campaigns/beta_7_1", done()), removed);
        assert_eq!(of("POST", "/v1/campaigns", done()), Some((None, now(), false)));
    }

    #[test]
    fn the_latest_pause_of_everything_is_known_until_it_is_undone() {
        let note = |bulk: &str, minute: i64, values: Option<&str>| KeptChange {
            bulk: Some(bulk.to_owned()),
            values: values.map(str::to_owned),
            ..KeptChange::of_any(now() + SignedDuration::from_mins(minute))
        };
        let latest = |changes: &[KeptChange]| {
            latest_pause_of_all(&KeptOverview { changes: changes.to_vec(), ..KeptOverview::default() })
        };
        let paused = [note("a", 0, Some(PAUSED_ALL)), note("b", 1, Some(PAUSED_ALL)), note("c", 2, None)];
        assert_eq!(latest(&paused).as_deref(), Some("b"));
        assert_eq!(latest(&[paused[0].clone(), note("b", 3, None)]).as_deref(), Some("a"));
        assert_eq!(latest(&[KeptChange { campaign: Some("x".to_owned()), ..note("d", 1, None) }]), None);
    }

    #[test]
    fn an_undo_is_of_the_campaign_of_its_change() {
        let undo = update(CampaignChanges::default());
        let campaign = undo.campaign.as_ref().map(ToString::to_string);
        let target = format!("/v1/changes/{}/undo", undo.id);
        let of = |outcome| change("POST", &target, &outcome, now()).unwrap();
        assert!(campaign.is_some());
        assert_eq!(of(Ok(Reply::Change(Box::new(undo)))).campaign, campaign);
        let unknown = of(Err(Error::new(Kind::PlatformTimeout, "No.")));
        assert_eq!((unknown.campaign, unknown.bulk), (None, None), "it may be any");
    }

    #[test]
    fn a_bulk_change_goes_on_for_a_while() {
        let bulk = BulkId(Uuid::nil());
        let of_many = |target: &str| change("POST", target, &done(), now()).unwrap().bulk.is_some();
        assert!(of_many("/v1/campaigns/budgets") && of_many(&format!("/v1/changes/{bulk}/undo")));
        let begun = |outcome| change("POST", "/v1/campaigns/status", &outcome, now()).unwrap();
        let report = BulkReport {
            reference: None,
            bulk,
            changes: vec![],
            unchanged: vec![],
            refused: vec![],
            canceled: vec![],
            failures: vec![],
        };
        let known = begun(Ok(Reply::Bulk(report)));
        assert_eq!((known.bulk, known.at), (Some(bulk.to_string()), now()));
        assert_eq!(known.open_until, Some(now() + BULK_TIME));
        let failed = begun(Err(Error::new(Kind::PlatformTimeout, "No.")));
        let stored = StoredResponse { status: 200, headers: vec![], body: String::new() };
        let campaign_undo = format!("/v1/changes/{}/undo", update(CampaignChanges::default()).id);
        for target in ["/v1/campaigns/status", "/v1/campaigns/budgets", &campaign_undo] {
            let replayed = change("POST", target, &Ok(Reply::Replayed(stored.clone())), now());
            assert_eq!(replayed, None, "{target}: the first request has noted it");
        }
        assert_eq!(failed.bulk.as_deref(), Some(UNKNOWN_BULK), "an unknown one ends none that is known");
    }
}
