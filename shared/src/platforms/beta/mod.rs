//! Meta: the Marketing API on Graph API v26.0.
//!
//! Facts are here; `client` calls, `translate` maps, `fault` says what a failure means.
//!
//! Not verified on v26.0: that `start_time` and `stop_time` are read-only on a campaign (reference of v25.0, recorded
//! live with v21.0, 2026-08), and that an omitted `bid_strategy` becomes a bid cap (reference of v25.0). The choices
//! here, dates refused and the strategy always stated, cost nothing where v26.0 differs.
//!
//! Not verified: that a list of campaigns refuses a cursor with the code 2642, as reports do (recorded live, 2020-04).
//! A refusal that does not name the cursor is passed on in Meta's words and blames no cursor.

mod accounts;
mod client;
mod fault;
mod find;
mod list;
mod money;
#[cfg(test)]
mod recorded;
mod spend;
mod token;
mod translate;
mod usage;
mod wire;

use super::capabilities::{Capabilities, Deletion, MinimumBudget};
use super::config::PlatformConfig;
use super::oauth::{self, AuthorizeRequest, ClientAuth, CodeExchange, Flow, Tokens};
use super::settings::Settings;
use super::version::ApiVersion;
use super::{AdPlatform, CallContext, CampaignPage, ListRequest, RevokedGrant, Session};
use crate::domain::{
    AdAccount, BudgetPeriod, Campaign, CampaignChanges, CampaignDraft, CampaignStatus, Goal, Marker, Platform,
};
use crate::error::Error;
use async_trait::async_trait;
use client::Client;
use http::{HeaderMap, Method};
use jiff::Timestamp;
use secrecy::SecretString;
use serde_json::value::RawValue;
use std::time::Duration;
use translate::draft::Order;
use translate::edit;

/// Name for people.
const NAME: &str = "Meta";

/// Permissions Reference: writing campaigns, and reading what they spent.
const SCOPES: &[&str] = &["ads_management", "ads_read"];

/// What Meta can express in the terms of this service.
static CAPABILITIES: Capabilities = Capabilities {
    platform: Platform::Beta,
    goals: &Goal::ALL,
    budget_periods: &[BudgetPeriod::Daily, BudgetPeriod::Lifetime, BudgetPeriod::Total],
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived],
    lifetime_needs_end: false,
    deletion: Deletion::Removes,
    minimum_budgets: &[MinimumBudget { period: BudgetPeriod::Daily, currency: None, hundredths: 100 }],
    scopes: SCOPES,
    pkce: false,
    notes: &[
        "On a single day up to a quarter more than the daily budget may be spent.",
        "A budget has at most two decimals, and none in CLP, COP, CRC, HUF, ISK, IDR, JPY, KRW, PYG, TWD and VND.",
        "A campaign has no schedule here, its ad sets have: start_at and end_at are refused.",
        "A LIFETIME or TOTAL budget needs no end_at; the ad sets of the campaign need an end before it runs.",
        "CONVERSIONS and SALES are the same objective, and so are awareness and reach.",
        "A deleted campaign can be read by its id and is in no list; an archived one is listed when asked for.",
        "Creating a campaign usually takes two to three seconds.",
        "There is no refresh token: authorization lasts about 60 days and is renewed while it is in use.",
    ],
};

/// Facebook Login: Manually build a login flow. The token calls are in [`token`], because their answers are not
/// those of RFC 6749.
const FLOW: Flow = Flow {
    authorize_url: "https://www.facebook.com/v26.0/dialog/oauth",
    token_url: "https://graph.facebook.com/v26.0/oauth/access_token",
    scopes: SCOPES,
    scope_separator: ",",
    pkce: false,
    client_auth: ClientAuth::Body,
    extra_params: &[],
    default_ttl: Duration::from_secs(60 * 86_400),
};

/// The adapter of Meta.
#[derive(Clone, Copy, Debug)]
pub struct Beta;

