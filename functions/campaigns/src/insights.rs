//! `getInsights` and `listInsights`: what campaigns did, read live from the platforms' reports.

use crate::cursor::Cursor;
use crate::listed_connections::{PrefetchedBatch, first_batch};
use crate::merge::{MergeRequest, merge};
use crate::request::CampaignInPath;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use shared::domain::{Connection, CustomerId, Days, InsightsRow};
use shared::envelope::{
    AccountInsights, CampaignInsights, InsightsPage, InsightsQuery, Reply, read_campaign_insights, read_insights,
};
use shared::error::{Error, Kind};
use shared::platforms::{AccountSession, AdPlatform, InsightsFacts, InsightsRequest, adapter};
use shared::serve::{ApiRequest, Call};
use std::mem;

/// More rows than one campaign can have: a page for each day.
const ALL_ROWS: usize = 1_000;

/// The query of a list of insights, and its first connections.
pub(crate) struct FirstInsights {
    query: InsightsQuery,
    cursor: Option<Cursor>,
    batch: PrefetchedBatch,
}

/// Reads the query of a list and its first connections. An invalid query reads none.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> Result<FirstInsights, Error> {
    let mut query = read_insights(request.shape, &request.query, today(request.now))?;
    let cursor = query.cursor.as_deref().map(Cursor::parse).transpose()?;
    if let Some(report) = cursor.as_ref().and_then(Cursor::report) {
        query.continue_report(report);
    }
    let report = query.report();
    let cursor = cursor.map(|cursor| cursor.check(&query.filters, Some(&report))).transpose()?;
    let batch = first_batch(request, customer, &query.filters, cursor.as_ref()).await?;
    Ok(FirstInsights { query, cursor, batch })
}

/// Lists what the campaigns of all connections did.
pub(crate) async fn list(call: &Call, first: Result<FirstInsights, Error>) -> Result<Reply, Error> {
    let FirstInsights { query, cursor, batch } = first?;
    let InsightsQuery { days, granularity, limit, .. } = query;
    let report = query.report();
    let request = MergeRequest { filters: &query.filters, report: Some(&report), limit, cursor: cursor.as_ref() };
    let now = call.request.now;
    let read = |adapter: &'static dyn AdPlatform, session: AccountSession, after| async move {
        let facts = adapter.facts();
        check_history(facts.insights, days, now).map_err(|first| {
            let message = format!("The platform has no report on days before {first}.");
            Error::new(Kind::PlatformRefused, message).on(facts.api.platform)
        })?;
        adapter.insights(&session, &InsightsRequest { days, granularity, campaign: None, limit, after }).await
    };
    let merged = merge(call, request, batch, read, |_| true);
    let (page, next_cursor) = merged.await?;
    let mut rows = page.rows;
    let mut accounts = Vec::new();
    for connection in &page.answered {
        let later = rows.iter().position(|row| !connection.holds(&row.campaign)).unwrap_or(rows.len());
        let later = rows.split_off(later);
        let own = mem::replace(&mut rows, later);
        accounts.extend(account_insights(connection, days, own, now));
    }
    Ok(Reply::Insights(InsightsPage { days, granularity, accounts, next_cursor, failures: page.failures }))
}

/// Reads what one campaign did. The campaign is read at the same time, because a report has no row for an unknown one,
/// and because the connection's state follows from it alone.
pub(crate) async fn get(call: &Call) -> Result<Reply, Error> {
    let now = call.request.now;
    let InsightsQuery { days, granularity, .. } = read_campaign_insights(&call.request.query, today(now))?;
    let CampaignInPath { id, connection, remote_id } = CampaignInPath::of(call)?;
    check_history(adapter(connection.platform).facts().insights, days, now).map_err(|first| {
        Error::field("from", format!("must not be before {first}: the platform has no report on earlier days"))
    })?;
    let request =
        &InsightsRequest { days, granularity, campaign: Some(remote_id.clone()), limit: ALL_ROWS, after: None };
    let context = call.platform_context();
    let campaign = context.get_campaign(connection, &remote_id);
    let report =
        context.read_report(connection, |adapter, session| async move { adapter.insights(&session, request).await });
    // join!, not try_join!: a failed report must not cancel what the campaign's read does to the connection.
    let (campaign, report) = tokio::join!(campaign, report);
    campaign?;
    let page = report?;
    // A report on one campaign is read to its end, or fails.
    if page.has_more {
        return Err(Error::internal("a report of one campaign with more rows than days"));
    }
    let insights = account_insights(connection, days, page.rows, now);
    let account = insights.ok_or_else(|| Error::internal("a connection without an account"))?;
    Ok(Reply::CampaignInsights(Box::new(CampaignInsights { campaign: id, days, granularity, account })))
}

/// The insights of a connection; `None` for one without an ad account, which a list does not read.
fn account_insights(
    connection: &Connection,
    days: Days,
    rows: Vec<InsightsRow>,
    as_of: Timestamp,
) -> Option<AccountInsights> {
    let account = connection.account.as_ref()?;
    let facts = adapter(connection.platform).facts().insights;
    Some(AccountInsights {
        platform: connection.platform,
        connection_id: connection.id.clone(),
        account_id: account.id.clone(),
        currency: account.currency,
        time_zone: facts.zone_name(&account.time_zone).to_owned(),
        attribution: facts.attribution,
        as_of,
        last_day: days.to,
        restated_days: facts.restated_days,
        rows,
    })
}

/// The first day of the platform's reports, if the days begin before it.
fn check_history(facts: &InsightsFacts, days: Days, now: Timestamp) -> Result<(), Date> {
    let first = facts.history_days.map(|history| today(now).saturating_sub(history.days()));
    match first {
        Some(first) if days.from < first => Err(first),
        _ => Ok(()),
    }
}

fn today(now: Timestamp) -> Date {
    TimeZone::UTC.to_datetime(now).date()
}
