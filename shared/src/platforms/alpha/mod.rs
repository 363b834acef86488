//! Google Ads: the Google Ads API v26 over REST.
//!
//! Facts are here; `client` calls, `translate` maps, `fault` says what a failure means.
//!
//! Not verified: whether the platform refuses a campaign without `networkSettings` or gives it partner and display
//! traffic (the create states all four switches, as creates recorded live in 2026-07 do); whether search and display
//! campaigns hold a time of day (it is refused); whether a new display campaign still takes `manualCpm`.

mod accounts;
mod client;
mod fault;
mod find;
mod list;
mod query;
#[cfg(test)]
mod recorded;
mod translate;
mod wire;

use super::capabilities::{Capabilities, Deletion, MinimumBudget};
use super::config::PlatformConfig;
use super::oauth::{self, AuthorizeRequest, ClientAuth, CodeExchange, Flow, Tokens};
use super::revocation::{self, Revocation};
use super::settings::Settings;
use super::version::ApiVersion;
use super::{AdPlatform, CallContext, CampaignPage, ListRequest, RevokedGrant, Session};
use crate::domain::{
    AdAccount, BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignStatus, Goal, Marker, Platform,
};
use crate::error::Error;
use async_trait::async_trait;
use client::Client;
use secrecy::SecretString;
use std::time::Duration;
use translate::draft::Order;
use translate::edit;

/// Name for people.
const NAME: &str = "Google Ads";

/// Google Ads API: OAuth in the Google Ads API.
const SCOPES: &[&str] = &["https://www.googleapis.com/auth/adwords"];

/// What Google Ads can express in the terms of this service.
static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Alpha,
    goals: &[Goal::BrandAwareness, Goal::Reach, Goal::WebsiteTraffic, Goal::Leads, Goal::Sales, Goal::Conversions],
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived],
    lifetime_needs_end: true,
    deletion: Deletion::Removes,
    minimum_budgets: &[MinimumBudget { period: BudgetPeriod::Daily, currency: None, hundredths: 100 }],
    scopes: SCOPES,
    pkce: true,
    notes: &[
        "On a single day up to twice the daily budget may be spent; over a month it averages out.",
        "Creating a campaign usually takes one to two seconds.",
        "A LIFETIME or TOTAL budget needs end_at, and is not offered for awareness and reach.",
        "start_at and end_at are whole days of the ad account's time zone: a plain date, or the instant at which the \
         day starts or its last second; any other time of day is refused.",
        "A search campaign runs on Google Search alone and a display campaign on the Display Network alone.",
        "Goals are our own: Google Ads has channels and bidding strategies, and some of them need conversion tracking \
         in the ad account.",
    ],
};

/// Google Identity: Using OAuth 2.0 for web server applications. Offline access and a renewed consent are what
/// makes Google give out a refresh token every time.
const FLOW: Flow = Flow {
    authorize_url: "https://accounts.google.com/o/oauth2/v2/auth",
    token_url: "https://oauth2.googleapis.com/token",
    scopes: SCOPES,
    scope_separator: " ",
    pkce: true,
    client_auth: ClientAuth::Body,
    extra_params: &[("access_type", "offline"), ("prompt", "consent")],
    default_ttl: Duration::from_secs(3_600),
};

/// Google Identity: Using OAuth 2.0 for web server applications, Revoking a token. Either token ends the grant, and
/// whoever has it needs no other proof.
const REVOCATION: Revocation =
    Revocation { url: "https://oauth2.googleapis.com/revoke", client_auth: None, type_hint: false };

/// The adapter of Google Ads.
#[derive(Clone, Copy, Debug)]
pub struct Alpha;

