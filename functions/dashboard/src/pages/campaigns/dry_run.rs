//! Dry runs as the API shows them, and for people.

use crate::accounts::{Connection, platform_name, target_name};
use crate::api::{Api, Refusal};
use serde::Deserialize;
use shared::envelope::Shape;
use shared::serve::ApiCall;

/// The response to a dry run in one ad account, or in several.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum DryRun {
    Several { data: Vec<TargetRun> },
    One { data: TargetRun },
}

/// The dry run in an ad account.
#[derive(Deserialize)]
pub(super) struct TargetRun {
    platform: String,
    organization_id: Option<String>,
    verdict: String,
    checked_by: String,
    request: Option<WriteRequest>,
    #[serde(default)]
    more_requests: Vec<WriteRequest>,
    error: Option<RunError>,
}

/// A request to the platform.
#[derive(Deserialize)]
pub(super) struct WriteRequest {
    pub(super) method: String,
    pub(super) url: String,
    pub(super) body: String,
}

#[derive(Deserialize)]
struct RunError {
    message: String,
}

/// The result in an ad account for people.
pub(super) struct Run {
    pub(super) account: String,
    pub(super) tone: &'static str,
    pub(super) verdict: &'static str,
    pub(super) checked_by: String,
    /// The reason why it would fail.
    pub(super) message: Option<String>,
    pub(super) requests: Vec<WriteRequest>,
}

impl DryRun {
    /// Calls the API for the dry run of a write.
    pub(super) async fn fetch(api: &Api<'_>, method: &str, path: &str, body: String) -> Result<DryRun, Refusal> {
        let target = &format!("{path}?dry_run=true");
        let body = Some(body);
        let shape = Shape::Enveloped;
        let response = api.call(ApiCall { method, target, body, shape, idempotency_key: None }).await?;
        api.parse(&response)
    }

    /// The result for the ad account of a campaign.
    pub(super) fn run(self) -> Vec<Run> {
        let run = |run: TargetRun| {
            let account = run.organization_id.as_deref().unwrap_or_default();
            let account = format!("{}: {account}", platform_name(&run.platform));
            Run::new(run, account)
        };
        self.targets().into_iter().map(run).collect()
    }

    /// The results for people. The API answers in the order of the targets.
    pub(super) fn runs(self, targets: &[&str], connections: &[Connection]) -> Vec<Run> {
        self.targets()
            .into_iter()
            .zip(targets)
            .map(|(run, target)| Run::new(run, account_name(target, connections)))
            .collect()
    }

    fn targets(self) -> Vec<TargetRun> {
        match self {
            DryRun::Several { data } => data,
            DryRun::One { data } => vec![data],
        }
    }
}

impl Run {
    fn new(run: TargetRun, account: String) -> Run {
        let TargetRun { platform, organization_id: _, verdict, checked_by, request, more_requests, error } = run;
        let name = platform_name(&platform);
        let checked_by = match (verdict.as_str(), checked_by.as_str()) {
            ("unknown", _) => format!("{name} could not be asked."),
            (_, "platform") => format!("{name} itself has checked this, without doing it."),
            _ => format!("This service has checked this. {name} has not."),
        };
        let (tone, verdict) = match verdict.as_str() {
            "would_create" => ("good", "Would be created"),
            "would_update" => ("good", "Would be changed"),
            "would_change_nothing" => ("plain", "Nothing would change"),
            "would_fail" => ("bad", "Would fail"),
            _ => ("plain", "Not known"),
        };
        let requests = request.into_iter().chain(more_requests).collect();
        Run { account, tone, verdict, checked_by, message: error.map(|error| error.message), requests }
    }
}

/// The account as the form names it.
pub(super) fn account_name(target: &str, connections: &[Connection]) -> String {
    let connection = connections.iter().find(|connection| connection.target() == target);
    connection.map_or_else(|| target_name(target), Connection::name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSED: &str = r#"{"platform":"ALPHA","connection_id":"conn_1","organization_id":"1","verdict":"would_create",
        "checked_by":"platform","request":{"method":"POST","url":"https://ads.test/v1","body":"{\"a\":1}"},
        "more_requests":[{"method":"POST","url":"https://ads.test/v2","body":""}]}"#;
    const FAILED: &str = r#"{"platform":"BETA","connection_id":null,"organization_id":null,"verdict":"would_fail",
        "checked_by":"service","request":null,"error":{"code":"FORBIDDEN","message":"No connection.","retryable":false,
        "requestId":"r"}}"#;

    fn runs(json: &str) -> Vec<Run> {
        serde_json::from_str::<DryRun>(json).unwrap().runs(&["ALPHA:1", "BETA:2"], &[])
    }

    #[test]
    fn each_account_has_its_verdict_and_its_requests() {
        let runs = runs(&format!(r#"{{"data":[{PASSED},{FAILED}]}}"#));
        let [passed, failed] = &runs[..] else { panic!("two results") };
        assert_eq!(
            (passed.account.as_str(), passed.verdict, passed.tone),
            ("Google Ads: 1", "Would be created", "good")
        );
        assert_eq!((passed.requests.len(), passed.requests[0].body.as_str()), (2, r#"{"a":1}"#));
        assert!(passed.checked_by.starts_with("Google Ads itself"), "{}", passed.checked_by);
        assert_eq!((failed.account.as_str(), failed.verdict, failed.tone), ("Meta: 2", "Would fail", "bad"));
        assert_eq!((failed.message.as_deref(), failed.requests.len()), (Some("No connection."), 0));
        assert!(failed.checked_by.starts_with("This service"), "{}", failed.checked_by);
    }

    #[test]
    fn an_account_that_could_not_be_asked_has_no_verdict() {
        let runs = runs(&format!(r#"{{"data":[{}]}}"#, FAILED.replace("would_fail", "unknown")));
        assert_eq!((runs[0].verdict, runs[0].checked_by.as_str()), ("Not known", "Meta could not be asked."));
    }

    #[test]
    fn one_account_is_no_list() {
        let runs = runs(&format!(r#"{{"data":{PASSED}}}"#));
        assert_eq!((runs.len(), runs[0].verdict), (1, "Would be created"));
    }
}
