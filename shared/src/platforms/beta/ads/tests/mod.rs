mod words;

use super::*;
use crate::error::Kind;
use crate::platforms::AdPlatform;
use crate::platforms::beta::tests::{account, error, parameter};
use crate::platforms::beta::{Beta, translate};
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use serde_json::{Value, json};

const NOW: &str = "2026-11-20T00:00:00Z";

/// What a row says of an ad.
struct AdRow {
    status: Value,
    feedback: Value,
    issues: Value,
    dates: [Value; 2],
}

impl Default for AdRow {
    fn default() -> AdRow {
        AdRow { status: json!("ACTIVE"), feedback: json!(null), issues: json!(null), dates: [json!(null), json!(null)] }
    }
}

impl AdRow {
    fn json(&self, campaign: u32, id: u32) -> Value {
        let AdRow { status, feedback, issues, dates: [start, end] } = self;
        json!({"id": id.to_string(), "name": "Ad", "campaign_id": campaign.to_string(), "effective_status": status,
            "ad_review_feedback": feedback, "issues_info": issues,
            "adset": {"id": "5", "name": "Set", "start_time": start, "end_time": end}})
    }
}

fn ad_of(row: &AdRow) -> Option<PlatformAd> {
    ad(serde_json::from_value(row.json(7, 70)).unwrap(), NOW.parse().unwrap()).unwrap()
}

fn campaign_of(id: u32, effective_status: &Value, issues: &Value) -> PlatformCampaign {
    let node = json!({"id": id.to_string(), "account_id": "111222333", "status": "ACTIVE",
        "effective_status": effective_status, "issues_info": issues});
    translate::campaign(&account(), &node.to_string(), NOW.parse().unwrap()).unwrap()
}

/// The signals of a campaign's node.
fn node(effective_status: Value, issues: Value) -> Signals {
    campaign_of(7, &effective_status, &issues).signals
}

fn campaigns(ids: &[u32]) -> Vec<PlatformCampaign> {
    ids.iter().map(|id| campaign_of(*id, &json!("ACTIVE"), &json!(null))).collect()
}

/// An account in this state, whose list of ads is `ads`.
fn fake(state: ScriptedResponse, ads: impl Fn(&ReceivedRequest) -> ScriptedResponse + Send + Sync + 'static) -> Fake {
    Fake::new(move |request| if request.line.contains("/ads?") { ads(request) } else { state.clone() })
}

fn active() -> ScriptedResponse {
    ok(json!({"account_status": 1, "disable_reason": 0, "id": "act_111222333"}))
}

async fn read_of(fake: &Fake, campaigns: &[PlatformCampaign]) -> Result<AdsReport, Error> {
    let session = fake.session_of(Platform::Beta, account());
    Beta.read_ads(&session, AdsRequest { campaigns, with_rejections: true }).await
}

fn ids(report: &AdsReport, campaign: &str) -> Result<Vec<String>, AdsUnread> {
    report.of(campaign).map(|ads| ads.iter().map(|ad| ad.id.clone()).collect())
}

#[tokio::test]
async fn the_ads_of_several_campaigns_are_one_list_beside_the_account() {
    let pages = |request: &ReceivedRequest| {
        let row = AdRow::default();
        ok(match parameter(request, "after") {
            None => json!({"data": [row.json(7, 70), row.json(8, 80)],
                "paging": {"cursors": {"after": "c"}, "next": "http://127.0.0.1:1/elsewhere"}}),
            Some(_) => json!({"data": [row.json(7, 71), row.json(6, 60)], "paging": {"cursors": {"after": "d"}}}),
        })
    };
    let fake = fake(ok(json!({"account_status": 3, "disable_reason": 0})), pages);
    let report = read_of(&fake, &campaigns(&[9, 8, 7])).await.unwrap();
    assert_eq!(ids(&report, "7"), Ok(vec!["70".into(), "71".into()]));
    assert_eq!((ids(&report, "8"), ids(&report, "9")), (Ok(vec!["80".into()]), Ok(vec![])));
    assert_eq!(ids(&report, "6"), Err(AdsUnread::NotRead), "it was not asked for");
    let unpaid = Hold::new(Effect::Limits, DeliveryReason::Billing, Level::Account, "3").saying(Some("UNSETTLED"));
    assert_eq!(report.account, [unpaid]);
    let (lists, others): (Vec<_>, Vec<_>) =
        fake.requests().into_iter().partition(|request| request.line.contains("/ads?"));
    assert_eq!((lists.len(), others.len()), (2, 1));
    assert!(others[0].line.starts_with("GET /v26.0/act_111222333?fields=account_status%2Cdisable_reason&"));
    for list in lists {
        assert!(list.line.starts_with("GET /v26.0/act_111222333/ads?"), "{}", list.line);
        let filter = r#"[{"field":"campaign.id","operator":"IN","value":["9","8","7"]}]"#;
        assert_eq!(parameter(&list, "filtering").as_deref(), Some(filter));
        let fields =
            "id,name,campaign_id,effective_status,ad_review_feedback,issues_info,adset{id,name,start_time,end_time}";
        assert_eq!(parameter(&list, "fields").as_deref(), Some(fields));
        assert_eq!(parameter(&list, "limit").as_deref(), Some("200"));
    }
}

#[tokio::test]
async fn one_campaign_is_asked_for_its_own_ads() {
    let fake = fake(active(), |_| ok(json!({"data": [AdRow::default().json(7, 70)]})));
    let report = read_of(&fake, &campaigns(&[7])).await.unwrap();
    assert_eq!((ids(&report, "7"), report.account), (Ok(vec!["70".into()]), vec![]));
    let list = fake.requests().into_iter().find(|request| request.line.contains("/ads?")).unwrap();
    assert!(list.line.starts_with("GET /v26.0/7/ads?"), "{}", list.line);
    assert_eq!(parameter(&list, "filtering"), None);
}