#[async_trait]
impl AdPlatform for Alpha {
    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }

    /// The page projects the month, without a day.
    fn api_version(&self, _: &Settings) -> ApiVersion {
        let page = "https://developers.google.com/google-ads/api/docs/sunset-dates";
        ApiVersion::new("v26", Some((2027, 11, 1)), page)
    }

    fn authorize_url(&self, config: &PlatformConfig, request: &AuthorizeRequest<'_>) -> Result<String, Error> {
        oauth::authorize_url(config, &FLOW, request)
    }

    fn issuer(&self) -> Option<&'static str> {
        Some("https://accounts.google.com")
    }

    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        oauth::exchange(call, &FLOW, exchange).await
    }

    async fn refresh(&self, call: &CallContext, refresh_token: &SecretString) -> Result<Tokens, Error> {
        oauth::refresh(call, &FLOW, refresh_token).await
    }

    async fn revoke(&self, call: &CallContext, grant: &RevokedGrant) -> Result<(), Error> {
        revocation::revoke(call, &REVOCATION, grant).await
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token).await
    }

    fn check_draft(&self, account: &AdAccount, draft: &CampaignDraft) -> Result<(), Error> {
        Order::new(account, draft).map(|_| ())
    }

    async fn find_created(
        &self,
        session: &Session,
        draft: &CampaignDraft,
        marker: &Marker,
    ) -> Result<Vec<Campaign>, Error> {
        find::created(session, draft, marker).await
    }

    async fn create_campaign(
        &self,
        session: &Session,
        draft: &CampaignDraft,
        _marker: &Marker,
    ) -> Result<Campaign, Error> {
        let order = Order::new(&session.account, draft)?;
        let results = Client::of(session).create(&session.account.id, &draft.name, &order.request()).await?;
        order.created(&results).map_err(|error| fault::doubtful(&draft.name, error))
    }

    async fn list_campaigns(&self, session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
        list::campaigns(session, request).await
    }

    async fn get_campaign(&self, session: &Session, remote_id: &str) -> Result<Campaign, Error> {
        let id = query::number(remote_id).ok_or_else(|| Error::not_found("campaign"))?;
        let account = &session.account;
        let answer = Client::of(session).search(&account.id, &query::one(id), None).await?;
        let row = answer.results.first().ok_or_else(|| Error::not_found("campaign"))?;
        let campaign = translate::campaign(account, row.get())?;
        if campaign.remote_id != remote_id {
            return Err(fault::unreadable("another campaign than the one that was asked for"));
        }
        Ok(campaign)
    }

    async fn update_campaign(
        &self,
        session: &Session,
        current: &Campaign,
        changes: &CampaignChanges,
    ) -> Result<Campaign, Error> {
        let edit = edit::edit(&session.account, current, changes)?;
        let results = Client::of(session).edit(&session.account.id, &edit).await?;
        edit::applied(current, changes, &edit, &results, session.call.now)
    }

    async fn delete_campaign(&self, session: &Session, current: &Campaign) -> Result<(), Error> {
        let removal = edit::removal(&session.account, current)?;
        Client::of(session).edit(&session.account.id, &removal).await.map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platforms::config;

    #[test]
    fn the_consent_page_is_asked_for_a_refresh_token_and_takes_a_challenge() {
        let client = config::Client { client_id: "id".into(), client_secret: "secret".into(), developer_token: None };
        let config = PlatformConfig::new(Platform::Alpha, client, Settings::default(), None);
        let (state, verifier) = ("state".into(), "v".repeat(43).into());
        let request =
            AuthorizeRequest { redirect_uri: "https://us.example/callback", state: &state, verifier: &verifier };
        let url = url::Url::parse(&Alpha.authorize_url(&config, &request).unwrap()).unwrap();
        assert_eq!(url.host_str(), Some("accounts.google.com"));
        let asked = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        assert_eq!(asked("scope").as_deref(), Some("https://www.googleapis.com/auth/adwords"));
        assert_eq!(asked("access_type").as_deref(), Some("offline"));
        assert_eq!(asked("prompt").as_deref(), Some("consent"));
        assert_eq!(asked("code_challenge_method").as_deref(), Some("S256"));
    }

    #[test]
    fn the_callback_names_its_issuer() {
        assert_eq!(Alpha.issuer(), Some("https://accounts.google.com"));
    }
}
