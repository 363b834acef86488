//! The payment provider's section on the sandbox's index page.

use crate::stripe::auth::KEY;
use crate::stripe::objects::customer::Customer;
use crate::stripe::objects::plan::{PLANS, Plan};
use crate::stripe::objects::subscription::Subscription;
use crate::stripe::state::{NAME, Stripe};
use askama::Template;
use std::cmp::Reverse;

/// Maximum number of customers and of subscriptions; the newest are shown.
const MAX_ROWS: usize = 20;

/// Plans, customers and subscriptions.
#[derive(Template)]
#[template(path = "stripe/overview.html")]
pub(crate) struct Overview<'a> {
    name: &'static str,
    key: &'static str,
    endpoint: &'a str,
    plans: [Plan; 3],
    customers: Vec<&'a Customer>,
    subscriptions: Vec<&'a Subscription>,
}

impl<'a> Overview<'a> {
    pub(crate) fn new(stripe: &'a Stripe) -> Self {
        let mut customers: Vec<&Customer> = stripe.customers.values().collect();
        customers.sort_by_key(|customer| Reverse(customer.created));
        customers.truncate(MAX_ROWS);
        Self {
            name: NAME,
            key: KEY,
            endpoint: stripe.outbox.endpoint.as_ref().map_or("nowhere yet", |endpoint| endpoint.url.as_str()),
            plans: PLANS,
            customers,
            subscriptions: stripe.newest_subscriptions().take(MAX_ROWS).collect(),
        }
    }
}