#[tokio::test]
async fn too_many_ads_are_not_read_in_part() {
    let endless = |request: &ReceivedRequest| {
        let page = parameter(request, "after").map_or(1, |after| after.parse::<u32>().unwrap() + 1);
        let paging = json!({"cursors": {"after": page.to_string()}, "next": "x"});
        ok(json!({"data": [AdRow::default().json(7, page)], "paging": paging}))
    };
    let fake = fake(ok(json!({"account_status": 101})), endless);
    let report = read_of(&fake, &campaigns(&[7])).await.unwrap();
    assert_eq!(ids(&report, "7"), Err(AdsUnread::TooMany));
    assert_eq!(report.account[0].reason, DeliveryReason::Account, "the account is known all the same");
    assert_eq!(fake.requests().len(), 21);
}

#[tokio::test]
async fn a_failed_or_incomplete_read_is_a_failure() {
    let row = |pointer: &str, value: Value| {
        let mut row = AdRow::default().json(7, 70);
        row[pointer] = value;
        ok(json!({"data": [AdRow::default().json(7, 71), row]}))
    };
    let lists = [
        row("id", json!(null)),
        row("campaign_id", json!(null)),
        row("id", json!("../1")),
        ok(json!({})),
        (500, error("unknown")),
    ];
    for list in lists {
        let fake = fake(active(), move |_| list.clone());
        assert_eq!(read_of(&fake, &campaigns(&[7])).await.unwrap_err().kind, Kind::PlatformFailed);
    }
    let fake = fake((400, error("permission-denied")), |_| ok(json!({"data": []})));
    assert_eq!(read_of(&fake, &campaigns(&[7])).await.unwrap_err().kind, Kind::Forbidden);
}

#[test]
fn the_dates_of_its_group_hold_an_ad_that_is_on() {
    let of = |status: &str, start: &str, end: &str| {
        let row = AdRow { status: json!(status), dates: [json!(start), json!(end)], ..AdRow::default() };
        let holds = ad_of(&row).unwrap().holds;
        holds.iter().map(|hold| (hold.effect, hold.reason.as_str(), hold.word.clone())).collect::<Vec<_>>()
    };
    let (before, after) = ("2026-11-19T15:59:59-0800", "2026-11-19T16:00:01-0800");
    assert_eq!(of("ACTIVE", before, after), []);
    assert_eq!(of("ACTIVE", after, ""), [(Effect::Waits, "NOT_STARTED", None)]);
    assert_eq!(of("ACTIVE", before, before), [(Effect::Blocks, "ENDED", None)]);
    assert_eq!(of("ACTIVE", after, before), [(Effect::Blocks, "ENDED", None)]);
    assert_eq!(of("ACTIVE", "1969-12-31T16:00:00-0800", "1969-12-31T16:00:00-0800"), [], "that means none");
    assert_eq!(of("PAUSED", before, before), [(Effect::SwitchesOff, "ADS_OFF", Some("PAUSED".into()))]);
}

#[test]
fn a_rejection_is_told_once_whichever_placement_it_is_of() {
    let policy = |code: &str, text: &str| json!({code: text});
    let feedback = json!({"global": policy("A", "Too loud."),
        "placement_specific": {"facebook": policy("A", "Too loud."), "instagram": policy("B", "Too \n bright."),
            "messenger": 7}});
    let row = AdRow { status: json!("DISAPPROVED"), feedback, ..AdRow::default() };
    let ad = ad_of(&row).unwrap();
    assert_eq!(
        ad.rejections,
        [("A", "Too loud."), ("B", "Too bright.")].map(|(code, text)| Rejection::new(Some(code), Some(text)))
    );
    assert_eq!(ad.holds[0].message.as_deref(), Some("Too loud."));
    let placement = json!({"placement_specific": {"instagram": {"B": ["?"]}}});
    let ad = ad_of(&AdRow { status: json!("DISAPPROVED"), feedback: placement.clone(), ..AdRow::default() }).unwrap();
    assert_eq!(ad.rejections, [Rejection::new(Some("B"), None)], "the code stands alone");
    let off = ad_of(&AdRow { status: json!("ADSET_PAUSED"), feedback: placement, ..AdRow::default() }).unwrap();
    assert_eq!((off.review, off.rejections.len()), (AdReview::Unknown, 1), "its group hides the review, not the texts");
    for feedback in [json!(null), json!([]), json!("x"), json!({"global": "x"}), json!({"global": {}})] {
        let ad = ad_of(&AdRow { status: json!("DISAPPROVED"), feedback, ..AdRow::default() }).unwrap();
        assert_eq!((ad.is_rejected(), ad.rejections), (true, vec![]));
    }
}

#[test]
fn an_issue_is_told_in_the_longer_of_its_texts() {
    let issue = |message: Value| json!([{"error_summary": "This Ad Has 1 Error", "error_message": message}]);
    let told = |issues: Value| node(json!("WITH_ISSUES"), issues).holds.remove(0);
    assert_eq!(told(issue(json!("Its page is gone."))).message.as_deref(), Some("Its page is gone."));
    assert_eq!(told(issue(json!(null))).message.as_deref(), Some("This Ad Has 1 Error"));
    assert_eq!(told(issue(json!(null))).word.as_deref(), Some("WITH_ISSUES"), "without a code");
    for none in [json!(null), json!([]), json!("x"), json!([7])] {
        assert_eq!(told(none).word.as_deref(), Some("WITH_ISSUES"), "the status stays");
    }
}
