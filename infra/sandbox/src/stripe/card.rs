//! The provider on the sandbox's own page.

use std::fmt::Write as _;

use super::prices::{PLANS, dollars};
use super::{KEY, Stripe, WORD};
use crate::html::escape;

/// So many customers and subscriptions are shown, the newest.
const SHOWN: usize = 20;

/// What it sells and to whom, and how to make it fail.
pub(crate) fn card(stripe: &Stripe) -> String {
    let prices = PLANS.iter().map(|plan| [plan.price(), plan.name(), &dollars(plan.cents())].map(escape));
    let mut customers: Vec<_> = stripe.customers.values().collect();
    customers.sort_by_key(|one| std::cmp::Reverse(one.created));
    let customers = customers
        .into_iter()
        .take(SHOWN)
        .map(|one| [one.id.as_str(), one.email.as_deref().unwrap_or_default()].map(escape));
    let subscriptions = stripe.order.iter().rev().filter_map(|id| stripe.subscriptions.get(id)).take(SHOWN);
    let subscriptions = subscriptions
        .map(|one| [one.id.as_str(), one.customer.as_str(), one.plan.price(), one.status.word()].map(escape));
    let endpoint = stripe.outbox.endpoint.as_ref().map_or("nowhere yet", |endpoint| endpoint.url.as_str());
    let mut html = format!(
        "<h2>Stripe · <code>/{WORD}</code></h2><p>The payment provider; secret key <code>{KEY}</code>, webhooks go to \
         <code>{}</code>.</p>",
        escape(endpoint)
    );
    html.push_str(&table(["Price", "Plan", "A month"], prices));
    html.push_str(&table(["Customer", "Email"], customers));
    html.push_str(&table(["Subscription", "Customer", "Price", "Status"], subscriptions));
    html.push_str(CONTROLS);
    html
}

fn table<const N: usize>(heads: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut html = String::from("<table><thead><tr>");
    for head in heads {
        let _ = write!(html, "<th>{head}</th>");
    }
    html.push_str("</tr></thead><tbody>");
    for row in rows {
        let _ = write!(html, "<tr><td>{}</td></tr>", row.join("</td><td>"));
    }
    html.push_str("</tbody></table>");
    html
}

const CONTROLS: &str = "<pre>\
POST /_sandbox/stripe/webhook    {&quot;url&quot;:&quot;http://127.0.0.1:8080/v1/billing/webhook&quot;,&quot;secrets&quot;:[&quot;whsec_one&quot;]}\n\
POST /_sandbox/stripe/advance    {&quot;subscription&quot;:&quot;sub_...&quot;,&quot;periods&quot;:1}\n\
POST /_sandbox/stripe/expire     {&quot;session&quot;:&quot;cs_test_...&quot;}\n\
GET  /_sandbox/stripe/events     what happened, and every attempt to deliver it\n\
POST /_sandbox/stripe/redeliver  {&quot;event&quot;:&quot;evt_...&quot;}\n\
POST /_sandbox/faults            {&quot;platform&quot;:&quot;stripe&quot;,&quot;operation&quot;:&quot;webhook&quot;,&quot;fault&quot;:&quot;duplicate&quot;,&quot;times&quot;:1}\n\n\
operations  checkout portal customer subscription any with error drop drop_after throttle slow late garbage;\n\
            webhook with duplicate reorder delay loss (delay takes ms; reorder waits for the next event)\
</pre>";
