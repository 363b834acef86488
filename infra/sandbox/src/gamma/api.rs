//! Handles the API calls: authenticates, then dispatches by route.
//!
//! TikTok API for Business v1.3: "API reference".

use super::account::Account;
use super::campaign::{Campaign, Kind};
use super::envelope::Data;
use super::error::{ApiError, SYSTEM};
use super::params::{Body, Query};
use super::quirks::CreateOutcome;
use super::route::Route;
use super::state::Gamma;
use super::{ad_list, advertisers, auth, campaign, create, list, oauth, quirks, report, review, update};
use crate::http::Request;
use crate::oauth::Consent;
use crate::service::RequestContext;

/// Handles one call of the API.
pub(crate) fn handle(
    gamma: &mut Gamma,
    route: Route,
    request: &Request,
    context: &RequestContext<'_>,
) -> Result<Data, ApiError> {
    if route == Route::Token {
        return oauth::exchange(gamma, request, context);
    }
    let consent = auth::authenticate(gamma, request, context.now.as_second())?;
    if request.method == "GET" {
        quirks::check_read(&mut gamma.reads, context)?;
    }
    match route {
        Route::Revoke => oauth::revoke(gamma, request),
        Route::Advertisers => advertisers::list(gamma, request, &consent, context),
        Route::AdvertiserInfo => advertisers::info(gamma, request, &consent),
        Route::List(kind) => {
            let query = Query::read(request, list::PARAMETERS)?;
            list::list(account(gamma, &consent, &query)?, &gamma.ads, &query, kind, context)
        }
        Route::Ads(kind) => {
            quirks::check_ads(context)?;
            let query = Query::read(request, ad_list::PARAMETERS)?;
            ad_list::list(account(gamma, &consent, &query)?, &gamma.ads, &query, kind, context)
        }
        Route::Review(kind) => {
            quirks::check_ads(context)?;
            let query = Query::read(request, review::parameters(kind))?;
            review::info(account(gamma, &consent, &query)?, &gamma.ads, &query, kind, context)
        }
        Route::Report => {
            let query = Query::read(request, report::PARAMETERS)?;
            report::report(account(gamma, &consent, &query)?, &query, context.settings.page_size)
        }
        Route::Create(kind) => create(gamma, kind, request, &consent, context),
        route => update(gamma, route, request, &consent, context),
    }
}

fn create(
    gamma: &mut Gamma,
    kind: Kind,
    request: &Request,
    consent: &Consent,
    context: &RequestContext<'_>,
) -> Result<Data, ApiError> {
    let body = Body::read(request, create::fields(kind))?;
    let advertiser = body.required("advertiser_id")?;
    let index = auth::authorize(gamma, consent, &advertiser)?;
    let account = gamma.accounts.get_mut(index).ok_or_else(|| ApiError::missing("advertiser_id"))?;
    let outcome = CreateOutcome::next(&advertiser, &mut gamma.creates, context);
    outcome.check_before_write()?;
    let campaign = create::create(account, &body, kind, context)?;
    gamma.last_campaign += 1;
    let number = gamma.last_campaign;
    let id = if context.quirk(quirks::ID_SKEW) { quirks::skewed_id(number, context.now) } else { number };
    let campaign = Campaign { id, ..campaign };
    let row = campaign.written(&advertiser);
    account.campaigns.insert(id, campaign);
    outcome.check_after_write().map(|()| Data::Row(row))
}

fn update(
    gamma: &mut Gamma,
    route: Route,
    request: &Request,
    consent: &Consent,
    context: &RequestContext<'_>,
) -> Result<Data, ApiError> {
    let now = campaign::format_time(context.now);
    let known = match route {
        Route::Update(kind) => update::fields(kind),
        _ => update::STATUS_FIELDS,
    };
    let body = Body::read(request, known)?;
    let advertiser = body.required("advertiser_id")?;
    let index = auth::authorize(gamma, consent, &advertiser)?;
    let account = gamma.accounts.get_mut(index).ok_or_else(|| ApiError::missing("advertiser_id"))?;
    match route {
        Route::Update(kind) => update::update(account, &body, kind, &now, context.is_ignored),
        Route::Status(kind) => update::set_status(account, &body, kind, &now),
        _ => Err(ApiError::new(SYSTEM, "System error.")),
    }
}

/// The account that a query names.
fn account<'g>(gamma: &'g Gamma, consent: &Consent, query: &Query) -> Result<&'g Account, ApiError> {
    let index = auth::authorize(gamma, consent, query.required("advertiser_id")?)?;
    gamma.accounts.get(index).ok_or_else(|| ApiError::missing("advertiser_id"))
}
