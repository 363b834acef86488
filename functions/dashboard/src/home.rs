//! The first page after a sign-in.

use crate::HOME;
use crate::layout::{self, Layout};
use crate::session::{self, SignedIn};
use askama::Template;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage<'a> {
    layout: Layout,
    plan: &'static str,
    used: u64,
    limit: u64,
    used_shown: String,
    limit_shown: String,
    period_end: String,
    docs: &'a str,
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest) -> Result<WebReply, Error> {
    let Some(person) = session::find(request).await? else { return Ok(session::sign_in_first(request)) };
    let SignedIn { account, .. } = &person;
    let plan = account.customer.plan;
    let (used, limit) = (account.usage.requests_used, plan.limits().requests_per_period);
    Ok(layout::page(&HomePage {
        layout: Layout::signed_in("Home", HOME, &person),
        plan: plan.as_str(),
        used,
        limit,
        used_shown: layout::grouped(used),
        limit_shown: layout::grouped(limit),
        period_end: layout::readable(account.usage.period_end),
        docs: "/v1/docs",
    }))
}
