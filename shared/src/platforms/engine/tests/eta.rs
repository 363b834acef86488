//! A seventh platform: only the parts that differ from other platforms.

use crate::platforms::capabilities::{Capabilities, DailySpend, DateRules, Deletion, NameRules};
use crate::platforms::engine::AdPlatform;
use crate::platforms::engine::facts::Facts;
use crate::platforms::engine::list::by_tokens;
use crate::platforms::errors::{failed, refused, token_expired};
use crate::platforms::oauth::{ClientAuth, Flow};
use crate::platforms::prelude::*;
use crate::platforms::version::ApiVersion;
use async_trait::async_trait;
use http::header::AUTHORIZATION;
use serde::{Deserialize, Serialize};

/// [`Platform`] has no seventh variant, so this adapter borrows one.
pub(super) const PLATFORM: Platform = Platform::Zeta;
pub(super) const PAGE_SIZE: usize = 3;
const BASE: &str = "https://ads.eta.example/v1";

static API: Api = Api { platform: PLATFORM, authenticate, classify };

static CAPABILITIES: Capabilities = Capabilities {
    platform: PLATFORM,
    goals: &[Goal::WebsiteTraffic],
    budget_periods: &[BudgetPeriod::Daily],
    goals_without_whole_run: &[],
    has_period_change: false,
    writable_statuses: &[CampaignStatus::Active, CampaignStatus::Paused],
    names: NameRules::OF_SERVICE,
    dates_held_by: Holder::Platform,
    dates: DateRules::AHEAD,
    lifetime_needs_end: true,
    daily_spend: DailySpend { hundredths: 100, page: "https://ads.eta.example/budgets" },
    deletion: Deletion::Removes,
    minimum_budgets: &[],
    maximum_budgets: &[],
    decimals: None,
    notes: &[],
};

static FLOW: Flow = Flow {
    authorize_url: "https://eta.example/authorize",
    token_url: "https://eta.example/token",
    scopes: &[],
    scope_separator: " ",
    pkce: false,
    client_auth: ClientAuth::Body,
    extra_params: &[],
    default_ttl: Duration::from_secs(3_600),
};

static FACTS: Facts =
    Facts::new(&API, |_| ApiVersion::new("v1", None, "https://eta.example/docs"), &CAPABILITIES, &FLOW);

#[derive(Deserialize)]
struct Rows {
    rows: Vec<Box<RawValue>>,
    next: Option<String>,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    account: Option<String>,
    name: Option<String>,
    status: Option<String>,
    daily: Option<u32>,
    created: Option<Timestamp>,
    tag: Option<String>,
}

#[derive(Serialize)]
struct NewCampaign<'a> {
    name: &'a str,
    daily: String,
    status: &'static str,
    tag: String,
}

#[derive(Deserialize)]
struct Refusal {
    error: String,
}

fn authenticate(access: &Access<'_>, request: &mut OutboundRequest) -> Result<(), Error> {
    request.headers.insert(AUTHORIZATION, access.bearer()?);
    Ok(())
}

fn classify(response: &OutboundResponse, _: Timestamp) -> Result<(), Error> {
    let refusal = read_object::<Refusal>(PLATFORM, &response.body);
    Err(match (response.status.as_u16(), refusal) {
        (200..=299, _) => return Ok(()),
        (401, _) => token_expired(PLATFORM),
        (404, Ok(_)) => Error::not_found("campaign").on(PLATFORM),
        (400..=499, Ok(refusal)) => refused(PLATFORM, &refusal.error),
        _ => failed(PLATFORM).retryable(),
    })
}

fn campaigns(account: &AdAccount) -> String {
    format!("{BASE}/{}/campaigns", account.id)
}

fn page_request(account: &AdAccount, token: Option<&str>) -> OutboundRequest {
    get(format!("{}?size={PAGE_SIZE}{}", campaigns(account), token.map_or(String::new(), |at| format!("&at={at}"))))
}

fn read_page(response: &OutboundResponse) -> Result<Page, Error> {
    let page: Rows = read_object(PLATFORM, &response.body)?;
    Ok(Page { rows: page.rows, next: page.next })
}

fn campaign(account: &AdAccount, raw: &str) -> Result<PlatformCampaign, Error> {
    let row: Row = serde_json::from_str(raw).map_err(|error| unreadable(PLATFORM, error))?;
    if row.account.is_some_and(|id| id != account.id) {
        return Err(Error::not_found("campaign"));
    }
    Ok(PlatformCampaign {
        id: CampaignId::new(PLATFORM, &account.id, &row.id),
        account_id: account.id.clone(),
        remote_id: row.id,
        name: row.name.unwrap_or_default(),
        status: status(row.status.as_deref()),
        goal: None,
        budget_amount: row.daily.map(Decimal::from),
        budget_period: row.daily.map(|_| BudgetPeriod::Daily),
        currency: account.currency,
        total_spend_amount: None,
        start_at: None,
        end_at: None,
        created_at: row.created,
        updated_at: None,
        raw: raw.to_owned(),
        signals: Signals::default(),
    })
}

