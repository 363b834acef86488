//! Dry runs for people.

use crate::client::accounts::{Connection, target_name};
use crate::kit::exact_request::ExactRequest;
use crate::kit::words;
use shared::domain::{CampaignDefaults, DefaultsSource, ShownRequest};
use shared::envelope::{DryRunResult, DryRunVerdict};

/// The result in an ad account.
pub(super) struct DryRunView {
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

impl DryRunView {
    /// The result for an ad account, which is named by these connections.
    pub(super) fn in_account(result: DryRunResult, connections: &[Connection]) -> DryRunView {
        let account = result.account_id.as_deref().unwrap_or_default();
        let account = target_name(&format!("{}:{account}", result.platform.as_upper()), connections);
        DryRunView::new(result, account)
    }

    /// The result for an ad account with a name.
    pub(super) fn new(result: DryRunResult, account: String) -> DryRunView {
        let DryRunResult { platform, verdict, requests, is_checked_by_platform, defaults, outcome, .. } = result;
        let name = platform.display_name();
        let is_unknown = outcome.as_ref().is_err_and(|error| error.kind.is_inconclusive());
        let checked_by = if is_unknown {
            format!("{name} could not be asked.")
        } else if is_checked_by_platform {
            format!("Checked by {name}, without making the change.")
        } else {
            format!("Checked by us, not by {name}.")
        };
        let (tone, verdict) = match (&outcome, verdict) {
            (Err(_), _) if is_unknown => ("plain", "Not known"),
            (Err(_), _) => ("bad", "Would fail"),
            (Ok(()), DryRunVerdict::WouldCreate) => ("good", "Would be created"),
            (Ok(()), DryRunVerdict::WouldUpdate) => ("good", "Would be changed"),
            (Ok(()), DryRunVerdict::WouldChangeNothing) => ("plain", "Nothing would change"),
        };
        let exact = |ShownRequest { method, url, body }: &ShownRequest| ExactRequest::new(method, url, body);
        DryRunView {
            account,
            tone,
            verdict,
            checked_by,
            defaults: defaults.map(|(values, source)| defaults_words(values, source)).unwrap_or_default(),
            message: outcome.err().map(|error| words::error(&error)),
            requests: requests.iter().map(exact).collect(),
        }
    }

    /// A dry run that the API refused. A failure of the dry run itself proves nothing.
    pub(super) fn refused(account: String, status: u16, message: String) -> DryRunView {
        let is_known = (400..500).contains(&status) && status != 429;
        let (tone, verdict) = if is_known { ("bad", "Would fail") } else { ("plain", "Not known") };
        let checked_by = if is_known { "Checked by us." } else { "This could not be checked." };
        let (checked_by, message) = (checked_by.to_owned(), Some(message));
        DryRunView { account, tone, verdict, checked_by, defaults: String::new(), message, requests: Vec::new() }
    }
}

/// `Country: DE. Language: de. Set on the page Connections.`
fn defaults_words(defaults: CampaignDefaults, source: DefaultsSource) -> String {
    let CampaignDefaults { country, language, special_ad_categories } = defaults;
    let categories = special_ad_categories
        .map(|categories| if categories.is_empty() { "none".to_owned() } else { categories.join(", ") });
    let values = [("Country", country), ("Language", language), ("Special ad categories", categories)];
    let values = values.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}. ", value?)));
    let source = match source {
        DefaultsSource::Connection => "Set on the page Connections.",
        DefaultsSource::Service => "Change it under Connections.",
    };
    values.chain([source.to_owned()]).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::client::accounts::tests::known;
    use shared::domain::{ConnectionId, Platform};
    use shared::error::{Error, Kind};

    /// The dry run of a create in an account of Google Ads, with two requests.
    pub(in super::super) fn result(outcome: Result<(), Error>) -> DryRunResult {
        let request = |url: &str, body: &str| ShownRequest {
            method: "POST".to_owned(),
            url: url.to_owned(),
            body: body.to_owned(),
        };
        DryRunResult {
            platform: Platform::Alpha,
            connection_id: Some(ConnectionId("conn_1".to_owned())),
            account_id: Some("1".to_owned()),
            verdict: DryRunVerdict::WouldCreate,
            requests: vec![request("https://ads.test/v1", r#"{"a":1}"#), request("https://ads.test/v2", "")],
            is_checked_by_platform: true,
            needs_approval: false,
            activates: false,
            defaults: None,
            outcome,
        }
    }

    fn unconnected(kind: Kind) -> DryRunResult {
        DryRunResult {
            platform: Platform::Beta,
            connection_id: None,
            account_id: None,
            requests: Vec::new(),
            is_checked_by_platform: false,
            ..result(Err(Error::new(kind, "No connection.")))
        }
    }

    #[test]
    fn an_account_has_its_verdict_and_its_requests() {
        let passed = DryRunView::in_account(result(Ok(())), &[]);
        assert_eq!(
            (passed.account.as_str(), passed.verdict, passed.tone),
            ("Google Ads: 1", "Would be created", "good")
        );
        assert_eq!((passed.requests.len(), passed.requests[0].body.as_str()), (2, r#"{"a":1}"#));
        assert!(passed.checked_by.starts_with("Checked by Google Ads"), "{}", passed.checked_by);
        let failed = DryRunView::in_account(unconnected(Kind::Forbidden), &[]);
        assert_eq!((failed.account.as_str(), failed.verdict, failed.tone), ("Meta: ", "Would fail", "bad"));
        assert_eq!((failed.message.as_deref(), failed.requests.len()), (Some("No connection."), 0));
        assert!(failed.checked_by.starts_with("Checked by us"), "{}", failed.checked_by);
    }

    #[test]
    fn a_preview_says_where_new_campaigns_are_shown_and_who_has_set_it() {
        let words = |values, source| {
            DryRunView::in_account(DryRunResult { defaults: Some((values, source)), ..result(Ok(())) }, &[])
        };
        let germany = CampaignDefaults {
            country: Some("DE".to_owned()),
            language: Some("de".to_owned()),
            ..CampaignDefaults::default()
        };
        assert_eq!(
            words(germany, DefaultsSource::Connection).defaults,
            "Country: DE. Language: de. Set on the page Connections."
        );
        let none = words(CampaignDefaults::without_categories(), DefaultsSource::Service).defaults;
        assert!(none == "Special ad categories: none. Change it under Connections.", "{none}");
        assert_eq!(DryRunView::in_account(result(Ok(())), &[]).defaults, "");
    }

    #[test]
    fn the_account_of_a_campaign_has_its_name() {
        let known = Connection { label: Some("Harbour".to_owned()), ..known("alpha_ads", "1") };
        assert_eq!(DryRunView::in_account(result(Ok(())), &[known]).account, "Google Ads: Harbour (1)");
    }

    #[test]
    fn an_account_that_could_not_be_asked_has_no_verdict() {
        let asked = DryRunView::in_account(unconnected(Kind::PlatformTimeout), &[]);
        assert_eq!((asked.verdict, asked.checked_by.as_str()), ("Not known", "Meta could not be asked."));
    }

    #[test]
    fn a_refusal_is_a_verdict_but_a_failure_is_none() {
        for (status, verdict) in [(400, "Would fail"), (403, "Would fail"), (429, "Not known"), (500, "Not known")] {
            assert_eq!(DryRunView::refused("Meta: 2".to_owned(), status, "No.".to_owned()).verdict, verdict);
        }
    }
}
