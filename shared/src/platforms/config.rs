//! The configuration of a platform: our OAuth client and its address. In the sandbox its scheme and host are replaced.

use super::settings::Settings;
use crate::domain::Platform;
use crate::outbound::Breakers;
use secrecy::SecretString;
use std::sync::Arc;

/// One platform as configured.
#[derive(Debug)]
pub struct PlatformConfig {
    pub platform: Platform,
    pub client: Client,
    /// The operator's choices.
    pub settings: Settings,
    /// The circuit breakers of calls in ad accounts, as far as this process has seen.
    pub breakers: Arc<Breakers>,
    /// The same of reports, whose failures must not stop changes of campaigns.
    pub report_breakers: Arc<Breakers>,
    /// `PLATFORM_BASE_URL` with the platform's name filled in; `None` for the real addresses.
    base: Option<String>,
}

/// Our OAuth client at a platform, from Secrets Manager.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Public identifier.
    pub client_id: String,
    pub client_secret: SecretString,
    /// For Google, where it is optional: the platform ignores it since 2026-09 and may refuse it one day.
    pub developer_token: Option<SecretString>,
}

impl PlatformConfig {
    /// `base_url` is the value of `PLATFORM_BASE_URL`, with the placeholder `{platform}`.
    pub fn new(platform: Platform, client: Client, settings: Settings, base_url: Option<&str>) -> PlatformConfig {
        let base = base_url.map(|url| url.replace("{platform}", platform.as_str()).trim_end_matches('/').to_owned());
        PlatformConfig { platform, client, settings, breakers: Arc::default(), report_breakers: Arc::default(), base }
    }

    /// The `User-Agent`, where the platform requires a particular one.
    pub fn user_agent(&self) -> Option<&str> {
        self.settings.user_agent(self.platform)
    }

    /// The address for one that the platform publishes: scheme and host may be replaced, the path is kept.
    pub fn address(&self, published: &str) -> String {
        let Some(base) = &self.base else { return published.to_owned() };
        let after_scheme = published.split_once("://").map_or(published, |(_, rest)| rest);
        let path = after_scheme.find('/').map_or("", |slash| &after_scheme[slash..]);
        format!("{base}{path}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(base: Option<&str>) -> PlatformConfig {
        let client = Client { client_id: "id".into(), client_secret: "secret".into(), developer_token: None };
        PlatformConfig::new(Platform::Alpha, client, Settings::default(), base)
    }

    #[test]
    fn the_base_url_replaces_scheme_and_host_and_keeps_the_path() {
        let sandboxed = config(Some("http://127.0.0.1:8081/{platform}"));
        assert_eq!(sandboxed.address("https://oauth2.example.com/token"), "http://127.0.0.1:8081/alpha_ads/token");
        assert_eq!(sandboxed.address("https://oauth2.example.com"), "http://127.0.0.1:8081/alpha_ads");
        assert_eq!(config(None).address("https://oauth2.example.com/token"), "https://oauth2.example.com/token");
    }
}
