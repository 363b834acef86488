//! Dry runs as the API shows them, and for people.

use crate::client::accounts::{Connection, platform_name, target_name};
use crate::client::api::{Api, Refusal};
use crate::kit::exact_request::ExactRequest;
use serde::Deserialize;
use shared::envelope::Shape;
use shared::serve::ApiCall;

/// The response to a dry run in one ad account.
#[derive(Deserialize)]
pub(super) struct DryRun {
    data: TargetRun,
}

/// The dry run in an ad account.
#[derive(Deserialize)]
pub(super) struct TargetRun {
    platform: String,
    organization_id: Option<String>,
    verdict: String,
    checked_by: String,
    campaign_defaults: Option<ChosenDefaults>,
    request: Option<WriteRequest>,
    #[serde(default)]
    more_requests: Vec<WriteRequest>,
    error: Option<RunError>,
}

/// A request to the platform.
#[derive(Deserialize)]
struct WriteRequest {
    method: String,
    url: String,
    body: String,
}

/// What a create sends that its form does not say.
#[derive(Deserialize)]
struct ChosenDefaults {
    country: Option<String>,
    language: Option<String>,
    special_ad_categories: Option<Vec<String>>,
    source: String,
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
    /// What the form does not say, such as the country; empty where there is nothing.
    pub(super) defaults: String,
    /// The reason why it would fail.
    pub(super) message: Option<String>,
    pub(super) requests: Vec<ExactRequest>,
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

    /// The result for the ad account of a campaign, which is named by these connections.
    pub(super) fn run(self, connections: &[Connection]) -> Vec<Run> {
        let account = self.data.organization_id.as_deref().unwrap_or_default();
        let account = target_name(&format!("{}:{account}", self.data.platform), connections);
        vec![self.named(account)]
    }

    /// The result for an ad account with a name.
    pub(super) fn named(self, account: String) -> Run {
        Run::new(self.data, account)
    }
}

impl Run {
    /// A dry run that the API refused. A failure of its own tells nothing.
    pub(super) fn refused(account: String, status: u16, message: String) -> Run {
        let is_known = (400..500).contains(&status) && status != 429;
        let (tone, verdict) = if is_known { ("bad", "Would fail") } else { ("plain", "Not known") };
        let checked_by = if is_known { "This service has checked this." } else { "This could not be checked." };
        let (checked_by, message) = (checked_by.to_owned(), Some(message));
        Run { account, tone, verdict, checked_by, defaults: String::new(), message, requests: Vec::new() }
    }

    fn new(run: TargetRun, account: String) -> Run {
        let TargetRun {
            platform,
            organization_id: _,
            verdict,
            checked_by,
            campaign_defaults,
            request,
            more_requests,
            error,
        } = run;
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
        let requests = request.iter().chain(&more_requests);
        let requests =
            requests.map(|request| ExactRequest::new(&request.method, &request.url, &request.body)).collect();
        let defaults = campaign_defaults.map(ChosenDefaults::words).unwrap_or_default();
        let message = error.map(|error| error.message);
        Run { account, tone, verdict, checked_by, defaults, message, requests }
    }
}

impl ChosenDefaults {
    /// `Country: DE. Language: de. Set on the page Connections.`
    fn words(self) -> String {
        let ChosenDefaults { country, language, special_ad_categories, source } = self;
        let categories = special_ad_categories.map(|categories| match categories.is_empty() {
            true => "none".to_owned(),
            false => categories.join(", "),
        });
        let values = [("Country", country), ("Language", language), ("Special ad categories", categories)];
        let values = values.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}. ", value?)));
        let source = match source.as_str() {
            "connection" => "Set on the page Connections.",
            _ => "The default of this service; the page Connections can set another.",
        };
        values.chain([source.to_owned()]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::create_accounts::tests::connection;
    use super::*;

    const PASSED: &str = r#"{"platform":"ALPHA","connection_id":"conn_1","organization_id":"1","verdict":"would_create",
        "checked_by":"platform","request":{"method":"POST","url":"https://ads.test/v1","body":"{\"a\":1}"},
        "more_requests":[{"method":"POST","url":"https://ads.test/v2","body":""}]}"#;
    const FAILED: &str = r#"{"platform":"BETA","connection_id":null,"organization_id":null,"verdict":"would_fail",
        "checked_by":"service","request":null,"error":{"code":"FORBIDDEN","message":"No connection.","retryable":false,
        "requestId":"r"}}"#;

    fn run(json: &str) -> Run {
        let run = serde_json::from_str::<DryRun>(&format!(r#"{{"data":{json}}}"#)).unwrap();
        run.run(&[]).remove(0)
    }

    #[test]
    fn an_account_has_its_verdict_and_its_requests() {
        let (passed, failed) = (run(PASSED), run(FAILED));
        assert_eq!(
            (passed.account.as_str(), passed.verdict, passed.tone),
            ("Google Ads: 1", "Would be created", "good")
        );
        assert_eq!((passed.requests.len(), passed.requests[0].body.as_str()), (2, r#"{"a":1}"#));
        assert!(passed.checked_by.starts_with("Google Ads itself"), "{}", passed.checked_by);
        assert_eq!((failed.account.as_str(), failed.verdict, failed.tone), ("Meta: ", "Would fail", "bad"));
        assert_eq!((failed.message.as_deref(), failed.requests.len()), (Some("No connection."), 0));
        assert!(failed.checked_by.starts_with("This service"), "{}", failed.checked_by);
    }

    #[test]
    fn a_preview_says_where_new_campaigns_are_shown_and_who_has_set_it() {
        let with =
            |defaults: &str| PASSED.replace(r#""request""#, &format!(r#""campaign_defaults":{defaults},"request""#));
        assert_eq!(
            run(&with(r#"{"country":"DE","language":"de","source":"connection"}"#)).defaults,
            "Country: DE. Language: de. Set on the page Connections."
        );
        let none = run(&with(r#"{"special_ad_categories":[],"source":"service"}"#)).defaults;
        assert!(none.starts_with("Special ad categories: none. The default of this service"), "{none}");
        assert_eq!(run(PASSED).defaults, "");
    }

    #[test]
    fn the_account_of_a_campaign_has_its_name() {
        let known = Connection { label: Some("Harbour".to_owned()), ..connection("alpha_ads", "1", "ACTIVE") };
        let run = serde_json::from_str::<DryRun>(&format!(r#"{{"data":{PASSED}}}"#)).unwrap();
        assert_eq!(run.run(&[known])[0].account, "Google Ads: Harbour (1)");
    }

    #[test]
    fn an_account_that_could_not_be_asked_has_no_verdict() {
        let asked = run(&FAILED.replace("would_fail", "unknown"));
        assert_eq!((asked.verdict, asked.checked_by.as_str()), ("Not known", "Meta could not be asked."));
    }

    #[test]
    fn a_refusal_is_a_verdict_but_a_failure_is_none() {
        for (status, verdict) in [(400, "Would fail"), (403, "Would fail"), (429, "Not known"), (500, "Not known")] {
            assert_eq!(Run::refused("Meta: 2".to_owned(), status, "No.".to_owned()).verdict, verdict);
        }
    }
}
