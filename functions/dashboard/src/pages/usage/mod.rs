//! Usage: what the plan has left, charts of the last days, the request log with its filter, and one entry in full.

mod chart;
mod days;
mod export;
mod filter;
mod log;
mod reading;

use crate::client::api::Refusal;
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::USAGE;
use crate::kit::chart::{Bars, Lines};
use crate::kit::choice::Choice;
use crate::kit::only_user::OnlyUser;
use crate::kit::plans;
use crate::kit::text::{grouped, readable};
use crate::pages::layout::{self, Layout};
use askama::Template;
use days::Summary;
pub(crate) use export::download;
use filter::Filter;
use log::{FullEntry, LogRow};
use reading::UsageReading;
use shared::envelope::{UsageLogs, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "pages/usage/usage.html")]
struct UsagePage {
    layout: Layout,
    plan: &'static str,
    used: u64,
    limit: u64,
    used_shown: String,
    limit_shown: String,
    period_end: String,
    filter: Filter,
    only_user: Option<OnlyUser>,
    methods: Vec<Choice>,
    statuses: Vec<Choice>,
    keys: Vec<Choice>,
    /// `None` on pages without charts.
    charts: Option<Result<Charts, Refusal>>,
    rows: Vec<LogRow>,
    /// The reason for which there are no rows.
    refusal: Option<Refusal>,
    older: Option<String>,
    entry: Option<FullEntry>,
    /// The address of a request for the first example.
    example: String,
}

/// The charts, and the same numbers as a table.
struct Charts {
    summary: Summary,
    requests: Bars,
    latency: Lines,
}

impl UsagePage {
    /// Whether the log is empty without a filter.
    fn has_no_request(&self) -> bool {
        let is_empty = self.rows.is_empty() && self.refusal.is_none() && self.older.is_none();
        is_empty && self.filter.is_empty() && self.filter.is_newest()
    }
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let (filter, user) = (Filter::read(&request.query), users::named(&request.query)?);
    let UsageReading { log, history } = reading::read(request, person, user.as_ref(), &filter).await;
    let charts = history.map(|history| {
        history.map(|history| {
            let summary = days::summary(&history, request.now);
            Charts { requests: chart::bars(&summary.days), latency: chart::lines(&summary.days), summary }
        })
    });
    let (log, refusal) = log.map_or_else(|refusal| (None, Some(refusal)), |log| (Some(log), None));
    let UsageLogs { entries, next_cursor } = log.unwrap_or_default();
    let SignedIn { account, .. } = person;
    let keys = &account.keys;
    let (used, limit) = (account.usage.requests_used, account.customer.plan.limits().requests_per_period);
    let template = UsagePage {
        layout: Layout::signed_in(request, "Usage", USAGE, person),
        plan: plans::name(account.customer.plan),
        used,
        limit,
        used_shown: grouped(used),
        limit_shown: grouped(limit),
        period_end: readable(account.usage.period_end),
        only_user: OnlyUser::new(user.as_ref(), filter.of_all_users()),
        methods: filter.methods(),
        statuses: filter.statuses(),
        keys: filter.keys(keys, user.as_ref()),
        charts,
        older: next_cursor.map(|cursor| filter.older(&cursor)),
        entry: if filter.is_for_one() { entries.first().map(|entry| FullEntry::of(entry, keys)) } else { None },
        rows: entries.iter().map(|entry| LogRow::of(entry, keys)).collect(),
        refusal,
        filter,
        example: request.public_url("/v1/campaigns")?,
    };
    Ok(layout::show(request, &template))
}