#[async_trait]
impl AdPlatform for Beta {
    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }

    /// Versions live about a year; no end of this one is published.
    fn api_version(&self, _: &Settings) -> ApiVersion {
        ApiVersion::new("v26.0", None, "https://developers.facebook.com/docs/graph-api/changelog/versions")
    }

    fn authorize_url(&self, config: &PlatformConfig, request: &AuthorizeRequest<'_>) -> Result<String, Error> {
        oauth::authorize_url(config, &FLOW, request)
    }

    async fn exchange(&self, call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
        token::exchange(call, &exchange).await
    }

    async fn refresh(&self, call: &CallContext, refresh_token: &SecretString) -> Result<Tokens, Error> {
        token::prolong(call, refresh_token).await
    }

    async fn revoke(&self, call: &CallContext, grant: &RevokedGrant) -> Result<(), Error> {
        Client::new(call, &grant.access_token).revoke().await
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        accounts::accounts(call, token).await
    }

    fn requested_pause(&self, headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
        usage::requested_pause(headers, now)
    }

    fn api(&self) -> &'static super::engine::call::Api {
        static API: super::engine::call::Api =
            super::engine::call::Api { platform: Platform::Beta, authenticate: |_, _| Ok(()), classify: |_, _| Ok(()) };
        &API
    }

    fn flow(&self) -> &'static super::oauth::Flow {
        &FLOW
    }

    fn prepare_create(&self, input: &super::CreateInput<'_>) -> Result<super::PreparedCreate, Error> {
        Order::new(input.account, input.draft)?;
        super::PreparedCreate::new(Platform::Beta, input, String::new(), &())
    }

    fn read_created(
        &self,
        _: &AdAccount,
        _: &super::PreparedCreate,
        _: &crate::outbound::Answer,
    ) -> Result<Campaign, Error> {
        Err(Error::internal("not converted"))
    }

    fn find_request(
        &self,
        _: &AdAccount,
        _: &CampaignDraft,
        _: Option<&str>,
    ) -> Result<crate::outbound::Outgoing, Error> {
        Err(Error::internal("not converted"))
    }

    fn read_page(&self, _: &str, _: &crate::outbound::Answer) -> Result<super::engine::page::Page, Error> {
        Err(Error::internal("not converted"))
    }

    fn read_row(
        &self,
        _: &AdAccount,
        _: &serde_json::value::RawValue,
        _: jiff::Timestamp,
    ) -> Result<Option<Campaign>, Error> {
        Err(Error::internal("not converted"))
    }

    fn evidence(&self, _: &Campaign, _: &CampaignDraft, _: &Marker) -> Result<super::engine::find::Evidence, Error> {
        Err(Error::internal("not converted"))
    }

    async fn find_created(
        &self,
        session: &Session,
        draft: &CampaignDraft,
        marker: &Marker,
    ) -> Result<Vec<Campaign>, Error> {
        find::created(session, draft, marker).await
    }

    async fn create_campaign(&self, session: &Session, prepared: &super::PreparedCreate) -> Result<Campaign, Error> {
        let (draft, marker) = (&prepared.draft, &prepared.marker);
        let _ = marker;
        let order = Order::new(&session.account, draft)?;
        let categories = &session.call.config.settings.beta_ads.special_ad_categories;
        let client = Client::of(session);
        let id = client.create(&session.account.id, &draft.name, &order.parameters(categories)).await?;
        // The campaign exists, whatever becomes of this: the answer to a create is the id alone.
        let read = client.get::<Box<RawValue>>(&id, &[("fields", wire::CAMPAIGN_FIELDS)]).await;
        let read = read.and_then(|raw| translate::campaign(&session.account, raw.get(), session.call.now));
        if let Err(error) = &read {
            tracing::warn!(platform = %Platform::Beta, campaign = %id, %error, "a created campaign was not read back");
        }
        Ok(order.created(&id, read.ok()))
    }

    async fn list_campaigns(&self, session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
        list::campaigns(session, request).await
    }

    async fn get_campaign(&self, session: &Session, remote_id: &str) -> Result<Campaign, Error> {
        if !client::is_id(remote_id) {
            return Err(Error::not_found("campaign"));
        }
        let client = Client::of(session);
        let read = client.get::<Box<RawValue>>(remote_id, &[("fields", wire::CAMPAIGN_FIELDS)]);
        let (raw, spent) = tokio::join!(read, spend::of_campaign(&client, remote_id));
        let campaign = translate::campaign(&session.account, raw?.get(), session.call.now)?;
        if campaign.remote_id != remote_id {
            return Err(Error::not_found("campaign"));
        }
        Ok(Campaign { total_spend_amount: spent?, ..campaign })
    }

    async fn update_campaign(
        &self,
        session: &Session,
        current: &Campaign,
        changes: &CampaignChanges,
    ) -> Result<Campaign, Error> {
        let parameters = edit::parameters(&session.account, current, changes)?;
        Client::of(session).change(Method::POST, &current.remote_id, Some(&parameters)).await?;
        edit::applied(current, changes, &parameters, session.call.now)
    }

    async fn delete_campaign(&self, session: &Session, current: &Campaign) -> Result<(), Error> {
        Client::of(session).change(Method::DELETE, &current.remote_id, None).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platforms::config;

    #[test]
    fn the_consent_page_gets_scopes_with_a_comma_and_no_challenge() {
        let client = config::Client { client_id: "id".into(), client_secret: "secret".into(), developer_token: None };
        let config = PlatformConfig::new(Platform::Beta, client, Settings::default(), None);
        let (state, verifier) = ("state".into(), "v".repeat(43).into());
        let request =
            AuthorizeRequest { redirect_uri: "https://us.example/callback", state: &state, verifier: &verifier };
        let url = url::Url::parse(&Beta.authorize_url(&config, &request).unwrap()).unwrap();
        assert_eq!((url.host_str(), url.path()), (Some("www.facebook.com"), "/v26.0/dialog/oauth"));
        let asked = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        assert_eq!(asked("scope").as_deref(), Some("ads_management,ads_read"));
        assert_eq!(asked("state").as_deref(), Some("state"));
        assert_eq!(asked("response_type").as_deref(), Some("code"));
        assert_eq!(asked("code_challenge"), None);
    }
}
