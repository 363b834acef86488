//! The configured issuer.

use super::documents::Documents;
use super::sign_in_limits::SignInRateLimits;
use crate::error::Error;
use crate::outbound::Outbound;
use jiff::Timestamp;
use secrecy::SecretString;
use serde::Deserialize;
use std::net::IpAddr;
use url::Url;

/// The issuer and our client at it, as configured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuerConfig {
    /// The issuer's identifier, exactly as in its ID tokens.
    pub issuer: String,
    /// Our client's public identifier.
    pub client_id: String,
}

/// The secret of our client, from Secrets Manager.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientSecret {
    pub client_secret: SecretString,
}

/// The issuer that authenticates people.
#[derive(Debug)]
pub struct Issuer {
    pub(super) config: IssuerConfig,
    pub(super) secret: SecretString,
    pub(super) outbound: Outbound,
    pub(super) documents: Documents,
    rate_limits: SignInRateLimits,
}

impl IssuerConfig {
    /// The configuration. An issuer is a URL without a query and a fragment (Discovery 1.0, section 3).
    pub fn new(issuer: &str, client_id: &str) -> Result<IssuerConfig, String> {
        let url = Url::parse(issuer).map_err(|error| format!("the issuer is not a URL: {error}"))?;
        if !matches!(url.scheme(), "https" | "http") || url.query().is_some() || url.fragment().is_some() {
            return Err("the issuer must be an https URL without a query and a fragment".to_owned());
        }
        if client_id.is_empty() {
            return Err("the issuer needs a client id".to_owned());
        }
        Ok(IssuerConfig { issuer: issuer.to_owned(), client_id: client_id.to_owned() })
    }
}

impl Issuer {
    /// An issuer that was not called yet.
    pub fn new(outbound: Outbound, config: IssuerConfig, secret: ClientSecret) -> Issuer {
        let (documents, rate_limits) = (Documents::default(), SignInRateLimits::default());
        Issuer { config, secret: secret.client_secret, outbound, documents, rate_limits }
    }

    /// Counts a request that begins or completes a sign-in, and refuses it if its network has sent too many. On this
    /// machine, where requests have no address, none is refused.
    pub fn admit(&self, source: Option<IpAddr>, now: Timestamp) -> Result<(), Error> {
        if let Some(source) = source {
            self.rate_limits.count(source, now)?;
        }
        Ok(())
    }

    /// The issuer's identifier.
    pub fn id(&self) -> &str {
        &self.config.issuer
    }
}
