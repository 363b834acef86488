//! What the page says of a subscription, of a checkout, and of a refused one.

use crate::client::api::Refusal;
use crate::client::notice::Notice;
use crate::kit::money::in_currency;
use crate::kit::plans;
use crate::kit::text::readable;
use shared::domain::{Plan, SubscriptionState};
use shared::payments::PlanPrice;

/// A subscription's status for people.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Status {
    pub(super) name: String,
    pub(super) badge: &'static str,
    /// A sentence about what follows from it.
    pub(super) meaning: String,
}

pub(super) fn status(state: Option<&SubscriptionState>, plan: Plan) -> Status {
    let Some(state) = state else {
        let (name, meaning) = match plan {
            Plan::Starter => ("free", "There is no subscription, and you pay nothing."),
            Plan::Pro | Plan::Enterprise => ("active", "There is no subscription, so nothing is charged here."),
        };
        return Status { name: name.to_owned(), badge: "good", meaning: meaning.to_owned() };
    };
    let end = readable(state.period_end);
    let (badge, meaning) = match state.status.as_str() {
        "active" | "trialing" if state.cancel_at_period_end => ("warn", format!("The subscription ends on {end}.")),
        "active" | "trialing" => ("good", format!("The subscription renews on {end}.")),
        "past_due" => ("warn", "The last payment failed. Update the payment method to keep the plan.".to_owned()),
        _ if state.status.is_terminal() => ("plain", "The subscription has ended.".to_owned()),
        _ => ("bad", "The subscription is not paid for. Complete the payment in the billing portal.".to_owned()),
    };
    Status { name: state.status.as_str().replace('_', " "), badge, meaning }
}

/// What has come of a visit of the payment provider's pages, by the name in the address that led back. The plan is the
/// stored one, because anyone can make such an address.
pub(super) fn outcome(name: &str, plan: Plan) -> Option<Notice> {
    const LATER: &str = "If you have paid, nothing is lost: your plan changes by itself.";
    let (is_success, message) = match name {
        "paid" if plan != Plan::Starter => (true, format!("Thank you. Your plan is {}.", plans::name(plan))),
        "paid" | "pending" => (true, "Thank you. Your plan changes by itself once the payment has arrived.".to_owned()),
        "unpaid" => (false, "Nothing was paid, and your plan is unchanged.".to_owned()),
        "canceled" => (true, "Canceled. Your plan is unchanged.".to_owned()),
        "back" => (true, "Welcome back. What you changed applies within seconds.".to_owned()),
        "unconfirmed" => (false, format!("The payment provider has not confirmed your payment yet. {LATER}")),
        "unknown" => (false, format!("There is no such checkout, so there is nothing to confirm. {LATER}")),
        _ => return None,
    };
    Some(Notice { is_success, ..Notice::success(message) })
}

/// Why neither checkout nor portal opens.
pub(super) fn not_opened(refusal: Refusal) -> Notice {
    let message = match refusal.status {
        409 => "You have a subscription already. Change or cancel it in the billing portal below.",
        502 | 504 => "The payment provider did not answer. Nothing was charged. Try again.",
        _ => return Notice::failure(refusal, &[]),
    };
    Notice::failure(Refusal { message: message.to_owned(), ..refusal }, &[])
}

/// `99.00 USD a month`
pub(super) fn price(price: &PlanPrice) -> String {
    let PlanPrice { amount, currency, interval, interval_count } = price;
    let amount = in_currency(*amount, *currency);
    match interval_count {
        1 => format!("{amount} a {interval}"),
        count => format!("{amount} every {count} {interval}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_decimal::Decimal;
    use shared::domain::{Currency, SubscriptionStatus};

    fn state(status: &str, cancel_at_period_end: bool) -> SubscriptionState {
        SubscriptionState {
            subscription_id: "sub_1".to_owned(),
            status: SubscriptionStatus::new(status),
            plan: Plan::Pro,
            period_start: "2026-11-01T00:00:00Z".parse().unwrap(),
            period_end: "2026-12-01T00:00:00Z".parse().unwrap(),
            cancel_at_period_end,
        }
    }

    #[test]
    fn a_status_says_what_follows_from_it() {
        for (name, cancels, badge, word) in [
            ("active", false, "good", "renews on 1 Dec 2026"),
            ("active", true, "warn", "ends on 1 Dec 2026"),
            ("past_due", false, "warn", "failed"),
            ("canceled", false, "plain", "has ended"),
            ("incomplete", false, "bad", "not paid"),
            ("a_word_of_tomorrow", false, "bad", "not paid"),
        ] {
            let status = status(Some(&state(name, cancels)), Plan::Pro);
            assert_eq!(status.badge, badge, "{name}");
            assert!(status.meaning.contains(word) && !status.name.contains('_'), "{status:?}");
        }
        let without = |plan| status(None, plan);
        assert_eq!(without(Plan::Starter).name, "free");
        assert!(without(Plan::Starter).meaning.ends_with("you pay nothing."));
        assert!(without(Plan::Pro).name == "active" && without(Plan::Pro).meaning.contains("nothing is charged"));
    }

    #[test]
    fn the_way_back_tells_the_stored_plan() {
        let told = |name, plan| outcome(name, plan).map(|notice| (notice.is_success, notice.message));
        assert_eq!(told("paid", Plan::Pro), Some((true, "Thank you. Your plan is Pro.".to_owned())));
        assert!(told("paid", Plan::Starter).unwrap().1.contains("once the payment has arrived"));
        assert_eq!(told("canceled", Plan::Pro), Some((true, "Canceled. Your plan is unchanged.".to_owned())));
        assert!(!told("unpaid", Plan::Pro).unwrap().0 && !told("unconfirmed", Plan::Pro).unwrap().0);
        assert_eq!(told("<b>", Plan::Pro), None);
    }

    #[test]
    fn a_price_has_its_interval() {
        let of = |amount, interval_count| PlanPrice {
            amount,
            currency: Currency::from_code("USD").unwrap(),
            interval: "month".to_owned(),
            interval_count,
        };
        assert_eq!(price(&of(Decimal::from(99), 1)), "99.00 USD a month");
        assert_eq!(price(&of(Decimal::from(1_234), 3)), "1,234.00 USD every 3 months");
    }

    #[test]
    fn a_failed_checkout_names_no_request() {
        let refusal = |status| Refusal {
            status,
            message: "see POST /v1/billing/portal".to_owned(),
            details: Vec::new(),
            reason: None,
            request_id: "1".to_owned(),
        };
        assert!(not_opened(refusal(409)).message.ends_with("in the billing portal below."));
        assert!(not_opened(refusal(502)).message.contains("Nothing was charged. Try again."));
        assert_eq!(not_opened(refusal(403)).message, refusal(403).message);
    }
}