fn status(name: Option<&str>) -> CampaignStatus {
    match name {
        Some("ACTIVE") => CampaignStatus::Active,
        Some("PAUSED") => CampaignStatus::Paused,
        _ => CampaignStatus::Unspecified,
    }
}

fn read_campaign(account: &AdAccount, response: &OutboundResponse) -> Result<PlatformCampaign, Error> {
    campaign(account, &String::from_utf8_lossy(&response.body))
}

/// The adapter.
pub(super) struct Eta;

impl Create for Eta {
    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
        let CreateInput { account, draft, marker, .. } = *input;
        let errors = CAPABILITIES.draft_errors(Some(account.currency), draft);
        if !errors.is_empty() {
            return Err(errors.into_error(PLATFORM));
        }
        let (name, daily, tag) = (&draft.name, draft.budget_amount.to_string(), marker.label());
        PreparedCreate::new(PLATFORM, input, campaigns(account), &NewCampaign { name, daily, status: "PAUSED", tag })
    }

    fn read_created(
        &self,
        account: &AdAccount,
        _: &PreparedCreate,
        response: &OutboundResponse,
    ) -> Result<PlatformCampaign, Error> {
        read_campaign(account, response)
    }
}

impl Find for Eta {
    fn find_request(
        &self,
        account: &AdAccount,
        _: &CampaignDraft,
        token: Option<&str>,
    ) -> Result<OutboundRequest, Error> {
        Ok(page_request(account, token))
    }

    fn read_page(&self, _: &str, response: &OutboundResponse) -> Result<Page, Error> {
        read_page(response)
    }

    fn read_row(&self, account: &AdAccount, row: &RawValue, _: Timestamp) -> Result<Option<PlatformCampaign>, Error> {
        campaign(account, row.get()).map(Some)
    }

    fn evidence(&self, campaign: &PlatformCampaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error> {
        let row: Row = serde_json::from_str(&campaign.raw).map_err(|error| unreadable(PLATFORM, error))?;
        Ok(match row.tag {
            Some(tag) if tag == marker.label() => Evidence::Marked,
            Some(_) => Evidence::Other,
            None => Evidence::by_draft(campaign, draft, marker, campaign.budget_amount.is_none()),
        })
    }
}

#[async_trait]
impl AdPlatform for Eta {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    async fn accounts(&self, call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
        Client::new(&API, call, Some(token)).read(get(format!("{BASE}/accounts"))).await.map(|_| Vec::new())
    }

    async fn campaigns(&self, session: &AccountSession, request: &ListRequest) -> Result<CampaignPage, Error> {
        let account = &session.account;
        let pages = Pages::new(|token| Ok(page_request(account, token)), |_, response| read_page(response));
        let read = |row: &RawValue| campaign(account, row.get());
        by_tokens(&Client::of(&API, session), pages, PAGE_SIZE, request, read).await
    }

    async fn read_campaign(&self, session: &AccountSession, remote_id: &str) -> Result<PlatformCampaign, Error> {
        let request = get(format!("{}/{remote_id}", campaigns(&session.account)));
        read_campaign(&session.account, &Client::of(&API, session).read(request).await?)
    }

    async fn read_ads(&self, _: &AccountSession, request: AdsRequest<'_>) -> Result<AdsReport, Error> {
        Ok(AdsReport::unread(request, Vec::new(), AdsUnread::NotOffered))
    }

    async fn update_campaign(
        &self,
        session: &AccountSession,
        current: &PlatformCampaign,
        changes: &CampaignChanges,
    ) -> Result<Option<PlatformCampaign>, Error> {
        let url = format!("{}/{}", campaigns(&session.account), current.remote_id);
        let is_on = changes.status == Some(CampaignStatus::Active);
        let content = serde_json::json!({"status": if is_on { "ACTIVE" } else { "PAUSED" }});
        let request = json(Method::PATCH, url, &content)?;
        read_campaign(&session.account, &Client::of(&API, session).change(request).await?).map(Some)
    }

    async fn delete_campaign(
        &self,
        session: &AccountSession,
        current: &PlatformCampaign,
    ) -> Result<Option<PlatformCampaign>, Error> {
        let request = get(format!("{}/{}", campaigns(&session.account), current.remote_id));
        Client::of(&API, session).change(OutboundRequest { method: Method::DELETE, ..request }).await.map(|_| None)
    }
}
