//! Access to AWS as the AWS CLI has it. The functions read variables alone, because Lambda sets them and the chain of
//! providers would slow down their start.

use super::Failure;
use aws_config::{BehaviorVersion, Region};
use aws_credential_types::provider::ProvideCredentials;
use shared::app::Aws;
use shared::sdk::SharedHttpClient;

/// Finds region and credentials: variables, then a profile of `~/.aws` with keys, SSO, a role or a process, then those of
/// the machine. An error names what is missing.
pub(super) async fn of_cli(profile: Option<&str>) -> Result<Aws, Failure> {
    let loader = aws_config::defaults(BehaviorVersion::latest()).http_client(SharedHttpClient::default());
    let loader = match profile {
        Some(profile) => loader.profile_name(profile),
        None => loader,
    };
    let config = loader.load().await;
    let region = config.region().map(Region::to_string);
    let region = region.ok_or("no region: set AWS_REGION, or `region` in the profile of --profile or AWS_PROFILE")?;
    let provider = config.credentials_provider().ok_or("no provider of AWS credentials")?;
    let credentials = provider.provide_credentials().await.map_err(|error| {
        let cause = std::error::Error::source(&error).map_or_else(String::new, |cause| format!(": {cause}"));
        // The chain names each provider on a line of its own.
        let cause = cause.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("no AWS credentials: {error}{cause}. `aws sts get-caller-identity` shows whether the AWS CLI has any")
    })?;
    Ok(Aws::with(region, credentials))
}
